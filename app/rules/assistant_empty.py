"""An assistant message with neither text nor calls (OpenAI Chat, Mistral).

OpenAI Chat: content null is taken beside calls only; an empty list never. Mistral refuses the empty string without calls too. On DeepSeek
it is not known: a warning.

Evidence: openai/openai-openapi@f85dbe2 ("required unless tool_calls or function_call is specified"); vercel/ai#13744. Mistral:
OpenHands/OpenHands#8685; mistralai/mistral-common@bc022b9, protocol/instruct/validator.py.

Repair: the message goes, where another one is there; else its content becomes "" (OpenAI) or "(empty)" (Mistral).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class AssistantEmpty(Rule):
    name = "assistant-empty"
    summary = "an assistant message with neither text nor calls"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        empty = (view.kind == Kind.EMPTY) & ((view.flags & Flag.CONTENT_ODD) == 0)
        if f"{self.name}/text" in reading.provider.strict:
            empty |= (view.kind == Kind.TEXT) & ((view.flags & Flag.TEXT_EMPTY) != 0)
        others = reading.sent & ~empty & (view.kind != Kind.REASONING)
        found = np.flatnonzero(empty & (view.role == Role.ASSISTANT) & reading.sent)
        if len(found):  # a message with calls, or with another text, is not empty
            found = found[~np.isin(view.message[found], view.message[others])]
            found = found[np.unique(view.message[found], return_index=True)[1]]
        return [self.hit(reading, found)]

    def say(self, site: Site) -> Said:
        return Said("This message of the assistant has neither text nor calls.", cause="empty message", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        if f"{self.name}/text" in site.reading.provider.strict:
            found = [site.change("Put “(empty)” in its place", "adds", Set(site.row, "content", _fixes.EMPTY))]
        else:
            found = [site.change("Make the content an empty string", "exact", Set(site.row, "content", ""))]
        message = site.scene.message_of(site.position).tolist()
        if len(site.reading.wire) > len(message):
            found.insert(0, site.change("Drop the empty message", "exact", Drop(_fixes.rows(site, message))))
        return found


RULE = AssistantEmpty()
