"""What is painted over the rows of the list: the cut, walls, ties."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from app.model.table import Ints
from app.model.transcript import Wall
from widgets.exchange_layout import Layout
from widgets.exchange_model import ExchangeModel
from widgets.row_scene import Scene
from widgets.ties import Tie, paint_ties, ties
from widgets.words import full, short


class Overlay:
    """Keeps the ties of the rows in view: under a drag these stay what they are."""

    def __init__(self) -> None:
        self._for: tuple[Layout, Ints, int, int, int, int] | None = None
        self._ties: list[Tie] = []

    def paint(self, painter: QPainter, scene: Scene, model: ExchangeModel, top: int, height: int) -> None:
        """`top`: where the list's first row stands in the viewport (0 or less); `height`: of the viewport."""
        layout = model.layout
        if layout is None or not layout.rows:
            return
        step = scene.columns.height
        first, last = max(0, -top // step), min(layout.rows - 1, (height - top) // step)
        facts = scene.words.facts
        asked = (layout, facts.partner, layout.generation, first, last, scene.current)
        if self._for is None or self._for[0] is not layout or self._for[1] is not facts.partner or self._for[2:] != asked[2:]:
            self._for, self._ties = asked, ties(model, facts, first, last, scene.current)
        if self._ties:
            paint_ties(painter, self._ties, scene.theme, scene.columns, top, height, scene.ink)
        for position, wall in scene.words.facts.walls.items():
            row = layout.row_of(position)
            if first <= row <= last + 1:
                _wall(painter, scene, wall, top + row * step)
        if not scene.as_is and scene.marks.seam >= 0:
            row = cut_row(layout, scene.marks.seam)
            if first <= row <= last + 1:
                _cut(painter, scene, layout, top + row * step)


def cut_row(layout: Layout, seam: int) -> int:
    """The row above which a plan cuts: rows that it puts in stand below the line."""
    if seam >= layout.tree.count:
        return layout.rows
    row = layout.row_of(seam)
    while row > 0 and seam == _ghost_position(layout, row - 1):
        row -= 1
    return row


def _ghost_position(layout: Layout, row: int) -> int:
    entity = layout.entity(row)
    return entity.position if entity.ghost >= 0 else -1


def _cut(painter: QPainter, scene: Scene, layout: Layout, y: int) -> None:
    """A dashed line between rows with what is left below it; inside of a closed exchange it says so."""
    marks, theme, at = scene.marks, scene.theme, scene.columns
    assert marks.plan is not None
    words, tree, seam = f"cut · {full(marks.plan.after)} below", layout.tree, marks.seam
    if 0 <= seam < tree.count:
        top = tree.top_of(seam)
        if tree.top_first[top] != seam and not layout.open_top[top]:
            label = scene.words.facts.view.groups.label(int(tree.top_exchange[top]))
            words = f"cut inside {label} · {full(marks.plan.after)} below"
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    pen = QPen(theme.blue, 2)
    pen.setDashPattern([3, 2])
    painter.setPen(pen)
    painter.drawLine(0, y, at.width, y)
    _tag(painter, scene, words, at.mark - 6, y, theme.blue, theme.on_blue)


def _wall(painter: QPainter, scene: Scene, wall: Wall, y: int) -> None:
    """A compaction that the dump records."""
    words = "compacted"
    if wall.before is not None and wall.after is not None:
        words = f"compacted · {short(wall.before)} → {short(wall.after)}"
    pen = QPen(scene.theme.ink_soft, 1)
    pen.setDashPattern([4, 3])
    painter.setPen(pen)
    painter.drawLine(0, y, scene.columns.width, y)
    _tag(painter, scene, words, scene.columns.mark - 6, y, scene.theme.ink_soft, scene.theme.paper)


def _tag(painter: QPainter, scene: Scene, words: str, right: int, y: int, paper: QColor, ink: QColor) -> None:
    """Words on a line, small enough to leave the rows beside it readable."""
    metrics = QFontMetrics(scene.theme.small)
    width, height = metrics.horizontalAdvance(words) + 16, metrics.height() + 1
    place = QRect(max(4, right - width), max(0, y - height // 2), width, height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(paper)
    painter.drawRoundedRect(QRectF(place), 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(scene.theme.small)
    painter.setPen(ink)
    painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), words)
