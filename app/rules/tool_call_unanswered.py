"""A call that nothing answers.

Every call needs exactly one result, and the provider looks for it in one place only: Anthropic at the head of the next (joined) user
turn, OpenAI in the run of `tool` messages directly behind the assistant message. Where other calls of the turn are answered the finding
is `tool-call-partially-answered`; in the very last turn it is `tool-call-trailing`; a result that is there but too late is
`tool-result-not-first` or `tool-result-not-adjacent`. A call that the provider answers itself (web search and the like) needs its result
in the same joined turn, unless it is still in flight. OpenAI Responses looks for the output anywhere in the list; where the request
continues another one (`previous_response_id`, `conversation`) the server may have it, and the finding is a warning. DeepSeek's Responses
takes an output only directly behind the run of calls: reasoning or a message between them is refused (there it is
`tool-result-not-adjacent`).

Evidence: Kilo-Org/kilocode#5163; anthropics/claude-code#5060, #5989; aliasrobotics/cai#111; router-for-me/CLIProxyAPI#2798; a live probe
of claude-haiku-4-5 (2026-08-28). Responses: symgraph/GhidrAssist#78; Gitlawb/openclaude#187; its words for other kinds of calls: text-index
ids 70170210835, 55059155930, 37906796329. Server tools: recorded requests of pydantic/pydantic-ai@4fda389.

Repair: the recorded result where one is in the transcript; else a result that says that none was recorded, marked as an error; else the
call goes, with what leans on it. What a provider's own tool found can't be made up: such a call goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Flag
from app.model.provider import Defect, Reading
from app.rules import _fixes
from app.rules._reasons import missing_result
from app.rules._rule import PairRule, Said
from app.rules._said import call_words, cause_of, tool
from app.rules._scene import Site


class ToolCallUnanswered(PairRule):
    name = "tool-call-unanswered"
    summary = "a call that nothing answers"
    defect = Defect.CALL_UNANSWERED

    def check(self, reading: Reading) -> Sequence[Hit]:
        elsewhere = np.flatnonzero(reading.defect == Defect.CALL_ELSEWHERE)
        return [*super().check(reading), *([self.hit(reading, elsewhere, severity="warning")] if len(elsewhere) else [])]

    def say(self, site: Site) -> Said:
        if site.flags & Flag.SERVER:
            words = {"name": site.scene.name(site.position), **call_words(site, [site.position])}
            message = f"The provider's own call of {tool(site, site.position)} has no result in its turn."
            return Said(message, ids=site.ids, cause=cause_of(site), variant="server", words=words)
        message, reason = f"The call of {tool(site, site.position)} has no result.", missing_result(site, site.position)
        if site.defect == Defect.CALL_ELSEWHERE:
            message = f"The call of {tool(site, site.position)} has no result here."
            reason = "The request continues another one; only the server knows whether that has it."
        variant = site.scene.type(site.position)
        return Said(message, reason, site.ids, cause_of(site), variant=variant, words=call_words(site, [site.position]))

    def fixes(self, site: Site) -> Iterable[Change]:
        if site.flags & Flag.SERVER:
            return [_fixes.drop(site, "Drop the call of the provider's own tool", _fixes.with_calls(site.scene, [site.position]))]
        return _fixes.for_open_calls(site, [site.position])


RULE = ToolCallUnanswered()
