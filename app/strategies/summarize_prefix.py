"""Puts one plain pair of messages in place of all before a seam: exchange by exchange up to the live one, then by closed steps in it.

The text is yours, or a skeleton made from the transcript: the questions, the calls by name with their ids, and counts; never tool
blocks. A place that a call and its result cross is no seam. The live prompt, the newest step, pinned exchanges and system messages
stay. Where the live exchange holds signed reasoning its steps are kept, unless `live_signed=drop`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final

import numpy as np

from app.model.edits import Before, Edit, End, Insert, Made
from app.model.kinds import Kind, Role
from app.model.plan import Actions
from app.model.table import Ints
from app.model.view import View
from app.strategies._exchanges import Drops, exchange_drops, whole_after
from app.strategies._guard import Guard
from app.strategies._savings import dropping
from app.strategies._skeleton import CLOSE, INTRO, pieces, rough_costs
from app.strategies._steps import free_steps, standing
from app.strategies._strategy import LIVE_SIGNED, Ask, Param, Strategy, counted
from app.strategies._system import with_neighbours
from app.strategies._ties import clusters, ties

LEAD: Final = "[summary of an earlier part of this conversation, made from its transcript]"
ANSWER: Final = "Understood. I continue from this summary."

EXACT: Final = 2_000  # actions whose lines are made and counted at once; beyond, their cost is estimated until the plan is applied


class SummarizePrefix(Strategy):
    name: ClassVar[str] = "summarize-prefix"
    summary: ClassVar[str] = "puts one summary in place of all before a seam"
    place: ClassVar[int] = 5
    unit: ClassVar[str] = "exchanges"
    prefix: ClassVar[bool] = True
    params: ClassVar[tuple[Param, ...]] = (
        Param("text", "", "the summary; empty: a skeleton of questions, calls and counts"),
        LIVE_SIGNED,
    )

    def actions(self, ask: Ask) -> Actions:
        view, held = ask.view, ask.guard
        drops = exchange_drops(ask, held, strict=True)
        if ask.params["live_signed"] == "drop" or not held.live_signed:
            drops = _into_live(ask, held, drops)
        found = dropping(ask, with_neighbours(view, ask.provider, held, drops.drop_at), drops.seam)
        costs, rough = self._costs(ask, found, len(found.saved))
        return replace(found, closing=np.concatenate([np.zeros(1, np.int64), costs]), approximate=rough)

    def keeps(self, ask: Ask, actions: Actions) -> tuple[Ints, int]:
        sent = ask.view.in_messages & ~ask.guard.system
        sent[: ask.view.start] = False
        return whole_after(ask.view.groups.exchange, sent, actions.drop_at, len(actions.saved))

    def words(self, params: Mapping[str, Any], kept: int, units: int) -> str:
        return f"{kept:,} of {counted(units, 'exchange')} + summary"

    def act(self, length: int, gone: int) -> str:
        return f"summarize {counted(gone, 'exchange')}" if gone else "summarize steps of the live exchange"

    def closing_costs(self, ask: Ask, actions: Actions, length: int) -> Ints:
        fixed = 2 * ask.provider.overhead.message + ask.count(ANSWER)
        text = str(ask.params["text"])
        if text:
            return np.full(length, fixed + ask.count(f"{LEAD}\n\n{text}"), np.int64)
        assert ask.block is not None
        return fixed + ask.grown(f"{LEAD}\n\n{INTRO}", pieces(ask.view, ask.block, actions.drop_at, length), CLOSE)

    def _costs(self, ask: Ask, actions: Actions, length: int) -> tuple[Ints, bool]:
        """Cost of the closing edits after each action, and whether it is an estimate."""
        if ask.params["text"] or (ask.block is not None and length <= EXACT):
            return self.closing_costs(ask, actions, length), ask.rough
        fixed = 2 * ask.provider.overhead.message + ask.count(ANSWER) + ask.count(f"{LEAD}\n\n{INTRO}") + ask.count(CLOSE)
        return fixed + np.cumsum(rough_costs(ask.view, actions.drop_at, length, ask.count)), True

    def closing(self, ask: Ask, actions: Actions, length: int, dropped: Ints) -> tuple[Edit, ...]:
        text = str(ask.params["text"])
        if not text:
            assert ask.block is not None
            text = INTRO + "".join(pieces(ask.view, ask.block, actions.drop_at, length)) + CLOSE
        place = _place(ask.view, dropped)
        return (
            Insert(place, Made(Kind.TEXT, Role.USER, f"{LEAD}\n\n{text}")),
            Insert(place, Made(Kind.TEXT, Role.ASSISTANT, ANSWER)),
        )


def _place(view: View, dropped: Ints) -> Before | End:
    """In front of the first row that stays, system text aside."""
    system = (view.role == Role.SYSTEM) | (view.role == Role.DEVELOPER)
    stays = view.in_messages & ~system & ~dropped
    stays[: view.start] = False
    first = np.flatnonzero(stays)
    return Before(int(view.rows[first[0]])) if len(first) else End()


def _into_live(ask: Ask, held: Guard, drops: Drops) -> Drops:
    """`drops`, then the closed steps at the head of the live exchange one by one, and what stands between them. The first that may not be
    dropped ends it."""
    view, groups = ask.view, ask.view.groups
    prompted = not (groups.zero and groups.live == 0)
    if groups.live < 0 or (not prompted and Role.ASSISTANT in ask.provider.joins):
        return drops  # the pair would become one turn with the assistant's message behind it
    mine = groups.step_exchange == groups.live
    found = ties(view, ask.provider, held, groups.step, standing(groups.step_first, len(view)))
    found.loose[:] = False
    joined = clusters(found, free_steps(ask, held, "drop") & mine)
    own = np.flatnonzero(mine & (groups.step_first >= view.start))
    if not len(own):
        return drops
    after = np.flatnonzero(np.diff(joined.of[own])) + 1  # where in `own` a further cluster begins
    free = joined.free[joined.of[own[np.append(0, after)]]]
    taken = int(np.argmin(free)) if not free.all() else len(free)
    seams = groups.step_first[own[after[: min(taken, len(after))]]]
    number = np.full(groups.steps + 1, len(seams), np.int64)  # of the action that takes a step; the last entry is for rows of no step
    number[own] = np.searchsorted(after, np.arange(len(own)), side="right")
    rows = np.flatnonzero(held.open & (groups.exchange == groups.live))
    step = groups.step[rows]
    action = np.where(step >= 0, number[step], np.searchsorted(seams, rows, side="right"))
    inside = action < len(seams)
    drop_at = drops.drop_at.copy()
    drop_at[rows[inside]] = len(drops.seam) + action[inside]
    return Drops(drop_at, np.concatenate([drops.seam, seams]).astype(np.int32))


STRATEGY = SummarizePrefix()
