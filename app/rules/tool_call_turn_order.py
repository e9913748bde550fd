"""A call that does not follow a turn of the user (Gemini).

The conversation must not begin with the model's call: a cut that took the prompt leaves it so. Another content of the model directly
before the one with the call is disputed: two neighbours with a call each are recorded with status 200 (gemini-3-flash-preview), so that
neighbours seem to be joined first, and the reports of a refusal (lobehub/lobehub#10049 of 2025-11, continuedev/continue#11164) give no
exact shape: a warning.

Evidence: google-gemini/gemini-cli#11814 (the history starts with a call), #26486.

Repair: a short message of the user in front; the parts of neighbours are put into one content.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import After, Before, Change, Edit, Insert, Made, Move
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._rule import Rule, Said
from app.rules._said import answer_alone, tool
from app.rules._scene import Site


class ToolCallTurnOrder(Rule):
    name = "tool-call-turn-order"
    summary = "a call that does not follow a turn of the user"
    of_an_end = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        return [self.hit(reading, _leading(reading)), self.hit(reading, _beside(reading), severity="warning")]

    def say(self, site: Site) -> Said:
        if site.severity == "warning":
            message = f"Another message of the model stands directly before the one that calls {tool(site, site.position)} (disputed)."
            return Said(message, ids=site.ids, cause="neighbours")
        message = f"The conversation begins with the model's call of {tool(site, site.position)}; a message of the user comes first."
        return Said(message, ids=site.ids, cause="first message")

    def fixes(self, site: Site) -> Sequence[Change]:
        message = site.scene.message_of(site.position)
        if site.severity == "error":
            made = Made(Kind.TEXT, Role.USER, "[conversation continued]")
            first = site.row_of(int(site.reading.of_turn(0)[0]))
            return [site.change("Insert a message of the user in front", "adds", Insert(Before(first), made))]
        turn = site.reading.of_turn(site.turn)
        before = turn[: int(np.flatnonzero(turn == message[0])[0])]
        if not len(before) or site.scene.view.kind[before[-1]] == Kind.EMPTY:
            return []
        anchor, edits = site.row_of(int(before[-1])), list[Edit]()
        for at in message.tolist():
            edits.append(Move(site.row_of(at), After(anchor, join=True)))
            anchor = site.row_of(at)
        return [site.change("Put it into the message before it", "exact", *edits)]


def cached(reading: Reading) -> bool:
    """Whether what comes before the first content is kept by the provider (`cachedContent`) and not in the dump."""
    request = reading.view.transcript.table.request
    return bool(request.get("cachedContent") or request.get("cached_content"))


def _leading(reading: Reading) -> Ints:
    """The first call of the first turn, where that is the model's; not where something came before that the dump does not hold."""
    if not reading.turns or reading.turn_role[0] != Role.ASSISTANT or cached(reading) or answer_alone(reading):
        return np.empty(0, np.int64)
    turn = reading.of_turn(0)
    return turn[reading.view.calls[turn]][:1]


def _beside(reading: Reading) -> Ints:
    """The first call of each message that another one of its turn stands before."""
    if not reading.native or not reading.view.transcript.table.joins:
        return np.empty(0, np.int64)
    wire = reading.wire
    calls = wire[reading.view.calls[wire] & (reading.view.role[wire] == Role.ASSISTANT)]
    if not len(calls):
        return calls
    calls = calls[np.unique(reading.wire_message[calls], return_index=True)[1]]
    firsts = reading.wire_message[wire[reading.turn_start[:-1]]]
    return calls[reading.wire_message[calls] != firsts[reading.turn[calls]]]


RULE = ToolCallTurnOrder()
