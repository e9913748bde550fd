"""A provider as data: whose rules judge a transcript."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

from app.model.findings import Mode
from app.model.kinds import Role
from app.model.table import Ints
from app.model.view import View

Pairing = Literal["leading-run", "contiguous-run", "anywhere", "count", "next-message"]


@dataclass(frozen=True)
class Overhead:
    """Tokens that stand on no text, each with its source in `sources`."""

    message: int = 3
    name: int = 1
    call: int = 3
    sources: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Provider:
    """What a provider module is: mostly data.

    `joins`: roles whose neighbouring messages become one turn before pairing is checked. `pairing`: where results must stand.
    `image_tokens(width, height)`: cost of an image; None, None where its size is not known.
    `words`: for each rule the provider's error text as reported, with {at}, {id}, {ids}, {name} to fill in.
    `judges`: names of the rules that apply. `not_judged`: what a check cannot see, in words.
    """

    name: str
    title: str
    summary: str
    pairing: Pairing
    joins: frozenset[Role]
    answers: Role  # role of the message that holds results
    overhead: Overhead
    image_tokens: Callable[[int | None, int | None], int]
    words: dict[str, str]
    judges: frozenset[str]
    not_judged: tuple[str, ...] = ()
    refuses_prefill: Callable[[str | None], bool] = lambda model: False
    id_max: int | None = None
    id_alphabet: Literal["any", "word", "dotted"] = "any"  # word: [A-Za-z0-9_-], dotted: also . and :


class Defect(IntEnum):
    """What a provider's pairing says of one call or result. Each gets exactly one; the names are those of the rules."""

    NONE = 0
    CALL_UNANSWERED = 1
    CALL_PARTIALLY_ANSWERED = 2  # on every missing call of a turn in which another one is answered
    CALL_TRAILING = 3  # open, and in the very last turn
    CALL_ID_DUPLICATE = 4
    RESULT_ORPHAN = 5
    RESULT_ID_MISMATCH = 6
    RESULT_ID_MISSING = 7
    RESULT_DUPLICATE = 8
    RESULT_NOT_FIRST = 9
    RESULT_NOT_ADJACENT = 10
    RESULTS_SPLIT = 11
    ROLE_MISMATCH = 12
    IN_FLIGHT = 13  # an open server-side call that the provider accepts


@dataclass(eq=False)
class Reading:
    """A transcript as one provider reads it. Arrays are aligned with positions; before `view.start` they say nothing (-1, NONE).

    `turn`: the joined turn of each position, from 0. `wire_message`: index in the list that would be sent.
    `wire_block`: n-th block of its turn as the provider counts (joined). `partner`: as this provider pairs, -1 none.
    """

    view: View
    provider: Provider
    model: str | None
    mode: Mode
    turn: Ints
    wire_message: Ints
    wire_block: Ints
    defect: Ints  # uint8, Defect
    partner: Ints
