"""Lines in the gutter from a call to its result, for the blocks in view.

A call's lane is its number in its step, so that lines keep their place while the list is scrolled; where that lane is taken, the next
free one. At most eight lanes: twenty parallel calls have lines for eight and numbered chips for all. The selected pair always has one.
A selected call that was made before is tied to that one and to the next of the kind by dots. Where the other end is out of view, an
arrow says how many rows away it is: P goes there, O along the calls that repeat one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from app.model.kinds import Kind
from widgets import shapes
from widgets.exchange_facts import Facts, Pip
from widgets.exchange_layout import Layout
from widgets.exchange_model import ExchangeModel
from widgets.exchange_tree import BLOCK, GHOST
from widgets.row_columns import CHIP, LANE, LANES, Columns
from widgets.theme import Theme
from widgets.words import counted

_PAIRED = (int(Kind.TOOL_CALL), int(Kind.TOOL_RESULT))


@dataclass(frozen=True)
class Tie:
    """A pair of rows, the upper one first; `lane` -1: chips alone. `style`: plain, late, made, again or selected. `call`: its position."""

    upper: int
    lower: int
    lane: int
    style: str
    call: int


def ties(model: ExchangeModel, facts: Facts, first: int, last: int, selected: int) -> list[Tie]:
    """Ties that touch the rows from `first` to `last`; `selected` is the row whose tie comes before all others."""
    layout = model.layout
    if layout is None:
        return []
    pairs: dict[tuple[int, int], tuple[int, str, int]] = {}  # rows to (wanted lane, style, call)
    calls: set[int] = set()  # whose pair is known: its result is mostly in view too
    for row in range(first, min(last, layout.rows - 1) + 1):
        entity = model.entity(row)
        if entity.kind == BLOCK and int(facts.partner[entity.position]) in calls:
            continue
        found = _pair(model, layout, facts, row)
        if found is not None:
            pairs[found[0]] = found[1]
            calls.add(found[1][2])
    for pair, what in _repeats(model, layout, facts, selected):
        pairs.setdefault(pair, what)
    taken: list[list[tuple[int, int]]] = [[] for _ in range(LANES)]
    out: list[Tie] = []
    order = sorted(pairs.items(), key=lambda item: (selected not in item[0], item[1][1] == "again", item[1][0], item[0]))
    for (upper, lower), (wanted, style, call) in order:
        lane = next((n for n in (wanted, *range(LANES)) if n < LANES and _free(taken[n], upper, lower)), -1)
        if lane >= 0:
            taken[lane].append((upper, lower))
        out.append(Tie(upper, lower, lane, "selected" if selected in (upper, lower) and style != "again" else style, call))
    return out


def _repeats(
    model: ExchangeModel, layout: Layout, facts: Facts, selected: int
) -> Iterator[tuple[tuple[int, int], tuple[int, str, int]]]:
    """The selected call with the one that it repeats, and with those that repeat it."""
    entity = model.entity(selected) if 0 <= selected < layout.rows else None
    if entity is None or entity.kind != BLOCK:
        return
    for other in facts.alike(entity.position):
        if layout.is_open(other):
            row = layout.row_of(other)
            yield (min(row, selected), max(row, selected)), (3, "again", entity.position)


def _free(lane: list[tuple[int, int]], upper: int, lower: int) -> bool:
    return all(lower < a or b < upper for a, b in lane)


def _pair(model: ExchangeModel, layout: Layout, facts: Facts, row: int) -> tuple[tuple[int, int], tuple[int, str, int]] | None:
    entity = model.entity(row)
    if entity.kind == GHOST:
        call = layout.ghosts[entity.ghost].call_position
        if call < 0 or not layout.is_open(call):
            return None
        other, style = layout.row_of(call), "made"
    elif entity.kind == BLOCK and facts.view.kind[entity.position] in _PAIRED:
        call, partner = entity.position, int(facts.partner[entity.position])
        if partner >= 0:
            if not layout.is_open(partner):
                return None
            call = call if facts.pip[call] else partner
            other, style = layout.row_of(partner), "late" if facts.pip[call] == Pip.ELSEWHERE else "plain"
        else:
            other, style = layout.row_of_ghost(layout.ghost_calls.get(call, -1)), "made"
            if other < 0:
                return None
    else:
        return None
    wanted = facts.number_of(call) - 1
    return (min(row, other), max(row, other)), (max(wanted, 2) if style == "late" else wanted, style, call)  # clear of exchanges' signs


def paint_ties(painter: QPainter, found: list[Tie], theme: Theme, at: Columns, top: int, height: int, ink: Callable[[int], float]) -> None:
    """Draws ties into a viewport of `height` pixels in which the list's first row stands at `top` (0 or less). `ink`: how strongly a
    position is drawn, from 0 to 1."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for tie in sorted(found, key=lambda tie: tie.style == "selected"):
        upper, lower = (top + row * at.height + at.height / 2 for row in (tie.upper, tie.lower))
        colour = {"late": theme.warning, "made": theme.green, "selected": theme.blue, "again": theme.note}.get(tie.style, theme.tool_call)
        painter.setOpacity(1.0 if tie.style == "selected" else ink(tie.call))
        if tie.lane >= 0:
            _line(painter, tie, colour, at, upper, lower, height)
        for here, there, sign in ((upper, lower, "down"), (lower, upper, "up")):
            if not 0 <= here <= height or 0 <= there <= height:
                continue
            if tie.style == "again":  # its row says of which one it is the repetition
                shapes.paint(painter, sign, at.pips + CHIP + 12, here - 5, 10, colour)
            else:
                _far(painter, sign, tie, here, at, theme, colour)
    painter.setOpacity(1.0)


