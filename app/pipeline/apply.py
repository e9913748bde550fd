"""Edits laid over a transcript: a pure function from one transcript to another.

Laws (each has a test): edits address rows of the transcript that they were made for; a change is applied whole or not at all; of
two changes that touch one row the first wins and the later is reported; what is put at one place keeps its order; a message whose
rows are all gone is gone. Columns of touched rows are brought up to date, so that rules judge what would be exported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.model.edits import DELETE, Cap, Change, Drop, Insert, Layer, Move, Replace, Set, SetRequest, Words
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Provider
from app.model.table import Ints
from app.model.transcript import Refusal, Transcript, Wall
from app.model.view import View
from app.pipeline.claims import select
from app.pipeline.draft import Draft
from app.pipeline.fields import set_field
from app.pipeline.flags import CONTENT_FLAGS, TEXT_FLAGS, text_flags
from app.pipeline.line import Line
from app.pipeline.names import on_wire
from app.pipeline.places import Places, Spot


@dataclass(frozen=True, eq=False)
class Applied:
    """The new transcript, and the changes that were skipped, each with the reason in words."""

    transcript: Transcript
    skipped: tuple[tuple[Change, str], ...] = ()


def apply(transcript: Transcript, changes: Sequence[Change], provider: Provider) -> Applied:
    """The changes of one pass, all of which address `transcript`. Where none is left to be made, the same object comes back.
    `provider` says what a turn is where a place is `HeadOf`."""
    taken, skipped = select(transcript, changes)
    if not taken:
        return Applied(transcript, tuple(skipped))
    provider = on_wire(provider, transcript.table)
    draft = Draft(transcript)
    dropped = np.zeros(draft.count, bool)
    moves: list[Move | Insert] = []
    parting = {edit.row for change in taken for edit in change.edits if isinstance(edit, Move) and not getattr(edit.place, "join", False)}
    for change in taken:
        for edit in change.edits:
            if isinstance(edit, Drop):
                dropped[edit.rows] = True
            elif isinstance(edit, Replace):
                _replace(draft, edit)
            elif isinstance(edit, Set):
                set_field(draft, edit, edit.row in parting)
            elif isinstance(edit, SetRequest):
                draft.request[edit.pointer] = edit.value
            else:
                moves.append(edit)
    order, start = _ordered(draft, dropped, moves, provider)
    more: dict[str, Any] = _anchored(transcript, dropped)
    edited = draft.finish(order, start, **more)
    if draft.request != transcript.request:
        edited = edited.with_(table=edited.table.with_columns(request=_request(edited.table.request, taken)))
    return Applied(edited, tuple(skipped))


def apply_layers(base: Transcript, layers: Iterable[Layer], provider: Provider) -> Applied:
    """Layers on a base, pass by pass: each pass addresses what the one before it left."""
    skipped: list[tuple[Change, str]] = []
    for layer in layers:
        for changes in layer.passes:
            applied = apply(base, changes, provider)
            base = applied.transcript
            skipped += applied.skipped
    return Applied(base, tuple(skipped))


def close_under_partners(view: View, mask: Ints) -> Ints:
    """Positions that leave when those of `mask` do: partners wherever they stand, and with a call every further result of it.

    Both are bool arrays along positions; the one given is not written to.
    """
    links = view.links
    closed = mask.copy()
    partner = links.partner
    out = np.flatnonzero(closed & (partner >= 0))
    closed[partner[out]] = True
    extra = np.flatnonzero(links.extra)
    if len(extra):
        call = _calls_of(view, extra)
        follows = call >= 0
        closed[extra[follows]] |= closed[call[follows]]
    return closed


def _calls_of(view: View, extra: Ints) -> Ints:
    """For further results of an id: the position of the last call before it that bears the id, else of the first behind; -1."""
    calls = np.flatnonzero(view.calls & (view.key >= 0))
    width = len(view) + 1
    spot = view.key[calls].astype(np.int64) * width + calls
    by = np.argsort(spot)
    spot, calls = spot[by], calls[by]
    found = np.full(len(extra), -1, np.int64)
    wanted = view.key[extra].astype(np.int64)
    if not len(calls):
        return found
    at = np.searchsorted(spot, wanted * width + extra)
    for index in (np.minimum(at, len(calls) - 1), np.maximum(at - 1, 0)):  # behind first: the one before it takes precedence
        hit = (spot[index] // width == wanted) & (wanted >= 0)
        found[hit] = calls[index[hit]]
    return found


# -- texts ------------------------------------------------------------------------------------------------------------------


def _replace(draft: Draft, edit: Replace) -> None:
    """Puts one content in place of the texts of many rows."""
    rows = edit.rows
    ours = rows[rows < draft.count]
    special = [int(row) for row in (*draft.made, *draft.fields)]
    if special:
        here = np.intersect1d(ours, np.asarray(special, ours.dtype))
        for row in here.tolist():
            _replace_edited(draft, row, edit)
        ours = np.setdiff1d(ours, here)
    if not len(ours):
        return
    if isinstance(edit.content, Cap):
        ours = _cap(draft, ours, edit.content)
    else:
        draft.sizes()[ours] = len(edit.content.text)
        draft.unmark(ours, "content")
        _plain(draft, ours, edit.content.text)
    if len(ours):
        draft.content()[ours] = draft.content_number(edit.content)


def _cap(draft: Draft, rows: Ints, cap: Cap) -> Ints:
    """Sizes and flags of rows that a cap cuts; those are given back. A text that was cut before is cut from what the file has."""
    column = draft.content_read()
    laid = np.empty(0, np.int32) if column is None else rows[column[np.minimum(rows, len(column) - 1)] >= 0]
    for row in laid.tolist():
        before = draft.content_at(row)
        if before is not None and not isinstance(before, Cap):
            rows = rows[rows != row]
            short = cap.of(before.of(()))[0]
            if short != before.text:
                _replace(draft, Replace(np.asarray([row], np.int32), Words(short)))
    cut = rows[draft.read("size")[rows] > cap.max_chars]
    if not len(cut):
        return cut
    totals = draft.as_read()[cut]
    found, back = np.unique(totals, return_inverse=True)
    draft.sizes()[cut] = np.asarray([cap.size(int(total)) for total in found], np.int32)[back]
    draft.column("flags")[cut] &= ~np.uint32(TEXT_FLAGS & ~Flag.SURROGATE)
    return cut


def _plain(draft: Draft, rows: Ints, text: str) -> None:
    """Flags of rows whose content is one text now: no media, no odd parts; a list stays a list."""
    off = TEXT_FLAGS | Flag.MEDIA | Flag.PART_EMPTY | (CONTENT_FLAGS & ~Flag.CONTENT_LIST)
    flags = draft.column("flags")
    flags[rows] = (flags[rows] & ~np.uint32(off)) | np.uint32(text_flags(text))


def _replace_edited(draft: Draft, row: int, edit: Replace) -> None:
    """A row that an edit made or gave a text: the new content takes the place of that text, so that a row has only one."""
    made = draft.made.get(row)
    fields = draft.fields.get(row, {})
    if made is not None:
        text = "".join(edit.content.of((made.text,)))
        draft.made[row] = replace(made, text=text)
        draft.size(row, len(text))
        _plain(draft, np.asarray([row], np.int32), text)
        return
    name = "text" if "text" in fields else "content"
    if not isinstance(fields.get(name), str):
        plain = draft.fields.pop(row)
        _replace(draft, Replace(np.asarray([row], np.int32), edit.content))
        draft.fields[row] = {key: value for key, value in plain.items() if key != name}
        return
    set_field(draft, Set(row, name, "".join(edit.content.of((fields[name],)))))


# -- order ------------------------------------------------------------------------------------------------------------------


def _ordered(draft: Draft, dropped: Ints, moves: Sequence[Move | Insert], provider: Provider) -> tuple[Ints, int]:
    """The new order and where what is sent begins in it."""
    transcript = draft.transcript
    order, start = transcript.order, transcript.start
    gone = dropped
    moved = [edit.row for edit in moves if isinstance(edit, Move) and not dropped[edit.row]]
    if moved:
        gone = dropped.copy()
        gone[moved] = True
    kept = ~gone[order]
    rows = order[kept]
    unsent = int(np.count_nonzero(kept[:start]))
    if not moves:
        return rows, unsent
    line = Line(rows, draft.count)
    places = Places(draft, line, provider, kept)
    alone = _Alone(draft, order[~dropped[order]])
    settled: set[int] = set()
    newest = -1  # the row that was made last
    for edit in moves:
        if isinstance(edit, Move):
            if dropped[edit.row] or edit.row in settled:
                continue  # a change that moves one row twice: it stands where it was put first
            settled.add(edit.row)
        together = isinstance(edit, Insert) and edit.together and newest >= 0
        spot = Spot(newest, True, True) if together else places.find(edit.place)
        if isinstance(edit, Move):
            _settle(draft, edit.row, spot, alone)
            places.put(edit.row, spot)
            draft.moved.add(edit.row)
        else:
            beside = edit.made.kind in (Kind.SYSTEM, Kind.TOOLS)  # beside the list: of no message
            message = draft.get("message", spot.anchor) if spot.join else -1 if beside else draft.new_message()
            role = draft.get("role", spot.anchor) if spot.join else spot.role if spot.role is not None else edit.made.role
            if role == Role.TOOL and edit.made.call >= 0 and draft.is_legacy(edit.made.call):
                role = Role.FUNCTION  # OpenAI's calls of the old kind have no id: their results are messages of this role
            newest = draft.add(replace(edit.made, role=Role(role)), message, int(role))
            places.put(newest, spot)
    order, start = line.order(unsent)
    if places.emptied:
        empty = np.isin(order, list(places.emptied))
        start -= int(np.count_nonzero(empty[:start]))
        order = order[~empty]
    return order, start


def _settle(draft: Draft, row: int, spot: Spot, alone: _Alone) -> None:
    """Message and role of a row that moves. A message that holds nothing else moves whole and keeps its number."""
    if spot.join:
        alone.leave(row)
        draft.put("message", row, draft.get("message", spot.anchor))
        draft.put("role", row, draft.get("role", spot.anchor))
        draft.change_message(row, spot.anchor)
        return
    if not alone.is_alone(row):
        alone.leave(row)
        draft.put("message", row, draft.new_message())
        draft.change_message(row)
    if spot.role is not None and not (spot.role == Role.TOOL and draft.get("role", row) == Role.FUNCTION):
        draft.put("role", row, spot.role)
        if "role" in draft.fields.get(row, {}):
            del draft.own_fields(row)["role"]


class _Alone:
    """Tells whether a message holds one row only."""

    def __init__(self, draft: Draft, rows: Ints) -> None:
        self._draft = draft
        numbers = draft.table.message[rows]
        self._counts = np.bincount(numbers[numbers >= 0], minlength=1)

    def is_alone(self, row: int) -> bool:
        message = self._draft.get("message", row)
        return message >= len(self._counts) or (message >= 0 and self._counts[message] == 1)

    def leave(self, row: int) -> None:
        message = self._draft.get("message", row)
        if 0 <= message < len(self._counts):
            self._counts[message] -= 1


# -- what else leans on rows ----------------------------------------------------------------------------------------------------


def _anchored(transcript: Transcript, dropped: Ints) -> dict[str, Any]:
    """Recorded refusals and walls whose row is gone lean on the row beside it that stays."""
    order = transcript.order
    kept = ~dropped[order]
    at = {int(row): i for row in {w.row for w in transcript.walls} for i in np.flatnonzero(order == row).tolist()}
    behind: list[Refusal] = []
    for refusal in transcript.refusals:
        if refusal.after >= 0 and dropped[refusal.after]:
            found = np.flatnonzero(order == refusal.after)
            before = np.flatnonzero(kept[: int(found[0]) if len(found) else 0])
            refusal = replace(refusal, after=int(order[before[-1]]) if len(before) else -1)
        behind.append(refusal)
    walls: list[Wall] = []
    for wall in transcript.walls:
        if wall.row >= 0 and dropped[wall.row]:
            after = np.flatnonzero(kept[at.get(wall.row, len(order)) :])
            if not len(after):
                continue
            wall = replace(wall, row=int(order[at[wall.row] + int(after[0])]))
        walls.append(wall)
    return {"refusals": tuple(behind), "walls": tuple(walls)}


def _request(request: dict[str, Any], changes: Sequence[Change]) -> dict[str, Any]:
    """The small members of a request that rules read, with what edits set of them."""
    changed = dict(request)
    for change in changes:
        for edit in change.edits:
            if isinstance(edit, SetRequest):
                keys = [key.replace("~1", "/").replace("~0", "~") for key in edit.pointer.split("/")[1:]]
                _set_at(changed, keys, edit.value)
    return changed


def _set_at(held: dict[str, Any], keys: list[str], value: Any) -> None:
    """Sets a member of what is kept of a request, as far down as it consists of objects; those on the way are copied."""
    for key in keys[:-1]:
        inner = held.get(key)
        if not isinstance(inner, dict):
            return
        held[key] = held = dict(inner)
    if value is DELETE:
        held.pop(keys[-1], None)
    else:
        held[keys[-1]] = value
