"""What is painted over the rows of the list: the cut, walls, ties."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from app.model.table import Ints
from app.model.transcript import Wall
from widgets.exchange_layout import Layout
from widgets.exchange_model import ExchangeModel
from widgets.exchange_tree import STEP, Entity
from widgets.row_scene import Scene
from widgets.ties import Tie, paint_ties, ties
from widgets.words import full, short

Free = Callable[[int], tuple[int, int]]  # a row of the list to the room behind its words, from and to


class Overlay:
    """Keeps the ties of the rows in view: under a drag these stay what they are."""

    def __init__(self) -> None:
        self._for: tuple[Layout, Ints, int, int, int, int] | None = None
        self._ties: list[Tie] = []

    def paint(self, painter: QPainter, scene: Scene, model: ExchangeModel, top: int, part: QRect, height: int, free: Free) -> None:
        """`top`: where the list's first row stands in the viewport (0 or less); `part`: what of it is painted."""
        layout = model.layout
        if layout is None or not layout.rows:
            return
        step = scene.columns.height
        first, last = max(0, -top // step), min(layout.rows - 1, (height - top) // step)
        facts = scene.words.facts
        asked = (layout, facts.partner, layout.generation, first, last, scene.current)
        if self._for is None or self._for[0] is not layout or self._for[1] is not facts.partner or self._for[2:] != asked[2:]:
            self._for, self._ties = asked, ties(model, facts, first, last, scene.current)
        upper, lower = (part.top() - top) // step, (part.bottom() - top) // step
        shown = [tie for tie in self._ties if tie.lower >= upper and tie.upper <= lower]
        if shown:
            paint_ties(painter, shown, scene.theme, scene.columns, top, height, scene.ink)
        taken: list[QRect] = []  # by the words on these lines
        if not scene.as_is and scene.marks.seam >= 0:
            cut = Cut(layout, scene.marks.seam)
            if first <= cut.row <= last + 1:
                _cut(painter, scene, cut, top, free, taken)
        for position, wall in facts.walls.items():
            cut = Cut(layout, position)
            if first <= cut.row <= last + 1:
                _wall(painter, scene, wall, cut, top, free, taken)


class Cut:
    """Where the list is parted before a position: above `row` (rows that a plan puts in stand below the line), or, where the position is
    one within what that row holds closed, `inside` of it."""

    def __init__(self, layout: Layout, seam: int) -> None:
        tree = layout.tree
        self.row, self.inside = layout.rows, False
        if seam >= tree.count:
            return
        top, child = tree.top_of(seam), tree.child_of(seam)
        step = Entity(STEP, top, child, int(tree.child_first[child]), 1)
        if seam == tree.top_first[top]:
            self.row = layout.row_of_top(top)
        elif not layout.open_top[top]:
            self.row, self.inside = layout.row_of_top(top), True
        elif tree.child_step[child] >= 0 and (seam == step.position or not layout.open_child[child]):
            self.row, self.inside = layout.row_of_entity(step), seam != step.position
        else:
            self.row = layout.row_of(seam)
        while not self.inside and self.row > 0 and seam == _ghost_position(layout, self.row - 1):
            self.row -= 1

    def y(self, top: int, step: int) -> int:
        """Where the line lies: between two rows, or in the middle of one."""
        return top + self.row * step + (step // 2 if self.inside else 0)


def _ghost_position(layout: Layout, row: int) -> int:
    entity = layout.entity(row)
    return entity.position if entity.ghost >= 0 else -1


def _cut(painter: QPainter, scene: Scene, cut: Cut, top: int, free: Free, taken: list[QRect]) -> None:
    """A dashed line between rows with what the next request then takes; inside of what is closed it says so."""
    marks, theme = scene.marks, scene.theme
    assert marks.plan is not None
    words = f"{'cut inside' if cut.inside else 'cut'} · {full(marks.plan.after)} tokens are sent"
    pen = QPen(theme.blue, 2)
    pen.setDashPattern([3, 2])
    _line(painter, scene, cut, top, pen)
    _tag(painter, scene, words, cut, top, free, (theme.blue, theme.on_blue), taken)


def _wall(painter: QPainter, scene: Scene, wall: Wall, cut: Cut, top: int, free: Free, taken: list[QRect]) -> None:
    """A compaction that the dump records."""
    words = "compacted"
    if wall.before is not None and wall.after is not None:
        words = f"compacted · {short(wall.before)} → {short(wall.after)}"
    pen = QPen(scene.theme.ink_soft, 1)
    pen.setDashPattern([4, 3])
    _line(painter, scene, cut, top, pen)
    _tag(painter, scene, words, cut, top, free, (scene.theme.ink_soft, scene.theme.paper), taken)


def _line(painter: QPainter, scene: Scene, cut: Cut, top: int, pen: QPen) -> None:
    """From edge to edge; in the middle of a row, whose words it would strike out, at the edges only."""
    at, y = scene.columns, cut.y(top, scene.columns.height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(pen)
    for left, right in ((0, at.twists[0] - 1), (at.width - 8, at.width)) if cut.inside else ((0, at.width),):
        painter.drawLine(left, y, right, y)


def _tag(
    painter: QPainter, scene: Scene, words: str, cut: Cut, top: int, free: Free, colours: tuple[QColor, QColor], taken: list[QRect]
) -> None:
    """Words on a line, behind the words of the rows at it where there is room, at the end of these where not; never over figures."""
    metrics, at = QFontMetrics(scene.theme.small), scene.columns
    width, height = metrics.horizontalAdvance(words) + 16, metrics.height() + 1
    rooms = [free(row) for row in ((cut.row,) if cut.inside else (cut.row - 1, cut.row))]
    left, right = max(room[0] for room in rooms), min(room[1] for room in rooms)
    end = right if right - left >= width else at.what_end
    place = QRect(max(4, end - width), max(0, cut.y(top, at.height) - height // 2), width, height)
    for other in taken:
        if place.intersects(other):
            place.moveRight(other.left() - 4)
    taken.append(place)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours[0])
    painter.drawRoundedRect(QRectF(place), 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(scene.theme.small)
    painter.setPen(colours[1])
    painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), words)
