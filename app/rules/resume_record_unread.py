"""A record that is JSON, and not what the program that wrote the file writes: a resume passes over it.

Codex reads each line of a rollout as one of its own records. Where a line lacks its timestamp, an item its type, a message its list of
parts or a call the string of its arguments, the line is left out, and nothing is said: the model never sees it. That happens to files that
were edited, converted or joined by other programs, and to items of files from before 0.32, which have no envelope.

Evidence: openai/codex@05eb6e5 codex-rs/rollout/src/recorder.rs (`load_rollout_items`: a line that is no `RolloutLine` is counted as a
parse error and left out), codex-rs/protocol (`RolloutLine`: `timestamp` is a string that must be there; `ResponseItem`).

Repair: a timestamp that is missing is that of the record before it; nothing else can be made up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.model.edits import Change
from app.model.reader import Resumed
from app.rules._reader import ReaderRule, line, member, resumed, told
from app.rules._rule import Said
from app.rules._scene import Site


class ResumeRecordUnread(ReaderRule):
    name = "resume-record-unread"
    summary = "a resume passes over this record: it is not what the program itself writes"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return sorted(resumed.unread)

    def say(self, site: Site) -> Said:
        wrong, _ = resumed(site).unread[site.detail]
        return told(site, f"A resume would not read line {line(site, site.detail)}: {wrong}.")

    def fixes(self, site: Site) -> Iterable[Change]:
        _, stamp = resumed(site).unread[site.detail]
        if stamp:
            title = f"Give line {line(site, site.detail)} the timestamp of the record before it"
            yield site.change(title, "adds", member(site, site.detail, "timestamp", stamp))


RULE = ResumeRecordUnread()
