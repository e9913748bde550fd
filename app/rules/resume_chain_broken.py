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
from app.model.reader import Resumed
from app.rules._reader import ReaderRule, line, relinked, resumed, told
from app.rules._rule import Said
from app.rules._scene import Site


class ResumeChainBroken(ReaderRule):
    name = "resume-chain-broken"
    summary = "a resume stops here: a record names a parent that is not in the file, or none"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return resumed.breaks[:1, 0].tolist()

    def say(self, site: Site) -> Said:
        found = resumed(site)
        record, above, names = found.breaks[0].tolist()
        what = "names a parent that the file does not have" if names else "names no parent"
        message = f"A resume would read {found.reached:,} of {found.messages:,} messages: line {line(site, record)} {what}."
        further = found.breaks[1:, 0].tolist()
        also = f" Further back the way ends at {_lines(site, further)} as well." if further else ""
        return told(site, message, f"It stands behind line {line(site, above)}.{also}")

    def fixes(self, site: Site) -> Iterable[Change]:
        edits = {record: relinked(site, record, above) for record, above in resumed(site).breaks[:MOST, :2].tolist()}
        some = [record for record, made in edits.items() if made]
        if some:
            above = int(resumed(site).breaks[0, 1])
            where = f"line {line(site, above)}, which it stands behind" if len(edits) == 1 else "what they stand behind"
            title = f"Let {_lines(site, some)} hang on {where}"
            yield site.change(title, "exact", *(edit for made in edits.values() for edit in made))


def _lines(site: Site, records: Sequence[int]) -> str:
    few = ", ".join(f"{line(site, one)}" for one in records[:4]) + (f" and {len(records) - 4:,} more" if len(records) > 4 else "")
    return f"line {few}" if len(records) == 1 else f"lines {few}"


MOST = 200  # are mended at once; the others are found again behind them
RULE = ResumeChainBroken()
