"""Drops closed steps of any exchange, the oldest first: the assistant's message together with all results that answer it.

Prompts and whatever belongs to no step stay, so the story remains readable; the newest step is never closed. Where the live exchange holds
signed reasoning its steps are kept, unless `live_signed=drop`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from app.model.plan import Actions
from app.model.table import Ints
from app.strategies._exchanges import whole_after
from app.strategies._savings import dropping
from app.strategies._steps import step_drops
from app.strategies._strategy import LIVE_SIGNED, Ask, Param, Strategy, counted
from app.strategies._system import with_neighbours


class EvictSteps(Strategy):
    name: ClassVar[str] = "evict-steps"
    summary: ClassVar[str] = "drops closed steps, oldest first; prompts stay"
    place: ClassVar[int] = 2
    unit: ClassVar[str] = "steps"
    params: ClassVar[tuple[Param, ...]] = (LIVE_SIGNED,)

    def actions(self, ask: Ask) -> Actions:
        held = ask.guard
        drops = step_drops(ask, held, ask.params["live_signed"])
        return dropping(ask, with_neighbours(ask.view, ask.provider, held, drops.drop_at), drops.seam)

    def keeps(self, ask: Ask, actions: Actions) -> tuple[Ints, int]:
        view = ask.view
        sent = view.in_messages.copy()
        sent[: view.start] = False
        return whole_after(view.groups.step, sent, actions.drop_at, len(actions.saved))

    def words(self, params: Mapping[str, Any], kept: int, units: int) -> str:
        return f"all prompts, {kept:,} of {counted(units, 'step')}"

    def act(self, length: int, gone: int) -> str:
        return f"drop {counted(gone, 'step')}"


STRATEGY = EvictSteps()
