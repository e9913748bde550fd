"""Drops the reasoning of one step after the other, the oldest first; a message that held nothing else goes.

Signed reasoning is dropped whole or kept whole. The newest step keeps its own, since an open tool loop must be sent with the reasoning
that led to it; where the live exchange holds signed reasoning all of it is kept, unless `live_signed=drop`. A provider that wants the
reasoning of calls sent back as long as the calls stand (DeepSeek) gets that of whole exchanges that call. Where a server binds items to
their reasoning by its own ids (OpenAI's Responses), those that lose theirs lose these ids too, and are sent by value.
"""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from app.model.edits import Edit
from app.model.kinds import Kind, Role
from app.model.plan import Actions
from app.model.provider import Provider
from app.model.table import Ints
from app.model.view import View
from app.strategies._exchanges import whole_after
from app.strategies._items import without_ids
from app.strategies._savings import dropping, never
from app.strategies._strategy import LIVE_SIGNED, Ask, Param, Strategy, counted
from app.strategies._system import with_neighbours

SENT_BACK: Final = "reasoning-missing/message"


class DropReasoning(Strategy):
    name: ClassVar[str] = "drop-reasoning"
    summary: ClassVar[str] = "drops the reasoning of old steps"
    place: ClassVar[int] = 6
    unit: ClassVar[str] = "steps with reasoning"
    params: ClassVar[tuple[Param, ...]] = (LIVE_SIGNED,)

    def actions(self, ask: Ask) -> Actions:
        view, groups, held = ask.view, ask.view.groups, ask.guard
        mask = held.open & (view.kind == Kind.REASONING) & (groups.step >= 0)
        if ask.params["live_signed"] == "keep" and held.live_signed:
            mask &= groups.exchange != held.live
        if SENT_BACK in ask.provider.strict:
            mask &= ~np.isin(groups.exchange, groups.exchange[view.calls])
        apart = _holding_apart(view, ask.provider, mask)
        if len(apart):
            mask &= ~np.isin(groups.step, apart)
        steps = np.flatnonzero(np.bincount(groups.step[mask], minlength=groups.steps))
        drop_at = never(len(view))
        drop_at[mask] = np.searchsorted(steps, groups.step[mask])
        return dropping(ask, with_neighbours(view, ask.provider, held, drop_at), groups.step_first[steps])

    def beside(self, ask: Ask, dropped: Ints) -> tuple[Edit, ...]:
        return without_ids(ask.view, dropped)

    def keeps(self, ask: Ask, actions: Actions) -> tuple[Ints, int]:
        view = ask.view
        rows = view.kind == Kind.REASONING
        rows[: view.start] = False
        return whole_after(view.groups.step, rows, actions.drop_at, len(actions.saved))

    def act(self, length: int, gone: int) -> str:
        return f"drop the reasoning of {counted(length, 'step')}"


def _holding_apart(view: View, provider: Provider, mask: Ints) -> Ints:
    """Steps whose reasoning is the only thing between two user messages, of which the second answers calls: joined, its results would
    stand behind the first. Only a damaged transcript has such steps."""
    if Role.USER not in provider.joins or not mask.any():
        return np.empty(0, np.int32)
    new = np.concatenate([[True], view.message[1:] != view.message[:-1]])
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(view))
    alone = np.add.reduceat(mask, starts) == ends - starts
    behind = np.minimum(ends, len(view) - 1)
    lonely = alone & (ends < len(view)) & (view.kind[behind] == Kind.TOOL_RESULT)
    return np.unique(view.groups.step[starts[lonely]])


STRATEGY = DropReasoning()
