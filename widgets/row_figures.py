"""Paints the right half of a row: requests, pips or a chip, tokens and their bar, findings, what a plan makes of it."""

from __future__ import annotations

from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from widgets import shapes
from widgets.exchange_facts import Pip
from widgets.exchange_tree import BLOCK, Entity
from widgets.row_columns import CHIP, PIP, PIP_SIZE, SIGN, found_width, found_words
from widgets.row_look import Look
from widgets.row_marks import Mark
from widgets.row_scene import Scene
from widgets.words import full

_PIPS = {
    Pip.ANSWERED: ("dot", "tool_call"), Pip.MISSING: ("ring", "warning"), Pip.ELSEWHERE: ("half", "warning"),
    Pip.ORPHAN: ("hollow", "error"), Pip.SURPLUS: ("double", "warning"),
}  # fmt: skip


class RowFigures:
    """Strokes in the columns of a scene; `use` makes the fonts ready."""

    def __init__(self) -> None:
        self.scene: Scene | None = None
        self._fonts: dict[str, QFont] = {}
        self._metrics: dict[str, QFontMetrics] = {}
        self._base = 16

    @property
    def _scene(self) -> Scene:
        assert self.scene is not None
        return self.scene

    def use(self, scene: Scene) -> None:
        """Another scene: what was measured for the one before is forgotten."""
        self.scene = scene
        theme = scene.theme
        mono = QFont(theme.mono)  # the longest texts: kerning and ligatures, of which it has none to show, cost a third of their painting
        mono.setStyleStrategy(QFont.StyleStrategy.PreferNoShaping)
        mono.setKerning(False)
        italic = QFont(mono)
        italic.setItalic(True)
        self._fonts = {"ui": theme.ui, "bold": theme.ui_bold, "mono": mono, "italic": italic}
        self._metrics = {name: QFontMetrics(font) for name, font in self._fonts.items()}
        metrics = self._metrics["ui"]
        self._base = (scene.columns.height - metrics.height()) // 2 + metrics.ascent()

    # -- figures ---------------------------------------------------------------------------------------------------------------

    def figures(self, painter: QPainter, y: int, entity: Entity, look: Look) -> None:
        at, theme = self._scene.columns, self._scene.theme
        if look.requests and at.requests_width:
            self._right(painter, at.requests, y, look.requests, theme.ink_soft)
        if look.pips is not None and look.pips.shown:
            self._pips(painter, y, look)
        if look.chip is not None:
            self._chip(painter, y, look)
        if look.counted and (look.tokens or entity.kind == BLOCK):
            words = full(look.tokens)
            self._right(painter, at.tokens, y, words, theme.ink_soft if look.guessed or entity.kind == BLOCK else theme.ink)
            scale = self._scene.words.facts.scales.get(entity.kind)
            if at.bar_width and scale is not None:
                width = min(at.bar_width, round(at.bar_width * look.tokens / scale))
                if width or look.tokens:
                    painter.fillRect(at.bar, y + at.height // 2 - 5, max(1, width), 10, getattr(theme, look.bar_colour))
        if look.found.errors or look.found.warnings or look.found.notes:
            self._found(painter, y, look)

    def _pips(self, painter: QPainter, y: int, look: Look) -> None:
        assert look.pips is not None
        at, theme = self._scene.columns, self._scene.theme
        x = at.pips
        for pip in look.pips.shown:
            sign, colour = _PIPS[pip]
            if colour == "warning" and look.found.errors:
                colour = "error"
            shapes.paint(painter, sign, x, y + (at.height - PIP_SIZE) // 2, PIP_SIZE, getattr(theme, colour))
            x += PIP
        if look.pips.more:
            self._text(painter, x + 2, y, f"+{full(look.pips.more)}", "ui", theme.ink_soft)

    def _chip(self, painter: QPainter, y: int, look: Look) -> None:
        assert look.chip is not None
        at, theme, chip = self._scene.columns, self._scene.theme, look.chip
        colour = getattr(theme, chip.colour)
        picture = shapes.chip(str(chip.number), CHIP, colour.rgba(), theme.ui, painter.device().devicePixelRatioF())
        painter.drawPixmap(at.pips, y + (at.height - CHIP) // 2, picture)
        if chip.word:
            self._text(painter, at.pips + round(picture.deviceIndependentSize().width()) + 4, y, chip.word, "ui", colour)

    def _found(self, painter: QPainter, y: int, look: Look) -> None:
        """Severities with their counts, the worst first, as far as there is room."""
        at, theme = self._scene.columns, self._scene.theme
        x = at.found
        for sign, count, colour in zip(("error", "warning", "note"), look.found, (theme.error, theme.warning, theme.note), strict=True):
            if not count:
                continue
            words = found_words(count)
            width = found_width(self._metrics["ui"], count)
            if x + width > at.mark and x > at.found:
                return
            self._shape(painter, sign, x, y, colour, 12)
            if words:
                self._text(painter, x + 14, y, words, "ui", colour)
            x += width

    def mark(self, painter: QPainter, y: int, mark: Mark) -> None:
        at, colour = self._scene.columns, getattr(self._scene.theme, mark.colour)
        self._shape(painter, mark.sign, at.mark, y, colour)
        if at.has_marks:
            self._text(painter, at.mark + SIGN + 4, y, mark.word, "ui", colour)

    # -- strokes ---------------------------------------------------------------------------------------------------------------

    def _shape(self, painter: QPainter, name: str, x: int, y: int, colour: QColor, size: int = SIGN) -> None:
        shapes.paint(painter, name, x, y + (self._scene.columns.height - size) // 2, size, colour)

    def _text(self, painter: QPainter, x: int, y: int, text: str, font: str, colour: QColor) -> None:
        painter.setFont(self._fonts[font])
        painter.setPen(colour)
        painter.drawText(x, y + self._base, text)

    def _right(self, painter: QPainter, end: int, y: int, text: str, colour: QColor) -> None:
        self._text(painter, end - self._metrics["ui"].horizontalAdvance(text), y, text, "ui", colour)
