"""A chain of strategies as one ranking: all actions of the first, then those of the next on what is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.model.edits import Cap, Content
from app.model.plan import NEVER, Actions
from app.model.table import Ints
from app.model.tokens import Tokens
from app.model.view import View
from app.pipeline.view import make_view
from app.strategies import Ask, Strategy

Asking = Callable[[View, dict[str, Any]], Ask]


@dataclass(frozen=True, eq=False)
class Link:
    """One strategy of a chain. `ask.view` is what the links before left; `positions`: where its rows stand in the whole view; `offset`:
    number of the actions before its own."""

    strategy: Strategy
    ask: Ask
    actions: Actions
    positions: Ints
    offset: int


def first_link(view: View, strategy: Strategy, params: dict[str, Any], asking: Asking) -> Link:
    ask = asking(view, params)
    return Link(strategy, ask, strategy.actions(ask), np.arange(len(view)), 0)


def next_link(before: list[Link], strategy: Strategy, params: dict[str, Any], asking: Asking) -> Link:
    """The link that works on what all actions of those before it leave."""
    last = before[-1]
    view, kept = _left(last)
    ask = asking(view, params)
    return Link(strategy, ask, strategy.actions(ask), last.positions[kept], last.offset + len(last.actions.saved))


def _left(link: Link) -> tuple[View, Ints]:
    """A view of what is left when all actions of a link are done, and where its rows stood in the link's own view."""
    view, actions = link.ask.view, link.actions
    gone = actions.drop_at < NEVER
    kept = np.flatnonzero(~gone)
    transcript = view.transcript
    table, rows = transcript.table, view.rows
    own = np.zeros(len(table), np.int64)
    own[rows] = link.ask.tokens
    done = np.flatnonzero(actions.replace_at < NEVER)
    if len(done):
        own[rows[done]] -= actions.saved[actions.replace_at[done]]
        table = table.with_columns(size=_shorter(view, actions, done))
    left = transcript.with_(table=table, order=rows[kept], start=int((~gone[: view.start]).sum()))
    pinned = frozenset(int(e) for e in np.unique(view.groups.exchange[kept]).tolist() if e in view.pinned)
    after = make_view(left, Tokens("", own, np.ones(len(own), bool)), link.ask.provider)
    if view.held is not None:
        after.held = view.held[kept]
    if pinned:
        held = np.isin(view.groups.exchange[kept], list(pinned))
        after.pinned = frozenset(int(e) for e in np.unique(after.groups.exchange[held]).tolist() if e >= 0)
    return after, kept


def _shorter(view: View, actions: Actions, done: Ints) -> Ints:
    """The column `size` with what replaced contents have."""
    size = view.transcript.table.size.copy()
    assert actions.content is not None
    for number, content in enumerate(actions.contents):
        here = view.rows[done[actions.content[done] == number]]
        if isinstance(content, Cap):
            found, back = np.unique(size[here], return_inverse=True)
            size[here] = np.asarray([content.size(int(one)) for one in found], size.dtype)[back] if len(here) else 0
        else:
            size[here] = len(content.text)
    return size


def united(view: View, links: list[Link]) -> Actions:
    """The actions of all links as one list over the whole view."""
    if len(links) == 1:
        return links[0].actions
    count = len(view)
    drop_at = np.full(count, NEVER, np.int32)
    layers: list[tuple[Ints, Ints]] = []
    contents: list[Content] = []
    for link in links:
        actions = link.actions
        gone = np.flatnonzero(actions.drop_at < NEVER)
        drop_at[link.positions[gone]] = actions.drop_at[gone] + link.offset
        done = np.flatnonzero(actions.replace_at < NEVER)
        if len(done) and actions.content is not None:
            at, which = np.full(count, NEVER, np.int32), np.full(count, -1, np.int16)
            at[link.positions[done]] = actions.replace_at[done] + link.offset
            which[link.positions[done]] = actions.content[done] + len(contents)
            layers.append((at, which))
        contents += actions.contents
    first = layers[0] if layers else (np.full(count, NEVER, np.int32), None)
    return Actions(
        saved=np.concatenate([link.actions.saved for link in links]),
        replace_at=first[0],
        drop_at=drop_at,
        contents=tuple(contents),
        content=first[1],
        closing=united_closing(links),
        seam=np.concatenate([_seams(link, count) for link in links]),
        approximate=any(link.actions.approximate for link in links),
        more=tuple(layers[1:]),
    )


def united_closing(links: list[Link]) -> Ints | None:
    """Cost of the closing edits of a chain: those of a link stay when the next one begins."""
    if all(link.actions.closing is None for link in links):
        return None
    total = [np.zeros(1, np.int64)]
    stays = 0
    for link in links:
        closing = link.actions.closing
        own = closing if closing is not None else np.zeros(len(link.actions.saved) + 1, np.int64)
        total.append(own[1:] + stays)
        stays += int(own[-1])
    return np.concatenate(total)


def _seams(link: Link, count: int) -> Ints:
    seam = link.actions.seam
    if seam is None:
        return np.full(len(link.actions.saved), -1, np.int32)
    places = np.append(link.positions, count)
    return np.where(seam >= 0, places[np.maximum(seam, 0)], -1).astype(np.int32)


def with_actions(link: Link, actions: Actions) -> Link:
    return replace(link, actions=actions)
