"""The figures of the chart: requests along x, tokens along y, decimated to pixels. numpy only, no Qt.

**What a column is.** One for each request, oldest first, in the transcript as it was opened, and a last one, *now*: the next request.
Step k is what request k added, so request k carried what stands before the first row of step k:

    size(k)   = head + own tokens of the rows at positions p with wall(k) <= p < first(k)
                     + overhead of the messages whose first row is such a row
    size(now) = the same with p up to the end of the order: exactly `Totals.total`

`head` is system text and tool definitions, which every request carries. `wall(k)` is the last wall at or before first(k): where
`Transcript.start` lies, or a recorded compaction before it. What lies before a wall is carried by no request behind it.
So a row at p is carried first by column `ahead[p + 1]`, the number of steps that begin at or before p, and then to the end of its
segment between walls; all curves are running sums over columns, begun anew at each wall.

**After edits** the columns stay those of the dump as opened. A row keeps its column; a row that an edit made or moved gets the one in
which it would be carried first where it stands now: in front of the next row that kept its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Final

import numpy as np

from app.model.kinds import Kind, Role
from app.model.table import Ints
from app.model.transcript import Wall
from app.model.view import View


class Layer(IntEnum):
    """What is stacked, from the bottom. Message overhead stands in OTHER: it is no block's own."""

    HEAD = 0
    RESULT = 1
    CALL = 2
    REASONING = 3
    TEXT = 4
    USER = 5
    MEDIA = 6
    OTHER = 7


LAYERS: Final = len(Layer)
FEW: Final = 4  # fewer than one row in so many has another count: they are put in one by one
LAYER_WORDS: Final = {
    Layer.HEAD: "system + tools", Layer.RESULT: "tool results", Layer.CALL: "tool calls", Layer.REASONING: "reasoning",
    Layer.TEXT: "text", Layer.USER: "user", Layer.MEDIA: "media", Layer.OTHER: "other",
}  # fmt: skip

_KINDS: Final = {
    Kind.TEXT: Layer.TEXT, Kind.REASONING: Layer.REASONING, Kind.TOOL_CALL: Layer.CALL, Kind.TOOL_RESULT: Layer.RESULT,
    Kind.MEDIA: Layer.MEDIA, Kind.SYSTEM: Layer.HEAD, Kind.TOOLS: Layer.HEAD, Kind.EMPTY: Layer.OTHER, Kind.OTHER: Layer.OTHER,
}  # fmt: skip


def _layer_table() -> Ints:
    table = np.full((len(Kind), len(Role)), Layer.OTHER, np.uint8)
    for kind, layer in _KINDS.items():
        table[kind] = layer
    table[Kind.TEXT] = Layer.OTHER  # system and developer messages in the list
    table[Kind.TEXT, Role.USER] = Layer.USER
    table[Kind.TEXT, Role.ASSISTANT] = Layer.TEXT
    return table


_LAYER_OF: Final = _layer_table()


@dataclass(eq=False)
class Requests:
    """The x axis, made from the transcript as opened. `columns` = requests + 1.

    Along positions: `rows`; `step` (-1: of none); `segment` between walls. `ahead[p]`: steps that begin before position p, which is
    also the column boundary at p. Along columns: `segments`; `exchange`; `request_seam` and `exchange_seam`: whether such a seam
    lies at the left edge of the column (a boundary that a pair crosses is none). Along exchanges: `exchange_column`, its left edge.
    """

    rows: Ints
    first: Ints
    step: Ints
    ahead: Ints
    segment: Ints
    segments: Ints
    walls: tuple[tuple[int, Wall], ...]  # column boundary of each recorded compaction
    exchange: Ints
    exchange_column: Ints
    request_seam: Ints
    exchange_seam: Ints
    _place: Ints | None = field(default=None, repr=False)

    @property
    def columns(self) -> int:
        return len(self.first) + 1

    @cached_property
    def sent_from(self) -> int:
        """The first column behind the last wall."""
        return int(np.searchsorted(self.segments, self.segments[-1], side="left"))

    def places(self, size: int) -> Ints:
        """Position as opened of each row id below `size`, -1 for rows that were not there."""
        if self._place is None or len(self._place) < size:
            self._place = np.full(max(size, int(self.rows.max(initial=-1)) + 1), -1, np.int32)
            self._place[self.rows] = np.arange(len(self.rows), dtype=np.int32)
        return self._place


