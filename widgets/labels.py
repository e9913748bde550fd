"""Labels that elide, and a glyph: plain text always, tinted by the theme."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from widgets import icon

LONGEST = 2_000  # characters that are looked at before eliding


class Elided(QLabel):
    """One line of plain text that ends with an ellipsis where there is no room; the tooltip then says it all."""

    def __init__(self, text: str = "", parent: QWidget | None = None, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(text[:LONGEST].replace("\n", " "))
        self.setAccessibleName(self.text())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.fontMetrics().elidedText(self.text(), self._mode, self.width())
        tip = self.text() if shown != self.text() else ""
        if tip != self.toolTip():
            self.setToolTip(plain(tip))
        with QPainter(self) as painter:
            painter.setFont(self.font())
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            painter.drawText(self.rect(), int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), shown)


class Glyph(QWidget):
    """An icon of a fixed size; its meaning is its accessible name."""

    def __init__(self, size: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._colour = "", QColor()
        self.setFixedSize(size, size)

    def show_icon(self, name: str, colour: QColor, meaning: str) -> None:
        self._name, self._colour = name, colour
        self.setAccessibleName(meaning)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._name:
            with QPainter(self) as painter:
                icon.draw(painter, self._name, QRectF(self.rect()), self._colour)


class Hairline(QFrame):
    """A line of one pixel between regions."""

    def __init__(self, parent: QWidget | None = None, upright: bool = False) -> None:
        super().__init__(parent)
        self.setFixedWidth(1) if upright else self.setFixedHeight(1)
        self.setProperty("hairline", True)


def tint(widget: QWidget, words: QColor | None = None, paper: QColor | None = None) -> None:
    """Colours of one widget by its palette, so that a style sheet has not to be parsed for it."""
    palette = widget.palette()
    if words is not None:
        for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
            palette.setColor(role, words)
    if paper is not None:
        palette.setColor(QPalette.ColorRole.Window, paper)
        palette.setColor(QPalette.ColorRole.Base, paper)
        widget.setAutoFillBackground(True)
    widget.setPalette(palette)


def plain(text: str) -> str:
    """Text for a tooltip, which Qt else takes for HTML where it looks like it."""
    if not text:
        return ""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", "<br>")
    return f"<span>{escaped}</span>"
