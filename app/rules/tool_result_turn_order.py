"""A result in a content behind which no call stands (Gemini).

A content with results must follow the model's calls at once: its call was dropped (usually by a pass that drops the oldest messages), or
it is a second content of results behind a complete one. Gemini's other name for it is `tool-result-orphan`. Where the call is there and
only something stands between, it is `tool-result-not-adjacent` or `tool-results-split-across-messages`.

Evidence: GoogleCloudPlatform/generative-ai PR #368; langchain-ai/langchain#27799; BerriAI/litellm#26755; lobehub/lobehub#7298;
google-gemini/gemini-cli#26956.

Repair: a result that stands before its call goes behind it; a further one for a call that is answered goes where it says the same, else
into the first; else it goes.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.model.edits import Change
from app.model.kinds import Flag
from app.rules._further import SAME, put_together
from app.rules._reasons import missing_call
from app.rules._rule import Said
from app.rules._said import cause_of, named
from app.rules._scene import Site
from app.rules.tool_result_orphan import ToolResultOrphan


class ToolResultTurnOrder(ToolResultOrphan):
    name = "tool-result-turn-order"
    summary = "a result in a content behind which no call stands"

    def say(self, site: Site) -> Said:
        first = self._first(site)
        if first >= 0:
            message = f"This is a further result {named(site)}for a call that is answered already."
            return Said(message, f"The first one stands at {site.scene.pointer(first)}.", site.ids, cause_of(site))
        message = f"This result {named(site)}answers a call that is not there: what stands before it calls nothing."
        return Said(message, missing_call(site, site.position), site.ids, cause_of(site))

    def fixes(self, site: Site) -> Iterator[Change]:
        first = self._first(site)
        made = put_together(site, {first: [site.position]}) if first >= 0 and site.position not in site.scene.homes else None
        if made is not None:
            yield made
        if made is None or made.title != SAME:
            yield from super().fixes(site)

    def _first(self, site: Site) -> int:
        """The last result of its id before it that answers a call; -1 where there is none."""
        if not site.id or site.flags & Flag.ID_EMPTY:
            return -1
        same = site.scene.results_of(int(site.scene.view.key[site.position]))
        same = same[(same < site.position) & (site.reading.partner[same] >= 0)]
        return int(same[-1]) if len(same) else -1


RULE = ToolResultTurnOrder()
