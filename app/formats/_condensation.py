"""What a condensation of OpenHands does to what the model sees: events are forgotten, a summary stands where it is told to.

Source: All-Hands-AI/OpenHands openhands/memory/view.py (`View.from_events`), OpenHands/software-agent-sdk context/view.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.formats._logs import Conversation, Sheet
from app.model.transcript import Wall


@dataclass(frozen=True)
class Condensed:
    """`forgotten`: ids of events; `offset`: how many events of those that are left stand before the summary, None: all."""

    forgotten: frozenset[Any]
    offset: int | None


def condense(sheet: Sheet, owner: Conversation, first: int, ids: Sequence[Any], acts: Mapping[int, Condensed]) -> None:
    """Puts what condensations took out of sight before what is sent. `first`: the record of the first event; `ids`: those of the events in
    order; `acts`: condensations by the number of their event. An older condensation is out of sight itself."""
    if not acts:
        return
    starts, counts = sheet.spans()
    gone = {id for act in acts.values() for id in act.forgotten}
    last = max(acts)
    unseen, sent = list[list[int]](), list[list[int]]()
    summary: list[int] = []
    for number, id in enumerate(ids):
        record = first + number
        rows = list(range(int(starts[record]), int(starts[record] + counts[record]))) if record < len(starts) else []
        if not rows:
            continue
        if number == last:
            summary = rows
        else:
            (unseen if number in acts or id in gone else sent).append(rows)
    offset = acts[last].offset
    sent.insert(len(sent) if offset is None else max(0, min(offset, len(sent))), summary)
    front, seen = [row for rows in unseen for row in rows], [row for rows in sent for row in rows]
    owner.rows[:] = type(owner.rows)("i", [*front, *seen])
    owner.start = len(front)
    owner.walls.append(Wall(seen[0] if seen else -1, first + last))


def ids_of(value: Any) -> frozenset[Any]:
    """The ids in a list."""
    return frozenset(id for id in value if isinstance(id, int | str)) if isinstance(value, list) else frozenset()


def offset_of(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
