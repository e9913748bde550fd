"""Rank once, cut on every move: a strategy's actions as arrays, and the place where a budget cuts them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from app.model.edits import Cap, Change, Content, Edit, Stub
from app.model.table import Ints

NEVER = np.iinfo(np.int32).max

State = Literal["kept", "dropped", "stubbed", "capped", "replaced"]


def narrow(numbers: Ints) -> Ints:
    """The same numbers as int32, where they fit."""
    fit = not len(numbers) or (int(numbers.max()) <= np.iinfo(np.int32).max and int(numbers.min()) >= np.iinfo(np.int32).min)
    return numbers.astype(np.int32) if fit else numbers


@dataclass(eq=False)
class Actions:
    """What a strategy would do, in the order in which it would do it. Actions are numbered from 0.

    For each position: the action at which it is replaced (`replace_at`) and dropped (`drop_at`); where none, NEVER, or what stands
    for it in a narrower type: a number that no action has. What replaces it is `contents[content[position]]`. For each action:
    `saved`, tokens that it frees, message overhead included at the one that takes a message's last row; and `seam`, the position
    before which a prefix is cut (-1 where the action cuts none).
    `closing`: cost in tokens of the closing edit (a summary) when the plan stops behind n actions, n from 0 to len(saved); 0 where none.
    """

    saved: Ints  # int64
    replace_at: Ints  # int32 along positions
    drop_at: Ints  # int32 along positions
    contents: tuple[Content, ...] = ()
    content: Ints | None = None  # int16 along positions
    closing: Ints | None = None  # int64, len(saved) + 1
    seam: Ints | None = None  # int32 per action
    approximate: bool = False  # savings are proportional until counted (caps)
    more: tuple[tuple[Ints, Ints], ...] = ()  # of a chain: (replace_at, content) of later links that replace content again

    def __getstate__(self) -> dict[str, Any]:
        """For another process: seven rankings lie there for each row, so they travel, and stay, as narrow as their numbers allow."""
        count = len(self.saved)
        state = dict(self.__dict__)
        state["saved"] = narrow(self.saved)
        for name in ("replace_at", "drop_at"):
            at: Ints = state[name]
            used = bool((at < count).any())
            small = count < np.iinfo(np.int16).max
            state[name] = (np.minimum(at, np.iinfo(np.int16).max).astype(np.int16) if small else at) if used else len(at)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name in ("replace_at", "drop_at"):
            if isinstance(state[name], int):
                state[name] = np.broadcast_to(np.int32(NEVER), state[name])
        self.__dict__.update(state)

    def content_at(self, position: int, length: int) -> Content | None:
        """What stands in place of a row's content after `length` actions: what replaced it last."""
        for at, content in (*reversed(self.more), (self.replace_at, self.content)):
            if at[position] < length and content is not None:
                return self.contents[content[position]]
        return None

    def replaced(self, length: int) -> Ints:
        """For each position the index in `contents` of what stands there after `length` actions, -1 where nothing was replaced."""
        found = np.full(len(self.replace_at), -1, np.int16)
        for at, content in ((self.replace_at, self.content), *self.more):
            if content is not None:
                np.copyto(found, content, where=at < length)
        return found


