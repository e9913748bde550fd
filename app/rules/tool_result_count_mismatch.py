"""A turn has more results than calls, or fewer (Gemini).

Where only numbers count, ids are not looked at: the content behind a turn with n calls must hold n results. The finding stands at that
content; `ids` are those of the calls that stay open, or of the results that are too many, as far as ids, names and order tell which. Where
there is no result at all, it is `tool-call-unanswered`. Gemini's other names for it (`tool-call-partially-answered`,
`tool-result-duplicate`) say the same. Mistral and Bedrock count as well; there every result has an id, and other rules tell which one.

Evidence: google-gemini/gemini-cli#16984, #16543, #4217, #3814, #14590, #5443; google/adk-python#7115 (one of two answered on resume),
#2215 (an interim and a final response). Bedrock (too many): Just-Curieous/Curie#16; strands-agents/harness-sdk#1435;
pydantic/pydantic-ai#2327. Mistral: mistralai/client-ts#106; partITech/php-mistral#57; mistralai/mistral-common@bc022b9 (its validator).

Repair: too few: a recorded result, else one that says that none was recorded, else the calls go. Too many: what says the same as another
goes, several real ones for one call are put together, else those that are too many go.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.model.edits import Change
from app.model.kinds import Kind
from app.model.provider import Defect, Reading
from app.model.table import Ints
from app.rules import _fixes
from app.rules._further import for_further_results
from app.rules._reasons import missing_result
from app.rules._rule import PairRule, Said
from app.rules._said import call_words, cause_of, listed
from app.rules._scene import Site


class ToolResultCountMismatch(PairRule):
    name = "tool-result-count-mismatch"
    summary = "a turn has more results than calls, or fewer"
    defect = Defect.COUNT_MISMATCH

    def found(self, reading: Reading) -> Ints:
        """One for each turn: the first row of the turn that answers."""
        at = np.flatnonzero(reading.defect == self.defect)
        answers = reading.turn[at] + (reading.view.kind[at] == Kind.TOOL_CALL)
        answers = np.minimum(np.unique(answers), reading.turns - 1)
        return reading.wire[reading.turn_start[answers]]

    def say(self, site: Site) -> Said:
        scene = site.scene
        calls, extra = self._sides(site)
        wrong = calls or extra
        words = call_words(site, calls) if calls else {}
        asked = int(scene.view.calls[site.reading.of_turn(site.turn - 1)].sum())
        given = int(scene.view.results[site.reading.of_turn(site.turn)].sum())
        message = f"{given} result{' stands' if given == 1 else 's stand'} behind {asked} call{'' if asked == 1 else 's'}"
        ids = tuple(found for at in wrong if (found := scene.call_id(at)))
        names = [scene.call_id(at) or scene.name(at) for at in wrong]
        what = "no result for" if calls else "too many"
        message += f" ({what}: {listed([name for name in names if name])})." if any(names) else "."
        reason = missing_result(site, calls[0]) if calls else ""
        return Said(message, reason, ids, cause_of(self._at(site, wrong[0])), whole=True, words=words)

    def fixes(self, site: Site) -> Iterable[Change]:
        calls, extra = self._sides(site)
        if calls:
            yield from _fixes.for_open_calls(site, calls)
        if extra:
            yield from for_further_results(site, extra)

    def _sides(self, site: Site) -> tuple[list[int], list[int]]:
        """The calls that stay open and the results that are too many. There is one of both at most."""
        reading = site.reading
        before, here = reading.of_turn(site.turn - 1), reading.of_turn(site.turn)
        sides = [[int(at) for at in turn if reading.defect[at] == self.defect] for turn in (before, here)]
        calls = [at for at in sides[0] if site.scene.view.calls[at]]
        return calls, [at for at in sides[1] if site.scene.view.results[at]]

    def _at(self, site: Site, position: int) -> Site:
        return Site(site.scene, site.rule, position, site.detail, site.severity)


RULE = ToolResultCountMismatch()
