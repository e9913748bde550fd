"""Items and the ids by which a server keeps them (OpenAI's Responses): what several rules look up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Edit, Set
from app.model.kinds import Kind, Role
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
    reading = site.reading
    turn = reading.of_turn(int(reading.turn[position])).tolist()
    behind: list[int] = []
    for at in turn[turn.index(position) + 1 :]:
        if site.scene.view.kind[at] == Kind.REASONING:
            if behind:
                break
            continue
        behind.append(at)
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
    view, reading = scene.view, scene.reading
    if scene.table.item is None:
        return set()
    index = {int(at): number for number, at in enumerate(reading.wire.tolist())}
    gone: set[int] = set()
    for call in sorted(calls):
        if call not in index:
            continue
        start = end = index[call]
        while start > 0 and view.calls[reading.wire[start - 1]]:
            start -= 1
        while end + 1 < len(reading.wire) and view.calls[reading.wire[end + 1]]:
            end += 1
        if any(int(at) not in calls for at in reading.wire[start : end + 1]):
            continue
        while start > 0 and view.kind[reading.wire[start - 1]] == Kind.REASONING:
            start -= 1
            gone.add(int(reading.wire[start]))
    return gone


def said_by_model(reading: Reading) -> Ints:
    """Mask over positions: items of the assistant that are no reasoning."""
    view = reading.view
    return np.asarray(reading.sent & (view.role == Role.ASSISTANT) & (view.kind != Kind.REASONING))
