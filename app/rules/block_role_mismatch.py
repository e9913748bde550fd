"""A result in an assistant message, or a call in a message that is not the assistant's.

Such a result answers nothing, so its call is a finding as well. What Gemini makes of a call in a content of the user is not known (a
warning); calls and results in one content it refuses.

Evidence: a live probe of claude-haiku-4-5 (2026-08-28); microsoft/agent-framework#4328; V1ki/dsh-plugin-subscriptions#23 (a helper's
last message, pasted into a notice of the user). Gemini: googleapis/python-genai#81.

Repair: a result goes to the head of the turn that answers its call. A call that is answered behind its message goes to the assistant
message before it; one that is only quoted becomes text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import After, Change, Drop, Insert, Made, Move
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Defect, Reading
from app.rules import _fixes
from app.rules._rule import PairRule, Said
from app.rules._said import cause_of, tool
from app.rules._scene import Site


class BlockRoleMismatch(PairRule):
    name = "block-role-mismatch"
    summary = "a result in an assistant message, or a call in a user message"
    defect = Defect.ROLE_MISMATCH
    by_mode = False

    def check(self, reading: Reading) -> Sequence[Hit]:
        found = self.found(reading)
        if "role-invalid" in reading.provider.judges and reading.native:
            found = found[reading.view.role[found] != Role.OTHER]  # that rule says it
        results = reading.view.kind[found] == Kind.TOOL_RESULT
        return [self.hit(reading, found[results], variant="result"), self.hit(reading, found[~results], variant="call")]

    def say(self, site: Site) -> Said:
        role = Role(int(site.scene.view.role[site.position])).name.lower()
        if site.kind == Kind.TOOL_RESULT:
            message = f"A result stands in a message of the {role}, where it answers nothing."
            return Said(message, ids=site.ids, cause=cause_of(site), variant="result")
        message = f"The call of {tool(site, site.position)} stands in a message of the {role}; only the assistant calls."
        return Said(message, ids=site.ids, cause=cause_of(site), variant="call")

    def fixes(self, site: Site) -> Sequence[Change]:
        return self._of_result(site) if site.kind == Kind.TOOL_RESULT else self._of_call(site)

    def _of_result(self, site: Site) -> list[Change]:
        call = site.scene.waiting(int(site.scene.view.key[site.position]))
        found = [_fixes.move_home(site, site.position, call)] if call >= 0 else []
        return [*found, _fixes.drop(site, "Drop the result", [site.position])]

    def _of_call(self, site: Site) -> list[Change]:
        view, turn = site.scene.view, site.turn
        before = site.reading.of_turn(turn - 1)
        behind = np.concatenate([site.reading.of_turn(turn), site.reading.of_turn(turn + 1)])
        answered = bool((view.results[behind] & (view.key[behind] == view.key[site.position]) & (view.key[behind] >= 0)).any())
        found = []
        if answered and len(before) and site.reading.turn_role[turn - 1] == Role.ASSISTANT:
            place = After(site.row_of(int(before[-1])), join=True)
            found.append(site.change("Move the call to the assistant message before it", "exact", Move(site.row, place)))
        block = site.block
        args = block.texts[0] if block is not None and block.texts else ""
        text = Made(Kind.TEXT, Role(int(view.role[site.position])), f"[call of {site.scene.name(site.position) or 'a tool'}: {args}]")
        insert = Insert(_fixes.beside(site), text)
        found.append(site.change("Make the call text", "loses", insert, Drop(_fixes.rows(site, [site.position]))))
        return found


RULE = BlockRoleMismatch()
