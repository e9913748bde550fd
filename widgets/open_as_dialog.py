"""Open as…: a file, and the format that it is to be read as, whatever its content looks like."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from widgets import theme
from widgets.buttons import button
from widgets.labels import Elided, Word
from widgets.lines import Line, LineList
from widgets.visible import line


class OpenAsDialog(QDialog):
    """Fact: `wanted(path, format)`; the path is "" for what was given last."""

    wanted = Signal(str, str)

    def __init__(self, formats: Mapping[str, str], tried: str, now: str = "", parent: QWidget | None = None) -> None:
        """`formats`: name to meaning; `tried`: what was given last, "" where nothing was; `now`: the format that it is open as."""
        super().__init__(parent)
        self.setObjectName("openAsDialog")
        self.setWindowTitle("Open as…")
        self._tried, self._path = tried, ""
        look = theme.current()
        self._what = Word("Open")
        self._what.look(look.ink, look.ui_bold)
        self.file = Elided()
        self.file.setObjectName("openAsDialog.file")
        self.choose = button("Another file…", "openAsDialog.choose", "Choose the file to open")
        self.choose.clicked.connect(self._choose)
        self._as = Word("as")
        self._as.look(look.ink, look.ui_bold)
        self.list = LineList("openAsDialog.formats", "The format that it is read as")
        self.list.put([Line(name, what, "as now" if name == now else "", value=name) for name, what in formats.items()])
        self.list.opened.connect(lambda value: self._open())
        self.list.current.connect(lambda value: self._offer())
        self.open_ = button("Open", "openAsDialog.open", "Open it as this format", "primary")
        self.open_.setDefault(True)
        self.open_.clicked.connect(self._open)
        self._cancel = button("Cancel", "openAsDialog.cancel", "Cancel")
        self._cancel.clicked.connect(self.reject)
        self._lay_out()
        self.resize(theme.measure(520, 380))
        if not self.list.select_value(now):
            self.list.selectRow(0)
        self._offer()
        self.list.setFocus()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._what)
        head.addWidget(self.file, 1)
        head.addWidget(self.choose)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self._cancel)
        foot.addWidget(self.open_)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self._as)
        column.addWidget(self.list, 1)
        column.addLayout(foot)

    def _offer(self) -> None:
        look, name = theme.current(), self._path or self._tried
        self.file.setText(line(name, 200) if name else "Choose a file first")
        self.file.look(look.ink if name else look.ink_soft)
        self.open_.setEnabled(bool(name) and self.list.line is not None)

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Open a dump", "", "All files (*)")
        if path:
            self._path = path
            self._offer()

    def _open(self) -> None:
        if self.open_.isEnabled() and self.list.line is not None:
            self.wanted.emit(self._path, self.list.line.value)
            self.accept()
