"""A result that does not name its tool (Gemini).

Calls and results are tied by place and number, but each result must say whose it is. Messages of OpenAI's wire carry the id alone, and a
conversion that does not look up the call leaves the name out.

Evidence: recorded texts ("function_response.name: Name cannot be empty").

Repair: the name of the call that it answers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._said import cause_of, named
from app.rules._scene import Site


class ToolResultNameMissing(Rule):
    name = "tool-result-name-missing"
    summary = "a result that does not name its tool"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native:
            return []
        names = view.transcript.table.names
        nameless = view.name < 0
        if "" in names:
            nameless |= view.name == names.index("")
        return [self.hit(reading, np.flatnonzero(view.results & nameless & reading.sent))]

    def say(self, site: Site) -> Said:
        name = self._call_name(site)
        reason = f"It answers the call of `{name}`, at {site.scene.pointer(site.partner)}." if name else ""
        return Said(f"This result {named(site)}does not name its tool.", reason, site.ids, cause_of(site))

    def fixes(self, site: Site) -> Sequence[Change]:
        name = self._call_name(site)
        if name:
            return [site.change("Give it the name of its call", "exact", Set(site.row, "name", name))]
        return [site.change("Name the tool “unnamed”", "adds", Set(site.row, "name", "unnamed"))]

    def _call_name(self, site: Site) -> str:
        return site.scene.name(site.partner) if site.partner >= 0 else ""


RULE = ToolResultNameMissing()
