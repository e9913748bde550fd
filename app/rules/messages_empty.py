"""A request without any message.

Every provider refuses it, each in its own words. A log that holds no message yet is well formed so far.

Evidence: Anthropic: text-index id 1618505617, a live probe of 2026-09-10; OpenAI Chat: text-index ids 34031059115 (recorded), 197652722.
Mistral: mistralai/mistral-common@bc022b9, protocol/instruct/validator.py.

Repair: none; there is nothing to repair.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.findings import Hit
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class MessagesEmpty(Rule):
    name = "messages-empty"
    summary = "a request without any message"
    by_mode = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        if len(reading.wire) or reading.mode == "prefix":
            return []
        return [Hit(np.full(1, -1, np.int32), np.full(1, -1, np.int64), self.severity)]

    def say(self, site: Site) -> Said:
        return Said("There is no message to send.", cause="no message")


RULE = MessagesEmpty()
