"""Lines of a comparison as rows: exchanges that open and close, and in them what went, came or changed. Words come when they are seen."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.model.compared import Aspect, Compared, Section, What, Words, aspects, linked_words
from app.model.kinds import Kind
from widgets import theme
from widgets.labels import plain
from widgets.visible import line as one_line
from widgets.words import full

Index = QModelIndex | QPersistentModelIndex
COLUMNS: Final = ("What", "Block", "Before → after", "Before", "After")
OF_TWO: Final = ("What", "Block", "A → B", "Tokens A", "Tokens B")
SIGNS: Final = {
    What.SAME: "  ", What.GONE: "✕ gone", What.ADDED: "+ added", What.STUBBED: "▭ stubbed", What.CAPPED: "◧ capped",
    What.REWRITTEN: "≠ rewritten", What.CHANGED: "≠ changed", What.MOVED: "⇄ moved",
}  # fmt: skip
OPEN: Final = 2_000  # differences that are all open from the start
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_NOWHERE = QModelIndex()


class Row(NamedTuple):
    """A section's head (`line` -1), or one of its lines."""

    section: int
    line: int


class ComparedModel(QAbstractTableModel):
    """`rows` is what is open; `all` shows what stays, too; `two`: of two dumps; `missing`: lines in view that have no words yet."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.found: Compared | None = None
        self.all = self.two = False
        self.words: dict[int, Words] = {}
        self.missing: set[int] = set()
        self.closed: set[int] = set()
        self.rows: list[Row] = []

    def put(self, found: Compared | None) -> None:
        """Another comparison, all of what differs open where that is not too much to look at."""
        self.beginResetModel()
        self.found, self.words, self.missing = found, {}, set()
        many = found is not None and found.differences > OPEN
        self.closed = set(range(len(found.sections))) if found is not None and many else set()
        self._arrange()
        self.endResetModel()

    def show_all(self, on: bool) -> None:
        self.beginResetModel()
        self.all = on
        self._arrange()
        self.endResetModel()

    def toggle(self, section: int, on: bool | None = None) -> None:
        """Opens or closes an exchange: only its own rows come or go."""
        opened = section not in self.closed
        if on == opened or self.found is None:
            return
        head = next(number for number, row in enumerate(self.rows) if row.section == section)
        if opened:
            count = sum(1 for row in self.rows[head + 1 :] if row.section == section)
            self.closed.add(section)
            if count:
                self.beginRemoveRows(QModelIndex(), head + 1, head + count)
                del self.rows[head + 1 : head + 1 + count]
                self.endRemoveRows()
        else:
            self.closed.discard(section)
            lines = self._lines(section)
            if lines:
                self.beginInsertRows(QModelIndex(), head + 1, head + len(lines))
                self.rows[head + 1 : head + 1] = lines
                self.endInsertRows()
        self.dataChanged.emit(self.index(head, 0), self.index(head, len(COLUMNS) - 1))

    def _arrange(self) -> None:
        self.rows = []
        for number, section in enumerate(self.found.sections if self.found is not None else ()):
            if self.all or any(section.counts[1:]):
                self.rows.append(Row(number, -1))
                if number not in self.closed:
                    self.rows += self._lines(number)

    def _lines(self, number: int) -> list[Row]:
        assert self.found is not None
        section = self.found.sections[number]
        what = self.found.what[section.first : section.end]
        at = np.arange(len(what)) if self.all else np.flatnonzero(what)
        return [Row(number, section.first + line) for line in at.tolist()]

    def take(self, words: dict[int, Words]) -> None:
        """Words that were asked for."""
        self.words.update(words)
        self.missing -= words.keys()
        if len(self.words) > 20_000:
            self.words = dict(words)
        if self.rows:
            self.dataChanged.emit(self.index(0, 1), self.index(len(self.rows) - 1, 2))

    def step(self, row: int, direction: int) -> int:
        """The row of the next difference, or the one before; -1 where there is none."""
        assert self.found is not None
        at = row + direction
        while 0 <= at < len(self.rows):
            line = self.rows[at].line
            if line >= 0 and self.found.what[line] != What.SAME:
                return at
            if line < 0 and self.rows[at].section in self.closed and self.counts(self.rows[at].section):
                return at
            at += direction
        return -1

    def counts(self, section: int) -> int:
        """How many lines of an exchange differ."""
        assert self.found is not None
        return sum(self.found.sections[section].counts[1:])

    # -- what Qt asks ---------------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return (OF_TWO if self.two else COLUMNS)[section]
        return (_RIGHT if section > 2 else _LEFT) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not 0 <= index.row() < len(self.rows) or self.found is None:
            return None
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken(row) if column == 0 else self.text(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column > 2 else _LEFT
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(row, column)
        if role == Qt.ItemDataRole.FontRole:
            now = theme.current()
            return now.ui_bold if row.line < 0 and column < 2 else now.mono if row.line >= 0 and column == 2 else now.ui
        if role == Qt.ItemDataRole.BackgroundRole:
            return theme.current().band if row.line < 0 else None
        if role == Qt.ItemDataRole.ToolTipRole and column == 2:
            return plain(self.text(row, 2))
        return None

    def text(self, row: Row, column: int) -> str:
        assert self.found is not None
        if row.line < 0:
            return self._head(row.section, self.found.sections[row.section], column)
        what = What(int(self.found.what[row.line]))
        if column == 0:
            bits = int(self.found.aspect[row.line])
            return f"    {SIGNS[what]}" + (f" {aspects(bits)}" if what == What.CHANGED else "")
        if column > 2:
            there = self.found.a[row.line] if column == 3 else self.found.b[row.line]
            tokens = self.found.tokens_a if column == 3 else self.found.tokens_b
            return full(int(tokens[row.line])) if there >= 0 else ""
        words = self.words.get(row.line)
        if words is None:
            self.missing.add(row.line)
            return Kind(int(self.found.kind[row.line])).word if column == 1 else "…"
        if column == 1:
            return one_line(words.name, 60)
        if words.linked is not None and int(self.found.aspect[row.line]) == Aspect.ID:
            return one_line(linked_words(words.linked), 200)
        before, after = (one_line(text, 200) if text is not None else None for text in (words.before, words.after))
        if before is None or after is None or what in (What.SAME, What.MOVED):
            return before if before is not None else after or ""
        return f"{before[:70]}{'…' if len(before) > 70 else ''}  →  {after}"

    def _head(self, number: int, section: Section, column: int) -> str:
        if column == 0:
            return f"{'▸' if number in self.closed else '▾'} {section.label or 'Request'}{' of B' if section.second and self.two else ''}"
        if column == 1:
            words = [f"{full(count)} {What(what).word}" for what, count in enumerate(section.counts) if count and what]
            return ", ".join(words) or "nothing changed"
        if column == 2:
            return self._prompt(section)
        return full(section.before if column == 3 else section.after)

    def _prompt(self, section: Section) -> str:
        """The words that an exchange begins with."""
        assert self.found is not None
        if not section.label or int(self.found.kind[section.first]) != Kind.TEXT:
            return ""
        words = self.words.get(section.first)
        if words is None:
            self.missing.add(section.first)
            return "…"
        return one_line(words.before or words.after or "", 200) if words.name == "prompt" else ""

    def spoken(self, row: Row) -> str:
        """What a screen reader reads of a row."""
        return ", ".join(part.strip(" ▸▾") for column in range(len(COLUMNS)) if (part := self.text(row, column)))

    def _colour(self, row: Row, column: int) -> Any:
        now = theme.current()
        assert self.found is not None
        if row.line < 0:
            return now.ink if column < 2 else now.ink_soft
        what = What(int(self.found.what[row.line]))
        if column == 0:
            return {What.GONE: now.error, What.ADDED: now.green, What.SAME: now.ink_faint, What.MOVED: now.note}.get(what, now.warning)
        return now.ink_faint if what == What.SAME else now.ink
