"""Something stands before a result in the turn that answers (Anthropic, Claude on Bedrock; Gemini).

The results must be the leading run of the joined user turn. Text or an image before one, or between two, also in a message of its own,
gives the plain "ids were found without tool_result" error although a result for every id is there; a comparison of sets of ids can't
see it. Text behind all results is taken. Gemini: only its own client takes care to put results first (google-gemini/gemini-cli@5411f11); no
refusal is known: a warning.

Evidence: a live probe of 2026-07-25 (`u | a[tool_use] | u[text, R1]` and `u | a[tool_use x2] | u[R1, text] | u[R2]` = 400);
Anthropic's documentation on tool use; cubeplexai/cubeloop#113; OpenHands/software-agent-sdk#1344.

Repair: the result moves to the head of the turn; nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.edits import Change
from app.model.kinds import Kind
from app.model.provider import Defect
from app.rules import _fixes
from app.rules._rule import PairRule, Said
from app.rules._said import call_words, cause_of, named
from app.rules._scene import Site


class ToolResultNotFirst(PairRule):
    name = "tool-result-not-first"
    summary = "something stands before a result in the turn that answers"
    defect = Defect.RESULT_NOT_FIRST
    by_mode = False

    def say(self, site: Site) -> Said:
        view = site.scene.view
        turn = site.reading.of_turn(site.turn)
        wedge = turn[~view.results[turn] & (view.kind[turn] != Kind.EMPTY)]
        what = Kind(int(view.kind[wedge[0]])).word if len(wedge) else "something"
        message = f"This result {named(site)}stands behind {what} in its turn; results come first."
        reason = f"What stands before it is at {site.scene.pointer(int(wedge[0]))}." if len(wedge) else ""
        return Said(message, reason, site.ids, cause_of(site), words=call_words(site, [site.partner]))

    def fixes(self, site: Site) -> Sequence[Change]:
        return [_fixes.move_home(site, site.position, site.partner)]


RULE = ToolResultNotFirst()
