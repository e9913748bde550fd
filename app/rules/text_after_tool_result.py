"""Text or an image behind the results in the same user message (Anthropic).

Accepted (17 recorded requests), but the documentation on stop reasons says that it can give empty replies of two or three tokens.
Behind a result that answers nothing, and while a tool of the provider is open, the text is no finding of its own.

Evidence: pydantic/pydantic-ai@4fda389, recorded; Anthropic's documentation on stop reasons.

Repair: none is needed; whoever writes the loop may send the text in a later turn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.findings import Hit
from app.model.kinds import Kind
from app.model.provider import Reading
from app.rules._open_server import waiting_calls
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class TextAfterToolResult(Rule):
    name = "text-after-tool-result"
    summary = "text behind the results in the same user message"
    severity = "warning"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, wire = reading.view, reading.wire
        message = reading.wire_message[wire]
        answers = np.flatnonzero(view.results[wire] & (view.role[wire] == reading.provider.answers) & (reading.partner[wire] >= 0))
        last = np.full(int(message.max(initial=-1)) + 1, len(wire), np.int64)  # the last result of each message
        last[message[answers]] = answers
        behind = (np.arange(len(wire)) > last[message]) & (view.kind[wire] != Kind.EMPTY)
        behind &= ~view.results[wire] & (waiting_calls(reading)[reading.turn[wire]] < 0)
        found = wire[behind]
        return [self.hit(reading, found[np.unique(reading.wire_message[found], return_index=True)[1]])]

    def say(self, site: Site) -> Said:
        return Said(
            f"This {site.kind.word} stands behind results in one message; such turns can get empty replies.", cause="text behind results"
        )


RULE = TextAfterToolResult()