@dataclass(eq=False)
class Ranking:
    """Actions with their running sums: `after[n]` are the tokens of the request when n actions are done (n from 0)."""

    spec: str
    strategy: str
    params: dict[str, Any]
    actions: Actions
    before: int  # tokens of the request as it is
    after: Ints  # int64, n actions + 1
    breaks_pairs: bool
    prefix: bool  # takes a prefix: the cut handle shows where the fill starts
    unit: str  # its own counted thing, in words: "exchanges", "results", ...
    keeps: Ints  # int32 per n: how many of its units stay whole
    units: int  # how many there are
    first: Ints = field(default_factory=lambda: np.empty(0, np.int32))  # per n: the first position that is changed, -1 where none
    gated: bool = False  # imitates a system that goes by its own gates: it is done whole, whatever the budget
    _least: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        self._least = -np.minimum.accumulate(self.after)  # a summary costs before it saves; negated, so that it rises for bisection

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "after": narrow(self.after), "_least": narrow(self._least)}

    @cached_property
    def rungs(self) -> Ints:
        """Every size that the strategy can reach, from large to small."""
        return -self._least[np.concatenate([[True], np.diff(self._least) > 0])]

    def cut(self, budget: int | None) -> int:
        """The least number of actions after which the request fits (all of them where it never does, or where there is no budget)."""
        if self.gated:
            return len(self.after) - 1
        if budget is None:
            return self._best
        if self.before <= budget:
            return 0
        found = int(np.searchsorted(self._least, -budget, side="left"))
        return found if found < len(self.after) else self._best

    @cached_property
    def _best(self) -> int:
        return int(np.argmin(self.after))

    def plan(self, budget: int | None) -> Plan:
        length = self.cut(budget)
        return Plan(self, budget, length)


@dataclass(frozen=True, eq=False)
class Plan:
    """A ranking cut at `length` actions."""

    ranking: Ranking
    budget: int | None
    length: int

    @property
    def before(self) -> int:
        return self.ranking.before

    @property
    def after(self) -> int:
        return int(self.ranking.after[self.length])

    @property
    def reached(self) -> bool:
        return self.budget is None or self.after <= self.budget

    @property
    def deficit(self) -> int | None:
        return None if self.budget is None else max(0, self.before - self.budget)

    @property
    def freed(self) -> int:
        return self.before - self.after

    @property
    def overshoot(self) -> float | None:
        return None if not self.deficit else self.freed / self.deficit

    @property
    def keeps(self) -> int:
        return int(self.ranking.keeps[self.length])

    @property
    def seam(self) -> int:
        """Position before which a prefix is cut; -1 where none."""
        seam = self.ranking.actions.seam
        return -1 if seam is None or self.length == 0 else int(seam[self.length - 1])

    def state(self, position: int) -> State:
        """What happens to the row at a position: a comparison, nothing is looked through."""
        actions = self.ranking.actions
        if actions.drop_at[position] < self.length:
            return "dropped"
        content = actions.content_at(position, self.length)
        if content is not None:
            return "capped" if isinstance(content, Cap) else "stubbed" if isinstance(content, Stub) else "replaced"
        return "kept"

    @cached_property
    def dropped(self) -> Ints:
        """Mask over positions. For what is applied, not for what is painted."""
        return self.ranking.actions.drop_at < self.length

    @cached_property
    def replaced(self) -> Ints:
        """Mask over positions: content replaced, and not dropped."""
        actions = self.ranking.actions
        found = actions.replace_at < self.length
        for at, _ in actions.more:
            found |= at < self.length
        return found & ~self.dropped

    @property
    def first(self) -> int:
        """The first position that the plan changes, -1 where it changes nothing."""
        return int(self.ranking.first[self.length]) if len(self.ranking.first) else -1


@dataclass(frozen=True)
class Doubt:
    """Signed reasoning that stands behind the first thing that a change changes: how many blocks, the row of the first, and what the
    provider is known to make of that; "" where nothing is."""

    blocks: int
    row: int
    why: str

    @property
    def words(self) -> str:
        some = "a signed block of reasoning stands" if self.blocks == 1 else f"{self.blocks:,} signed blocks of reasoning stand"
        return f"{some} behind the first change: {self.why or 'whether that matters is not known'}"


@dataclass(frozen=True, eq=False)
class Checked:
    """A plan that was really applied and checked: the change, its tokens and what a fresh check says."""

    change: Change
    closing: tuple[Edit, ...]
    tokens_after: int
    verdict: Literal["accept", "reject"]
    new_findings: int
    prefix_tokens: int
    first_changed: str | None
    doubt: Doubt | None = None
