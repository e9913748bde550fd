"""The chart by keyboard: rungs, percents, a typed budget, requests and exchanges."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

if TYPE_CHECKING:
    from widgets.budget_chart import BudgetChart

_Key = Qt.Key
_BUDGET = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:(?:\.\d+)?[km])?|\.\d+[km]")
_UNITS = {"k": 1_000, "m": 1_000_000}
_MOST = 1_000_000_000


def budget_of(text: str) -> int | None:
    """A typed budget: `60000`, `60,000`, `60k`, `1.5m`; None where it is none."""
    text = re.sub(r"[\s_]", "", text.lower())
    if not _BUDGET.fullmatch(text):  # "1,5k" least of all: it is not 15k
        return None
    text = text.replace(",", "")
    unit = _UNITS.get(text[-1:], 1)
    number = text[:-1] if text[-1:] in _UNITS else text
    try:
        found = round(float(number) * unit)
    except (ValueError, OverflowError):
        return None
    return found if 0 <= found <= _MOST else None


class Keys:
    """What each key does; holds what is being typed."""

    def __init__(self, chart: BudgetChart) -> None:
        self._chart = chart
        self._typed: str | None = None

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key is the chart's while it has the focus, even where a menu entry bears it too."""
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in (_Key.Key_Left, _Key.Key_Right):
            held = Qt.KeyboardModifier
            return modifiers in (held.NoModifier, held.ControlModifier, held.AltModifier, held.ShiftModifier)
        if key in (_Key.Key_Up, _Key.Key_Down):
            return modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if modifiers not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
            return False
        if self._chart.free.cut is not None and key in (_Key.Key_Return, _Key.Key_Enter, _Key.Key_Escape):
            return True
        if self._typed is not None and key in (_Key.Key_Return, _Key.Key_Enter, _Key.Key_Backspace):
            return True
        if key == _Key.Key_Escape:
            return self._typed is not None or self._chart.drag.going or self._chart.pointed.cursor >= 0
        return key in (_Key.Key_Home, _Key.Key_End, _Key.Key_K, _Key.Key_R, _Key.Key_W) or self._types(event)

    def _types(self, event: QKeyEvent) -> bool:
        text = event.text().lower()
        if text.isascii() and text.isdigit():
            return True
        return self._typed is not None and text in (",", ".", "k", "m")

    def press(self, event: QKeyEvent) -> bool:
        """Does what a key asks for; False where it is none of the chart's."""
        if not self.takes(event) or self._chart.state.view is None:
            return False
        key, shift = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if self._types(event):
            self._show((self._typed or "") + event.text().lower())
        elif self._typed is not None and key in (_Key.Key_Return, _Key.Key_Enter):
            self._enter()
        elif key in (_Key.Key_Return, _Key.Key_Enter):
            self._chart.let_go()
        elif self._typed is not None and key == _Key.Key_Backspace:
            self._show(self._typed[:-1] or None)
        elif key in (_Key.Key_Up, _Key.Key_Down):
            self._step(1 if key == _Key.Key_Up else -1, shift)
        elif key in (_Key.Key_Left, _Key.Key_Right) and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._chart.free.step(1 if key == _Key.Key_Right else -1)
        elif key in (_Key.Key_Left, _Key.Key_Right) and shift:
            self._chart.point(self._chart.span.extend(self._chart.pointed.cursor, 1 if key == _Key.Key_Right else -1))
        elif key in (_Key.Key_Left, _Key.Key_Right):
            self._chart.span.let_go()
            self._walk(1 if key == _Key.Key_Right else -1, control)
        elif key == _Key.Key_Escape:
            self._escape()
        else:
            self._other(key)
        return True

    def forget(self) -> None:
        """What was typed and not entered is dropped."""
        if self._typed is not None:
            self._show(None)

    def _show(self, text: str | None) -> None:
        self._typed = text[:12] if text else None
        self._chart.show_typed(self._typed)

    def _enter(self) -> None:
        found = budget_of(self._typed or "")
        self._show(None)
        if found is not None:
            self._chart.ask(found)

    def _escape(self) -> None:
        if self._typed is not None:
            self._show(None)
        elif self._chart.free.cut is not None:
            self._chart.free.leave()
        elif not self._chart.take_back():
            self._chart.point(-1)
            self._chart.request_pointed.emit(-1)

    def _other(self, key: Qt.Key) -> None:
        chart, rungs = self._chart, self._chart.model.rungs
        if key == _Key.Key_K:
            chart.toggle_kinds()
        elif key == _Key.Key_R:
            chart.toggle_combs()
        elif key == _Key.Key_W and chart.model.room_budget is not None:
            chart.ask(chart.model.room_budget)
        elif key == _Key.Key_Home:
            chart.ask(chart.state.now)
        elif key == _Key.Key_End and rungs is not None:
            chart.ask(rungs.least)

    def _step(self, up: int, percent: bool) -> None:
        """To the next size that the strategy can reach, or by a hundredth of *now*."""
        chart, plan = self._chart, self._chart.state.plan
        now, budget, rungs = chart.state.now, chart.budget, chart.model.rungs
        if percent:
            chart.ask(min(max(budget + up * max(1, round(now / 100)), 0), max(now, budget)))
        elif rungs is not None:
            below = min(budget, plan.after if plan is not None else now)
            found = rungs.above(budget) if up > 0 else rungs.within(below - 1)
            if found is not None:
                chart.ask(found)

    def _walk(self, step: int, exchange: bool) -> None:
        """To the next request, or the first one of the next exchange."""
        chart, axis = self._chart, self._chart.model.axis
        if axis is None:
            return
        here = chart.pointed.cursor if chart.pointed.cursor >= 0 else axis.columns - 1
        if not exchange:
            chart.go_to(here + step)
            return
        starts = np.unique(axis.exchange_column)
        at = int(starts.searchsorted(here, side="right" if step > 0 else "left"))
        if step > 0:
            chart.go_to(int(starts[at]) if at < len(starts) else axis.columns - 1)
        else:
            chart.go_to(int(starts[at - 1]) if at else 0)