def requests(view: View) -> Requests:
    """The columns of a transcript as opened."""
    groups, n = view.groups, len(view)
    first = np.maximum.accumulate(groups.step_first.astype(np.int64)) if groups.steps else np.empty(0, np.int64)
    ahead = np.zeros(n + 1, np.int32)
    ahead[1:] = np.cumsum(np.bincount(first, minlength=n)[:n]) if n else 0
    walls = [(at, wall) for wall in view.transcript.walls if (at := view.at(wall.row)) > 0]
    hiding = [at for at, _ in walls if at < view.start]  # behind the start one hides nothing: what lies before it is still sent
    starts = np.unique(hiding + ([view.start] if 0 < view.start <= n else [])).astype(np.int64)
    segment = np.zeros(n, np.int32)
    for start in starts:
        segment[start:] += 1
    last = len(starts)
    segments = np.append(np.searchsorted(starts, first, side="right"), last).astype(np.int32)
    request_seam, exchange_seam = _seams(view, first, ahead)
    live = max(groups.live, 0)
    return Requests(
        rows=view.rows,
        first=first,
        step=groups.step,
        ahead=ahead,
        segment=segment,
        segments=segments,
        walls=tuple((int(ahead[at]), wall) for at, wall in walls),
        exchange=np.append(groups.step_exchange, live).astype(np.int32),
        exchange_column=ahead[groups.first],
        request_seam=request_seam,
        exchange_seam=exchange_seam,
    )


def _seams(view: View, first: Ints, ahead: Ints) -> tuple[Ints, Ints]:
    """Which left edges of columns are seams: positions that no pair crosses."""
    n = len(view)
    crossing = np.zeros(n + 2, np.int32)
    partner = view.links.partner
    call = np.flatnonzero(partner > np.arange(n))
    crossing += np.bincount(call + 1, minlength=n + 2)[: n + 2].astype(np.int32)
    crossing -= np.bincount(partner[call] + 1, minlength=n + 2)[: n + 2].astype(np.int32)
    free = np.cumsum(crossing) == 0
    request_seam = np.zeros(len(first) + 1, bool)
    request_seam[: len(first)] = free[first]
    exchange_seam = np.zeros(len(first) + 1, bool)
    starts = view.groups.first
    exchange_seam[ahead[starts[free[starts]]]] = True
    return request_seam, exchange_seam


@dataclass(eq=False)
class Contents:
    """What the requests carry, by column: of the transcript as opened, or as edits left it.

    Along positions of its own view: `column` that carries a row first (-1: none does), `layer`, `own` (the request whose step a row
    is of, -1); `boundary` (one longer): the column boundary at a position. `overhead_at`, `overhead`: the position of each message's
    first row and its tokens. Along columns: `added` by layer, `sizes`, `gone` (nothing of what that request added is left);
    `starts`: the first column of each segment between walls.
    """

    view: View
    column: Ints
    layer: Ints
    own: Ints
    boundary: Ints
    overhead_at: Ints
    overhead: Ints
    starts: Ints
    gone: Ints
    head: int
    added: Ints  # float64 (whole numbers), columns x LAYERS
    grown: Ints  # float64: `added` of all layers
    tokens: Ints | None = None  # along positions: what was added up, a copy

    def weigh(self, tokens: Ints) -> Contents:
        """The same with other counts of the same rows. Where few of them are other ones only these are put in, in place: what this was
        called on is of the past then."""
        if self.tokens is not None and len(self.tokens) == len(tokens):
            at = np.flatnonzero(self.tokens != tokens)
            if len(at) * FEW < len(tokens):
                return self._put(tokens, at)
        head = self.layer == Layer.HEAD
        start = self.view.start
        added = self._add(tokens)
        return replace(self, head=int(tokens[start:][head[start:]].sum()), added=added, grown=added.sum(axis=1), tokens=tokens.copy())

    def _put(self, tokens: Ints, at: Ints) -> Contents:
        """With other counts of some rows."""
        assert self.tokens is not None
        more, layer, column = tokens[at] - self.tokens[at].astype(np.float64), self.layer[at], self.column[at]
        head = int(more[(layer == Layer.HEAD) & (at >= self.view.start)].sum())
        carried = column >= 0
        np.add.at(self.added.reshape(-1), (column * np.intp(LAYERS) + layer)[carried], more[carried])
        np.add.at(self.grown, column[carried], more[carried])
        return replace(self, head=self.head + head, tokens=tokens.copy())

    def _add(self, tokens: Ints) -> Ints:
        columns = len(self.gone)
        flat = np.bincount((self.column + 1) * np.intp(LAYERS) + self.layer, weights=tokens, minlength=(columns + 1) * LAYERS)
        added = flat.reshape(columns + 1, LAYERS)  # the first line: what no column carries
        added[:, Layer.OTHER] += np.bincount(self.column[self.overhead_at] + 1, weights=self.overhead, minlength=columns + 1)
        return added[1:]

    @cached_property
    def sizes(self) -> Ints:
        """Tokens of each request, int64."""
        sums = np.cumsum(self.grown)
        for start in self.starts[1:]:
            sums[start:] -= sums[start - 1]
        return sums.astype(np.int64) + self.head

    def totals(self, columns: Ints) -> Ints:
        """Tokens by layer of some columns, which rise."""
        marks = np.unique(np.append(columns, self.starts[1:] - 1))
        edges = np.append(0, marks[:-1] + 1)
        sums = np.cumsum(np.add.reduceat(self.added, edges, axis=0), axis=0)
        for start in self.starts[1:]:
            sums[marks >= start] -= sums[np.searchsorted(marks, start - 1)]
        out: Ints = sums[np.searchsorted(marks, columns)]
        out[:, Layer.HEAD] = self.head
        return out


