"""Labels that elide, and a glyph: plain text always, hidden characters spelled out, tinted by the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QStylePainter, QWidget

from widgets import svg, theme
from widgets.inks import MIDDLE_LEFT, write
from widgets.visible import visible

if TYPE_CHECKING:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QAbstractScrollArea

TIP_WIDE = 96  # characters of a line of a tooltip
LONGEST = 2_000  # characters that are looked at before eliding


class Elided(QLabel):
    """One line of plain text that ends with an ellipsis where there is no room; the tooltip then says it all.

    Colour and font are kept here and not in the widget: a style sheet of the application resets both when a widget gets a parent.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None, mode: Qt.TextElideMode | None = None) -> None:
        """`mode`: where it is cut; None is the end."""
        super().__init__(parent)
        self._mode, self._flags = mode, MIDDLE_LEFT
        self._ink: QColor | None = None
        self._face: QFont | None = None
        self.setProperty("textFormat", 0)  # plain; see widgets/inks.py
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def look(self, ink: QColor, face: QFont | None = None) -> None:
        """The colour of its words, and their font."""
        self._ink, self._face = ink, face
        self.updateGeometry()
        self.update()

    def setAlignment(self, alignment: Qt.AlignmentFlag) -> None:
        self._flags = int(alignment)
        super().setAlignment(alignment)

    @property
    def metrics(self) -> QFontMetrics:
        return QFontMetrics(self._face or self.font())

    def setText(self, text: str) -> None:
        super().setText(visible(text[:LONGEST]).replace("\n", " "))
        self.setAccessibleName(self.text())

    def sizeHint(self) -> QSize:
        return QSize(self.metrics.horizontalAdvance(self.text()) + 2, self.metrics.height() + 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.metrics.height() + 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown(self.text(), self.metrics)
        tip = self.text() if shown.replace("\n", " ") != self.text() else ""
        if plain(tip) != self.toolTip():
            self.setToolTip(plain(tip))
        with QStylePainter(self) as painter:
            painter.setFont(self._face or self.font())
            ink = self._ink or self.palette().color(QPalette.ColorRole.WindowText)
            write(painter, self.rect().adjusted(max(0, self.indent()), 0, 0, 0), self._flags, shown, ink, self.palette())

    def shown(self, text: str, metrics: QFontMetrics) -> str:
        return cut(text, metrics, self._mode, self.width() - max(0, self.indent()))


def cut(text: str, metrics: QFontMetrics, mode: Qt.TextElideMode | None, width: int) -> str:
    """The text, with an ellipsis where there is no room for all of it."""
    if metrics.horizontalAdvance(text) < width:
        return text
    from PySide6.QtCore import Qt

    return metrics.elidedText(text, Qt.TextElideMode.ElideRight if mode is None else mode, width)


def paint_blank(view: QAbstractScrollArea, words: str) -> None:
    """What a list says in its middle where it holds nothing: why, and what would fill it."""
    from PySide6.QtCore import Qt

    port, now = view.viewport(), theme.current()
    room = port.rect().adjusted(24, 8, -24, -8)
    with QPainter(port) as painter:
        painter.setFont(now.ui)
        painter.setPen(now.ink_soft)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), words)


class Paragraph(QLabel):
    """Plain text in as many lines as it needs."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setProperty("textFormat", 0)
        self.setWordWrap(True)
        self.put(text)

    def put(self, text: str) -> None:
        self.setText(visible(text[:LONGEST]))
        self.setAccessibleName(self.text())
        self.setVisible(bool(text))


class Word(Elided):
    """The same, as wide as its text: a word before a sentence."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)


class TwoLines(Elided):
    """At most two lines of words, broken at a blank; nothing at all where there is no text."""

    def __init__(self) -> None:
        super().__init__()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def put(self, text: str) -> None:
        self.setText(text)
        self.setVisible(bool(text))
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = 2 if self.metrics.horizontalAdvance(self.text()) > width else 1
        return lines * self.metrics.lineSpacing() + 1

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.metrics.lineSpacing() + 1)

    def shown(self, text: str, metrics: QFontMetrics) -> str:
        if metrics.horizontalAdvance(text) <= self.width() or self.width() < 40 or self.height() < 2 * metrics.lineSpacing() - 2:
            return cut(text, metrics, self._mode, self.width())
        fits = len(cut(text, metrics, self._mode, self.width())) - 1
        blank = text.rfind(" ", 0, fits + 1)
        end = blank if blank > fits // 2 else fits
        return f"{text[:end]}\n{cut(text[end:].lstrip(), metrics, self._mode, self.width())}"


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
                svg.draw(painter, self._name, QRectF(self.rect()), self._colour)


class Hairline(QFrame):
    """A line of one pixel between regions."""

    def __init__(self, parent: QWidget | None = None, upright: bool = False) -> None:
        super().__init__(parent)
        self.setFixedWidth(1) if upright else self.setFixedHeight(1)
        self.setProperty("hairline", True)


def paper(widget: QWidget, colour: QColor) -> None:
    """The ground of a panel, by its palette, so that no style sheet has to be parsed for it. Call it again after a change of theme."""
    widget.setAutoFillBackground(True)
    widget.setProperty(theme.PAPER, colour)
    theme.ground(widget, colour)


def plain(text: str) -> str:
    """Text for a tooltip, hidden characters spelled out and broken into lines. Qt takes for HTML what looks like it: that is marked up, and
    nothing else is, for a screen reader is told a tooltip as it stands."""
    if not text:
        return ""
    shown = visible(text)
    if "<" not in shown and "&" not in shown:
        return "\n".join(part for line in shown.split("\n") for part in _wrapped(line))
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", "<br>")
    return f"<span>{escaped}</span>"


def _wrapped(line: str) -> list[str]:
    if len(line) <= TIP_WIDE and "\t" not in line:
        return [line.rstrip()]
    import textwrap  # not before a tooltip is that long

    return textwrap.wrap(line, TIP_WIDE, break_on_hyphens=False) or [""]


def in_menu(text: str) -> str:
    """Text for an entry of a menu: hidden characters spelled out, no letter of it taken for a key."""
    return visible(text[:LONGEST]).replace("\n", " ").replace("&", "&&")
