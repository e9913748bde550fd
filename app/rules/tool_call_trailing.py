"""A call in the very last message, and nothing behind it.

A request that is sent like this is refused; a log that ends like this is only unfinished. So far it is well formed: under the question
"so far" the call is *pending* and no finding.

Evidence: a live probe of 2026-07-25 (its two predicates, so far and sendable); i-am-bee/beeai-framework#963;
openai/openai-support-agent-demo#12.

Repair: as for `tool-call-unanswered`.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.model.edits import Change
from app.model.provider import Defect
from app.rules import _fixes
from app.rules._reasons import missing_result
from app.rules._rule import PairRule, Said
from app.rules._said import call_words, cause_of, tool
from app.rules._scene import Site


class ToolCallTrailing(PairRule):
    name = "tool-call-trailing"
    summary = "an open call in the very last message"
    defect = Defect.CALL_TRAILING

    def say(self, site: Site) -> Said:
        message = f"The call of {tool(site, site.position)} is the last thing that happened; it has no result yet."
        reason = missing_result(site, site.position)
        variant = site.scene.type(site.position)
        return Said(message, reason, site.ids, cause_of(site), variant=variant, words=call_words(site, [site.position]))

    def fixes(self, site: Site) -> Iterable[Change]:
        return _fixes.for_open_calls(site, [site.position])


RULE = ToolCallTrailing()
