"""The first message is the assistant's (Anthropic).

Refused in older reports, taken by recorded requests (claude-sonnet-4-5) and a live probe of 2026-09-10: a warning. Bedrock wants a user
message first for most model families, and Gemini before a call.

Evidence: 400 in 2024 (anthropics/courses#79, lobehub/lobehub#1601); 200: `test_anthropic_model_empty_message_on_history` of
pydantic/pydantic-ai@4fda389.

Repair: a short user message in front.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.edits import Before, Change, Insert, Made
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class FirstMessageNotUser(Rule):
    name = "first-message-not-user"
    summary = "the first message is the assistant's"
    severity = "warning"

    def check(self, reading: Reading) -> Sequence[Hit]:
        first = reading.turns > 0 and reading.turn_role[0] == Role.ASSISTANT
        return [self.hit(reading, reading.wire[: 1 if first else 0])]

    def say(self, site: Site) -> Said:
        return Said("The conversation begins with the assistant (refused in 2024, taken since 2025).", cause="first message", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        made = Made(Kind.TEXT, Role.USER, "[conversation continued]")
        return [site.change("Insert a message of the user in front", "adds", Insert(Before(site.row), made))]


RULE = FirstMessageNotUser()
