"""An output of a local shell that bears one of two ids (OpenAI Responses).

The specification lists `id` among the members of a `local_shell_call_output` and asks for `call_id`, which it does not list. Clients send
one or the other.

Evidence: openai/openai-openapi@f85dbe2; text-index id 62944636296 (low confidence: no refusal was seen).

Repair: both are sent.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Kind, Mark
from app.model.provider import Reading
from app.rules._items import own_ids, words
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class LocalShellId(Rule):
    name = "local-shell-id"
    summary = "an output of a local shell that bears one of two ids"
    severity = "warning"

    def check(self, reading: Reading) -> Sequence[Hit]:
        own, view = own_ids(reading), reading.view
        if own is None:
            return []
        mine = reading.sent & (view.kind == Kind.TOOL_RESULT) & np.isin(view.type, words(reading, "local_shell_call_output"))
        return [self.hit(reading, np.flatnonzero(mine & ((own < 0) | view.marked(Mark.CALL_ID_LENT))))]

    def say(self, site: Site) -> Said:
        lacks, has = ("call_id", "id") if self._lent(site) else ("id", "call_id")
        message = f"This output of a local shell has `{has}` and no `{lacks}`; the specification names both."
        return Said(message, ids=site.ids, cause="shell")

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.id is None:
            return []
        lacks = "block.call_id" if self._lent(site) else "message.id"
        return [site.change("Send both ids", "exact", Set(site.row, lacks, site.id))]

    def _lent(self, site: Site) -> bool:
        return bool(site.scene.view.marked(Mark.CALL_ID_LENT)[site.position])


RULE = LocalShellId()
