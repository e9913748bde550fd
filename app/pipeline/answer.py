"""Put in the real result of a call: typed, pasted, or recorded elsewhere in the dump. It comes before every placeholder."""

from __future__ import annotations

import numpy as np

from app.model.dump import Dump
from app.model.edits import Change, Edit, HeadOf, Insert, Made, drop
from app.model.kinds import Flag, Kind
from app.model.open_call import Elsewhere, OpenCall
from app.model.provider import Provider
from app.model.view import View

ORIGIN = "person:real-result"


def open_call(dump: Dump, view: View, row: int) -> OpenCall | None:
    """The call of a row that waits for its real result: a call that nothing answers, or one that a change answered, or that made-up
    answer itself. None for all others, and for calls that the provider answers."""
    at = view.at(row)
    if at < 0 or view.kind[at] not in (Kind.TOOL_CALL, Kind.TOOL_RESULT) or view.flags[at] & Flag.SERVER:
        return None
    made = view.transcript.made
    partner = int(view.links.partner[at])
    if view.kind[at] == Kind.TOOL_RESULT:
        if row not in made or partner < 0:
            return None
        at, partner, row = partner, at, int(view.rows[partner])
    placeholder = int(view.rows[partner]) if partner >= 0 else -1
    if placeholder >= 0 and placeholder not in made:
        return None
    table = view.transcript.table
    name = int(view.name[at])
    return OpenCall(
        call=row,
        placeholder=placeholder,
        name=table.names[name] if name >= 0 else "",
        id=table.ids.text(int(view.key[at])) or "",
        elsewhere=_elsewhere(dump, view, int(view.key[at])),
    )


def _elsewhere(dump: Dump, view: View, key: int) -> tuple[Elsewhere, ...]:
    """Results of the id that the dump holds outside of the transcript: on another branch, behind a wall, or dropped by a change."""
    table = dump.table
    if key < 0 or key >= len(table.ids):
        return ()
    rows = np.flatnonzero((table.key == key) & (table.kind == Kind.TOOL_RESULT))
    rows = rows[~np.isin(rows, view.rows)]
    return tuple(Elsewhere(int(row), _where(dump, view, int(row))) for row in rows[:20])


def _where(dump: Dump, view: View, row: int) -> str:
    own = dump.transcripts[view.transcript.index]
    if bool((own.order == row).any()):
        return "taken out by a change"
    for transcript in dump.transcripts:
        if bool((transcript.order == row).any()):
            return f"in {transcript.title or transcript.id}"
    return "in the file, on no branch"


def real_result(waits: OpenCall, text: str, error: bool, origin: str, provider: Provider) -> Change:
    """The change that puts it in. `origin` says where the words come from."""
    made = Made(Kind.TOOL_RESULT, provider.answers, text, call=waits.call, error=error)
    edits: tuple[Edit, ...] = (Insert(HeadOf(waits.call), made),)
    if waits.placeholder >= 0:
        edits = (drop(waits.placeholder), *edits)
    return Change(f"Put in the real result of {waits.name or 'the call'} ({origin})", ORIGIN, "adds", edits, note=text[:200])
