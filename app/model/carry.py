"""How many requests carried a block: those sent after it was there, up to the next recorded compaction.

The step that answers a prompt carries the prompt; the one that made a call does not carry the call. System text and tool definitions
beside the messages go with every request, whatever was compacted.
"""

from __future__ import annotations

import numpy as np

from app.model.kinds import Kind
from app.model.table import Ints
from app.model.view import View


def walls(view: View) -> Ints:
    """Positions behind which the model sees nothing of what stands before: recorded compactions, rising."""
    found = [view.at(wall.row) for wall in view.transcript.walls]
    return np.unique([at for at in (*found, view.start) if at > 0]).astype(np.int64)


def carried(view: View) -> Ints:
    """For each position how many requests carried it (int64)."""
    first, count = view.groups.step_first, len(view)
    positions, bounds = np.arange(count), np.append(walls(view), count)
    end = bounds[np.searchsorted(bounds[:-1], positions, "right")] if count else positions
    found = np.searchsorted(first, end, "left") - np.searchsorted(first, positions, "right")
    found[~view.in_messages] = view.groups.steps
    return found.astype(np.int64)


def carried_at(view: View, position: int) -> int:
    """The same for one position, without a look at all others."""
    if view.transcript.table.kind[view.rows[position]] in (Kind.SYSTEM, Kind.TOOLS):
        return view.groups.steps
    bounds = walls(view)
    behind = bounds[bounds > position]
    first = view.groups.step_first
    end = int(behind[0]) if len(behind) else len(view)
    return int(np.searchsorted(first, end, "left") - np.searchsorted(first, position, "right"))


def requests(view: View) -> Ints:
    """Tokens of each request as this transcript tells it, by step (int64): what stood before it, from the last compaction on."""
    assert view.tokens is not None
    assert view.message_overhead is not None
    own = view.tokens.astype(np.int64) + overhead(view)
    beside = ~view.in_messages
    sums = np.concatenate([[0], np.cumsum(np.where(beside, 0, own))])
    first, bounds = view.groups.step_first, np.concatenate([[0], walls(view)])
    since = bounds[np.searchsorted(bounds, first, "right") - 1]
    found: Ints = sums[first] - sums[since] + int(own[beside].sum())
    return found


def overhead(view: View) -> Ints:
    """Tokens of each message's own overhead, at its first position, 0 elsewhere (int64)."""
    assert view.message_overhead is not None
    found = np.zeros(len(view), np.int64)
    inside = np.flatnonzero(view.message >= 0)[::-1]
    at = np.zeros(len(view.message_overhead), np.int64)
    at[view.message[inside]] = inside  # the last write wins: the smallest position
    live = np.unique(view.message[inside])
    found[at[live]] = view.message_overhead[live]
    return found
