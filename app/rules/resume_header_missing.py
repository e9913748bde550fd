"""The file does not say which session it is: nothing of it is resumed.

Codex looks for the first `session_meta` record of a rollout, whose `id` is a UUID. Where the header was cut off, or its id was replaced,
it does not resume the session at all. Files from before 0.32 have another header, which later versions do not read.

Evidence: openai/codex@05eb6e5 codex-rs/rollout/src/recorder.rs (`get_rollout_history`: "failed to parse thread ID from rollout file"),
codex-rs/rollout/src/load_error.rs ("rollout contains no session metadata").

Repair: none; the id stands in the name of the file (`rollout-TIME-ID.jsonl`), and the first line of another session shows the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.reader import Resumed
from app.rules._reader import ReaderRule, told
from app.rules._rule import Said
from app.rules._scene import Site


class ResumeHeaderMissing(ReaderRule):
    name = "resume-header-missing"
    summary = "nothing would be resumed: no header says which session it is"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return [resumed.headless] if resumed.headless >= 0 else []

    def say(self, site: Site) -> Said:
        return told(site, "No `session_meta` record with an id of a session stands in this file: nothing of it would be resumed.")


RULE = ResumeHeaderMissing()
