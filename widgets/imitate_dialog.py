"""Imitate…: the presets, searchable, with what is known of each, and the parameters of the one chosen."""

from __future__ import annotations

import json
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFormLayout, QFrame, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from app.model.errors import InspectorError
from app.model.preset import PresetFact
from app.model.state import State
from widgets import theme
from widgets.buttons import button
from widgets.labels import Elided, Word, plain
from widgets.lines import Line, LineList

SIZE = QSize(760, 660)


class Presets(Protocol):
    """What is asked of a session."""

    state: State

    def presets(self) -> tuple[PresetFact, ...]: ...

    def preset_params(self, name: str, given: dict[str, Any]) -> dict[str, Any]: ...


class ImitateDialog(QDialog):
    """Facts: `wanted(preset, params)`, `family_wanted(family)`: the family is to have its row again."""

    wanted = Signal(str, dict)
    family_wanted = Signal(str)

    def __init__(self, session: Presets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("imitateDialog")
        self.setWindowTitle("Imitate a real system's compaction")
        self._session, self._state = session, session.state
        self._facts = session.presets()
        self._fields: dict[str, QLineEdit] = {}
        self._params: dict[str, Any] | None = None  # as they are typed, None where they will not do
        self._make_list()
        self._make_facts()
        self._make_foot()
        self._lay_out()
        self.resize(theme.measure(SIZE.width(), SIZE.height()))
        now = [self._state.shown, *self._state.imitated.values()]
        first = next((name for name in now if any(fact.name == name for fact in self._facts)), self._facts[0].name if self._facts else "")
        self._fill()
        self.list.select_value(first)
        self._show(self._fact)
        self.search.setFocus()

    # -- parts --------------------------------------------------------------------------------------------------------------------

    def _make_list(self) -> None:
        self.search = QLineEdit()
        self.search.setObjectName("imitateDialog.search")
        self.search.setAccessibleName("Search the presets")
        self.search.setPlaceholderText("Search by name, system or act")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda _: self._fill())
        self.search.installEventFilter(self)
        self.list = LineList("imitateDialog.presets", "Presets")
        self.list.current.connect(lambda _: self._show(self._fact))
        self.list.opened.connect(lambda _: self._accept())
        self.nothing = Word("")
        self.nothing.setObjectName("imitateDialog.nothing")

    def _make_facts(self) -> None:
        look = theme.current()
        self.what = Elided("")
        self.what.setObjectName("imitateDialog.what")
        self.what.look(look.ink, look.ui_bold)
        self.told = [Elided("") for _ in range(5)]
        for number, one in enumerate(self.told):
            one.setObjectName(f"imitateDialog.told_{number}")
            one.look(look.ink_soft, look.ui)
        self.form = QFormLayout()
        self.form.setContentsMargins(0, 0, 8, 0)
        self.form.setVerticalSpacing(4)
        held = QWidget()
        held.setLayout(self.form)
        self.area = QScrollArea()
        self.area.setObjectName("imitateDialog.parameters")
        self.area.setAccessibleName("Parameters")
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(held)

    def _make_foot(self) -> None:
        self.wrong = Elided("")
        self.wrong.setObjectName("imitateDialog.wrong")
        self.wrong.look(theme.current().error, theme.current().ui)
        self.back = button("Family again", "imitateDialog.family", "Give the family its row again")
        self.back.clicked.connect(self._give_back)
        self.cancel = button("Cancel", "imitateDialog.cancel", "Cancel")
        self.cancel.clicked.connect(self.reject)
        self.imitate = button("Imitate", "imitateDialog.imitate", "Imitate this preset", "primary")
        self.imitate.setDefault(True)
        self.imitate.clicked.connect(self._accept)

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.addWidget(self.wrong, 1)
        for control in (self.back, self.cancel, self.imitate):
            foot.addWidget(control)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(6)
        column.addWidget(self.search)
        column.addWidget(self.list, 3)
        column.addWidget(self.nothing)
        column.addSpacing(4)
        for one in (self.what, *self.told):
            column.addWidget(one)
        column.addWidget(self.area, 2)
        column.addLayout(foot)

    # -- the list -----------------------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """The presets in which every word that was typed is found."""
        words = self.search.text().lower().split()
        found = [fact for fact in self._facts if all(word in _searched(fact) for word in words)]
        held = self._fact
        imitated = set(self._state.imitated.values())
        self.list.put([_line(fact, fact.name in imitated) for fact in found], held.name if held in found and held is not None else None)
        if found and self.list.line is None:
            self.list.selectRow(0)
        self.nothing.setVisible(not found)
        self.nothing.setText("" if found else "no preset of that name, system or act")
        self._show(self._fact)

    @property
    def _fact(self) -> PresetFact | None:
        line = self.list.line
        return next((fact for fact in self._facts if line is not None and fact.name == line.value), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down in the search go through the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            step = 1 if event.key() == Qt.Key.Key_Down else -1
            row = min(max(0, self.list.currentIndex().row() + step), len(self.list.lines.lines) - 1)
            if row >= 0:
                self.list.selectRow(row)
                self.list.scrollTo(self.list.lines.index(row, 0))
            return True
        return super().eventFilter(watched, event)

    # -- the one chosen -------------------------------------------------------------------------------------------------------------

    def _show(self, fact: PresetFact | None) -> None:
        self._fields = {}
        while self.form.rowCount():
            self.form.removeRow(0)
        told = [""] * len(self.told)
        if fact is not None:
            takes = f"takes the row of {fact.family}"
            warning = "; can part calls and results" if fact.breaks_pairs else f"; {fact.leaves}" if fact.leaves else ""
            if self._state.pins:
                warning += "; it knows no pins, what you pinned stays all the same"
            told = [
                fact.imitates,
                f"Source: {fact.source}",
                _capital(f"{fact.grade}; {takes}{warning}"),
                f"Counts {fact.counts}",
                f"Minimum: {fact.minimum}",
            ]
            given = self._state.params.get(fact.name, {})
            for name, default, meaning in fact.settings:
                self._add_field(name, given.get(name, default), meaning)
        self.what.setText(_capital(fact.summary) if fact is not None else "")
        for label, words in zip(self.told, told, strict=True):
            label.setText(words)
        imitated = fact is not None and fact.family in self._state.imitated
        self.back.setVisible(imitated)
        if fact is not None and imitated:
            self.back.setText(f"{fact.family} again")
        self._judge()

    def _add_field(self, name: str, value: Any, meaning: str) -> None:
        field = QLineEdit(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        field.setObjectName(f"imitateDialog.param.{name}")
        field.setAccessibleName(name)
        field.setAccessibleDescription(meaning)
        field.setToolTip(plain(meaning))
        field.setCursorPosition(0)
        field.textChanged.connect(lambda _: self._judge())
        field.returnPressed.connect(self._accept)
        label = Word(name)
        label.setMinimumHeight(field.sizeHint().height())
        label.setToolTip(plain(meaning))
        self.form.addRow(label, field)
        self._fields[name] = field

    def _judge(self) -> None:
        """The parameters as they are typed; what is off is said, and nothing is imitated meanwhile."""
        fact, words = self._fact, ""
        self._params = None
        if fact is not None:
            try:
                self._params = self._session.preset_params(fact.name, {name: field.text() for name, field in self._fields.items()})
            except InspectorError as error:
                words = str(error)
        self.wrong.setText(words)
        self.imitate.setEnabled(self._params is not None)

    def _accept(self) -> None:
        fact = self._fact
        if fact is not None and self._params is not None:
            self.wanted.emit(fact.name, self._params)
            self.accept()

    def _give_back(self) -> None:
        if self._fact is not None:
            self.family_wanted.emit(self._fact.family)
            self.accept()


def _searched(fact: PresetFact) -> str:
    return f"{fact.name} {fact.summary} {fact.imitates} {fact.family} {fact.grade}".lower()


def _line(fact: PresetFact, imitated: bool) -> Line:
    detail = f"{fact.imitates} — {fact.summary}"
    return Line(
        fact.name, detail, "imitated now" if imitated else _grade(fact.grade), value=fact.name, bold=imitated,
        mark="breaks pairs" if fact.breaks_pairs else "", mark_colour="warning", icon="warning" if fact.breaks_pairs else "",
        colour="warning",
    )  # fmt: skip


def _grade(words: str) -> str:
    """How well its rules are known, in one word."""
    return {"checked": "checked", "read": "by its source", "by": "unofficial" if "third" in words else "by its vendor"}[words.split()[0]]


def _capital(words: str) -> str:
    """A sentence begins so."""
    return words[:1].upper() + words[1:]
