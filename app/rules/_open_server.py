"""Turns of the user behind which a tool of the provider is still at work."""

from __future__ import annotations

import numpy as np

from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.model.table import Ints


def waiting_calls(reading: Reading) -> Ints:
    """For each turn of the user that holds results the position of the provider's own call in the turn before it that is still open; -1
    for all other turns."""
    view, wire = reading.view, reading.wire
    calls = np.flatnonzero((view.kind == Kind.TOOL_CALL) & view.server & reading.sent)
    partner = reading.partner[calls]
    still_open = (partner < 0) | (reading.turn[np.maximum(partner, 0)] > reading.turn[calls])
    waiting = np.full(reading.turns + 1, -1, np.int64)
    waiting[reading.turn[calls[still_open]] + 1] = calls[still_open]
    waiting = waiting[: reading.turns]
    answered = np.zeros(reading.turns, bool)
    answered[reading.turn[wire[view.results[wire]]]] = True
    waiting[(reading.turn_role != Role.USER) | ~answered] = -1
    return waiting
