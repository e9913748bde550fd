"""Two calls of one turn share an id.

An id must be unique inside one (joined) assistant turn only; the same id in two turns, each answered, is taken (recorded with status 200
on claude-sonnet-4-5). Results are paired with such calls in order, so they are no duplicates themselves.

OpenAI Responses pairs over the whole list; that an id comes again in a later turn is refused by compatible hosts at least, and a warning.
Where a whole item stands there twice, `item-id-duplicate` says it.

Evidence: anthropics/claude-code#20901, #28515, #20700; trycua/cua#524; BerriAI/litellm#23510 (one message converted twice);
anomalyco/opencode#1279; openclaw/openclaw PR #47136. Responses: earendil-works/pi#9057; NousResearch/hermes-agent#102629.

Repair: a second call with the same name and arguments and no result of its own is a copy and goes; else the second call and its result
get one new id.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Edit, Set
from app.model.findings import Hit
from app.model.provider import Defect, Reading
from app.model.table import Ints
from app.rules import _fixes
from app.rules._items import heads, own_ids
from app.rules._rule import PairRule, Said
from app.rules._said import cause_of, tool
from app.rules._scene import Site


class ToolCallIdDuplicate(PairRule):
    name = "tool-call-id-duplicate"
    summary = "two calls of one turn share an id"
    defect = Defect.CALL_ID_DUPLICATE
    by_mode = False

    def found(self, reading: Reading) -> Ints:
        """Copies of whole items are another rule's."""
        positions = super().found(reading)
        own = own_ids(reading)
        return positions if own is None or not len(positions) else positions[~_copies(reading, own)[positions]]

    def check(self, reading: Reading) -> Sequence[Hit]:
        hits = list(super().check(reading))
        if reading.provider.pairing == "anywhere":
            view = reading.view
            calls = np.flatnonzero(view.calls & reading.sent & (view.key >= 0) & (reading.defect != self.defect))
            again = np.ones(len(calls), bool)
            again[np.unique(view.key[calls], return_index=True)[1]] = False
            if again.any():
                partner = reading.partner[calls[again]]
                rows = np.where(partner >= 0, view.rows[np.maximum(partner, 0)], -1)
                hits.append(self.hit(reading, calls[again], rows, severity="warning"))
        return hits

    def say(self, site: Site) -> Said:
        where = "in another turn; some hosts refuse that" if site.severity == "warning" else "in its turn"
        message = f"The call of {tool(site, site.position)} bears the id of a call before it {where}."
        first = self._first(site)
        reason = f"The first one stands at {site.scene.pointer(first)}." if first >= 0 else ""
        return Said(message, reason, site.ids, cause_of(site))

    def fixes(self, site: Site) -> Sequence[Change]:
        first = self._first(site)
        found = []
        if site.partner < 0 and first >= 0 and self._same(site, first):
            found.append(site.change("Drop the copy of the call", "exact", Drop(_fixes.rows(site, [site.position]))))
        new = _fixes.fresh_id(site.reading.provider, site.id or "", site.row)
        edits: list[Edit] = [Set(site.row, "call_id", new)]
        if site.partner >= 0:
            edits.append(Set(site.row_of(site.partner), "call_id", new))
        found.append(site.change("Give the call and its result an id of their own", "exact", *edits))
        return found

    def related(self, site: Site) -> int:
        first = self._first(site)
        return site.row_of(first) if first >= 0 else -1

    def _first(self, site: Site) -> int:
        first = self._firsts(site).get(int(site.scene.view.key[site.position]), -1)
        return first if first != site.position else -1

    def _firsts(self, site: Site) -> dict[int, int]:
        """Of each id the first call that bears it: in the turn where they clash there, else of all."""
        view, reading = site.scene.view, site.reading
        turn = site.turn if site.severity == "error" else -1
        kept = view.readings.setdefault(("first calls", reading.provider.name, reading.model), {})
        if turn not in kept:
            at = reading.of_turn(turn) if turn >= 0 else reading.wire
            at = at[view.calls[at]]
            keys, first = np.unique(view.key[at], return_index=True)
            kept[turn] = dict(zip(keys.tolist(), at[first].tolist(), strict=True))
        found: dict[int, int] = kept[turn]
        return found

    def _same(self, site: Site, first: int) -> bool:
        one, other = site.scene.block(first), site.block
        return one is not None and other is not None and (one.name, one.texts) == (other.name, other.texts)


def _copies(reading: Reading, own: Ints) -> Ints:
    """Mask over positions: items whose own id came before."""
    copies = np.zeros(len(own), bool)
    at = reading.wire[(heads(reading) & (own >= 0))[reading.wire]]
    again = np.ones(len(at), bool)
    again[np.unique(own[at], return_index=True)[1]] = False
    copies[at[again]] = True
    return copies


RULE = ToolCallIdDuplicate()
