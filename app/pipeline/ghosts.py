"""Rows that are not there yet: where a previewed repair or a plan's summary would put them."""

from __future__ import annotations

import numpy as np

from app.model.edits import Insert, Layer, Move, rows_of
from app.model.findings import Report
from app.model.kinds import Kind, Role
from app.model.plan import Plan
from app.model.state import Ghost, Preview
from app.model.table import Ints
from app.model.transcript import Transcript
from app.model.view import View


def of_plan(view: View, plan: Plan) -> tuple[Ghost, ...]:
    """The pair that a summary would put before the first row that stays; its words are made when the plan is applied."""
    actions = plan.ranking.actions
    if actions.closing is None or plan.length == 0:
        return ()
    cost = int(actions.closing[plan.length])
    if cost == 0:
        return ()
    place = _first_that_stays(view, plan)
    return (
        Ghost(place, Kind.TEXT, "[summary of an earlier part of this conversation, made from its transcript]", cost),
        Ghost(place, Kind.TEXT, "Understood. I continue from this summary.", 0),
    )


def _first_that_stays(view: View, plan: Plan) -> int:
    """Position of the first sent row that the plan leaves, system text aside: not the seam where that lies inside the live exchange,
    whose prompt stays. In pieces, since it is asked for on every move of a drag."""
    drop_at, step = plan.ranking.actions.drop_at, 4096
    for low in range(view.start, len(view), step):
        part = slice(low, low + step)
        stays = (drop_at[part] >= plan.length) & view.in_messages[part]
        stays &= (view.role[part] != Role.SYSTEM) & (view.role[part] != Role.DEVELOPER)
        if stays.any():
            return low + int(np.argmax(stays))
    return len(view)


def of_transcripts(before: View, after: Transcript, tokens: Ints | None) -> tuple[Ghost, ...]:
    """The made rows of `after` that `before` does not have, each in front of the next row that both have."""
    old = set(before.transcript.made)
    made = sorted(row for row in after.made if row not in old)
    if not made:
        return ()
    order = after.order
    position = np.full(len(after.table), -1, np.int64)
    position[order] = np.arange(len(order))
    ghosts = []
    for row in made:
        at = int(position[row])
        if at < 0:
            continue
        follower = next((before.at(int(r)) for r in order[at + 1 :] if before.at(int(r)) >= 0), len(before))
        what = after.made[row]
        call = before.at(what.call) if what.call >= 0 else -1
        ghosts.append((at, Ghost(follower, what.kind, what.text, int(tokens[row]) if tokens is not None else 0, call)))
    return tuple(ghost for _, ghost in sorted(ghosts, key=lambda pair: pair[0]))


def preview(before: View, after: Transcript, layer: Layer, report: Report, tokens: Ints | None, cost: int = 0) -> Preview:
    """How a repair looks when it is laid over the rows that are there."""
    live = np.zeros(max(len(after.table), len(before.transcript.table)), bool)
    live[after.order] = True
    dropped = frozenset(np.flatnonzero(~live[before.rows]).tolist())
    moved: set[int] = set()
    changed: set[int] = set()
    for change in layer.changes:
        for edit in change.edits:
            if isinstance(edit, Insert):
                continue
            for row in rows_of(edit).tolist():
                at = before.at(row)
                if at >= 0 and at not in dropped:
                    (moved if isinstance(edit, Move) else changed).add(at)
    ghosts = of_transcripts(before, after, tokens)
    return Preview(layer, ghosts, dropped, frozenset(moved), frozenset(changed), report, cost)
