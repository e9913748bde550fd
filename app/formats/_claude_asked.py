"""Edits of lines themselves, by the JSON pointer of a line or of a member of it: another parent, another uuid, a line that is to be read.

`/17/parentUuid` and `/17/uuid` with a string set that member of line 18; `/17`, taken away, makes what stands on line 18 readable: each
record gets a line of its own, and what is no record is taken out. Other pointers name nothing in a session log.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.formats._claude_plan import Plan
from app.formats._claude_shape import Shape
from app.model.edits import DELETE
from app.model.table import RecordKind
from app.model.transcript import Transcript


def ask(shape: Shape, plan: Plan, transcripts: Sequence[Transcript]) -> None:
    """Enters what the transcripts ask of lines."""
    for transcript in transcripts:
        for pointer, value in transcript.request.items():
            line, _, key = pointer.removeprefix("/").partition("/")
            if not line.isdecimal() or len(line) > 9:
                continue
            records = np.flatnonzero(shape.table.records.place == int(line)).tolist()
            if not key and value is DELETE:
                torn = [record for record in records if shape.table.records.kind[record] == RecordKind.UNPARSED]
                plan.gone |= set(torn)
                plan.aside |= set(torn)
                plan.apart |= set(records)
                continue
            whole = [record for record in records if shape.table.records.kind[record] != RecordKind.UNPARSED]
            if len(whole) == 1 and isinstance(value, str) and key == "uuid":
                shape.renamed[whole[0]] = value
            elif len(whole) == 1 and isinstance(value, str) and key == "parentUuid":
                plan.asked[whole[0]] = value
