"""The requests of a log, each beside the one before it: what it kept, changed, cut and added, and from which byte on."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.model.dump import Dump
from app.model.requests import Requested
from widgets import theme
from widgets.buttons import button
from widgets.chooser import Chooser, Column
from widgets.transcript_dialog import name_of
from widgets.words import counted, full


class Item(NamedTuple):
    """A request, its number from 0, and what its conversation is called."""

    number: int
    one: Requested
    name: str


def verdict_of(one: Requested) -> tuple[str, str]:
    """What became of what the one before had sent, in a word, and a tone."""
    if one.before < 0:
        return "the first of its own", "soft"
    if one.extends:
        return "goes on" if one.added else "the same again", "good"
    if one.heads:
        return "other system text or tools", "warn"
    if one.cut and not one.changed:
        return "history cut", "warn"
    return "history rewritten" if one.changed else "in another order", "warn"


def refused_of(one: Requested) -> str:
    if not one.refused:
        return ""
    return f"refused {one.status}" if one.status is not None else "refused"


def _figure(number: int, one: Requested) -> str:
    return full(number) if number and one.before >= 0 else ""


def _first_byte(one: Requested) -> str:
    return "0" if one.heads else full(one.first_byte) if one.first_byte >= 0 else ""


COLUMNS = (
    Column("#", "its place in the log", lambda item: full(item.number + 1), lambda item: item.number, "10,000", True, down=False),
    Column("Conversation", "the conversation that it belongs to", lambda item: item.name, lambda item: item.name.lower(), down=False),
    Column("Messages", "messages that it carried", lambda item: full(item.one.messages), lambda item: item.one.messages, "Messages", True),
    Column("Before", "the request that it is compared with", lambda item: full(item.one.before + 1) if item.one.before >= 0 else "",
           lambda item: item.one.before if item.one.before >= 0 else None, "10,000", True, down=False),
    Column("Kept", "messages of the one before that it carried again", lambda item: _figure(item.one.kept, item.one),
           lambda item: item.one.kept, "10,000", True),
    Column("Changed", "messages in place of others", lambda item: _figure(item.one.changed, item.one), lambda item: item.one.changed,
           "Changed", True, tone=lambda item: "warn"),
    Column("Cut", "messages that only the one before had", lambda item: _figure(item.one.cut, item.one), lambda item: item.one.cut,
           "10,000", True, tone=lambda item: "warn"),
    Column("Added", "messages that the one before had not", lambda item: _figure(item.one.added, item.one), lambda item: item.one.added,
           "10,000", True),
    Column("First changed byte", "where in its messages, as compact JSON, it parts from the one before; 0: before them",
           lambda item: _first_byte(item.one), lambda item: item.one.first_byte if item.one.first_byte >= 0 else None,
           "First changed byte", True, down=False),
    Column("History", "what became of what the one before had sent", lambda item: verdict_of(item.one)[0],
           lambda item: verdict_of(item.one)[0], "other system text or tools", tone=lambda item: verdict_of(item.one)[1]),
    Column("Recorded", "whether the log records that it was refused", lambda item: refused_of(item.one), lambda item: item.one.refused,
           "refused 400", tone=lambda item: "bad"),
)  # fmt: skip


class RequestsDialog(Chooser):
    """Its facts are those of a chooser, an index is the number of a request; and `compared(number)`: it beside the one before."""

    compared = Signal(int)

    def __init__(self, dump: Dump | None, parent: QWidget | None = None) -> None:
        super().__init__("requestsDialog", "Requests of this log", "requests", COLUMNS, parent)
        self.resize(theme.measure(1240, 560))
        self.beside = button("Compare with the one before", "requestsDialog.compare", "Block by block, what it kept, changed and cut")
        self.beside.setToolTip(self.beside.accessibleName())
        self.beside.clicked.connect(self._compare)
        column = self.layout()
        foot = column.itemAt(2) if column is not None else None
        if isinstance(foot, QHBoxLayout):
            foot.insertWidget(1, self.beside)
        self.table.selectionModel().currentChanged.connect(lambda *_: self._offer())
        names = [name_of(one) for one in dump.transcripts] if dump is not None else []
        self.items = [Item(number, one, names[one.transcript]) for number, one in enumerate(dump.requests if dump is not None else ())]
        self.put(self.items, [f"{item.name} {verdict_of(item.one)[0]} {refused_of(item.one)}" for item in self.items])
        refused = next((item.number for item in self.items if item.one.refused), -1)
        self.select(refused if refused >= 0 else next((i.number for i in self.items if i.one.before >= 0 and not i.one.extends), 0))

    def _offer(self) -> None:
        number = self.selected()
        self.beside.setEnabled(number >= 0 and self.items[number].one.before >= 0)

    def _compare(self) -> None:
        number = self.selected()
        if number >= 0:
            self.compared.emit(number)
            self.accept()

    def summary(self) -> str:
        """`12 requests, 1 refused, 2 did not go on from the one before`."""
        ones = [item.one for item in self.items]
        said = counted(len(ones), "request")
        if self.rows.rowCount() != len(ones):
            said = f"{full(self.rows.rowCount())} of {said}"
        refused = sum(one.refused for one in ones)
        parted = sum(one.before >= 0 and not one.extends for one in ones)
        parts = [said, f"{full(refused)} refused" if refused else "none refused"]
        parts.append(f"{full(parted)} changed what the one before had sent" if parted else "each goes on from the one before")
        return ", ".join(parts)
