"""Plans over drawn transcripts, for tests that say in one line what a strategy does."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.formats import FORMATS
from app.model.block import Block
from app.model.plan import Plan
from app.pipeline.rank import Arranged, arrange
from app.tokens import counter
from tests.builders import request_of
from tests.strategies.laws import Opened, opened


class Planned:
    """A drawn transcript ranked by one spec. Rows are named by their JSON pointers, `/messages/` left out: "2/content/1"."""

    def __init__(self, drawing: str, spec: Any, wire: str = "anthropic", pinned: tuple[int, ...] = (), **members: Any) -> None:
        self.one: Opened = opened(request_of(drawing, wire, **members), wire, "chars/4", frozenset(pinned))
        self.arranged: Arranged = arrange(self.one.view, spec, self.one.provider, counter("chars/4"), self.look)
        self.ranking = self.arranged.ranking

    def look(self, row: int) -> Block:
        return FORMATS[self.one.dump.format].block(self.one.view.transcript, row, self.one.dump.source)

    def name(self, position: int) -> str:
        pointer = self.look(int(self.one.view.rows[position])).pointer
        assert pointer is not None
        return pointer.removeprefix("/messages/").replace("/content", "").replace("/tool_calls", "")

    def plan(self, length: int | None = None) -> Plan:
        return Plan(self.ranking, None, len(self.ranking.actions.saved) if length is None else length)

    def dropped(self, length: int | None = None) -> list[str]:
        return [self.name(p) for p in np.flatnonzero(self.plan(length).dropped).tolist()]

    def replaced(self, length: int | None = None) -> list[str]:
        return [self.name(p) for p in np.flatnonzero(self.plan(length).replaced).tolist()]

    def actions(self) -> list[list[str]]:
        """What each action takes or replaces."""
        found: list[list[str]] = []
        for n in range(len(self.ranking.actions.saved)):
            before, now = self.plan(n), self.plan(n + 1)
            fresh = (now.dropped & ~before.dropped) | (now.replaced & ~before.replaced)
            found.append([self.name(p) for p in np.flatnonzero(fresh).tolist()])
        return found
