"""Which of several changes may be made together: the first wins, a later one that meets it is skipped whole.

A change *touches* the rows that its edits name, and *leans on* those beside which it puts something and the call that a made
result answers. It is skipped where it addresses a row that is not live, touches a row that an earlier change touches, takes away
a row on which an earlier one leans, or leans on a row that an earlier one took away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.model.edits import After, Before, Change, Drop, Edit, HeadOf, Insert, Move, Place, Replace, Set, SetRequest, rows_of
from app.model.kinds import Flag, Kind
from app.model.table import Ints
from app.model.transcript import Transcript
from app.pipeline.fields import known_field

Rows = list[int] | Ints
FEW: Final = 32


def anchors_of(change: Change) -> list[int]:
    """The rows on which a change leans."""
    rows: list[int] = []
    for edit in change.edits:
        place: Place | None = edit.place if isinstance(edit, Move | Insert) else None
        if isinstance(place, Before | After | HeadOf):
            rows.append(place.row)
        if isinstance(edit, Insert) and edit.made.call >= 0:
            rows.append(edit.made.call)
    return rows


def select(transcript: Transcript, changes: Sequence[Change]) -> tuple[list[Change], list[tuple[Change, str]]]:
    """The changes that are made, in order, and those that are skipped, each with the reason."""
    claims = _Claims(transcript, changes)
    taken: list[Change] = []
    skipped: list[tuple[Change, str]] = []
    for number, change in enumerate(changes, 1):
        reason = claims.take(number, change)
        if reason is None:
            taken.append(change)
        else:
            skipped.append((change, reason))
    return taken, skipped


class _Claims:
    """For each row the number of the change that touched it, leans on it or took it away; 0 where none did."""

    def __init__(self, transcript: Transcript, changes: Sequence[Change]) -> None:
        self._transcript = transcript
        self._changes = changes
        size = len(transcript.table)
        self._live = np.zeros(size, bool)
        self._live[transcript.order] = True
        self._touched = np.zeros(size, np.int32)
        self._leaned = np.zeros(size, np.int32)
        self._taken = np.zeros(size, np.int32)
        self._pointers: dict[str, int] = {}

    def take(self, number: int, change: Change) -> str | None:
        """Enters a change; where it cannot be made, gives the reason and enters nothing."""
        touched = _rows(change.edits)
        away = _rows([edit for edit in change.edits if isinstance(edit, Drop | Move)])
        anchors = anchors_of(change)
        pointers = [edit.pointer for edit in change.edits if isinstance(edit, SetRequest)]
        reason = self._not_live(touched) or self._not_live(anchors) or self._not_allowed(change)
        reason = reason or self._met(touched, self._touched, "{} touches row {} already")
        reason = reason or self._met(away, self._leaned, "{} needs row {}, which this would take away")
        reason = reason or self._met(anchors, self._taken, "{} takes row {} away, beside which this stands")
        if reason is not None:
            return reason
        for pointer in pointers:
            for known, owner in self._pointers.items():
                if known == pointer or known.startswith(pointer + "/") or pointer.startswith(known + "/"):
                    return f"{self._title(owner)} sets {known} already"
        for rows, owners in ((touched, self._touched), (anchors, self._leaned), (away, self._taken)):
            if len(rows):
                owners[rows] = number
        self._pointers.update(dict.fromkeys(pointers, number))
        return None

    def _title(self, number: int) -> str:
        return f"“{self._changes[number - 1].title}”"

    def _not_live(self, rows: Rows) -> str | None:
        live = self._live
        if isinstance(rows, list):
            dead = next((row for row in rows if not 0 <= row < len(live) or not live[row]), None)
        else:
            inside = (rows >= 0) & (rows < len(live))
            there = inside.copy()
            there[inside] = live[rows[inside]]
            dead = None if there.all() else int(rows[~there][0])
        return None if dead is None else f"row {dead} is no longer there"

    def _met(self, rows: Rows, owners: Ints, words: str) -> str | None:
        if isinstance(rows, list):
            met = next((row for row in rows if owners[row]), None)
        else:
            found = np.flatnonzero(owners[rows])
            met = int(rows[found[0]]) if len(found) else None
        return None if met is None else words.format(self._title(int(owners[met])), met)

    def _not_allowed(self, change: Change) -> str | None:
        """Signed reasoning is kept whole or dropped whole, never altered; a field must be one that formats know."""
        table = self._transcript.table
        for edit in change.edits:
            if isinstance(edit, Set) and not known_field(edit.field):
                return f"there is no field {edit.field}"
            if isinstance(edit, Replace) or (isinstance(edit, Set) and edit.field in ("text", "content", "input")):
                rows = rows_of(edit)
                signed = (table.kind[rows] == Kind.REASONING) & ((table.flags[rows] & (Flag.SIGNED | Flag.REDACTED)) != 0)
                if signed.any():
                    return f"row {int(rows[signed][0])} is signed reasoning, which is kept whole or dropped whole"
        return None


def _rows(edits: Sequence[Edit]) -> Rows:
    """All rows that edits touch: few as numbers, many as an array."""
    few: list[int] = []
    many: list[Ints] = []
    for edit in edits:
        if isinstance(edit, Move | Set):
            few.append(edit.row)
        elif isinstance(edit, Drop | Replace):
            if len(edit.rows) > FEW:
                many.append(edit.rows)
            else:
                few.extend(edit.rows.tolist())
    return np.concatenate([*many, np.asarray(few, np.int32)]) if many else few
