"""Results of one turn in several messages.

All results of a turn must stand in the one message behind it; only those in it count. On Gemini neighbouring contents of the model are
joined before that is looked at, those of the user are not; Bedrock joins nothing for it. (Anthropic joins and takes it; on OpenAI Chat
each result is a message by design.) A result whose turn has none in the right message is `tool-result-not-adjacent`.

Evidence: Gemini: vertesia/llumiverse#620 (replayed on 2026-08-27: split 400 on gemini-2.5-flash and gemini-3.1-flash-lite, merged 200),
cloudwego/eino-ext#571, docker/docker-agent#2959, crewAIInc/crewAI#4693, dust-tt/dust#26268. Bedrock: anomalyco/opencode#41780 (2026-08-11,
Nova Micro: split 400, merged 200), genkit-ai/aws-bedrock-js-plugin#664 (Claude Sonnet 4.5), microsoft/semantic-kernel#14073.

Repair: the result moves into the message that holds the others; nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.edits import Change
from app.model.provider import Defect
from app.rules import _fixes
from app.rules._rule import PairRule, Said
from app.rules._said import call_words, cause_of, named
from app.rules._scene import Site


class ToolResultsSplitAcrossMessages(PairRule):
    name = "tool-results-split-across-messages"
    summary = "results of one turn in several messages"
    defect = Defect.RESULTS_SPLIT
    by_mode = False

    def say(self, site: Site) -> Said:
        message = f"This result {named(site)}stands in another message than the other results of its turn; one must hold them all."
        behind = site.reading.of_turn(int(site.reading.turn[site.partner]) + 1)
        reason = f"The others stand at {site.scene.message_pointer(int(behind[0]))}." if len(behind) else ""
        return Said(message, reason, site.ids, cause_of(site), words=call_words(site, [site.partner]))

    def fixes(self, site: Site) -> Sequence[Change]:
        return [_fixes.move_home(site, site.position, site.partner)]


RULE = ToolResultsSplitAcrossMessages()
