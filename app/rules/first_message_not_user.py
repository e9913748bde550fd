"""The first message is the assistant's (Anthropic, Bedrock).

Anthropic: refused in older reports, taken by recorded requests (claude-sonnet-4-5) and a live probe of 2026-09-10: a warning. Bedrock:
refused for Nova, Llama, Mistral, Cohere, AI21 and Writer, taken for Claude and Qwen. Gemini: only its
own client takes care never to send that (google-gemini/gemini-cli@5411f11, `historyHardening.ts`): a warning; where the first message
calls, it is `tool-call-turn-order`.

A conversation that begins with a compaction block, which stands for what came before, is no finding.

Evidence: 400 in 2024 (anthropics/courses#79, lobehub/lobehub#1601); 200: `test_anthropic_model_empty_message_on_history` of
pydantic/pydantic-ai@4fda389. Bedrock: its providers/bedrock.py ("Verified against Bedrock us-east-1 on 2026-07-03") and a recorded request
to Claude with status 200; strands-agents/sdk-typescript#727.

Repair: a short user message in front.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Before, Change, Insert, Made
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._said import answer_alone
from app.rules._scene import Site


class FirstMessageNotUser(Rule):
    name = "first-message-not-user"
    summary = "the first message is the assistant's"
    severity = "warning"
    of_an_end = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        role = reading.turn_role
        lead = 0
        if not reading.native:  # a system message of another wire stands beside the list here
            others = np.flatnonzero((role != Role.SYSTEM) & (role != Role.DEVELOPER))
            lead = int(others[0]) if len(others) else reading.turns
        first = reading.turns > lead and role[lead] == Role.ASSISTANT
        if first and "tool-call-turn-order" in reading.provider.judges:
            first = not reading.view.calls[reading.of_turn(lead)].any()
        leading = reading.of_turn(lead)[: 1 if first and not answer_alone(reading) else 0]
        if len(leading) and reading.native:  # what a compaction stands for came before
            leading = leading[[reading.view.transcript.table.types[word] != "compaction" for word in reading.view.type[leading]]]
        return [self.hit(reading, leading)]

    def say(self, site: Site) -> Said:
        dates = "refused in 2024, taken since 2025" if site.reading.provider.name == "anthropic" else "disputed"
        disputed = f" ({dates})" if site.severity == "warning" else ""
        return Said(f"The conversation begins with the assistant{disputed}.", cause="first message", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        made = Made(Kind.TEXT, Role.USER, "[conversation continued]")
        return [site.change("Insert a message of the user in front", "adds", Insert(Before(site.row), made))]


RULE = FirstMessageNotUser()
