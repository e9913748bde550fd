"""A transcript as the requests that were sent, one a step: which rows each carried, and what they cost. numpy only.

Request k carries system text and tool definitions, and the rows at positions p with wall(k) <= p < first(k): `first` is the first row of
step k, `wall` the last recorded compaction before it (or where the sent part begins). A step without an assistant's message is no request.
The last request is what would be sent now; there is one where the list does not end with the assistant.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.model.carry import bounds as bounds_of
from app.model.kinds import Flag
from app.model.provider import Provider
from app.model.replay import walls_of
from app.model.table import Ints, Table
from app.model.view import View


@dataclass(eq=False)
class Requests:
    """Along requests: `columns` (the step; as many as there are steps for the one that would be sent now), `bounds` and `starts`
    (positions). Along positions: `weights`, tokens that a row adds to the request (overhead at a message's first row between two walls;
    0 for `head`). `spanning`: messages of which a part stands on either side of a bound, by the bound's request."""

    view: View
    provider: Provider
    columns: Ints
    bounds: Ints
    starts: Ints
    weights: Ints
    head: Ints  # mask along positions
    walls: int
    spanning: dict[int, list[int]]

    def __len__(self) -> int:
        return len(self.columns)

    @cached_property
    def sums(self) -> Ints:
        """Tokens in front of each position, one entry more than positions."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.weights)])

    @cached_property
    def head_rows(self) -> Ints:
        return self.view.rows[self.head]

    @cached_property
    def head_tokens(self) -> int:
        assert self.view.tokens is not None
        return int(self.view.tokens[self.head].sum())

    @cached_property
    def sizes(self) -> Ints:
        """Tokens of each request, as it was."""
        found: Ints = self.sums[self.bounds] - self.sums[self.starts] + self.head_tokens
        return found

    def rows(self, start: int, bound: int) -> Ints:
        """Rows of the list of messages from one position up to another."""
        found: Ints = self.view.rows[start:bound][~self.head[start:bound]]
        return found

    def segment(self, request: int) -> bool:
        """Whether a request is the first behind a wall."""
        return request == 0 or bool(self.starts[request] != self.starts[request - 1])


def requests_of(view: View, provider: Provider) -> Requests:
    """The requests of a counted view."""
    (columns, bounds), n = bounds_of(view), len(view)
    walls = walls_of(view)
    edges = np.append(0, walls)
    starts = edges[np.searchsorted(walls, bounds, side="right")]
    head = ~view.in_messages & (np.arange(n) >= view.start)
    weights = _weights(view, head, walls)
    return Requests(view, provider, columns, bounds, starts, weights, head, len(walls), _spanning(view, bounds))


def _weights(view: View, head: Ints, walls: Ints) -> Ints:
    assert view.tokens is not None
    assert view.message_overhead is not None
    weights: Ints = view.tokens.astype(np.int64)
    weights[head | ~view.in_messages] = 0
    inside = np.flatnonzero(view.message >= 0)
    if len(inside):
        segment = np.searchsorted(walls, inside, side="right")
        code = segment * np.int64(len(view.message_overhead)) + view.message[inside]
        at = inside[np.unique(code, return_index=True)[1]]
        weights[at] += view.message_overhead[view.message[at]]
    return weights


def _spanning(view: View, bounds: Ints) -> dict[int, list[int]]:
    """By request the messages that its bound parts, as numbers of the table."""
    message = view.message
    inside = np.flatnonzero(message >= 0)
    if not len(inside) or not len(bounds):
        return {}
    count = int(message.max()) + 1
    first, last = np.full(count, len(view), np.int64), np.zeros(count, np.int64)
    np.minimum.at(first, message[inside], inside)
    np.maximum.at(last, message[inside], inside)
    parted = np.searchsorted(bounds, first, side="right") != np.searchsorted(bounds, last, side="right")
    found: dict[int, list[int]] = {}
    for one in np.flatnonzero(parted).tolist():
        number = int(view.transcript.table.message[view.rows[first[one]]])
        for request in np.flatnonzero((bounds > first[one]) & (bounds <= last[one])).tolist():
            found.setdefault(request, []).append(number)
    return found


def weight_of(table: Table, rows: Ints, own: Ints, provider: Provider) -> int:
    """Tokens of rows as one request: their own and the overhead of the messages that have one among them. `own` along the table."""
    message = table.message[rows]
    inside = message >= 0
    named = (table.flags[rows] & Flag.NAMED) != 0
    messages = _different(message[inside]) * provider.overhead.message
    names = _different(message[inside & named]) * provider.overhead.name
    return int(own[rows].sum()) + messages + names


def _different(numbers: Ints) -> int:
    """How many different numbers there are, none of them below 0."""
    seen = np.zeros(int(numbers.max(initial=-1)) + 1, bool)
    seen[numbers] = True
    return int(seen.sum())
