"""From one request at which the provider's cache was lost to the next, and why it was, in the status line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widgets.chart_marks import losses
from widgets.words import full

if TYPE_CHECKING:
    from widgets.main_window import MainWindow

UNKNOWN = "the dump records no usage with the cache's part: where the cache was lost is not known"
NONE = "the cache was lost at no request, by the usage that is recorded"


def next_lost(window: MainWindow) -> None:
    """Round the end, counted from the selected row."""
    window.chart.load()
    chart, state = window.chart.chart, window.session.state
    view = state.view
    if chart is None or view is None:
        return
    recorded = chart.model.recorded
    found = [(view.at(mark.row), mark) for mark in losses(chart.model)]
    there = sorted((one for one in found if one[0] >= 0), key=lambda one: one[0])
    if not there:
        window.status.say(NONE if recorded is not None and bool((recorded.cache_read >= 0).any()) else UNKNOWN)
        return
    here = view.at(state.selected) if state.selected >= 0 else -1
    number = next((n for n, (at, _) in enumerate(there) if at > here), 0)
    window.show_row(there[number][1].row)
    figures, _, cause = there[number][1].text.removeprefix("the cache was lost: ").partition("; ")
    window.status.say(f"cache lost, {full(number + 1)} of {full(len(there))}: {cause} ({figures})")
