"""What a plan takes away from each column, as a look-up: made once a ranking, asked at every move. numpy only, no Qt.

A ranking says what each action saves in all; here it is laid out by row: a dropped row its own tokens, a message its overhead at the
action that takes its last row, a replaced row what is left of its action's saving. The sums by action are the ranking's own, to the
token, so that the column *now* is `Plan.after` at every length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.model.edits import Cap, Stub
from app.model.plan import NEVER, Plan, Ranking
from app.model.table import Ints
from widgets.chart_data import LAYERS, Bins, Contents, Layer, Requests

_MARKS = 64  # running tables kept along the entries; a move adds up what lies behind the nearest one


@dataclass(eq=False)
class Entries:
    """Savings of one sort in the order of their actions: `action`, `column`, `layer`, `tokens` (float64, whole numbers).
    `sort`: dropped or replaced rows, or overhead of messages that are gone."""

    sort: str
    action: Ints
    column: Ints
    layer: Ints
    tokens: Ints

    @cached_property
    def least(self) -> Ints:
        """The first column that was touched so far."""
        return np.minimum.accumulate(self.column)

    @cached_property
    def most(self) -> Ints:
        """The last column that was touched so far."""
        return np.maximum.accumulate(self.column)

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """Every layer that is touched."""
        return tuple(np.flatnonzero(np.bincount(self.layer, minlength=LAYERS)).tolist())

    def end(self, length: int) -> int:
        """How many belong to the first `length` actions."""
        return int(np.searchsorted(self.action, self.action.dtype.type(length), side="left"))  # another type would copy the array


@dataclass(eq=False)
class Savings:
    """All that a ranking saves. Along actions: `cuts[n - 1]`, the column boundary before which a prefix of n actions is cut (empty where
    the ranking cuts none); `extra[n]`, the cost of the closing edit. Along columns: `gone_at`, the action at which nothing is left of
    what the request added (NEVER where something stays, -1 where nothing was left). `verb`: what is done, in a word."""

    ranking: Ranking
    entries: tuple[Entries, ...]
    cuts: Ints
    gone_at: Ints
    extra: Ints
    verb: str

    def at(self, column: int, plan: Plan) -> int:
        """Tokens that a plan takes from one column, exactly."""
        taken = 0
        for entry in self.entries:
            end = entry.end(plan.length)
            taken += int(entry.tokens[:end][entry.column[:end] <= column].sum())
        return taken - (int(self.extra[plan.length]) if column >= self.cut(plan.length) else 0)

    def cut(self, length: int) -> int:
        """The column boundary at which the fill starts; 0 where no prefix is cut."""
        return int(self.cuts[length - 1]) if len(self.cuts) and length else 0

    def span(self, length: int) -> tuple[int, int] | None:
        """The first and the last column whose own rows are touched, None where nothing is done."""
        ends = [(entry, entry.end(length)) for entry in self.entries]
        found = [(int(entry.least[end - 1]), int(entry.most[end - 1])) for entry, end in ends if end]
        return (min(a for a, _ in found), max(b for _, b in found)) if found else None

    def things(self, length: int) -> tuple[int, Layer | None]:
        """How many blocks are touched, and their kind where all that the ranking ever touches are of one."""
        found = [entry for entry in self.entries if entry.sort != "overhead"]
        kinds = {layer for entry in found for layer in entry.kinds}
        return sum(entry.end(length) for entry in found), Layer(kinds.pop()) if len(kinds) == 1 else None


def savings(axis: Requests, held: Contents, tokens: Ints, ranking: Ranking) -> Savings:
    """Lays a ranking's savings out by row. `tokens` along the view's positions."""
    actions = ranking.actions
    count = len(actions.saved)
    drop, swap = actions.drop_at, actions.replace_at
    dropped = np.flatnonzero(drop < count)
    swapped = np.flatnonzero((swap < drop) & (swap < count))
    messages = _messages(held, axis, drop, count)
    own = tokens[dropped].astype(np.float64)
    left = actions.saved - _sums(messages, count)
    entries = [messages]
    taken = np.zeros(len(tokens)) if len(swapped) or actions.more else None
    if taken is not None:
        whole = swap[dropped] >= drop[dropped]
        left -= np.bincount(drop[dropped][whole], weights=own[whole], minlength=count)[:count]
    for at in (swap, *(at for at, _ in actions.more)):  # what replaced a row may be replaced once more
        rows = np.flatnonzero((at < drop) & (at < count))
        if len(rows) and taken is not None:
            shares = _shares(left, at[rows], tokens[rows])
            taken[rows] += shares
            entries.append(_entries(axis, held, "replaced", rows, at[rows], shares))
    if taken is not None:
        own -= taken[dropped]
    entries = [entry for entry in (_entries(axis, held, "dropped", dropped, drop[dropped], own), *entries) if len(entry.action)]
    _settle(entries, actions.saved)
    return Savings(
        ranking=ranking,
        entries=tuple(entries),
        cuts=_cuts(held, ranking),
        gone_at=_gone_at(axis, held, drop),
        extra=ranking.after - (ranking.before - np.append(0, np.cumsum(actions.saved))),
        verb=_verb(ranking, bool(len(dropped))),
    )


def _entries(
    axis: Requests, held: Contents, sort: str, position: Ints, action: Ints, tokens: Ints, layer: Ints | None = None
) -> Entries:
    """Entries in the order of their actions; most strategies go along the positions, so that they lie in it already."""
    layer = held.layer[position] if layer is None else layer
    column = held.column[position]
    if (column < 0).any():
        column = np.where(column >= 0, column, axis.columns - 1)
    if len(action) and (action[1:] < action[:-1]).any():
        order = np.argsort(action, kind="stable")
        return Entries(sort, action[order], column[order], layer[order], tokens[order])
    return Entries(sort, action, column, layer, tokens)


def _messages(held: Contents, axis: Requests, drop: Ints, count: int) -> Entries:
    """Entries for the overhead of messages that lose their last row."""
    message = held.view.message
    gone = np.full(int(message.max(initial=-1)) + 2, -1, np.int32)  # the last entry is that of rows outside the list of messages
    np.maximum.at(gone, message, drop.astype(np.int32, copy=False))
    leaves = gone[message[held.overhead_at]]
    found = np.flatnonzero(leaves < count)
    layer = np.full(len(found), Layer.OTHER, np.uint8)
    return _entries(axis, held, "overhead", held.overhead_at[found], leaves[found], held.overhead[found].astype(np.float64), layer)


def _sums(entries: Entries, count: int) -> Ints:
    return np.bincount(entries.action, weights=entries.tokens, minlength=count)[:count]


def _shares(left: Ints, action: Ints, tokens: Ints) -> Ints:
    """What each replaced row saves: its action's saving, shared by own tokens where an action replaces several."""
    total = np.bincount(action, weights=tokens, minlength=len(left))
    part = np.divide(tokens, total[action], out=np.zeros(len(action)), where=total[action] > 0)
    return np.rint(left[action] * part)


