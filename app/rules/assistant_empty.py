"""An assistant message with neither text nor calls (OpenAI Chat).

Content null is taken beside calls only; an empty list never.

Evidence: openai/openai-openapi@f85dbe2 ("required unless tool_calls or function_call is specified"); vercel/ai#13744.

Repair: the message goes.
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
        empty = (view.kind == Kind.EMPTY) & (view.role == Role.ASSISTANT) & reading.sent & ((view.flags & Flag.CONTENT_ODD) == 0)
        found = np.flatnonzero(empty)
        if len(found):  # a message with calls is not empty, whatever its content is
            found = found[~np.isin(view.message[found], view.message[view.calls])]
        return [self.hit(reading, found)]

    def say(self, site: Site) -> Said:
        return Said("This message of the assistant has neither text nor calls.", cause="empty message", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        found = [site.change("Make the content an empty string", "exact", Set(site.row, "content", ""))]
        if len(site.reading.wire) > 1:
            found.insert(0, site.change("Drop the empty message", "exact", Drop(_fixes.rows(site, [site.position]))))
        return found


RULE = AssistantEmpty()
