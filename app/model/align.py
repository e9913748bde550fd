"""What two long sequences have in common, in order: of numbers that are equal where what they stand for is.

The ends that are equal are taken off; then what occurs once on either side ties the middle down (patience diff, Bram Cohen), and what lies
between such ties is aligned by the shortest edit script (Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986) while
that is cheap, else by tying the n-th occurrence of each to the n-th. Never quadratic: 100,000 entries a side take tenths of a second.
Swapping the sides swaps the answer and changes nothing else.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

SCRIPT: Final = 400  # longest edit script that is looked for between two ties
RUN: Final = 16
FEW: Final = 12  # entries of both that are aligned at once
WORK: Final = 2_000_000  # comparisons that are spent on scripts in all


class Run(NamedTuple):
    """`length` entries from `a` on one side and from `b` on the other are equal, one by one."""

    a: int
    b: int
    length: int


Numbers = npt.NDArray[np.int64]


def align(a: Sequence[int] | Numbers, b: Sequence[int] | Numbers) -> list[Run]:
    """The runs that both have, rising on both sides; neighbours are joined."""
    one, other = np.ascontiguousarray(a, np.int64), np.ascontiguousarray(b, np.int64)
    if (len(one), one.tobytes()) > (len(other), other.tobytes()):
        return [Run(run.b, run.a, run.length) for run in _Alignment(other, one).runs()]
    return _Alignment(one, other).runs()


class _Alignment:
    def __init__(self, a: Numbers, b: Numbers) -> None:
        self._a, self._b = a, b
        self._found: list[Run] = []
        self._work = WORK

    def runs(self) -> list[Run]:
        todo = [(0, len(self._a), 0, len(self._b))]
        while todo:
            todo += self._stretch(*todo.pop())
        joined: list[Run] = []
        for run in sorted(self._found):
            if joined and joined[-1].a + joined[-1].length == run.a and joined[-1].b + joined[-1].length == run.b:
                joined[-1] = Run(joined[-1].a, joined[-1].b, joined[-1].length + run.length)
            else:
                joined.append(run)
        return joined

    def _stretch(self, a0: int, a1: int, b0: int, b1: int) -> list[tuple[int, int, int, int]]:
        """Takes off equal ends and ties the rest down; what is left between the ties comes back."""
        head = _same(self._a[a0:a1], self._b[b0:b1])
        if head:
            self._found.append(Run(a0, b0, head))
            a0, b0 = a0 + head, b0 + head
        tail = _same(self._a[a0:a1][::-1], self._b[b0:b1][::-1])
        if tail:
            a1, b1 = a1 - tail, b1 - tail
            self._found.append(Run(a1, b1, tail))
        if a0 == a1 or b0 == b1:
            return []
        a, b = self._a[a0:a1], self._b[b0:b1]
        if len(a) + len(b) <= FEW:
            pairs, _ = _myers(a.tolist(), b.tolist(), FEW)
            self._found += [Run(a0 + i, b0 + j, 1) for i, j in pairs or ()]
            return []
        ties = _ties(a, b) or _ties_of_runs(a, b)
        if not ties:
            script = self._script(a, b)
            ties = script if script is not None else _by_occurrence(a, b)
            self._found += [Run(a0 + i, b0 + j, 1) for i, j in ties]
            return []
        left, at, bt = [], 0, 0
        for i, j in ties:
            self._found.append(Run(a0 + i, b0 + j, 1))
            if i > at and j > bt:
                left.append((a0 + at, a0 + i, b0 + bt, b0 + j))
            at, bt = i + 1, j + 1
        if at < len(a) and bt < len(b):
            left.append((a0 + at, a1, b0 + bt, b1))
        return left

    def _script(self, a: Numbers, b: Numbers) -> list[tuple[int, int]] | None:
        """Pairs along the shortest edit script; None where it is longer than what is looked for."""
        common = np.intersect1d(a, b)
        if not len(common):
            return []
        keep_a, keep_b = np.flatnonzero(np.isin(a, common)), np.flatnonzero(np.isin(b, common))  # the rest has no partner anyway
        pairs, spent = _myers(a[keep_a].tolist(), b[keep_b].tolist(), min(SCRIPT, 1 + self._work // 64))
        self._work = max(0, self._work - spent)
        return None if pairs is None else [(int(keep_a[i]), int(keep_b[j])) for i, j in pairs]


def _same(a: Numbers, b: Numbers) -> int:
    """How many entries are equal from the front on."""
    count = min(len(a), len(b))
    if not count or a[0] != b[0]:
        return 0
    differs = a[:count] != b[:count]
    first = int(differs.argmax())
    return first if differs[first] else count


def _ties(a: Numbers, b: Numbers) -> list[tuple[int, int]]:
    """What occurs once on either side, as the longest rising chain of pairs."""
    ua, ia, ca = np.unique(a, return_index=True, return_counts=True)
    ub, ib, cb = np.unique(b, return_index=True, return_counts=True)
    ua, ia, ub, ib = ua[ca == 1], ia[ca == 1], ub[cb == 1], ib[cb == 1]
    _, at, bt = np.intersect1d(ua, ub, assume_unique=True, return_indices=True)
    return _rising(ia[at], ib[bt])


def _ties_of_runs(a: Numbers, b: Numbers) -> list[tuple[int, int]]:
    """The same of runs: where no entry stands alone, sixteen in a row may."""
    if min(len(a), len(b)) < 4 * RUN:
        return []
    pairs = _ties(_folded(a), _folded(b))
    return [(i, j) for i, j in pairs if a[i] == b[j]]


def _folded(values: Numbers) -> Numbers:
    """Each run of RUN entries as one number."""
    folded = np.zeros(len(values) - RUN + 1, np.uint64)
    for shift in range(RUN):
        folded = folded * np.uint64(0x9E3779B97F4A7C15) + values[shift : shift + len(folded)].astype(np.uint64)
    return folded.view(np.int64)


def _by_occurrence(a: Numbers, b: Numbers) -> list[tuple[int, int]]:
    """The n-th of each on one side with the n-th on the other, as the longest rising chain."""
    _, at, bt = np.intersect1d(_numbered(a), _numbered(b), assume_unique=True, return_indices=True)
    return _rising(at, bt)


def _numbered(values: Numbers) -> npt.NDArray[np.void]:
    """Each entry with how many equal ones stand before it, as one value."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    starts = np.maximum.accumulate(np.where(first, np.arange(len(values)), 0))
    out = np.empty(len(values), [("value", np.int64), ("nth", np.int64)])
    out["value"] = values
    out["nth"][order] = np.arange(len(values)) - starts
    return out  # type: ignore[return-value]


