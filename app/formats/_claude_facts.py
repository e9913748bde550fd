"""What a file says of how its records hang together, kept for who asks what Claude Code would make of them (`app/readers`)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from app.formats._claude_read import Lines
from app.formats._claude_tree import Tree
from app.model.table import Ints

NOT_THERE: Final = -2


def facts_of_file(lines: Lines, tree: Tree) -> dict[str, Any]:
    """For each record `parents`, the one that it names wherever that stands (-1: it names none, -2: one that the file does not have),
    `named_by`, the one before it that it is taken to name here, and `named`, whether it has a uuid. `twins`: records that bear one uuid,
    see `_twins`. `torn`: the first record of each line that is no JSON. For each conversation `groups`, the number of its session (-1: a
    subagent), and `sessions`, whether it goes on with another session."""
    return {
        "parents": _parents(lines, tree),
        "named": lines.uuid != 0,
        "named_by": tree.parent.astype(np.int32),
        "twins": _twins(lines.uuid),
        "torn": lines.torn,
        "groups": [-1 if line.side else line.group for line in tree.lines],
        "sessions": [line.session for line in tree.lines],
    }


def _parents(lines: Lines, tree: Tree) -> Ints:
    """The named parents, wherever in the file they stand: this program looks for them in all of it."""
    parents = tree.parent.astype(np.int32)
    parents[[record for record in lines.boundaries if not lines.parent[record]]] = -1
    rest = np.flatnonzero((parents < 0) & (lines.parent != 0))
    if len(rest):
        by = np.argsort(lines.uuid, kind="stable")
        last = np.searchsorted(lines.uuid[by], lines.parent[rest], side="right") - 1
        found = by[np.maximum(last, 0)]
        parents[rest] = np.where((last >= 0) & (lines.uuid[found] == lines.parent[rest]), found, NOT_THERE)
    return parents


def _twins(uuid: Ints) -> tuple[Ints, Ints]:
    """The records, those of one uuid together, in the order of their second ones; where each uuid begins, and where the last one ends."""
    known = np.sort(uuid)
    same = (known[1:] == known[:-1]) & (known[1:] != 0)
    if not same.any():
        return np.empty(0, np.int64), np.zeros(1, np.int64)
    records = np.flatnonzero(np.isin(uuid, np.unique(known[1:][same])))
    _, inverse, count = np.unique(uuid[records], return_inverse=True, return_counts=True)
    by = np.argsort(inverse.ravel(), kind="stable")
    second = records[by[np.cumsum(count) - count + 1]]
    by = np.lexsort((records, second[inverse.ravel()]))
    return records[by], np.concatenate([[0], np.cumsum(count[np.argsort(second)])])
