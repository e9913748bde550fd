"""The open tool loop does not begin with reasoning, though thinking is enabled (Anthropic).

With `thinking: {type: enabled}` the last assistant turn before the results must start with its thinking block. (Adaptive thinking has not
been seen to ask for it.)

Evidence: Kilo-Org/kilocode#5219; anomalyco/opencode#3077; deepset-ai/haystack-core-integrations#2146; mastra-ai/mastra#7799.

Repair: the original block where somebody has it; else thinking is switched off for this request. A signature is never made up.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.edits import DELETE, Change, SetRequest
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ReasoningMissing(Rule):
    name = "reasoning-missing"
    summary = "the open tool loop does not begin with reasoning, though thinking is enabled"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, last = reading.view, reading.turns - 1
        thinking = view.transcript.table.request.get("thinking")
        enabled = isinstance(thinking, dict) and thinking.get("type") == "enabled"
        if not enabled or not reading.native or last < 1 or reading.turn_role[last] != Role.USER:
            return []
        calls = reading.of_turn(last - 1)
        loop = view.calls[calls].any() and view.results[reading.of_turn(last)].any()
        missing = bool(loop) and reading.turn_role[last - 1] == Role.ASSISTANT and view.kind[calls[0]] != Kind.REASONING
        return [self.hit(reading, calls[: 1 if missing else 0])]

    def say(self, site: Site) -> Said:
        message = "Thinking is enabled, and the turn whose results stand last does not begin with a thinking block."
        return Said(message, cause="reasoning", whole=True, words={"type": site.scene.type(site.position)})

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Send this request with thinking disabled", "loses", SetRequest("/thinking", DELETE))]


RULE = ReasoningMissing()
