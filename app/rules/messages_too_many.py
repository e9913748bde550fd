"""More than 100,000 messages in a request (Anthropic).

A limit of the API, by its own types; no text of a refusal is known.

Evidence: anthropics/anthropic-sdk-typescript@bfa9197, src/resources/beta/messages/messages.ts ("There is a limit of 100,000 messages in a
single request").

Repair: none by itself; a plan takes the oldest exchanges away, or puts a summary in their place. In a session log what belongs to one
turn is counted once, as its program would send it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.findings import Hit
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site

MOST = 100_000


class MessagesTooMany(Rule):
    name = "messages-too-many"
    summary = "more than 100,000 messages in a request"

    def check(self, reading: Reading) -> Sequence[Hit]:
        if len(reading.wire) <= MOST or _count(reading) <= MOST:
            return []
        numbers = (reading.wire_message if reading.view.transcript.table.joins else reading.turn)[reading.wire]
        return [self.hit(reading, reading.wire[np.searchsorted(numbers, MOST)][None])]

    def say(self, site: Site) -> Said:
        message = f"There are {_count(site.reading):,} messages; this is the first one over {MOST:,}."
        return Said(message, cause="number of messages", whole=True)


def _count(reading: Reading) -> int:
    return int(reading.wire_message.max(initial=-1)) + 1 if reading.view.transcript.table.joins else reading.turns


RULE = MessagesTooMany()
