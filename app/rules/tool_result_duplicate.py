"""A second result for one call.

Seen with the two in separate user messages as well, so the provider counts after joining. A client's result for a call that the provider
has answered itself is one too. (Where two calls share the id, `tool-call-id-duplicate` says it.)

On OpenAI Responses it is a warning: a gateway's refusal is known (NousResearch/hermes-agent#102629), and none of the API itself.

Evidence: sipeed/picoclaw#1792; RooCodeInc/Roo-Code PR #9248; QwenLM/qwen-code PR #8163; agno-agi/agno#5116; vercel/eve#1246.

Repair: a copy goes; what this program put in for a result that was missing goes, and so does an empty one, in front of a real one too; two
real texts are put together in the first; else the second goes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.provider import Defect
from app.rules import _fixes
from app.rules._further import SAME, put_together
from app.rules._rule import PairRule, Said
from app.rules._said import cause_of, named
from app.rules._scene import Site


class ToolResultDuplicate(PairRule):
    name = "tool-result-duplicate"
    summary = "a second result for one call"
    defect = Defect.RESULT_DUPLICATE
    by_mode = False

    def say(self, site: Site) -> Said:
        first = self._first(site)
        message = f"This is a further result {named(site)}for a call that is answered already."
        reason = f"The first one stands at {site.scene.pointer(first)}." if first >= 0 else ""
        same = first >= 0 and site.reading.turn[first] == site.turn
        words = {"first": f"messages[{site.reading.wire_message[first]}]"}
        return Said(message, reason, site.ids, cause_of(site), variant="" if same else "later", words=words)

    def fixes(self, site: Site) -> Sequence[Change]:
        first = self._first(site)
        away = _fixes.drop(site, "Drop the further result", [site.position])
        if first < 0 or site.scene.view.server[first]:
            return [away]
        kept = site.scene.kept.setdefault(self.name, {})
        if first not in kept:
            kept[first] = put_together(site, {first: self._further(site, first)})
        made = kept[first]
        return [away] if made is None else [made] if made.title == SAME else [made, away]

    def related(self, site: Site) -> int:
        first = self._first(site)
        return site.row_of(first) if first >= 0 else -1

    def _first(self, site: Site) -> int:
        """The result that the provider takes for the call: the nearest before this one that is no further one itself."""
        same = site.scene.results_of(int(site.scene.view.key[site.position]))
        same = same[(same < site.position) & (site.reading.defect[same] != self.defect)]
        return int(same[-1]) if len(same) else -1

    def _further(self, site: Site, first: int) -> list[int]:
        """All further results for the call that `first` answers."""
        same = site.scene.results_of(int(site.scene.view.key[site.position]))
        behind = same[same > first]
        others = np.flatnonzero(site.reading.defect[behind] != self.defect)
        return [int(at) for at in (behind[: others[0]] if len(others) else behind)]


RULE = ToolResultDuplicate()
