"""Rank: a strategy's actions summed up once, so that every budget is a look-up.

`rank` gives the Ranking that is dragged. Where a saving has to be tokenised (cut results) or depends on where the cut falls (the text of
a summary), it is an estimate there; `Arranged.settle` counts what a budget needs and cuts again, so that what the plan then promises is
what an exact count of the result gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.model.block import Block
from app.model.edits import Change, Drop, Edit, Replace
from app.model.plan import NEVER, Actions, Plan, Ranking
from app.model.provider import Provider
from app.model.table import Ints
from app.model.view import View
from app.pipeline.catalogue import catalogue, strategy_named
from app.pipeline.chain import Link, first_link, next_link, united
from app.pipeline.names import on_wire
from app.pipeline.settle import Settler
from app.pipeline.spec import Spec, chain_params, parse_policy, parse_spec, read_spec, spec_of, written
from app.strategies import Ask, counted

__all__ = ["Arranged", "arrange", "change", "keeps_words", "parse_policy", "parse_spec", "rank", "texts"]

Count = Callable[[str], int]
Look = Callable[[int], Block]
Raw = Callable[[int], Any]


def rank(
    view: View, spec: str | Spec, provider: Provider, count: Count | None = None, block: Look | None = None, raw: Raw | None = None
) -> Ranking:
    """The ranking of a spec over a counted view (`view.tokens`, `view.message_overhead`).

    `count`: tokens of one text; without it the few texts that a strategy puts in are estimated. `block` decodes a row of the view's
    transcript; without it a summary's cost is estimated from columns. `raw` gives the record of a row as the file has it.
    """
    return arrange(view, spec, provider, count, block, raw).ranking


def arrange(
    view: View, spec: str | Spec, provider: Provider, count: Count | None = None, block: Look | None = None, raw: Raw | None = None
) -> Arranged:
    """A ranking with what it was made from, so that it can be settled and applied."""
    links = read_spec(spec)
    provider = on_wire(provider, view.transcript.table)
    asked = Asker(provider, count, block, raw)
    made: list[Link] = []
    for name, params in links:
        strategy = strategy_named(name)
        made.append(next_link(made, strategy, params, asked.ask) if made else first_link(view, strategy, params, asked.ask))
    actions = united(view, made)
    keeps, units = made[0].strategy.keeps(made[0].ask, actions) if len(made) == 1 else _blocks(view, actions)
    before = _request(view)
    closing = actions.closing if actions.closing is not None else np.zeros(len(actions.saved) + 1, np.int64)
    ranking = Ranking(
        spec=written(links),
        strategy="+".join(name for name, _ in links),
        params=chain_params(links),
        actions=actions,
        before=before,
        after=before - np.concatenate([np.zeros(1, np.int64), np.cumsum(actions.saved)]) + closing,
        breaks_pairs=any(link.strategy.breaks_pairs for link in made),
        prefix=len(made) == 1 and made[0].strategy.prefix,
        gated=any(link.strategy.gated for link in made),
        unit=made[0].strategy.unit if len(made) == 1 else "blocks",
        keeps=keeps,
        units=units,
        first=_first(actions),
    )
    return Arranged(view, provider, ranking, made, asked)


@dataclass(frozen=True, eq=False)
class Asker:
    """Makes what a strategy is asked, from how tokens are counted here."""

    provider: Provider
    count: Count | None
    block: Look | None
    raw: Raw | None = None

    def ask(self, view: View, params: dict[str, object]) -> Ask:
        return Ask(view, self.provider, params, self.count or _rough, self.grown, self.block, self.count is None, self.raw)

    def grown(self, first: str, pieces: Sequence[str], last: str) -> Ints:
        """Tokens of `first`, then 1, 2, ... all of the pieces, then `last`. Vocabularies split at the line breaks between them, so that
        tokens add up; characters are divided by 4 all together."""
        count = self.count or _rough
        if getattr(count, "by_characters", False):
            return -(-(len(first) + len(last) + np.cumsum([len(piece) for piece in pieces], dtype=np.int64)) // 4)
        return count(first) + count(last) + np.cumsum([count(piece) if piece else 0 for piece in pieces], dtype=np.int64)


def _rough(text: str) -> int:
    return int(np.ceil(len(text) / 3.8))


@dataclass(frozen=True, eq=False)
class Arranged:
    """A ranking and the links of its chain."""

    view: View
    provider: Provider
    ranking: Ranking
    links: list[Link]
    asked: Asker

    def settle(self, budget: int | None) -> tuple[Arranged, Plan]:
        """Cuts at a budget by exact figures: `plan.after` is what a count of the result will give, and `reached` keeps its word.

        Needs `count` and `block`. Counts only what lies before the cut; the ranking that comes with the plan is exact up to there.
        """
        if not self.ranking.actions.approximate:
            return self, self.ranking.plan(budget)
        settler = Settler(self.view, self.provider, self.ranking, self.links, self.asked.count, self.asked.block)
        ranking = settler.settled(budget)
        settled = replace(self, ranking=ranking, links=settler.links)
        return settled, ranking.plan(budget)

    def closing(self, plan: Plan) -> tuple[Edit, ...]:
        """The closing edits of a plan: what is inserted once."""
        edits: list[Edit] = []
        for link in self.links:
            length = min(plan.length - link.offset, len(link.actions.saved))
            if link.actions.closing is not None and length > 0:
                edits += link.strategy.closing(link.ask, link.actions, length, plan.dropped[link.positions])
        return tuple(edits)

    def change(self, plan: Plan) -> Change:
        """A plan as one change: its drops, its replacements by content, its closing edits."""
        edits = self._whole(plan) or self._followed(plan)
        return Change(
            title=title(plan),
            origin=f"strategy:{plan.ranking.spec}",
            effect="loses",
            edits=tuple(edits),
            note=keeps_words(plan.ranking, plan.length),
            tokens=-plan.freed,
            budget=plan.budget if not plan.ranking.gated else None,
            after=plan.after,
        )

    def _whole(self, plan: Plan) -> list[Edit]:
        """The edits of a strategy that is done whole; none where they follow from its actions."""
        found = [link.strategy.edits(link.ask, link.actions) for link in self.links] if plan.length else []
        return [edit for edits in found for edit in edits or ()]

    def _followed(self, plan: Plan) -> list[Edit]:
        view, actions = self.view, plan.ranking.actions
        edits: list[Edit] = []
        dropped = plan.dropped
        if dropped.any():
            edits.append(Drop(view.rows[dropped]))
        content = actions.replaced(plan.length)
        content[dropped] = -1
        for number in np.unique(content[content >= 0]).tolist():
            edits.append(Replace(view.rows[content == number], actions.contents[number]))
        edits += self.closing(plan)
        for link in self.links:
            edits += link.strategy.beside(link.ask, plan.dropped[link.positions])
        return edits


def change(view: View, plan: Plan, provider: Provider, block: Look, count: Count | None = None) -> Change:
    """The edits of a plan that was cut from a ranking of this view."""
    return arrange(view, spec_of(plan.ranking), provider, count, block).change(plan)


def title(plan: Plan) -> str:
    """What a plan does, in words: "evict-exchanges: drop 30 exchanges (−87.1k)"."""
    ranking = plan.ranking
    gone = ranking.units - int(ranking.keeps[plan.length])
    names = ranking.strategy.split("+")
    if len(names) == 1:
        act = strategy_named(names[0]).act(plan.length, gone)
    else:
        act = f"{counted(plan.length, 'action')} on {counted(gone, 'block')}"
    return f"{ranking.strategy}: {act} ({_signed(-plan.freed)})"


def keeps_words(ranking: Ranking, length: int) -> str:
    """What a ranking keeps after so many actions, in the strategy's own counted thing: "58 of 88 exchanges"."""
    kept = int(ranking.keeps[length])
    strategy = catalogue().get(ranking.strategy)
    if strategy is None:
        return f"{kept:,} of {counted(ranking.units, 'block')}"
    return strategy.words(ranking.params, kept, ranking.units)


