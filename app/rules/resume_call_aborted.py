"""A call that the program answers itself when it goes on, since nothing else does; and an output that it leaves out.

Codex mends what it sends each time: a call without an output gets one that says "aborted", an output without a call is left out. So the
provider refuses nothing, and the model is told that the call was aborted, whether it ran or not. A session that ended in the middle of a
call is like that, and there it is a note.

Evidence: openai/codex@0803cc5 codex-rs/core/src/context_manager/normalize.rs (`ensure_call_outputs_present`, `remove_orphan_outputs`); a
build with assertions stops at a missing output of a custom tool instead (`error_or_panic`).

Repair: the recorded result where one waits; else a result that says that none was recorded, which is put in for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Kind
from app.model.provider import Reading
from app.model.reader import Resumed
from app.rules import _fixes
from app.rules._reader import ReaderRule, resumed
from app.rules._rule import Said
from app.rules._said import named, tool
from app.rules._scene import Site


class ResumeCallAborted(ReaderRule):
    name = "resume-call-aborted"
    summary = "a resume answers this call with “aborted”, or leaves this output out, since its partner is missing"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return ()

    def check(self, reading: Reading) -> Sequence[Hit]:
        found, view = reading.resumed, reading.view
        if found is None:
            return []
        hits = []
        aborted = view.positions(found.aborted)
        spoken = np.flatnonzero(view.in_messages & (view.kind != Kind.TOOL_CALL) & (view.kind != Kind.TOOL_RESULT))
        pending = aborted > (spoken[-1] if len(spoken) else -1)
        for at in (aborted[~pending], view.positions(found.left_out)):
            if len(at):
                hits.append(self.hit(reading, at))
        return [*hits, self.hit(reading, aborted[pending], severity="note")] if pending.any() else hits

    def say(self, site: Site) -> Said:
        words = resumed(site).reader.words.get(self.name, "")
        if site.kind == Kind.TOOL_CALL:
            message = f"A resume answers the call of {tool(site, site.position)} with “aborted”, whether it ran or not."
            return Said(message, words, site.ids, "aborted")
        return Said(f"A resume leaves this output {named(site)}out: its call is not there.", "", site.ids, "left out")

    def fixes(self, site: Site) -> Iterable[Change]:
        if site.kind == Kind.TOOL_CALL:
            yield from (change for change in _fixes.for_open_calls(site, [site.position]) if change.effect != "loses")


RULE = ResumeCallAborted()
