"""How many requests carried a block: those sent after it was there, up to the next recorded compaction.

The step that answers a prompt carries the prompt; the one that made a call does not carry the call. System text and tool definitions
beside the messages go with every request, whatever was compacted. Where something waits for an answer at the end, what would be sent now
is a request too: the last one. A step without an assistant's message is none.
"""

from __future__ import annotations

import numpy as np

from app.model.dump import Dump
from app.model.kinds import Kind, Role
from app.model.table import Ints
from app.model.view import View

_BOUNDS = ("carry", "bounds")  # key of what is kept with a view


def bounds(view: View) -> tuple[Ints, Ints]:
    """The requests of a transcript: the step that answers each (as many as there are steps for the one to be sent) and the position up to
    which it reaches (int64). Made once for a view, not to be written to."""
    if _BOUNDS not in view.readings:
        view.readings[_BOUNDS] = _bounds(view)
    found: tuple[Ints, Ints] = view.readings[_BOUNDS]
    return found


def _bounds(view: View) -> tuple[Ints, Ints]:
    groups = view.groups
    first = np.maximum.accumulate(groups.step_first.astype(np.int64)) if groups.steps else np.empty(0, np.int64)
    steps = np.flatnonzero(view.role[groups.step_first] == Role.ASSISTANT) if groups.steps else first
    if waits(view):
        return np.append(steps, groups.steps), np.append(first[steps], len(view))
    return steps, first[steps]


def waits(view: View) -> bool:
    """Whether the last request is the one to be sent: the list does not end with the assistant."""
    back = view.in_messages[view.start :][::-1]
    last = int(back.argmax()) if len(back) else 0
    return bool(len(back) and back[last] and view.role[len(view) - 1 - last] != Role.ASSISTANT)


def unsent(dump: Dump, view: View) -> bool:
    """Whether the dump does not record the last request as sent: it is the one to be sent. A log of requests records all of its own."""
    if not waits(view):
        return False
    of = next((at for at, one in enumerate(dump.transcripts) if one.id == view.transcript.id), -1)
    return not any(one.transcript == of and one.rows >= len(dump.transcripts[of].order) for one in dump.requests)


def last_said(requests: int, unsent: bool) -> str:
    """What stands behind `5 requests` where the last one is not recorded as sent."""
    return "" if not unsent else ", the one to be sent" if requests == 1 else ", the last is the one to be sent"


def walls(view: View) -> Ints:
    """Positions behind which the model sees nothing of what stands before: recorded compactions, rising."""
    found = [view.at(wall.row) for wall in view.transcript.walls]
    return np.unique([at for at in (*found, view.start) if at > 0]).astype(np.int64)


def carried(view: View) -> Ints:
    """For each position how many requests carried it (int64)."""
    ends, count = bounds(view)[1], len(view)
    positions, edges = np.arange(count), np.append(walls(view), count + 1)
    end = edges[np.searchsorted(edges[:-1], positions, "right")] if count else positions
    found = np.searchsorted(ends, end, "left") - np.searchsorted(ends, positions, "right")
    found[~view.in_messages] = len(ends)
    return found.astype(np.int64)


def carried_at(view: View, position: int) -> int:
    """The same for one position, without a look at all others."""
    ends = bounds(view)[1]
    if view.transcript.table.kind[view.rows[position]] in (Kind.SYSTEM, Kind.TOOLS):
        return len(ends)
    edges = walls(view)
    behind = edges[edges > position]
    end = int(behind[0]) if len(behind) else len(view) + 1
    return int(np.searchsorted(ends, end, "left") - np.searchsorted(ends, position, "right"))


def requests(view: View) -> Ints:
    """Tokens of each request as this transcript tells it (int64): what stood before it, from the last compaction on."""
    assert view.tokens is not None
    assert view.message_overhead is not None
    own = view.tokens.astype(np.int64) + overhead(view)
    beside = ~view.in_messages
    sums = np.concatenate([[0], np.cumsum(np.where(beside, 0, own))])
    ends, edges = bounds(view)[1], np.concatenate([[0], walls(view)])
    since = edges[np.searchsorted(edges, ends, "right") - 1]
    found: Ints = sums[ends] - sums[since] + int(own[beside].sum())
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
