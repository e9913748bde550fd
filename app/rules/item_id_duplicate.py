"""Two items of one list bear one id (OpenAI Responses).

The id is the server's name for an item (`fc_...`, `msg_...`, `rs_...`), not the `call_id` that pairs. Seen where one call was written once
for its request and once for its approval, and where a full item and an `item_reference` stand for the same thing. In a request that
continues another one, an item that the server has already counts as well; that cannot be seen here.

Evidence: vercel/ai#13307, PR #13383; HKUDS/nanobot#3961; OpenRouterTeam/ai-sdk-provider#254; MacPaw/OpenAI#432.

Repair: a copy goes; another item loses the id, by which nothing pairs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.block import Block
from app.model.edits import DELETE, Change, Drop, Set
from app.model.findings import Hit
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._items import heads, id_of, own_ids
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ItemIdDuplicate(Rule):
    name = "item-id-duplicate"
    summary = "two items of one list bear one id"

    def check(self, reading: Reading) -> Sequence[Hit]:
        own = own_ids(reading)
        if own is None:
            return []
        at = reading.wire[(heads(reading) & (own >= 0))[reading.wire]]
        _, first, back = np.unique(own[at], return_index=True, return_inverse=True)
        again = np.arange(len(at)) != first[back]
        return [self.hit(reading, at[again], reading.view.rows[at[first[back]]][again])]

    def say(self, site: Site) -> Said:
        own = id_of(site.scene, site.position) or ""
        first = site.scene.view.at(site.detail)
        reason = f"The first one stands at {site.scene.message_pointer(first)}." if first >= 0 else ""
        message = f"This {site.scene.type(site.position)} bears the id of an item before it ({own})."
        ids = (own, *site.ids)
        return Said(message, reason, ids, cause=f"item {own}", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        first = site.scene.view.at(site.detail)
        mine = site.scene.message_of(site.position).tolist()
        copy = first >= 0 and self._same(site, first)
        found = []
        if copy:
            found.append(site.change("Drop the copy", "exact", Drop(_fixes.rows(site, mine))))
        if site.scene.type(site.position) != "item_reference":
            found.append(site.change("Delete the id of the second item", "exact", Set(site.row, "message.id", DELETE)))
        if not copy:
            found.append(_fixes.drop(site, "Drop the second item", mine))
        return found

    def _same(self, site: Site, first: int) -> bool:
        """Whether the second item says nothing that the first does not: it is the same, or a reference to it."""
        if site.scene.type(site.position) == "item_reference":
            return True
        scene = site.scene
        ours, theirs = scene.message_of(site.position).tolist(), scene.message_of(first).tolist()
        if len(ours) != len(theirs) or (site.partner >= 0 and scene.view.calls[site.position]):
            return False
        blocks = [(scene.block(a), scene.block(b)) for a, b in zip(ours, theirs, strict=True)]
        return all(one is not None and other is not None and _told(one) == _told(other) for one, other in blocks)


def _told(block: Block) -> tuple[object, ...]:
    return block.type, block.name, block.texts, block.call_id


RULE = ItemIdDuplicate()
