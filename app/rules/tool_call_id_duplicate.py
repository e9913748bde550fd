"""Two calls of one turn share an id.

An id must be unique inside one (joined) assistant turn only; the same id in two turns, each answered, is taken (recorded with status 200
on claude-sonnet-4-5). Results are paired with such calls in order, so they are no duplicates themselves.

Evidence: anthropics/claude-code#20901, #28515, #20700; trycua/cua#524; BerriAI/litellm#23510 (one message converted twice);
anomalyco/opencode#1279; openclaw/openclaw PR #47136.

Repair: a second call with the same name and arguments and no result of its own is a copy and goes; else the second call and its result
get one new id.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.edits import Change, Drop, Edit, Set
from app.model.provider import Defect
from app.rules import _fixes
from app.rules._rule import PairRule, Said
from app.rules._said import cause_of, tool
from app.rules._scene import Site


class ToolCallIdDuplicate(PairRule):
    name = "tool-call-id-duplicate"
    summary = "two calls of one turn share an id"
    defect = Defect.CALL_ID_DUPLICATE
    by_mode = False

    def say(self, site: Site) -> Said:
        message = f"The call of {tool(site, site.position)} bears the id of a call before it in its turn."
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

    def _first(self, site: Site) -> int:
        key = site.scene.view.key
        turn = site.reading.of_turn(site.turn)
        same = turn[(key[turn] == key[site.position]) & site.scene.view.calls[turn]]
        return int(same[0]) if len(same) and same[0] != site.position else -1

    def _same(self, site: Site, first: int) -> bool:
        one, other = site.scene.block(first), site.block
        return one is not None and other is not None and (one.name, one.texts) == (other.name, other.texts)


RULE = ToolCallIdDuplicate()