def _settle(entries: list[Entries], saved: Ints) -> None:
    """Puts what rounding left of an action's saving on its first entry, so that the sums are the ranking's own."""
    missing = saved - sum((_sums(entry, len(saved)) for entry in entries), np.zeros(len(saved)))
    odd = np.flatnonzero(missing)
    for entry in entries:
        if len(odd) == 0:
            return
        at = np.minimum(np.searchsorted(entry.action, odd), len(entry.action) - 1)
        there = entry.action[at] == odd
        entry.tokens[at[there]] += missing[odd[there]]
        odd = odd[~there]


def _cuts(held: Contents, ranking: Ranking) -> Ints:
    seam = ranking.actions.seam
    if not ranking.prefix or seam is None or not len(seam):
        return np.empty(0, np.int32)
    return np.maximum.accumulate(np.where(seam >= 0, held.boundary[np.clip(seam, 0, len(held.boundary) - 1)], 0))


def _gone_at(axis: Requests, held: Contents, drop: Ints) -> Ints:
    gone = np.full(axis.columns, -1, np.int32)
    np.maximum.at(gone, held.own, drop.astype(np.int32, copy=False))  # rows of no step (-1) fall on the last column, which never goes
    gone[-1] = NEVER
    return gone


def _verb(ranking: Ranking, drops: bool) -> str:
    """What is done, in a word that says whether anything is lost whole."""
    actions = ranking.actions
    if actions.closing is not None and bool((actions.closing > 0).any()):
        return "summarized"
    if drops:
        return "dropped"
    kinds = {type(content) for content in actions.contents}
    return "stubbed" if kinds == {Stub} else "shortened" if kinds == {Cap} else "replaced"


