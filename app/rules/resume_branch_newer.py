"""The newest message of the session is on another branch than the last record of the file.

A session that was rewound has branches, and a resume goes on with one of them. This program opens the one on which the last record of the
file lies; some versions of Claude Code go by time. Where both are not the same branch, what is resumed depends on the version: an answer
that was written late onto an old branch (a permission that was given days after, a second window on the same session) takes the session
back to it.

Evidence: anthropics/claude-code#48270 (2.1.108: a stale branch is resumed), a report on 2.1.150 (the newest time decides); release notes
of 2.1.101 (resumed on a dead-end branch).

Repair: none; which branch is meant nobody knows but the person whose session it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.reader import Resumed
from app.rules._reader import ReaderRule, line, told
from app.rules._rule import Said
from app.rules._scene import Site


class ResumeBranchNewer(ReaderRule):
    name = "resume-branch-newer"
    summary = "a resume may go on with another branch: its last message is newer than all of this one"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return [resumed.rival] if resumed.rival >= 0 else []

    def say(self, site: Site) -> Said:
        owner = int(site.scene.table.records.owner[site.detail])
        branch = next((other.id for other in site.scene.siblings if other.index == owner), "")
        where = f"another branch ({branch})" if branch else "another branch"
        return told(site, f"The newest message of the session, line {line(site, site.detail)}, stands on {where}.")


RULE = ResumeBranchNewer()
