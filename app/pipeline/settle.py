"""Settle: what a plan promises, counted. Cut results are tokenised, a summary's text is made, and the budget cuts again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.model.block import Block
from app.model.edits import Cap
from app.model.plan import NEVER, Actions, Ranking
from app.model.provider import Provider
from app.model.table import Ints
from app.model.view import View
from app.pipeline.chain import Link, united_closing, with_actions


class Settler:
    """Counts what the first n actions of a ranking need, and no more. Works on copies of the columns that it corrects."""

    def __init__(
        self,
        view: View,
        provider: Provider,
        ranking: Ranking,
        links: list[Link],
        count: Callable[[str], int] | None,
        block: Callable[[int], Block] | None,
    ) -> None:
        if count is None or block is None:
            raise ValueError("a plan is settled with a counter and with the blocks at hand")
        self._count, self._block = count, block
        self.view, self.provider, self.ranking, self.links = view, provider, ranking, list(links)
        actions = ranking.actions
        self._saved = actions.saved.copy()
        self._keeps = ranking.keeps.copy()
        self._layers = [(actions.replace_at.copy(), actions.content), *((at.copy(), which) for at, which in actions.more)]
        self._done = 0  # actions that are exact

    def settled(self, budget: int | None) -> Ranking:
        """The ranking, exact as far as this budget needs it."""
        while True:
            length = self.ranking.cut(budget)
            if length <= self._done:
                return self.ranking
            self._count_caps(length)
            self._count_closing(length)
            self._done = length
            self._sum_up()

    def _sum_up(self) -> None:
        old = self.ranking.actions
        first, *more = self._layers
        closing = united_closing(self.links)
        actions = replace(old, saved=self._saved, replace_at=first[0], more=tuple((at, which) for at, which in more if which is not None))
        if closing is not None:
            actions = replace(actions, closing=closing)
        sums = np.concatenate([np.zeros(1, np.int64), np.cumsum(self._saved)])
        after = self.ranking.before - sums + (closing if closing is not None else 0)
        self.ranking = replace(self.ranking, actions=actions, after=after, keeps=self._keeps)

    # -- cut results ----------------------------------------------------------------------------------------------------------

    def _count_caps(self, length: int) -> None:
        for number, (at, which) in enumerate(self._layers):
            if which is None:
                continue
            fresh = np.flatnonzero((at >= self._done) & (at < length))
            for position in fresh.tolist():
                content = self.ranking.actions.contents[which[position]]
                if isinstance(content, Cap):
                    self._count_cap(number, position, content)

    def _count_cap(self, layer: int, position: int, cap: Cap) -> None:
        """Corrects what cutting one result saves, and what the next action on it (a later link's) then still can."""
        at = self._layers[layer][0]
        action = int(at[position])
        block = self._block(int(self.view.rows[position]))
        left = self._texts(cap.of(block.texts)) + sum(self.provider.image_tokens(m.width, m.height) for m in block.media)
        before = self._left_before(layer, position)
        saves = before - left
        following = self._next(layer, position)
        if following is not None:
            self._saved[following] += self._saved[action] - max(saves, 0)
        self._saved[action] = max(saves, 0)
        if saves <= 0:  # the note costs more than what it replaces: such an action is left out
            at[position] = NEVER
            self._keeps[action + 1 : None if following is None else following + 1] += 1

    def _left_before(self, layer: int, position: int) -> int:
        """Tokens of a row when the links before this one are done with it."""
        assert self.view.tokens is not None
        left = int(self.view.tokens[position])
        for at, _ in self._layers[:layer]:
            if at[position] < NEVER:
                left -= int(self._saved[at[position]])
        return left

    def _next(self, layer: int, position: int) -> int | None:
        """The action that next does something to a row, if any."""
        for at, _ in self._layers[layer + 1 :]:
            if at[position] < NEVER:
                return int(at[position])
        drop = int(self.ranking.actions.drop_at[position])
        return drop if drop < NEVER else None

    def _texts(self, texts: list[str]) -> int:
        if getattr(self._count, "by_characters", False):
            return -(-sum(map(len, texts)) // 4)
        return sum(map(self._count, texts))

    # -- closing edits --------------------------------------------------------------------------------------------------------

    def _count_closing(self, length: int) -> None:
        for number, link in enumerate(self.links):
            closing = link.actions.closing
            upto = min(length - link.offset, len(link.actions.saved))
            if closing is None or upto <= 0:
                continue
            exact = link.strategy.closing_costs(link.ask, link.actions, upto)
            fresh = closing.copy()
            fresh[upto + 1 :] += int(exact[-1]) - int(closing[upto])  # what is not counted yet is off by as much
            fresh[1 : upto + 1] = exact
            self.links[number] = with_actions(link, _with_closing(link.actions, fresh))


def _with_closing(actions: Actions, closing: Ints) -> Actions:
    return replace(actions, closing=closing)