def texts(spec: str | Spec) -> list[str]:
    """The short texts whose tokens a ranking of this spec needs: for whoever has them counted elsewhere."""
    return [str(value) for _, params in read_spec(spec) for key, value in params.items() if key == "text" and value]


def _signed(tokens: int) -> str:
    size, sign = abs(tokens), "−" if tokens < 0 else "+"
    return f"{sign}{size:,}" if size < 10_000 else f"{sign}{size / 1000:.1f}k" if size < 1_000_000 else f"{sign}{size / 1_000_000:.2f}M"


def _request(view: View) -> int:
    """All that the next request would carry."""
    assert view.tokens is not None
    assert view.message_overhead is not None
    message = view.message[view.start :]
    sent = np.zeros(len(view.message_overhead), bool)
    sent[message[message >= 0]] = True
    return int(view.tokens[view.start :].sum(dtype=np.int64) + view.message_overhead[sent].sum(dtype=np.int64))


def _blocks(view: View, actions: Actions) -> tuple[Ints, int]:
    """What a chain keeps: blocks that nothing was done to, after n actions."""
    touched = np.minimum(actions.drop_at, actions.replace_at)
    for at, _ in actions.more:
        touched = np.minimum(touched, at)
    mine = touched[view.start :][view.in_messages[view.start :]]
    gone = np.bincount(mine[mine < len(actions.saved)], minlength=len(actions.saved))
    return np.concatenate([[len(mine)], len(mine) - np.cumsum(gone)]).astype(np.int32), len(mine)


def _first(actions: Actions) -> Ints:
    """For n actions the first position that they change."""
    count = len(actions.saved)
    least = np.full(count + 1, NEVER, np.int32)
    for at in (actions.drop_at, actions.replace_at, *(at for at, _ in actions.more)):
        rows = np.flatnonzero(at < count)[::-1]
        lowest = np.full(count + 1, NEVER, np.int32)
        lowest[at[rows] + 1] = rows  # the last write wins: the smallest position
        least = np.minimum(least, lowest)
    least = np.minimum.accumulate(least)
    return np.where(least == NEVER, -1, least).astype(np.int32)
