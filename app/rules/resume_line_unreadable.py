"""A line that is no JSON, or holds more than one record.

A write that was cut off (a crash, a full disk, a closed connection) leaves a part of a record; the next one may follow on the same line,
and a file system may fill the gap with NUL bytes. Versions of Claude Code before 2.1.121 read nothing behind such a line, or do not
resume at all, and say nothing; later ones pass over it, and over a whole record that shares the line with a torn one. Codex passes over
it; what it appends to a last line that was cut off and has no end stands on that line, and is lost with it the next time. This program
reads what can be read of it.

Evidence: anthropics/claude-code#50347 (truncated at the first such line), #49876 (NUL bytes, 2.1.111), #52387 (two writes on one line);
release notes of 2.1.121 as cited in delexw/claude-code-trace#66 (the line is skipped). Codex: openai/codex@05eb6e5
codex-rs/rollout/src/recorder.rs (`load_rollout_items` goes on behind such a line, `open_log_file` appends).

Repair: records that share a line get lines of their own; what is no record is taken out, and kept in a file beside the one that is
written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from app.model.edits import DELETE, Change, SetRequest
from app.model.reader import Resumed
from app.model.table import RecordKind
from app.rules._reader import ReaderRule, line, told
from app.rules._rule import Said
from app.rules._scene import Site


class ResumeLineUnreadable(ReaderRule):
    name = "resume-line-unreadable"
    summary = "a resume stops at this line, or passes over it: it is no JSON"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return resumed.unreadable.tolist()

    def say(self, site: Site) -> Said:
        whole, torn = _pieces(site)
        records = "a record" if whole == 1 else f"{whole} records"
        if not whole:
            said = "is no JSON"
        elif torn:
            said = f"holds {records} and a part of one that was cut off"
        else:
            said = f"holds {records}"
        return told(site, f"Line {line(site, site.detail)} {said}.")

    def fixes(self, site: Site) -> Iterable[Change]:
        whole, torn = _pieces(site)
        number = line(site, site.detail)
        if not torn:
            title = f"Give each record of line {number} a line of its own"
        else:
            title = f"Take line {number} out" if not whole else f"Take what is no record out of line {number}"
        yield site.change(title, "loses" if torn else "exact", SetRequest(site.scene.table.pointer(site.detail), DELETE))


def _pieces(site: Site) -> tuple[int, int]:
    """How many records stand on the line, and how many pieces that are none."""
    records = site.scene.table.records
    here = records.place == records.place[site.detail]
    torn = int(np.count_nonzero(records.kind[here] == RecordKind.UNPARSED))
    return int(np.count_nonzero(here)) - torn, torn


RULE = ResumeLineUnreadable()
