"""Some calls of a turn are answered, others are not.

A turn is answered whole or not at all: the provider names the missing ids. The finding stands at the message that holds the open calls,
`ids` are those of the open ones. (OpenAI Responses: a turn is the calls with no output and no message of the user between them, and the
finding stands at each open call.)

Evidence: letta-ai/letta#3308; earendil-works/pi#7053; anomalyco/opencode#15152 (two attempts of one step in two adjacent assistant
messages, one answered); coze-dev/coze-studio#2765; anomalyco/opencode#44852;
openai/codex#5385 (Responses).

Repair: as for `tool-call-unanswered`, for all open calls of the message at once; the real results stay.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.model.edits import Change
from app.model.provider import Defect, Reading
from app.model.table import Ints
from app.rules import _fixes
from app.rules._reasons import missing_result
from app.rules._rule import PairRule, Said
from app.rules._said import call_words, cause_of, listed
from app.rules._scene import Site


class ToolCallPartiallyAnswered(PairRule):
    name = "tool-call-partially-answered"
    summary = "some calls of a turn are answered, others are not"
    defect = Defect.CALL_PARTIALLY_ANSWERED

    def found(self, reading: Reading) -> Ints:
        """One for each message: its first open call."""
        positions = np.flatnonzero(reading.defect == self.defect)
        return positions[np.unique(reading.wire_message[positions], return_index=True)[1]]

    def say(self, site: Site) -> Said:
        missing = self._missing(site)
        ids = tuple(site.scene.call_id(at) or "" for at in missing)
        message = f"{len(missing)} of the calls in this turn {'has' if len(missing) == 1 else 'have'} no result: {listed(ids)}."
        reason = missing_result(site, missing[0])
        return Said(message, reason, ids, cause_of(site), True, variant=site.scene.type(site.position), words=call_words(site, missing))

    def fixes(self, site: Site) -> Iterable[Change]:
        return _fixes.for_open_calls(site, self._missing(site))

    def _missing(self, site: Site) -> list[int]:
        message = site.scene.message_of(site.position)
        return [int(at) for at in message[site.reading.defect[message] == self.defect]]


RULE = ToolCallPartiallyAnswered()
