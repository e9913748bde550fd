"""What a change is about, in a few letters: the call id of its block, which stays true when that is gone, or where it stands."""

from __future__ import annotations

from app.model.edits import Change, Move, Set, rows_of
from app.model.state import State
from widgets.visible import line
from widgets.words import abridged, exchange_and_step

LOOKED = 100  # rows and edits of a change that are looked at


def touched(change: Change) -> list[int]:
    """Rows that a change is about, the first few of each edit: those that it touches, and those beside which it inserts."""
    rows: list[int] = []
    for edit in change.edits[:LOOKED]:
        rows += rows_of(edit)[:LOOKED].tolist()
        place = getattr(edit, "place", None)
        if place is not None and not isinstance(edit, Move | Set) and hasattr(place, "row"):
            rows.append(place.row)
    return rows


def where(state: State, change: Change) -> str:
    """`toolu_01S…VnN7`, `E12 · r59`, or "" where neither is known."""
    rows = touched(change)
    found = next((words for row in rows if (words := _id(state, row))), "")
    return found or next((words for row in rows if (words := exchange_and_step(state, row))), "")


def _id(state: State, row: int) -> str:
    table = state.transcript.table if state.transcript is not None else None
    if table is None or not 0 <= row < len(table.key) or table.key[row] < 0:
        return ""
    found = line(table.ids.text(int(table.key[row])) or "", 60)
    return abridged(found, (found,))
