"""An item that only the server could complete, in a request that keeps nothing (OpenAI Responses).

With `store: false` and nothing that the request continues, an `item_reference`, or a reasoning item with an id and without
`encrypted_content`, is looked up and not found. Messages and calls that are sent whole may keep their ids.

Evidence: text-index ids 58700505210, 68868323073, 55601539397 (status 404 or 400); anomalyco/opencode#7724.

Repair: the reasoning goes, and the ids of what was emitted with it; a reference goes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop
from app.model.findings import Hit
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._items import chained, id_of, is_answer, own_ids, stored, turn_after, without_ids, words
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ItemNotPersisted(Rule):
    name = "item-not-persisted"
    summary = "an item that only the server could complete, in a request that keeps nothing"

    def check(self, reading: Reading) -> Sequence[Hit]:
        own, view = own_ids(reading), reading.view
        if own is None or stored(reading) or chained(reading) or is_answer(reading):
            return []
        thought = (view.kind == Kind.REASONING) & (own >= 0) & ((view.flags & Flag.SIGNED) == 0)
        referred = np.isin(view.type, words(reading, "item_reference")) & (view.kind == Kind.OTHER)
        return [self.hit(reading, np.flatnonzero((thought | referred) & reading.sent))]

    def say(self, site: Site) -> Said:
        own = id_of(site.scene, site.position) or ""
        what = "reasoning item is here by its id alone" if site.kind == Kind.REASONING else "reference stands for an item of the server"
        message = f"This {what}, and the request says that nothing is stored."
        return Said(message, ids=(own,), cause="store", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.kind != Kind.REASONING:
            return [_fixes.drop(site, "Drop the reference", [site.position])]
        edits = without_ids(site, turn_after(site, site.position))
        title = "Drop the reasoning and the ids of what came with it" if edits else "Drop the reasoning"
        return [site.change(title, "loses", Drop(_fixes.rows(site, [site.position])), *edits)]


RULE = ItemNotPersisted()
