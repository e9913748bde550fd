"""The last message is the assistant's and does not say that it is the beginning of an answer (Mistral).

A finding only where the transcript would be sent now. An open call in it is `tool-call-trailing`.

Evidence: mistralai/mistral-common@bc022b9 v1.11.7 (2026-07-23), protocol/instruct/validator.py; reports with code 3230.

Repair: a user message "Continue." behind it; or the mark `prefix`, where it is the beginning of an answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, End, Insert, Made, Set
from app.model.findings import Hit
from app.model.kinds import Kind, Mark, Role
from app.model.provider import Defect, Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class LastMessageNotUser(Rule):
    name = "last-message-not-user"
    summary = "the last message is the assistant's"
    by_mode = True
    of_an_end = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        last = reading.turns - 1
        if reading.mode == "prefix" or last < 0 or reading.turn_role[last] != Role.ASSISTANT:
            return []
        turn = reading.of_turn(last)
        if np.isin(reading.defect[turn], (Defect.CALL_TRAILING, Defect.IN_FLIGHT)).any() or reading.view.marked(Mark.PREFIX)[turn].any():
            return []
        message = turn[reading.wire_message[turn] == reading.wire_message[turn[-1]]]
        return [self.hit(reading, message[:1])]

    def say(self, site: Site) -> Said:
        return Said("The conversation ends with the assistant.", cause="last message", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        more = Insert(End(), Made(Kind.TEXT, Role.USER, "Continue."))
        found = [site.change("Insert a message of the user: “Continue.”", "adds", more)]
        if f"{self.name}/prefix" in site.reading.provider.strict:
            found.append(site.change("Mark it as the beginning of an answer", "adds", Set(site.row, Mark.PREFIX, True)))
        return found


RULE = LastMessageNotUser()
