"""Which record each one of a Claude Code session continues: the one that it names, else what stands before it in its session."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.formats._claude_read import Lines
from app.formats._claude_rows import BOUNDARY, LOOSE, REFUSAL, UNKNOWN, UNPARSED
from app.model.table import Ints

ODD: Final = 0x5851F42D4C957F2D
NEAR: Final = 8  # so many records back are looked at one by one
_PLACES: Final = 1 << 16


def within_tree(lines: Lines) -> Ints:
    """Mask: records that are part of a tree: what was said, and what hangs between."""
    loose = np.isin(lines.what, (LOOSE, UNKNOWN, UNPARSED)) & (lines.count == 0)
    return ~loose & ((lines.uuid != 0) | (lines.count > 0) | np.isin(lines.what, (BOUNDARY, REFUSAL)))


def parents_of(lines: Lines, within: Ints) -> tuple[Ints, Ints]:
    """The record that each continues (-1 none), always an earlier one of its group; and whether it names it itself."""
    at = np.flatnonzero(within)
    above, named = np.full(len(within), -1, np.int64), np.zeros(len(within), bool)
    if not len(at):
        return above, named
    parent = lines.parent[at].copy()
    for record, boundary in lines.boundaries.items():
        if not lines.parent[record]:
            parent[np.searchsorted(at, record)] = boundary.logical
    group = lines.group[at].astype(np.int64)
    found = _earlier(lines.uuid[at], parent, group)
    named[at] = found >= 0
    before = np.full(len(at), -1, np.int64)  # the record before it in its group
    by = np.argsort(lines.group[at].astype(np.int16) if len(lines.groups) < 1 << 15 else group, kind="stable")  # 16 bits are sorted at once
    same = group[by][1:] == group[by][:-1]
    before[by[1:][same]] = by[:-1][same]
    chosen = np.where(found >= 0, found, before)
    above[at] = np.where(chosen >= 0, at[np.maximum(chosen, 0)], -1)
    return above, named


def _earlier(uuid: Ints, parent: Ints, group: Ints) -> Ints:
    """For each record the last earlier one of its group that bears the uuid that it names; -1 where there is none."""
    here = np.arange(len(uuid))
    found = np.full(len(uuid), -1, np.int64)
    found[1:] = np.where((uuid[:-1] == parent[1:]) & (group[:-1] == group[1:]) & (parent[1:] != 0), here[:-1], -1)  # nearly all
    rest = np.flatnonzero((found < 0) & (parent != 0))
    for back in range(2, NEAR):  # parallel calls and their results: not far
        there = np.maximum(rest - back, 0)
        near = (uuid[there] == parent[rest]) & (group[there] == group[rest]) & (there < rest)
        found[rest[near]] = there[near]
        rest = rest[~near]
    if not len(rest):
        return found
    key, asked = uuid ^ (group * ODD), parent[rest] ^ (group[rest] * ODD)  # both are hashes: two that differ stay apart
    wanted = np.zeros(_PLACES, bool)
    wanted[asked & (_PLACES - 1)] = True
    some = np.flatnonzero(wanted[key & (_PLACES - 1)])  # few others end like one that is asked for
    by = some[np.argsort(key[some], kind="stable")]
    if not len(by):
        return found
    first, last = np.searchsorted(key[by], asked), np.searchsorted(key[by], asked, side="right")
    one = last - first == 1
    candidate = by[np.minimum(first, len(by) - 1)]
    found[rest[one]] = np.where(candidate[one] < rest[one], candidate[one], -1)
    for record, low, high in zip(rest[last - first > 1].tolist(), first[last - first > 1], last[last - first > 1], strict=True):
        place = int(np.searchsorted(by[low:high], record))  # equal uuids stand in the order of the file
        found[record] = by[low + place - 1] if place else -1
    return found
