"""Turns of phrase that several rules use."""

from __future__ import annotations

from collections.abc import Sequence

from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._scene import Site


def tool(site: Site, position: int) -> str:
    """A call by its tool and id: `search` (toolu_01). Where only numbers count, nobody misses an id."""
    name, call_id = site.scene.name(position), site.scene.call_id(position)
    missing = "" if site.reading.provider.pairing == "count" else " (no id)"
    return f"`{name or '?'}`" + (f" ({call_id})" if call_id else missing)


def named(site: Site) -> str:
    """The id of a result in brackets and a space, nothing where it has none."""
    return f"({site.id}) " if site.id else ""


def listed(ids: Sequence[str]) -> str:
    """Ids in a row, the first five."""
    return ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")


def call_words(site: Site, calls: Sequence[int]) -> dict[str, str]:
    """What fills the provider's text about missing results: the ids, and the turn in which it looked for them."""
    reading = site.reading
    turn = int(reading.turn[calls[0]])
    answer = turn + 1 if turn + 1 < reading.turns else turn
    ids = ", ".join(site.scene.call_id(call) or "" for call in calls)
    return {"ids": ids, "answer": reading.provider.places["message"].format(turn=answer, message=answer)}


def cause_of(site: Site) -> str:
    """Findings with one of these have one cause: the message whose results are missing or misplaced, else whose calls are."""
    reading, view, position = site.reading, site.scene.view, site.position
    call = position if site.kind == Kind.TOOL_CALL else site.partner
    if call >= 0 and not site.flags & Flag.SERVER:
        return f"results of {site.scene.message_pointer(int(reading.of_turn(int(reading.turn[call]))[0]))}"
    turn = int(reading.turn[position]) - 1
    before = reading.of_turn(turn)
    if len(before) and reading.turn_role[turn] == Role.ASSISTANT and view.calls[before].any():
        return f"results of {site.scene.message_pointer(int(before[0]))}"
    return f"calls before {site.scene.turn_pointer(int(reading.turn[position]))}"


def answer_alone(reading: Reading) -> bool:
    """Whether the first message is an answer beside the list of messages: what it answers is not in the dump."""
    if not len(reading.wire):
        return False
    table = reading.view.transcript.table
    pointer = table.pointers.get(int(table.record[reading.view.rows[reading.wire[0]]]))
    return pointer is not None and not pointer.startswith(table.pointer_prefix.rstrip("/"))


def nothing_in(reading: Reading, role: Role) -> Ints:
    """Mask over positions: rows of messages of a role whose content is the empty string, an empty list, or nothing at all."""
    view = reading.view
    bare = (view.kind == Kind.TEXT) & ((view.flags & Flag.TEXT_EMPTY) != 0) & ((view.flags & Flag.CONTENT_LIST) == 0)
    return reading.sent & (view.role == role) & ((view.kind == Kind.EMPTY) | bare)
