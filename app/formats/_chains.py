"""Logs whose records name the record before them: lines of talk out of a tree of ids, and branches of them.

A record continues the last earlier one that bears the id it names. One that names none, or one that is not in the file, continues what
stands before it (several that name the same lost one continue the same); `ROOT` begins anew. A line of talk leads from a root to a record
that nothing continues. The line of the last record is the main one, all others are branches, in the order of the file.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from app.model.table import Ints

ROOT: Final = object()
"""In place of the id of a parent: there is none, and what stands before it is another line."""
MOST: Final = 2_000  # lines that are told apart
MOST_RECORDS: Final = 40_000_000  # ... and records along all of them


@dataclass(eq=False)
class Chain:
    """One line of talk. `records`: all of it, in order, `shared` of them its parent's as well. `parent`: index of the line that it leaves,
    -1 none. `group`: which of the sessions in the file."""

    records: list[int]
    group: int
    parent: int = -1
    shared: int = 0


@dataclass(eq=False)
class Tree:
    """The records that continue each other. `above`: for each record the one that it continues, -1 none; `named`: it names it itself."""

    above: array[int] = field(default_factory=lambda: array("q"))
    group: array[int] = field(default_factory=lambda: array("q"))  # -1: not of the tree
    named: bytearray = field(default_factory=bytearray)
    names: list[str | None] = field(default_factory=list)  # for each record its id
    groups: int = 0
    _ids: dict[str, int] = field(default_factory=dict)
    _lost: dict[str, int] = field(default_factory=dict)  # ids that are not in the file, and what the first that names one continues
    _last: int = -1

    def session(self) -> int:
        """Another session begins: ids before it mean nothing behind it."""
        self.groups += 1
        self._ids, self._lost, self._last = {}, {}, -1
        return self.groups - 1

    def beside(self) -> None:
        """The next record is in no tree."""
        self.above.append(-1)
        self.group.append(-1)
        self.named.append(0)
        self.names.append(None)

    def entry(self, id: Any, parent: Any) -> None:
        """The next record. `parent`: an id, ROOT, or what is no id."""
        if not self.groups:
            self.session()
        record = len(self.above)
        above = self._ids.get(parent, -1) if isinstance(parent, str) else -1
        self.named.append(above >= 0)
        if above < 0 and parent is not ROOT:
            above = self._lost.setdefault(parent, self._last) if isinstance(parent, str) and parent else self._last
        self.above.append(above)
        self.group.append(self.groups - 1)
        self.names.append(id if isinstance(id, str) else None)
        if isinstance(id, str):
            self._ids[id] = record
        self._last = record

    def chains(self, says: Ints) -> tuple[list[Chain], Ints, bool]:
        """The lines in which a record of `says` (a mask) is not another one's, the main one of each session first; for each record the
        line that counts it (-1: none); and whether there were too many to be told apart."""
        above = np.frombuffer(self.above.tobytes(), np.int64) if self.above else np.empty(0, np.int64)
        group = np.frombuffer(self.group.tobytes(), np.int64) if self.group else np.empty(0, np.int64)
        leaf = group >= 0
        leaf[above[above >= 0]] = False
        last = {int(group[record]): record for record in np.flatnonzero(group >= 0).tolist()} if self.groups else {}
        mains = [last[number] for number in sorted(last)]
        first = set(mains)
        leaves = [record for record in np.flatnonzero(leaf).tolist() if record not in first]
        if len(leaves) > MOST or sum(leaves) > MOST_RECORDS:
            return self._merged(group, mains, says)
        owner = np.full(len(above), -1, np.int64)
        found: list[Chain] = []
        up = above.tolist()
        for record in [*mains, *leaves]:
            own: list[int] = []
            at = record
            while at >= 0 and owner[at] < 0:
                own.append(at)
                at = up[at]
            own.reverse()
            if not any(says[own]):
                continue
            number = int(group[record])
            chain = Chain(own, number)
            if at >= 0:
                chain.parent = int(owner[at])
                before = found[chain.parent].records
                chain.shared = before.index(at) + 1
                chain.records = before[: chain.shared] + own
            owner[own] = len(found)
            found.append(chain)
        for record in np.flatnonzero((owner < 0) & (group >= 0)).tolist() if found else ():
            home = int(owner[up[record]]) if up[record] >= 0 else next((i for i, c in enumerate(found) if c.group == group[record]), 0)
            owner[record] = max(home, 0)
        return found, owner, False

    @staticmethod
    def _merged(group: Ints, mains: list[int], says: Ints) -> tuple[list[Chain], Ints, bool]:
        """One line a session, in the order of the file."""
        owner = np.full(len(group), -1, np.int64)
        found: list[Chain] = []
        for main in mains:
            records = np.flatnonzero(group == group[main])
            if says[records].any():
                owner[records] = len(found)
                found.append(Chain(records.tolist(), int(group[main])))
        return found, owner, True


def filled(owner: Ints) -> Ints:
    """For each record a line that counts it: its own, that of the record before it, or the first one; -1 where there is no line."""
    known = np.flatnonzero(owner >= 0)
    if not len(known):
        return np.full(len(owner), -1, np.int64)
    last = np.maximum.accumulate(np.where(owner >= 0, np.arange(len(owner)), -1))
    return np.where(last >= 0, owner[np.maximum(last, 0)], owner[known[0]])
