"""A result that does not say which call it answers.

No id, or an empty one where its call has another. It answers nothing, so its call is a finding as well.

Evidence: a live probe of claude-haiku-4-5 (2026-08-28); openai/openai-openapi@f85dbe2 (`tool_call_id` is required);
EKKOLearnAI/hermes-studio#309; smallest-inc/smallest-python-sdk#118 (the empty string). Responses: openai/codex#42088;
BigPizzaV3/CodexPlusPlus#315 (the empty string).

Repair: paired by order with the open calls of the turn before it where the numbers agree; else it goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.edits import Change
from app.model.kinds import Flag
from app.model.provider import Defect
from app.rules import _fixes
from app.rules._rule import PairRule, Said
from app.rules._said import cause_of
from app.rules._scene import Site


class ToolResultIdMissing(PairRule):
    name = "tool-result-id-missing"
    summary = "a result that does not say which call it answers"
    defect = Defect.RESULT_ID_MISSING
    by_mode = False

    def say(self, site: Site) -> Said:
        empty = bool(site.flags & Flag.ID_EMPTY)
        message = f"This result has {'an empty id' if empty else 'no id'}, so it answers no call."
        call = site.scene.renames(site.turn - 1).get(site.position, site.partner)
        reason = f"The call that waits stands at {site.scene.pointer(call)}." if call >= 0 else ""
        return Said(message, reason, ("",) if empty else (), cause_of(site), variant="empty" if empty else "")

    def fixes(self, site: Site) -> Sequence[Change]:
        call = site.scene.renames(site.turn - 1).get(site.position, site.partner)
        found = [] if call < 0 else [_fixes.rename(site, call, site.position)]
        if site.partner >= 0:
            return found
        return [*found, _fixes.drop(site, "Drop the result", [site.position])]


RULE = ToolResultIdMissing()
