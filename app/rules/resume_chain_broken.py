"""The way back from the last message ends too early: what stands before is not read when the session is resumed.

A session log links its records: each names its parent. Claude Code walks from the last message back from parent to parent when it
resumes; at a parent that the file does not have, or at a record in the middle of the talk that names none, it stops, and says nothing.
This program goes on with what stands before the record, as a person would. At a compaction the walk is meant to end, and that is no
finding. Nor is a parent that is missing where nothing stands before the record.

Evidence: anthropics/claude-code#22107 (read from the program, 2.1.29), #58554 (22 such parents in one session, 5 % of its records read),
#46603, #22526, #24304, #61188 (parents that were never written).

Repair: the record hangs on the one that stands before it in the conversation. Nothing else of it changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.model.edits import Change
from app.model.reader import Break, Resumed
from app.rules._reader import ReaderRule, line, relinked, resumed, told
from app.rules._rule import Said
from app.rules._scene import Site


class ResumeChainBroken(ReaderRule):
    name = "resume-chain-broken"
    summary = "a resume stops here: a record names a parent that is not in the file, or none"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return [one.record for one in resumed.breaks[:1]]

    def say(self, site: Site) -> Said:
        found = resumed(site)
        first, *further = found.breaks
        names = "names a parent that the file does not have" if first.names else "names no parent"
        message = f"A resume would read {found.reached:,} of {found.messages:,} messages: line {line(site, first.record)} {names}."
        also = f" Further back the way ends at line {_lines(site, further)} as well." if further else ""
        return told(site, message, f"It stands behind line {line(site, first.above)}.{also}")

    def fixes(self, site: Site) -> Iterable[Change]:
        edits = [(one, relinked(site, one.record, one.above)) for one in resumed(site).breaks]
        some = [one for one, edit in edits if edit]
        if some:
            where = f"line {line(site, some[0].above)}, which it stands behind" if len(some) == 1 else "what they stand behind"
            yield site.change(
                f"Let line {_lines(site, some)} hang on {where}", "exact", *(edit for _, edits_ in edits for edit in edits_),
            )  # fmt: skip


def _lines(site: Site, breaks: Sequence[Break]) -> str:
    return ", ".join(f"{line(site, one.record)}" for one in breaks[:4]) + (f" and {len(breaks) - 4:,} more" if len(breaks) > 4 else "")


RULE = ResumeChainBroken()