def contents(axis: Requests, view: View, tokens: Ints) -> Contents:
    """Lays what a view holds along the columns. `tokens` along its positions."""
    return places_of(axis, view).weigh(tokens)


def places_of(axis: Requests, view: View) -> Contents:
    """Where the rows of a view lie along the columns, not yet weighed."""
    place, follower = _places(axis, view)
    n, known = len(view), len(axis.rows)
    boundary = np.full(n + 1, axis.columns - 1, np.int32)
    boundary[:n] = axis.ahead[follower]
    layer = _LAYER_OF.ravel().take(view.kind.astype(np.intp) * len(Role) + view.role)
    if place is follower:  # nothing was edited
        column, own, segment = axis.ahead[1:].copy(), axis.step, axis.segment
    else:
        steady = place >= 0
        column = np.where(steady, axis.ahead[np.minimum(place + 1, known)], boundary[:n])
        own = np.where(steady, axis.step[np.maximum(place, 0)], -1) if known else np.full(n, -1)
        segment = np.append(axis.segment, axis.segments[-1])[follower]
    if axis.segments[-1]:
        column[axis.segments[column] != segment] = -1
    column[layer == Layer.HEAD] = -1
    there = np.zeros(axis.columns, bool)
    there[own[own >= 0]] = True
    there[-1] = True
    at, overhead = _overheads(view)
    starts = np.searchsorted(axis.segments, np.unique(axis.segments), side="left")
    return Contents(view, column, layer, own, boundary, at, overhead, starts, ~there, 0, np.empty(0), np.empty(0))


def _places(axis: Requests, view: View) -> tuple[Ints, Ints]:
    """Position as opened of each row (-1: made or moved), and that of the next row that kept its place (the length where none)."""
    rows = view.rows
    if rows is axis.rows or (len(rows) == len(axis.rows) and np.array_equal(rows, axis.rows)):
        place = np.arange(len(rows), dtype=np.int64)
        return place, place
    place = axis.places(len(view.transcript.table))[rows].astype(np.int64)
    if view.transcript.moved:
        place[np.isin(rows, np.fromiter(view.transcript.moved, np.int64))] = -1
    ends = np.where(place >= 0, place, len(axis.rows))
    return place, np.minimum.accumulate(ends[::-1])[::-1]


def _overheads(view: View) -> tuple[Ints, Ints]:
    """Where the overhead of each message stands (the position of its first row that is sent), and how much it is."""
    if view.message_overhead is None or not len(view.message_overhead):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    first = np.full(len(view.message_overhead) + 1, -1, np.int64)
    for begin, end in ((0, view.start), (view.start, len(view))):
        first[view.message[begin:end][::-1]] = np.arange(end - 1, begin - 1, -1)  # the last assignment stands: the first row
    found = np.flatnonzero(first[:-1] >= 0)  # the last entry is that of rows outside the list of messages
    return first[found], view.message_overhead[found].astype(np.int64)


@dataclass(eq=False)
class Bins:
    """Columns laid on pixels. Bin i lies between `edges[i]` and `edges[i + 1]` and holds the columns from `starts[i]` on; it shows
    its largest one, `shows[i]`, as it was opened. One bin a column where there is room, else one a pixel."""

    width: int
    columns: int
    edges: Ints
    starts: Ints
    shows: Ints

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def into(self) -> Ints:
        """Along columns, int32: the first bin that shows what a column adds; the number of bins where none does."""
        return np.searchsorted(self.shows, np.arange(self.columns), side="left").astype(np.int32)

    def x(self, column: float) -> float:
        """The left edge of a column, in pixels."""
        return column * self.width / self.columns

    def column(self, x: float) -> int:
        """The column under a pixel."""
        return min(max(int(x * self.columns / max(self.width, 1)), 0), self.columns - 1)

    def bin(self, column: int) -> int:
        return int(np.searchsorted(self.starts, column, side="right")) - 1


def bins(sizes: Ints, width: int) -> Bins:
    """Decimates columns to at most `width` bins, each showing its maximum (the latest where several are as large)."""
    columns, width = len(sizes), max(width, 1)
    count = min(columns, width)
    starts = np.arange(count, dtype=np.int64) * columns // count
    edges = np.arange(count + 1) * (width / count)
    if count == columns:
        return Bins(width, columns, edges, starts, starts)
    largest = np.maximum.reduceat(sizes, starts)
    lengths = np.diff(np.append(starts, columns))
    where = np.where(sizes == np.repeat(largest, lengths), np.arange(columns), -1)
    return Bins(width, columns, edges, starts, np.maximum.reduceat(where, starts))


def first_over(sizes: Ints, budget: int, start: int = 0) -> int:
    """The first column from `start` on that is larger than the budget, -1 where none is."""
    over = sizes[start:] > budget
    at = int(np.argmax(over)) if len(over) else 0
    return start + at if len(over) and over[at] else -1
