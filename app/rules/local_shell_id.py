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
from app.model.kinds import Kind
from app.model.provider import Reading
from app.rules._items import id_of, own_ids, words
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
        found = np.flatnonzero(mine)
        if not len(found):
            return []
        same = np.asarray([self._one(reading, int(at)) for at in found], bool)
        return [self.hit(reading, found[same])]

    def _one(self, reading: Reading, position: int) -> bool:
        """Whether the row tells only one id: none of its own, or none but its own (then that is its call's id)."""
        table, row = reading.view.transcript.table, int(reading.view.rows[position])
        assert table.item is not None
        own = table.item_ids.text(int(table.item[row]))
        return own is None or table.ids.text(int(table.key[row])) == own

    def say(self, site: Site) -> Said:
        own = id_of(site.scene, site.position)
        which = "`call_id` and no `id`" if own is None else "the same word for both ids, or no `call_id`"
        return Said(f"This output of a local shell has {which}; the specification names both.", ids=site.ids, cause="shell")

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.id is None or id_of(site.scene, site.position) is not None:
            return []
        return [site.change("Send both ids", "exact", Set(site.row, "message.id", site.id))]


RULE = LocalShellId()
