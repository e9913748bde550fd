"""What a compaction put in place of all that stands before it is sent, and stands in its own record.

A `compacted` record of Codex carries a history of its own: what the person said, a summary, or an encrypted item that stands for the rest.
A resume begins with that. It is a copy for the counts here and is not shown block by block, so that tokens and findings speak of what
stands behind it alone.

Evidence: openai/codex@023ceda codex-rs/core/src/codex/rollout_reconstruction.rs (`base_replacement_history`; without one
`build_compacted_history` of the person's messages and the summary).

Repair: none; nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.reader import Resumed
from app.rules._reader import ReaderRule, line, told
from app.rules._rule import Said
from app.rules._scene import Site


class ResumeHistoryReplaced(ReaderRule):
    name = "resume-history-replaced"
    summary = "a resume begins with the history that a compaction carries, which is not shown here"
    severity = "note"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return [resumed.replaced] if resumed.replaced >= 0 else []

    def say(self, site: Site) -> Said:
        value = site.scene.value(site.detail)
        payload = value.get("payload") if isinstance(value, dict) else None
        held = payload.get("replacement_history") if isinstance(payload, dict) else None
        where = f"line {line(site, site.detail)}"
        if not isinstance(held, list):
            return told(site, f"A resume begins with the person's messages and the summary of {where}, not with what is shown before it.")
        some = "1 item" if len(held) == 1 else f"{len(held):,} items"
        return told(site, f"A resume begins with {some} that {where} carries; they are sent, and not shown here block by block.")


RULE = ResumeHistoryReplaced()
