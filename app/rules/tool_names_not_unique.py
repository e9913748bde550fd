"""Two tools with one name in a request (Anthropic).

A call names its tool and nothing else: with two of one name nobody could tell which is meant.

Evidence: tailcallhq/forgecode#892.

Repair: a second definition that says the same goes; one that says something else gets a name of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Set
from app.model.findings import Hit
from app.model.kinds import Kind
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ToolNamesNotUnique(Rule):
    name = "tool-names-not-unique"
    summary = "two tools with one name"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        tools = np.flatnonzero((view.kind == Kind.TOOLS) & (view.name >= 0))
        if not reading.native or len(tools) < 2:
            return []
        _, first, back = np.unique(view.name[tools], return_index=True, return_inverse=True)
        again = first[back] != np.arange(len(tools))
        return [self.hit(reading, tools[again], view.rows[tools[first[back][again]]])]

    def say(self, site: Site) -> Said:
        name = site.scene.name(site.position)
        message = f"A second tool is named `{name[:80]}`."
        return Said(message, f"The first one is defined at {site.scene.pointer_of(site.detail)}.", cause=f"tool {name}")

    def fixes(self, site: Site) -> Sequence[Change]:
        scene = site.scene
        mine, other = site.block, scene.block_of(site.detail)
        if mine is not None and other is not None and mine.value == other.value:
            return [site.change("Drop the second definition", "exact", Drop(_fixes.rows(site, [site.position])))]
        name, taken = scene.name(site.position), set(scene.table.names)
        new = next(f"{name[:190]}_{n}" for n in range(2, len(taken) + 3) if f"{name[:190]}_{n}" not in taken)
        renamed = site.change(f"Name it `{new}`", "exact", Set(site.row, "name", new))
        return [renamed, _fixes.drop(site, "Drop the second definition", [site.position])]


RULE = ToolNamesNotUnique()
