"""Pairs of blocks as lines in one order, with the exchanges that they stand in."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.model.compared import Common, Compared, Section, What
from app.model.table import Ints
from app.model.view import View

if TYPE_CHECKING:
    from app.pipeline.compare import One


class Line(NamedTuple):
    """Positions in what either would send (-1: none), what became of the block, and in what it differs."""

    a: int
    b: int
    what: int
    bits: int = 0


def laid_out(first: One, second: One, lines: list[Line], common: Common, renamed: int = 0) -> Compared:
    """The lines in the order of the first; what only the second has stands where it stands there."""
    ordered = _ordered(lines)
    columns = np.asarray(ordered, np.int32).reshape(-1, 4)
    a, b, what = columns[:, 0], columns[:, 1], columns[:, 2].astype(np.uint8)
    rows_a, rows_b = _taken(first.rows, a, -1), _taken(second.rows, b, -1)
    own_a, own_b = first.own(), second.own()
    kinds = np.where(a >= 0, _taken(first.transcript.table.kind[first.rows], a, 0), _taken(second.transcript.table.kind[second.rows], b, 0))
    tokens_a, tokens_b = _taken(own_a, a, 0), _taken(own_b, b, 0)
    names = {one: int(count) for one, count in zip(What, np.bincount(what, minlength=len(What)), strict=True)}
    return Compared(
        (first.side(), second.side()), common, what, a, b, rows_a, rows_b, kinds.astype(np.uint8), columns[:, 3].astype(np.uint8),
        tokens_a, tokens_b, _sections(first.view, second.view, a, b, what, tokens_a, tokens_b), renamed,
        {one.word: count for one, count in names.items() if count},
    )  # fmt: skip


def _taken(values: Ints, at: Ints, none: int) -> Ints:
    found: Ints = np.where(at >= 0, values[np.maximum(at, 0)] if len(values) else none, none).astype(np.int32)
    return found


def _ordered(lines: list[Line]) -> list[Line]:
    """By the first's positions; what was added stands behind what stands before it in the second."""
    paired = sorted((line for line in lines if line.a >= 0), key=lambda line: line.a)
    added = sorted((line for line in lines if line.a < 0), key=lambda line: line.b)
    if not added:
        return paired
    spine = _spine(paired)
    out: list[Line] = []
    at = 0
    for number, line in enumerate(paired):
        if number in spine:
            while at < len(added) and added[at].b < line.b:
                out.append(added[at])
                at += 1
        out.append(line)
    return out + added[at:]


def _spine(paired: list[Line]) -> set[int]:
    """Of the pairs as many as rise on both sides: what moved is none of them."""
    tops: list[int] = []
    ends: list[int] = []
    before: dict[int, int] = {}
    for number, line in enumerate(paired):
        if line.b < 0 or line.what == What.MOVED:
            continue
        length = bisect_left(tops, line.b)
        before[number] = ends[length - 1] if length else -1
        if length == len(tops):
            tops.append(line.b)
            ends.append(number)
        else:
            tops[length], ends[length] = line.b, number
    found: set[int] = set()
    number = ends[-1] if ends else -1
    while number >= 0:
        found.add(number)
        number = before[number]
    return found


def _sections(first: View, second: View, a: Ints, b: Ints, what: Ints, tokens_a: Ints, tokens_b: Ints) -> tuple[Section, ...]:
    """Runs of lines of one exchange: of the first's, where it has the block; what was added belongs to the exchange of the first that its
    own has a block of, else to its own."""
    mine, theirs = (np.asarray(view.groups.exchange)[view.start :] for view in (first, second))
    number = _taken(mine, a, -2)
    at = np.flatnonzero((a >= 0) & (b >= 0) & (what != What.MOVED))
    of: dict[int, int] = {}
    for line in at[::-1].tolist():
        of[int(theirs[b[line]])] = int(mine[a[line]])
    apart = np.zeros(len(a), bool)
    for line in np.flatnonzero(a < 0).tolist():
        exchange = int(theirs[b[line]])
        apart[line] = exchange not in of
        number[line] = of.get(exchange, exchange)
    if not len(a):
        return ()
    edges = np.flatnonzero((number[1:] != number[:-1]) | (apart[1:] != apart[:-1])) + 1
    out: list[Section] = []
    for start, end in zip([0, *edges.tolist()], [*edges.tolist(), len(a)], strict=True):
        exchange, second_only = int(number[start]), bool(apart[start])
        groups = (second if second_only else first).groups
        label = groups.label(exchange) if exchange >= 0 else ""
        counts = tuple(np.bincount(what[start:end], minlength=len(What)).tolist())
        out.append(Section(label, start, end, second_only, int(tokens_a[start:end].sum()), int(tokens_b[start:end].sum()), counts))
    return tuple(out)
