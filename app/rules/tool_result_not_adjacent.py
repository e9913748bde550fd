"""A result that comes too late: something stands between the turn of its call and it.

The call and its result are both there, so this is one finding at the result, and neither an orphan nor an unanswered call. On OpenAI
Chat any message between them does it, an assistant message too; two assistant messages with one call each and then both results as well.

Evidence: a live probe of claude-haiku-4-5 (2026-08-28), "adjacency is enforced"; OpenHands/software-agent-sdk#1344; bug-ops/zeph#3235;
NousResearch/hermes-agent#55603; exoharness/exo#256.

Repair: the result moves home, to the head of the turn behind its call; nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.edits import Change
from app.model.provider import Defect
from app.rules import _fixes
from app.rules._rule import PairRule, Said
from app.rules._said import call_words, cause_of, named
from app.rules._scene import Site


class ToolResultNotAdjacent(PairRule):
    name = "tool-result-not-adjacent"
    summary = "a result that comes too late, behind other turns"
    defect = Defect.RESULT_NOT_ADJACENT
    by_mode = False

    def say(self, site: Site) -> Said:
        reading, call = site.reading, site.partner
        apart = int(reading.wire_message[site.position]) - int(reading.wire_message[call])
        message = f"This result {named(site)}stands {apart} messages behind its call; it must answer at once."
        behind = reading.of_turn(int(reading.turn[call]) + 1)
        between = f"; {site.scene.pointer(int(behind[0]))} came between" if len(behind) else ""
        reason = f"Its call stands at {site.scene.pointer(call)}{between}."
        return Said(message, reason, site.ids, cause_of(site), words=call_words(site, [call]))

    def fixes(self, site: Site) -> Sequence[Change]:
        return [_fixes.move_home(site, site.position, site.partner)]


RULE = ToolResultNotAdjacent()