def _far(painter: QPainter, sign: str, tie: Tie, y: float, at: Columns, theme: Theme, colour: QColor) -> None:
    """Where the other end is out of view: an arrow, and how many rows it is away; over the end of the row's words."""
    selected = tie.style == "selected"
    words = counted(tie.lower - tie.upper, "row")
    painter.setFont(theme.small)
    width = painter.fontMetrics().horizontalAdvance(words)
    left, step = at.pips - 12 - width, at.height
    ground = theme.selection if selected else theme.paper
    fade = QLinearGradient(left - 34, 0, left - 16, 0)
    for place, part in ((0.0, 0), (1.0, 255)):
        shade = QColor(ground)
        shade.setAlpha(part)
        fade.setColorAt(place, shade)
    opacity = painter.opacity()
    painter.setOpacity(1.0)
    painter.fillRect(QRectF(left - 34, y - step / 2, width + 40, step - 1), fade)
    painter.setOpacity(opacity)
    shapes.paint(painter, sign, left - 14, y - 5, 10, colour)
    painter.setPen(colour if selected else theme.ink_soft)
    painter.drawText(QRectF(left, y - step / 2, width + 2, step), int(Qt.AlignmentFlag.AlignVCenter), words)


def _line(painter: QPainter, tie: Tie, colour: QColor, at: Columns, upper: float, lower: float, height: int) -> None:
    """A bracket; where one end is out of view the line runs to the edge."""
    pen = QPen(colour, 2 if tie.style == "selected" else 1.4)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if tie.style in ("late", "made", "again"):
        pen.setDashPattern([1, 2] if tie.style == "again" else [3, 2])
    painter.setPen(pen)
    x, right = at.lanes - 4 - tie.lane * LANE + 0.5, at.lanes + 0.5
    points = [QPointF(right, upper), QPointF(x, upper)] if upper >= 0 else [QPointF(x, -1)]
    points += [QPointF(x, lower), QPointF(right, lower)] if lower <= height else [QPointF(x, height + 1)]
    painter.drawPolyline(points)
