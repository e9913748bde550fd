"""What the rows of the list say, as values."""

from __future__ import annotations

from typing import NamedTuple

from app.model.kinds import KIND_WORDS, Kind
from widgets.exchange_facts import NOTHING, Found, Outcome, Pips

# shape (widgets/shapes.py) and colour of a kind; text of other roles than the assistant's has its own
SIGNS = {
    Kind.TEXT: ("dot", "text"), Kind.REASONING: ("diamond", "reasoning"), Kind.TOOL_CALL: ("call", "tool_call"),
    Kind.TOOL_RESULT: ("result", "tool_result"), Kind.MEDIA: ("media", "media"),
}  # fmt: skip
SHORT_WORDS = {**KIND_WORDS, Kind.TOOL_RESULT: "result", Kind.TOOLS: "tool"}
OUTCOMES = {
    Outcome.NONE: ("", "", "ink_soft"), Outcome.ANSWERED: ("check", "", "green"), Outcome.OPEN: ("dots", "open", "warning"),
    Outcome.BROKEN: ("cross", "broken", "error"), Outcome.REFUSED: ("refused", "refused", "error"),
    Outcome.INTERRUPTED: ("bolt", "stopped", "warning"), Outcome.WALL: ("wall", "wall", "ink_soft"),
}  # fmt: skip
SAID = {Outcome.ANSWERED: "answered", Outcome.OPEN: "open", Outcome.BROKEN: "broken", Outcome.REFUSED: "refused",
        Outcome.INTERRUPTED: "interrupted", Outcome.WALL: "begins behind a compaction"}  # fmt: skip


class Piece(NamedTuple):
    """Words in one style: `font` bold, ui, mono or italic; `colour` one of the theme. `gives`: cut before those behind it are."""

    text: str
    font: str = "ui"
    colour: str = "ink"
    gives: bool = False


class Chip(NamedTuple):
    """A call's number beside it and its result; `word` where they do not simply stand together."""

    number: int
    word: str = ""
    colour: str = "tool_call"


class Look(NamedTuple):
    """A row but for what a plan makes of it."""

    number: str = ""
    sign: str = ""
    sign_colour: str = "ink_soft"
    word: str = ""  # of an exchange its outcome, of a block its kind
    word_sign: str = ""
    word_colour: str = "ink_soft"
    pieces: tuple[Piece, ...] = ()
    side: str = ""  # at the right end of the words, where there is room
    requests: str = ""
    pips: Pips | None = None
    chip: Chip | None = None
    tokens: int = 0
    counted: bool = True
    guessed: bool = False
    bar_colour: str = "bar"
    found: Found = NOTHING
    unsent: bool = False
    outcome: Outcome = Outcome.NONE
