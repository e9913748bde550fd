"""The last line: records that add up, tokens and how they are known, what is not exported, and the place of the selection."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.model.dump import Dump
from app.model.state import Changed, State
from app.model.table import RecordKind
from app.session import Session
from widgets import theme
from widgets.buttons import button
from widgets.labels import Elided, paper
from widgets.words import counted, exchange_and_step, full

HEIGHT = 24
RECORDS = "Every record of the file is one of these; none is left out"


class StatusLine(QWidget):
    """Facts: `unparsed()` the records were clicked, `pointer()` the place was."""

    unparsed = Signal()
    pointer = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusLine")
        self._session = session
        self.records = button("", "statusLine.records", "Records", "flat")
        self.records.clicked.connect(self.unparsed)
        self.tokens, self.changes = Elided(), Elided()
        self.tokens.setObjectName("statusLine.tokens")
        self.changes.setObjectName("statusLine.changes")
        self.place = button("", "statusLine.place", "Place", "flat")
        self.place.setToolTip("Click copies the JSON pointer")
        self.place.clicked.connect(self.pointer)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 0, 6, 0)
        row.setSpacing(14)
        row.addWidget(self.records)
        row.addWidget(self.tokens, 3)
        row.addWidget(self.changes, 2)
        row.addWidget(self.place)
        self.retint()
        self.refresh(session.state, Changed.ALL)

    def refresh(self, state: State, changed: Changed) -> None:
        if changed & (Changed.DUMP | Changed.HISTORY | Changed.PROGRESS):
            self._show_records(state.dump, bool(state.history.active), state.came_in if state.following else -1)
        if changed & (Changed.DUMP | Changed.TOKENS | Changed.TRANSCRIPT | Changed.TARGET | Changed.PROGRESS):
            self.tokens.setText(tokens_line(state))
        if changed & (Changed.DUMP | Changed.HISTORY | Changed.TRANSCRIPT | Changed.PREVIEW):
            self.changes.setText(changes_line(state))
        if changed & (Changed.DUMP | Changed.SELECTION | Changed.TRANSCRIPT):
            self._show_place(state)

    def say(self, text: str) -> None:
        """A passing word in place of the changes ("pointer copied"); the next change of history takes it away."""
        self.changes.setText(text)

    def _show_records(self, dump: Dump | None, edited: bool, came_in: int) -> None:
        written = came_in >= 0 and dump is not None and half_written(dump)
        text = records_line(dump, edited, written) + following_line(came_in)
        odd = dump is not None and dump.complete and dump.records["unparsed"] > written
        self.records.setText(f"{text} ▸" if odd else text)
        self.records.setEnabled(odd)
        self.records.setAccessibleName(text or "Records")
        self.records.setToolTip("Go to the next record that could not be read; it is kept and exported as it stands" if odd else RECORDS)

    def _show_place(self, state: State) -> None:
        row = state.selected
        words = exchange_and_step(state, row) if row >= 0 else ""
        number = self._session.line(row) if row >= 0 and state.view is not None and state.view.at(row) >= 0 else None
        parts = [word for word in (words, f"line {full(number)}" if number else "") if word]
        self.place.setText(" · ".join(parts))
        self.place.setAccessibleName(f"Place {self.place.text()}, click copies the pointer" if parts else "Place")
        self.place.setEnabled(bool(parts))

    def retint(self) -> None:
        now = theme.current()
        self.setFixedHeight(theme.scaled(HEIGHT))
        paper(self, now.paper_alt)
        for label in (self.tokens, self.changes):
            label.look(now.ink_soft)


def half_written(dump: Dump) -> bool:
    """Whether the last record of a file is half a line: whoever writes it has not come to its end."""
    records = dump.table.records
    if not len(records):
        return False
    last = int(np.argmax(records.offset))
    if records.kind[last] != RecordKind.UNPARSED:
        return False
    behind = dump.source.read(int(records.offset[last]) + int(records.length[last]), 1)
    return behind not in (b"\n", b"\r")


def records_line(dump: Dump | None, edited: bool = False, written: bool = False) -> str:
    """`541 records = 512 shown + 27 hidden + 2 unparsed`: always adds up, nothing is left out but zeros. Where changes are in force, it
    says that these are the records of the file; `written`: the last one is half a line of a file that is followed."""
    if dump is None:
        return ""
    if not dump.complete:
        return "the first records; the rest is being read"
    counts = dict(dump.records)
    total = sum(counts.values())
    counts["unparsed"] -= written
    parts = [f"{full(counts[name])} {name}" for name in ("shown", "hidden", "unparsed") if counts[name] or name == "shown"]
    parts += ["1 being written"] if written else []
    return f"{counted(total, 'record')}{' in the file' if edited else ''} = {' + '.join(parts)}"


def following_line(came_in: int) -> str:
    """` · following, 12 came in`; nothing where a file is not followed (-1)."""
    return "" if came_in < 0 else f" · following, {full(came_in)} came in" if came_in else " · following"


def tokens_line(state: State) -> str:
    """`147,104 tokens, exact o200k_base, calibrated on 361 usages`."""
    if state.totals is None:
        return ""
    totals = state.totals
    how = f"exact {totals.counter}" if totals.exact else f"estimated by {totals.counter}, being counted"
    fitted = f", calibrated on {counted(state.calibration.requests, 'usage')}" if state.calibration else ""
    unsent = f" · {full(totals.not_sent)} more not sent" if totals.not_sent else ""
    return f"{'' if totals.exact else '≈ '}{counted(totals.total, 'token')}, {how}{fitted}{unsent}"


def changes_line(state: State) -> str:
    """How much is changed and not exported; the file itself is never touched."""
    if state.dump is None:
        return ""
    changes = sum(len(layer.changes) for layer in state.history.active)
    if not changes:
        return "no changes · file untouched"
    if state.history.cursor == state.exported_cursor:
        return f"{counted(changes, 'change')} exported · file untouched"
    return f"{counted(changes, 'change')} not exported · file untouched"
