"""Before anything is open: one sentence, a place to drop a file, and the few other ways in.

The first window shows it too, before most of the program has been imported: what is imported here must be light."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStylePainter, QVBoxLayout, QWidget

from widgets import svg, theme
from widgets.buttons import ActionButton, ElidedButton
from widgets.first_actions import ById
from widgets.inks import MIDDLE_LEFT, TOP_CENTRE, write
from widgets.labels import Elided, Word, cut, plain
from widgets.visible import line, visible

if TYPE_CHECKING:
    from PySide6.QtGui import QEnterEvent, QFontMetrics, QMouseEvent, QPaintEvent

SENTENCE = "Open a session that broke"
PROMISE = "Files are opened read-only. Nothing leaves this machine."
WIDTH = 560


class EmptyView(QWidget):
    """Facts: `file_wanted(str)` a recent or an offered path."""

    file_wanted = Signal(str)

    def __init__(self, actions: ById, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("emptyView")
        self.setAccessibleName(SENTENCE)
        self._title = Word(SENTENCE)
        self._area = _DropArea(actions)
        self._open = ActionButton(actions["file.open"], "Open…", "primary", with_key=True)
        self._paste = ActionButton(actions["file.paste"], "Paste", with_key=True)
        self._seek = ActionButton(actions["file.seek"], "Find my sessions…")
        self._incident = ActionButton(actions["file.incident"], "See a broken session")
        self._message = Elided()
        self._message.setObjectName("emptyView.message")
        self._message.hide()
        self._offer = ElidedButton("", "emptyView.offer", "Open the file again that was open when the program ended")
        self._offer.hide()
        self._recent_title = Word("Recent files")
        self._recent_title.hide()
        self._recent = QVBoxLayout()
        self._promise = Word(PROMISE)
        self._lay_out()
        self.setFocusProxy(self._open)
        self.retint()

    def _lay_out(self) -> None:
        ways = QHBoxLayout()
        ways.setSpacing(8)
        for made in (self._open, self._paste, self._seek, self._incident):
            made.setMinimumHeight(28)
            ways.addWidget(made)
        ways.addStretch(1)
        self._recent.setSpacing(0)
        column = QVBoxLayout()
        column.setSpacing(10)
        column.addStretch(2)
        column.addWidget(self._title)
        column.addWidget(self._area)
        column.addLayout(ways)
        column.addWidget(self._message)
        column.addWidget(self._offer)
        column.addSpacing(6)
        column.addWidget(self._recent_title)
        column.addLayout(self._recent)
        column.addSpacing(6)
        column.addWidget(self._promise)
        column.addStretch(3)
        inner = QWidget()
        inner.setLayout(column)
        self._inner = inner
        row = QHBoxLayout(self)
        row.addStretch(1)
        row.addWidget(inner)
        row.addStretch(1)

    def show_recent(self, paths: Sequence[str]) -> None:
        """Files that were opened before; a path that is gone is not offered."""
        while self._recent.count():
            item = self._recent.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.setObjectName("")
                widget.hide()
                widget.deleteLater()
        there = [path for path in paths if Path(path).is_file()]
        self._recent_title.setVisible(bool(there))
        for number, path in enumerate(there, 1):
            folder, name = str(Path(path).parent), Path(path).name
            made = RecentButton(name, folder, f"emptyView.recent_{number}")
            made.setToolTip(plain(path))
            made.clicked.connect(partial(self.file_wanted.emit, path))
            self._recent.addWidget(made)

    def offer(self, path: str) -> None:
        """After a crash: the file that was open then. Offered, never opened; "" takes the offer back."""
        self._offer.setVisible(bool(path))
        if path:
            self._offer.show_text(f"Open again what was open when the program ended: {middle(Path(path).name, 36)}", path)
            self._offer.clicked.connect(partial(self.file_wanted.emit, path))

    def fail(self, text: str) -> None:
        """Why the last file could not be opened; "" takes it away."""
        self._message.setText(text)
        self._message.setVisible(bool(text))

    def retint(self) -> None:
        now = theme.current()
        self._inner.setFixedWidth(theme.scaled(WIDTH))
        self._area.setFixedHeight(theme.scaled(150))
        heading(self._title)
        self._promise.look(now.ink_soft, now.small)
        self._recent_title.look(now.ink_soft)
        self._message.look(now.error)
        self._area.update()


def heading(word: Word) -> None:
    """A word or two that stand large on an empty page."""
    now = theme.current()
    big = QFont(now.ui_bold)
    big.setPixelSize(now.ui.pixelSize() + 10)
    word.look(now.ink, big)


def middle(name: str, most: int) -> str:
    """A name cut in the middle: its end tells more than what stands before it."""
    shown = line(name, 400)
    return shown if len(shown) <= most else f"{shown[: most // 2]}…{shown[len(shown) - most // 2 + 1 :]}"


class RecentButton(ElidedButton):
    """A recent file: its name, and the folder in softer words; both are cut in the middle where there is no room, the folder first."""

    def __init__(self, name: str, folder: str, object_name: str) -> None:
        self._name, self._folder = visible(name), visible(folder)
        super().__init__(f"{name}    {folder}", object_name, f"Open {name}", kind="link")
        self.setAccessibleDescription(visible(folder))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPushButton.paintEvent(self, event)
        now, metrics = theme.current(), self.fontMetrics()
        gap, room = metrics.horizontalAdvance("    "), self.rect().adjusted(3, 0, -3, 0)
        least = min(metrics.horizontalAdvance(self._folder), room.width() // 3)
        with QStylePainter(self) as painter:
            name = _cut_inside(self._name, metrics, room.width() - gap - least)
            write(painter, room, MIDDLE_LEFT, name, now.blue, self.palette())
            room.setLeft(room.left() + metrics.horizontalAdvance(name) + gap)
            write(painter, room, MIDDLE_LEFT, _cut_inside(self._folder, metrics, room.width()), now.ink_soft, self.palette())


def _cut_inside(text: str, metrics: QFontMetrics, width: int) -> str:
    if metrics.horizontalAdvance(text) < width:
        return text
    from PySide6.QtCore import Qt  # not without need: widgets/inks.py

    return cut(text, metrics, Qt.TextElideMode.ElideMiddle, width)


class _DropArea(QWidget):
    """Where a file can be dropped; a click opens the dialog. (The whole window takes drops.)"""

    def __init__(self, actions: ById) -> None:
        super().__init__()
        self.setObjectName("emptyView.drop")
        self.setAccessibleName("Drop a dump here")
        self.setFixedHeight(150)
        self._action = actions["file.open"]

    def enterEvent(self, event: QEnterEvent) -> None:
        from PySide6.QtCore import Qt

        self.setCursor(Qt.CursorShape.PointingHandCursor)
        super().enterEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        from PySide6.QtCore import Qt

        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._action.trigger()

    def paintEvent(self, event: QPaintEvent) -> None:
        now, middle, wide = theme.current(), self.rect().center(), self.width()
        with QStylePainter(self) as painter:
            svg.frame(painter, self.rect(), now.border, now.paper_alt)
            svg.draw(painter, "drop-area", QRectF(middle.x() - 16, middle.y() - 44, 32, 32), now.ink_faint)
            painter.setFont(now.ui)
            words = QRect(0, middle.y() + 2, wide, theme.scaled(20))
            write(painter, words, TOP_CENTRE, "Drop a dump here", now.ink, self.palette())
            painter.setFont(now.small)
            formats = "A session of Claude Code, Codex or another agent; a request, a response, a trace"
            words = QRect(0, middle.y() + theme.scaled(24), wide, theme.scaled(20))
            write(painter, words, TOP_CENTRE, formats, now.ink_soft, self.palette())
