"""Walls in a Claude Code session: where a compaction stands in a conversation, and what of the talk before it is sent again behind it.

`compactMetadata` names the part that is kept, by its first and last record (`preservedSegment`) or record by record
(`preservedMessages`), and the record that this part hangs on (`anchorUuid`: the summary, or the boundary itself).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from app.formats._claude_read import Lines
from app.formats._claude_rows import ASSISTANT, BOUNDARY, INJECTED, PROMPT, RESULTS, SUMMARY, Boundary
from app.model.table import Ints

MOST_WALLS: Final = 2_000  # so many are looked at for what they keep
TALK = (PROMPT, INJECTED, RESULTS, ASSISTANT, SUMMARY)  # records that hold rows


@dataclass(eq=False)
class Line:
    """One conversation. `records`: indices of all that its model was told, in order, those it shares with its parent first (`shared` of
    them); `wall`: how many of them stand before the last compaction. `head`: the record whose uuid names it."""

    group: int
    head: int
    records: Ints
    shared: int = 0
    parent: int = -1  # index of the conversation that it leaves
    leaves: int = -1  # the record behind which it leaves
    kept: Ints = field(default_factory=lambda: np.empty(0, np.int64))  # records before the wall that it keeps
    wall: int = 0
    walls: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    side: bool = False
    session: bool = False  # it leaves its parent under the id of another session, not by a rewind


def pass_over_kept(lines: Lines, above: Ints) -> None:
    """What comes behind a wall and hangs on a record that the wall keeps goes on behind the wall: there that record is sent again."""
    for record, boundary in sorted(lines.boundaries.items())[-MOST_WALLS:]:
        kept = kept_by(lines, above, record, boundary)
        if len(kept):
            anchor = np.flatnonzero(lines.uuid[record:] == boundary.anchor) if boundary.anchor else np.empty(0, np.int64)
            behind = np.flatnonzero(np.isin(above[record + 1 :], kept)) + record + 1
            place = record + int(anchor[0]) if len(anchor) else record
            above[behind[behind > place]] = place


def kept_by(lines: Lines, above: Ints, record: int, boundary: Boundary) -> Ints:
    """Records before a wall that it keeps: those it lists, or those from the last one up to the first."""
    if boundary.kept:
        return np.flatnonzero(np.isin(lines.uuid[:record], np.array(boundary.kept)))
    if not boundary.head or not boundary.tail:
        return np.empty(0, np.int64)
    tails = np.flatnonzero(lines.uuid[:record] == boundary.tail)
    found, at = [], int(tails[-1]) if len(tails) else -1
    while at >= 0 and lines.uuid[at] != boundary.head:
        found.append(at)
        at = int(above[at])
    return np.array([*found, at][::-1], np.int64) if at >= 0 else np.empty(0, np.int64)


def walls_of(lines: Lines, named: Ints, records: Ints) -> Ints:
    """Positions of walls along the records of a conversation: boundaries, and summaries that name no record and have no boundary."""
    what = lines.what[records]
    alone = (what == SUMMARY) & ~named[records]
    alone[1:] &= what[:-1] != BOUNDARY
    alone[:1] = False
    return np.flatnonzero((what == BOUNDARY) | alone)


def find_walls(lines: Lines, above: Ints, named: Ints, line: Line) -> None:
    """Where the compactions stand, and what the last one keeps of what lies before it."""
    records = line.records
    line.walls = walls_of(lines, named, records)
    if not len(line.walls):
        return
    line.wall = int(line.walls[-1])
    record = int(records[line.wall])
    boundary = lines.boundaries.get(record)
    if boundary is not None:
        kept = kept_by(lines, above, record, boundary)
        line.kept = kept[np.isin(kept, records[: line.wall]) & np.isin(lines.what[kept], TALK)]
