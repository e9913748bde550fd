"""Drops whole exchanges, the oldest first; what stands before the first prompt (E0) is the oldest.

The live exchange, pinned ones, system and developer messages and tool definitions stay. The newest exchanges stay until the budget is
full; nothing is skipped to keep an older one. Exchanges that a call and its late result span are dropped together.
"""

from __future__ import annotations

from typing import ClassVar

from app.model.plan import Actions
from app.model.table import Ints
from app.strategies._exchanges import exchange_drops, whole_after
from app.strategies._savings import dropping
from app.strategies._strategy import Ask, Strategy, counted
from app.strategies._system import with_neighbours


class EvictExchanges(Strategy):
    name: ClassVar[str] = "evict-exchanges"
    summary: ClassVar[str] = "drops whole exchanges, oldest first; never the live one"
    place: ClassVar[int] = 1
    unit: ClassVar[str] = "exchanges"
    prefix: ClassVar[bool] = True

    def actions(self, ask: Ask) -> Actions:
        held = ask.guard
        drops = exchange_drops(ask, held)
        return dropping(ask, with_neighbours(ask.view, ask.provider, held, drops.drop_at), drops.seam)

    def keeps(self, ask: Ask, actions: Actions) -> tuple[Ints, int]:
        view = ask.view
        held = ask.guard
        sent = view.in_messages & ~held.system
        sent[: view.start] = False
        return whole_after(view.groups.exchange, sent, actions.drop_at, len(actions.saved))

    def act(self, length: int, gone: int) -> str:
        return f"drop {counted(gone, 'exchange')}"


STRATEGY = EvictExchanges()
