"""Items and the ids by which a server keeps them (OpenAI's Responses): what several rules look up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Edit, Set
from app.model.kinds import Kind
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._scene import Scene, Site


def own_ids(reading: Reading) -> Ints | None:
    """For each position the number of the item's own id, -1 none; None where the dump is no list of items, or not in this wire."""
    item = reading.view.transcript.table.item
    return item[reading.view.rows] if item is not None and reading.native else None


def id_of(scene: Scene, position: int) -> str | None:
    """The own id of the item at a position."""
    item = scene.table.item
    return None if item is None else scene.table.item_ids.text(int(item[scene.view.rows[position]]))


def heads(reading: Reading) -> Ints:
    """Mask over positions: the first block of each item that would be sent."""
    found = np.zeros(len(reading.view), bool)
    message = reading.wire_message[reading.wire]
    found[reading.wire[np.diff(message, prepend=-1) != 0]] = True
    return found


def stored(reading: Reading) -> bool:
    """Whether the request lets the server keep and look up items: `store` is not false."""
    return reading.view.transcript.table.request.get("store") is not False


def chained(reading: Reading) -> bool:
    """Whether the request continues what the server keeps."""
    request = reading.view.transcript.table.request
    return bool(request.get("previous_response_id") or request.get("conversation"))


def is_answer(reading: Reading) -> bool:
    """Whether the dump is a response and no request."""
    return reading.view.transcript.table.request.get("object") == "response"


def words(reading: Reading, *names: str) -> list[int]:
    """Numbers of types."""
    return [number for number, word in enumerate(reading.view.transcript.table.types) if word in names]


def turn_after(site: Site, position: int) -> list[int]:
    """Positions behind a reasoning item in its turn, up to further reasoning: what was emitted with it."""
    scene, reading = site.scene, site.reading
    turn = int(reading.turn[position])
    behind: list[int] = []
    for at in reading.wire[scene.on_wire[position] + 1 : reading.turn_start[turn + 1]].tolist():
        if scene.view.kind[at] != Kind.REASONING:
            behind.append(at)
        elif behind:
            break
    return behind


def without_ids(site: Site, positions: Sequence[int]) -> list[Edit]:
    """Edits that take away the own ids of items, once for each."""
    reading = site.reading
    edits: list[Edit] = []
    seen: set[int] = set()
    for at in positions:
        message = int(reading.wire_message[at])
        if message not in seen and id_of(site.scene, at) is not None:
            seen.add(message)
            edits.append(Set(site.row_of(at), "message.id", DELETE))
    return edits


def bound_reasoning(scene: Scene, calls: set[int]) -> set[int]:
    """Reasoning items all of whose calls leave: those directly before a run of calls of which none stays."""
    gone: set[int] = set()
    if scene.table.item is None:
        return gone
    wire, (firsts, lasts) = scene.reading.wire, scene.call_runs
    for index in sorted({int(scene.on_wire[call]) for call in calls}):
        run = int(np.searchsorted(firsts, index, side="right")) - 1
        if index < 0 or run < 0 or index > lasts[run] or lasts[run] - firsts[run] >= len(calls):
            continue
        start = int(firsts[run])
        if any(int(at) not in calls for at in wire[start : lasts[run] + 1]):
            continue
        while start > 0 and scene.view.kind[wire[start - 1]] == Kind.REASONING:
            start -= 1
            gone.add(int(wire[start]))
    return gone
