"""Words at the top of the plot: the model's window, and compactions that the dump records.

They stand at the top edge, and below the budget's line where that would strike them out: they move with it, so they are no part of the
picture that stands still.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.model.prices import window_of
from widgets import chart_words
from widgets.chart_data import Bins
from widgets.chart_model import ChartModel
from widgets.chart_scale import FAR, Scale
from widgets.theme import Theme
from widgets.words import short

TOP, GAP = 3.0, 6.0
WINDOW_LEFT = 5.0


@dataclass(frozen=True)
class Tag:
    """Words that begin at `x`; `y`: where they would stand if no budget were there."""

    said: str
    x: float
    y: float
    wide: float


def window_y(model: ChartModel, scale: Scale) -> float | None:
    """Where the model's window lies; None where it is not known or so far above everything that only an arrow says so."""
    window = model.window
    if window is None:
        return None
    y = scale.y(window - model.offset)
    return None if y < 0 or window > FAR * max(1, model.state.now) else y


def tags(model: ChartModel, scale: Scale, at: Bins, theme: Theme) -> list[Tag]:
    """What is said, from left to right; a wall for whose words there is no room is a line alone."""
    metrics = QFontMetricsF(theme.small)
    out: list[Tag] = []
    taken = -1.0
    if model.window is not None:
        y = window_y(model, scale)
        known = model.window == window_of(model.state.model)
        said = f"model window {chart_words.round_(model.window)}, {'by its name' if known else 'set by you'}"
        words = said if y is not None else f"↑ {said}"
        out.append(Tag(words, WINDOW_LEFT, TOP if y is None else y + 2, metrics.horizontalAdvance(words) + 6))
        taken = WINDOW_LEFT + out[-1].wide if y is None or y < TOP + metrics.height() else -1.0
    for column, wall in model.axis.walls if model.axis is not None else ():
        x = round(at.x(column)) + 0.5
        said = f"{short(wall.before)} → {short(wall.after)}" if wall.before is not None and wall.after is not None else "compacted"
        wide = metrics.horizontalAdvance(said) + 6
        left = x + 3 if x + wide + 3 < at.width else x - wide - 1
        if left > taken:
            out.append(Tag(said, left, TOP, wide))
            taken = left + wide
    return out


def clear_y(y: float, height: float, budget_y: float) -> float:
    """Where words that would stand at `y` stand: below the budget line where it would go through them, or over its handle."""
    return budget_y + GAP if y - GAP < budget_y < y + height + GAP else y


def held_y(height: float, budget_y: float) -> float:
    """The same at the top edge."""
    return clear_y(TOP, height, budget_y)


def paint_tag(painter: QPainter, theme: Theme, said: str, x: float, y: float, ink: QColor) -> None:
    """Words on a slip of paper, so that they can be read over lines and hatches."""
    metrics = QFontMetricsF(painter.font())
    slip = QRectF(x - 2, y, metrics.horizontalAdvance(said) + 6, metrics.height())
    paper = QColor(theme.paper)
    paper.setAlphaF(0.86)
    painter.fillRect(slip, paper)
    pen = painter.pen()
    painter.setPen(ink)
    painter.drawText(QPointF(x + 1, y + metrics.ascent()), said)
    painter.setPen(pen)
