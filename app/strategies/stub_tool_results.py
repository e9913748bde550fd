"""Puts a short text in place of a tool result's content, the oldest first. Calls, ids and error marks stay, so no pair can break.

All results of the newest `keep_last` steps that have results stay whole; the newest step counts among them and is never touched. Images
in a result go with its text; results of server-side tools are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from app.model.edits import Stub
from app.model.plan import NEVER, Actions
from app.model.table import Ints
from app.strategies._results import open_results, replacing
from app.strategies._strategy import Ask, Param, Strategy, counted

TEXT = "[tool result removed to save context; call the tool again if you need it]"


class StubToolResults(Strategy):
    name: ClassVar[str] = "stub-tool-results"
    summary: ClassVar[str] = "puts a short text in place of old tool results"
    place: ClassVar[int] = 3
    unit: ClassVar[str] = "steps"
    params: ClassVar[tuple[Param, ...]] = (
        Param("keep_last", 2, "how many of the newest steps with results stay whole"),
        Param("text", TEXT, "what stands in place of a result", blank=False),
    )

    def actions(self, ask: Ask) -> Actions:
        view = ask.view
        mask = open_results(ask, ask.guard)
        kept = np.zeros(view.groups.steps + 1, bool)  # the last entry is for rows of no step
        kept[_steps_with_results(ask)[::-1][: ask.params["keep_last"]]] = True
        mask &= ~kept[view.groups.step]
        rows = np.flatnonzero(mask)
        text = str(ask.params["text"])
        actions = replacing(ask, rows, Stub(text), np.full(len(rows), ask.count(text), np.int64))
        return replace(actions, approximate=ask.rough)

    def keeps(self, ask: Ask, actions: Actions) -> tuple[Ints, int]:
        steps = _steps_with_results(ask)
        step, rows = ask.view.groups.step, np.flatnonzero(actions.replace_at < NEVER)
        first = np.full(ask.view.groups.steps, NEVER, np.int32)
        np.minimum.at(first, step[rows], actions.replace_at[rows])
        touched = np.bincount(first[first < NEVER], minlength=len(actions.saved))
        return np.concatenate([[len(steps)], len(steps) - np.cumsum(touched)]).astype(np.int32), len(steps)

    def words(self, params: Mapping[str, Any], kept: int, units: int) -> str:
        return f"results of {kept:,} of {counted(units, 'step')} whole" if units else "no results"

    def act(self, length: int, gone: int) -> str:
        return f"stub {counted(length, 'result')}"


def _steps_with_results(ask: Ask) -> Ints:
    """Steps of the sent part that have results which the client gave, oldest first."""
    view = ask.view
    mask = view.results & (view.groups.step >= 0)
    mask[: view.start] = False
    return np.flatnonzero(np.bincount(view.groups.step[mask], minlength=view.groups.steps))


STRATEGY = StubToolResults()