class _Marked:
    """Running tables along one sort of entries: what the first n of them take, by bin and layer."""

    def __init__(self, axis: Requests, entries: Entries, at: Bins) -> None:
        self._entries, self._size = entries, len(at) * LAYERS
        into = at.into[entries.column]
        self._key = into * np.intp(LAYERS) + entries.layer
        if axis.segments[-1]:  # a wall may lie between what adds a row and what the bin shows
            lost = axis.segments[entries.column] != axis.segments[at.shows[np.minimum(into, len(at) - 1)]]
            self._key[lost | (into == len(at))] = self._size
        self._stride = max(1, -(-len(self._key) // _MARKS))
        count = len(self._key) // self._stride + 1
        self._marks = np.zeros((count, self._size))
        for i in range(1, count):
            self._marks[i] = self._marks[i - 1] + self._table((i - 1) * self._stride, i * self._stride)

    def taken(self, length: int) -> Ints:
        end = self._entries.end(length)
        mark = end // self._stride
        return self._marks[mark] + self._table(mark * self._stride, end)

    def _table(self, begin: int, end: int) -> Ints:
        weights = self._entries.tokens[begin:end]
        return np.bincount(self._key[begin:end], weights=weights, minlength=self._size + 1)[: self._size]


class Lookup:
    """The fill under any plan of one ranking, at the pixels of one width."""

    def __init__(self, axis: Requests, held: Contents, what: Savings, at: Bins) -> None:
        self._what, self._shows = what, at.shows
        self._marked = [_Marked(axis, entries, at) for entries in what.entries]
        self._gone_at = what.gone_at[at.shows]
        self.base = held.totals(at.shows)

    def rebase(self, held: Contents, old: Bins, new: Bins) -> bool:
        """Takes new counts of the same rows over; False where the bins show other columns now."""
        if len(old) != len(new) or (old.shows != new.shows).any():
            return False
        self.base = held.totals(new.shows)
        return True

    def fill(self, length: int) -> Ints:
        """Tokens by bin and layer when `length` actions are done."""
        kept = self.base.copy()
        for marked in self._marked:
            kept -= np.cumsum(marked.taken(length).reshape(-1, LAYERS), axis=0)
        extra = int(self._what.extra[length])
        if extra:
            kept[np.searchsorted(self._shows, self._what.cut(length), side="left") :, Layer.TEXT] += extra
        return kept

    def gone(self, length: int) -> Ints:
        """Mask over bins: what their request added is gone."""
        return self._gone_at < length


def stacks(fill: Ints, all_kinds: bool) -> list[tuple[Layer, Ints]]:
    """Upper edges by bin, bottom first: head, results, all else; or every kind that there is."""
    sums = np.cumsum(fill, axis=1)
    if not all_kinds:
        return [(Layer.HEAD, sums[:, 0]), (Layer.RESULT, sums[:, 1]), (Layer.TEXT, sums[:, -1])]
    there = [layer for layer in Layer if layer == Layer.HEAD or bool((fill[:, layer] != 0).any())]
    return [(layer, sums[:, layer]) for layer in there]


def runs(mask: Ints) -> list[tuple[int, int]]:
    """Half-open runs of a mask."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
