"""The exchange whose inside is scrolled through stays as a line at the top of the list; a click on it goes to its row."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QPainter

from widgets.exchange_model import ExchangeModel
from widgets.exchange_tree import EXCHANGE
from widgets.row_painter import RowPainter


class Stuck(NamedTuple):
    """The row of an exchange in the list, and where its line stands: at the top, or pushed out by the next exchange (below 0)."""

    row: int
    y: int


def stuck(model: ExchangeModel, scrolled: int, height: int) -> Stuck | None:
    """The line for a list scrolled by some pixels, with rows of a height; None where the upper row is an exchange itself."""
    layout = model.layout
    if layout is None or not layout.rows:
        return None
    first = min(scrolled // height, layout.rows - 1)
    entity = model.entity(first)
    row = layout.row_of_top(entity.top) if entity.top < layout.tree.tops else first
    if entity.depth == 0 and (entity.kind != EXCHANGE or row * height >= scrolled or not layout.opened(entity)):
        return None
    if row * height >= scrolled:
        return None
    below = layout.row_of_top(entity.top + 1) * height - scrolled if entity.top + 1 < layout.tree.tops else height
    return Stuck(row, min(0, below - height))


def paint(painter: QPainter, rows: RowPainter, line: Stuck, width: int, height: int) -> bool:
    """Its row once more, with an edge below; False where there was no time to make all of it."""
    assert rows.scene is not None
    whole = rows.paint_row(painter, line.row, line.y)
    painter.fillRect(0, line.y + height - 1, width, 1, rows.scene.theme.border)
    return whole
