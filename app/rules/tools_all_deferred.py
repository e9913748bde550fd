"""Every tool of a request is deferred (Anthropic).

A tool that is loaded when it is looked for needs one that is there from the start, the search for tools mostly.

Evidence: Anthropic's documentation of the tool search tool; nearai/ironclaw PR #7274; a live matrix (text-index id 59259963368).

Repair: the first tool is loaded at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Change, Set
from app.model.findings import Hit
from app.model.kinds import Kind, Mark
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ToolsAllDeferred(Rule):
    name = "tools-all-deferred"
    summary = "every tool is deferred"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native or Mark.DEFERRED not in view.transcript.table.marks:
            return []
        tools = np.flatnonzero(view.kind == Kind.TOOLS)
        return [self.hit(reading, tools[: 1 if view.marked(Mark.DEFERRED)[tools].all() else 0])]

    def say(self, site: Site) -> Said:
        count = int((site.scene.view.kind == Kind.TOOLS).sum())
        who = "The only tool is" if count == 1 else f"All {count:,} tools are"
        return Said(f"{who} deferred; one must be loaded at once.", cause="deferred tools")

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Load the first tool at once", "exact", Set(site.row, "block.defer_loading", DELETE))]


RULE = ToolsAllDeferred()
