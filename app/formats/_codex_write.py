"""An edited Codex rollout: beside its messages an edit may take out a line that is no JSON, or set a member of a line."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.formats._log_write import LogWriter, Plan
from app.formats._splice import set_pointer
from app.model.edits import DELETE
from app.model.table import RecordKind


class CodexWriter(LogWriter):
    def _settle(self, plan: Plan) -> int:
        """Enters what edits ask of lines, by pointer: `/17` taken away takes line 18 out where it is no record; what it held is kept
        beside the file. `/17/timestamp` sets that member."""
        asked: dict[str, Any] = {}
        for _, edited in self.pairs:
            asked |= edited.request
        records = self.table.records
        for pointer, value in asked.items():
            line, _, key = pointer.removeprefix("/").partition("/")
            if not line.isdecimal() or len(line) > 9:
                continue
            for record in np.flatnonzero(records.place == int(line)).tolist():
                data = self.source.read(int(records.offset[record]), int(records.length[record]))
                if not key and value is DELETE and records.kind[record] == RecordKind.UNPARSED:
                    plan.gone.add(record)
                    self.writing.aside.append(data)
                elif key and isinstance(value, str) and record not in plan.gone:
                    plan.changed[record] = set_pointer(plan.changed.get(record, data), [key], value, self.frame)
        return 0