def _rising(at: npt.NDArray[np.intp], bt: npt.NDArray[np.intp]) -> list[tuple[int, int]]:
    """Of pairs the most that rise on both sides."""
    order = np.argsort(at, kind="stable")
    firsts, seconds = at[order].tolist(), bt[order].tolist()
    tops: list[int] = []  # least last entry of a chain of each length ...
    ends: list[int] = []  # ... and which pair that is
    before = [-1] * len(seconds)
    for number, value in enumerate(seconds):
        length = bisect_left(tops, value)
        before[number] = ends[length - 1] if length else -1
        if length == len(tops):
            tops.append(value)
            ends.append(number)
        else:
            tops[length], ends[length] = value, number
    chain: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chain.append((firsts[number], seconds[number]))
        number = before[number]
    return chain[::-1]


def _myers(a: list[int], b: list[int], most: int) -> tuple[list[tuple[int, int]] | None, int]:
    """Pairs of the shortest edit script, and what it cost; None where that is longer than `most`."""
    n, m, spent = len(a), len(b), 0
    reach = {1: 0}
    trace: list[dict[int, int]] = []
    for d in range(min(n + m, most) + 1):
        trace.append(dict(reach))
        spent += len(reach)
        for k in range(-d, d + 1, 2):
            if k < -m or k > n:
                continue
            down = k == -d or (k != d and reach.get(k - 1, -1) < reach.get(k + 1, -1))
            x = reach.get(k + 1, 0) if down else reach.get(k - 1, 0) + 1
            y = x - k
            while x < n and y < m and a[x] == b[y]:
                x, y = x + 1, y + 1
                spent += 1
            reach[k] = x
            if x >= n and y >= m:
                return _walk_back(trace, n, m), spent
    return None, spent


def _walk_back(trace: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for d in range(len(trace) - 1, -1, -1):
        reach, k = trace[d], x - y
        down = k == -d or (k != d and reach.get(k - 1, -1) < reach.get(k + 1, -1))
        before = k + 1 if down else k - 1
        bx = reach.get(before, 0) if d else 0
        by = bx - before if d else 0
        while x > bx and y > by and (d == 0 or (x - 1, y - 1) >= (bx, by)):
            if d and ((x == bx + (0 if down else 1)) and (y == by + (1 if down else 0))):
                break
            x, y = x - 1, y - 1
            pairs.append((x, y))
        if d:
            x, y = bx, by
    return pairs[::-1]


def common_start(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_ends(one: str, other: str) -> tuple[int, int]:
    """How many characters two texts begin with alike, and how many more they end with."""
    head = common_start(one, other)
    return head, common_start(one[head:][::-1], other[head:][::-1])
