"""The chart's request cursor: it follows the selection, or is held at the request that is looked at as the model saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from widgets.budget_chart import BudgetChart


def follow(chart: BudgetChart) -> None:
    """Puts the cursor where the selection is, unless it is held or there already."""
    selected, model = chart.state.selected, chart.model
    if chart.pointed.held < 0 and (selected < 0 or model.row(chart.pointed.cursor) != selected):
        chart.point(model.column(selected))


def hold(chart: BudgetChart, row: int) -> None:
    """The cursor stays at the request of a row (-2: at the next one), whatever is selected; -1: it follows the selection again."""
    model = chart.model
    now = model.axis.columns - 1 if model.axis is not None else -1
    chart.pointed.held = model.column(row) if row >= 0 else now if row == -2 else -1
    chart.point(chart.pointed.held if row != -1 else model.column(chart.state.selected))


def go_to(chart: BudgetChart, column: int) -> None:
    """Moves the cursor to a request and says so, and which row that is."""
    axis = chart.model.axis
    if axis is None:
        return
    column = min(max(column, 0), axis.columns - 1)
    chart.point(column)
    row = chart.model.row(column)
    chart.request_pointed.emit(row)
    if row >= 0:
        chart.request_clicked.emit(row)
