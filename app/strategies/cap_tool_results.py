"""Cuts a tool result that is longer than `max_chars` characters and says at its end how much is missing and how to get it, oldest first.

Text and note have at most `max_chars` characters together, so that a second run changes nothing. The text parts of one result count
together; images stay. The newest step's results and those of server-side tools are left alone. What a cut saves is in proportion to its
characters until it is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from app.model.edits import Cap
from app.model.kinds import Flag
from app.model.plan import Actions
from app.model.table import Ints
from app.strategies._results import open_results, replacing
from app.strategies._strategy import Ask, Param, Strategy, counted

LEAST = 200  # the note alone has some 90 characters


class CapToolResults(Strategy):
    name: ClassVar[str] = "cap-tool-results"
    summary: ClassVar[str] = "cuts long tool results and says how much is missing"
    place: ClassVar[int] = 4
    unit: ClassVar[str] = "results"
    params: ClassVar[tuple[Param, ...]] = (Param("max_chars", 8_000, "characters that a result may have, its note included", least=LEAST),)

    def actions(self, ask: Ask) -> Actions:
        view, cap = ask.view, Cap(ask.params["max_chars"])
        rows = np.flatnonzero(open_results(ask, ask.guard) & (view.size > cap.max_chars))
        sizes, back = np.unique(view.size[rows], return_inverse=True)
        share = np.asarray([cap.size(int(size)) / int(size) for size in sizes], np.float64)[back] if len(rows) else np.empty(0)
        own = ask.tokens[rows]
        media = np.where((view.flags[rows] & Flag.MEDIA) != 0, ask.provider.image_tokens(None, None), 0)
        text = np.maximum(own - media, np.minimum(own, view.size[rows] // 8))
        left = own - text + np.ceil(text * share).astype(np.int64)
        return replace(replacing(ask, rows, cap, left), approximate=True)

    def keeps(self, ask: Ask, actions: Actions) -> tuple[Ints, int]:
        view = ask.view
        units = int(view.results[view.start :].sum())
        return (units - np.arange(len(actions.saved) + 1)).astype(np.int32), units

    def words(self, params: Mapping[str, Any], kept: int, units: int) -> str:
        if kept == units:
            return f"all of {counted(units, 'result')} whole" if units else "no results"
        return f"{kept:,} of {counted(units, 'result')} whole, others ≤ {params['max_chars']:,} characters"

    def act(self, length: int, gone: int) -> str:
        return f"cut {counted(length, 'result')}"


STRATEGY = CapToolResults()
