"""The chooser of transcripts: those of a dump with what each comes to, filled in while one reads."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from app.model.state import Changed, State
from app.model.survey import Surveyed
from app.model.transcript import Transcript
from widgets.chooser import Chooser, Column
from widgets.visible import line
from widgets.words import counted, full, short

_LONG = 120


class Item(NamedTuple):
    """A transcript, what is known of it, and whether it is the one that is open."""

    number: int
    one: Transcript
    known: Surveyed | None
    chosen: bool


def name_of(one: Transcript) -> str:
    """Its id, and beside it a title or why it is apart from others."""
    about = " — ".join(line(word, _LONG) for word in (one.title, one.why) if word)
    return line(one.id, 60) + (f"  {about}" if about else "")


def verdict_of(errors: int | None, warnings: int = 0) -> tuple[str, str]:
    """Words and a tone: bad, warn, good, or soft where nobody has looked yet."""
    if errors is None:
        return "…", "soft"
    if errors:
        return f"✕ {counted(errors, 'error')}", "bad"
    return (f"▲ {counted(warnings, 'warning')}", "warn") if warnings else ("no reason found", "good")


def _verdict(item: Item) -> tuple[str, str]:
    return verdict_of(item.known.errors, item.known.warnings) if item.known else verdict_of(None)


COLUMNS = (
    Column("#", "its place in the dump", lambda item: full(item.number + 1), lambda item: item.number, "10,000", True, down=False),
    Column("Transcript", "its id and what the dump says of it", lambda item: ("● " if item.chosen else "") + name_of(item.one),
           lambda item: name_of(item.one).lower(), down=False, tip=lambda item: name_of(item.one)),
    Column("Exchanges", "real user messages, each with all that follows", lambda item: full(item.known.exchanges) if item.known else "",
           lambda item: item.known.exchanges if item.known else None, "Exchanges", True),
    Column("Requests", "answers of the model", lambda item: full(item.known.requests) if item.known else "",
           lambda item: item.known.requests if item.known else None, "Requests", True),
    Column("Tokens", "tokens of its request, estimated", lambda item: f"≈{short(item.known.tokens)}" if item.known else "",
           lambda item: item.known.tokens if item.known else None, "≈888.8k", True),
    Column("Verdict", "what was found under the question in front, as the dump has it", lambda item: _verdict(item)[0],
           lambda item: (item.known.errors, item.known.warnings) if item.known else None, "▲ 888 warnings",
           tone=lambda item: _verdict(item)[1]),
    Column("Recorded", "refusals that the dump records",
           lambda item: f"refused ×{full(len(item.one.refusals))}" if item.one.refusals else "", lambda item: len(item.one.refusals),
           "refused ×88", tone=lambda item: "bad"),
)  # fmt: skip


class TranscriptDialog(Chooser):
    """Its facts are those of a chooser; an index is that of a transcript."""

    def __init__(self, state: State, parent: QWidget | None = None) -> None:
        refused = state.dump is not None and any(one.refusals for one in state.dump.transcripts)
        super().__init__("transcriptDialog", "Choose the transcript", "transcripts", COLUMNS, parent)
        self.table.setColumnHidden(len(COLUMNS) - 1, not refused)  # its room is the names'
        self._state = State()
        self.refresh(state, Changed.ALL)
        self.select(state.chosen)

    def refresh(self, state: State, changed: Changed) -> None:
        """Another dump, or more that is known of this one."""
        if not changed & (Changed.DUMP | Changed.SURVEY):
            return
        old, self._state = self._state, state
        ones = state.dump.transcripts if state.dump is not None else []
        found = state.survey.found if state.survey is not None else {}
        items = [Item(index, one, found.get(index), index == state.chosen) for index, one in enumerate(ones)]
        self.put(items, None if old.dump is state.dump and state.dump is not None else [name_of(one) for one in ones])

    def summary(self) -> str:
        """`1,204 transcripts, 37 with errors; 400 still to be looked at`."""
        survey = self._state.survey
        found, left = (survey.found, survey.left) if survey is not None else ({}, 0)
        bad = sum(1 for known in found.values() if known.errors)
        said = counted(len(self.rows.items), "transcript")
        if self.rows.rowCount() != len(self.rows.items):
            said = f"{full(self.rows.rowCount())} of {said}"
        told = f"{full(bad)} with errors" if bad else "none with errors so far" if left else "none with errors"
        return f"{said}, {told}" + (f"; {full(left)} still to be looked at" if left else "")
