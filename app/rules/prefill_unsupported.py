"""The last message is the assistant's, and the model takes no prefill (Anthropic, Claude on Bedrock).

Claude 4.6 and newer refuse any conversation that ends with the assistant; 4.5 and older take it as the beginning of the answer. Taken by
all: a turn that ends in an open call of a provider's tool (`pause_turn`). An open call of the client is `tool-call-trailing`. So far it
is well formed: this is a finding only where the transcript would be sent now.

Evidence: smallmain/vscode-unify-chat-provider#249; cortexkit/magic-context#511; ericc-ch/copilot-api PR #261 (which models);
vybestack/llxprt-code PR #3695.

Repair: a user message "Continue." behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, End, Insert, Made
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Defect, Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class PrefillUnsupported(Rule):
    name = "prefill-unsupported"
    summary = "the last message is the assistant's, and the model takes no prefill"
    by_mode = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        last = reading.turns - 1
        ends = last >= 0 and reading.turn_role[last] == Role.ASSISTANT
        if reading.mode == "prefix" or not ends or not reading.provider.refuses_prefill(reading.model):
            return []
        turn = reading.of_turn(last)
        if np.isin(reading.defect[turn], (Defect.CALL_TRAILING, Defect.IN_FLIGHT)).any() or "fallback_credit_token" in _request(reading):
            return []
        message = turn[reading.wire_message[turn] == reading.wire_message[turn[-1]]]
        return [self.hit(reading, message[:1])]

    def say(self, site: Site) -> Said:
        model = site.reading.model or "this model"
        return Said(
            f"The conversation ends with the assistant, and {model} takes no such beginning of an answer.", cause="last message", whole=True
        )

    def fixes(self, site: Site) -> Sequence[Change]:
        more = site.change("Insert a message of the user: “Continue.”", "adds", Insert(End(), Made(Kind.TEXT, Role.USER, "Continue.")))
        message = site.scene.message_of(site.position).tolist()
        return [more, _fixes.drop(site, "Drop the last message", message)]


def _request(reading: Reading) -> dict[str, object]:
    return reading.view.transcript.table.request


RULE = PrefillUnsupported()
