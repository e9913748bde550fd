"""A result whose call is nowhere before it.

The usual cause is a cut: a pass that drops the oldest messages took the call and left its result. A result that stands *before* its
call, and an answer under another id, are orphans too; then the call is a finding of its own.

OpenAI Responses looks for the call anywhere in the list, and in what the request continues (recorded with status 200). An output in front
of its call, and one whose call may be what an `item_reference` stands for, are warnings: nobody has shown what the API says to the first,
and of the second there are reports both ways (theopenco/llmgateway PR #2714, vercel/ai PR #11114).

Evidence: router-for-me/CLIProxyAPI#497; anthropics/claude-code#13460, #18947; decocms/studio#1803; miurla/morphic#136;
run-llama/llama_index#10493; continuedev/continue#10092 (Responses). Results of the provider's own tools:
anthropics/claude-code#64383, #80439.

Repair: a result that stands before its call goes behind it; one that waits beside one open call gets its id; else it goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.model.edits import After, Change, Drop, Insert, Made
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.pairs import one_of
from app.model.provider import Defect, Reading
from app.rules import _fixes
from app.rules._reasons import missing_call
from app.rules._rule import PairRule, Said
from app.rules._said import cause_of, named
from app.rules._scene import Site


class ToolResultOrphan(PairRule):
    name = "tool-result-orphan"
    summary = "a result whose call is nowhere before it"
    defect = Defect.RESULT_ORPHAN
    by_mode = False

    def check(self, reading: Reading) -> Sequence[Hit]:
        disputed = np.flatnonzero(one_of(reading.defect, (Defect.RESULT_BEFORE_CALL, Defect.RESULT_REFERRED)))
        return [*super().check(reading), *([self.hit(reading, disputed, severity="warning")] if len(disputed) else [])]

    def say(self, site: Site) -> Said:
        before = Role(int(site.reading.turn_role[site.turn - 1])).name.lower() if site.turn else "none"
        words = {"type": site.scene.type(site.position), "before": before}
        if site.flags & Flag.SERVER:
            message = f"This result {named(site)}comes from a tool of the provider, and the call of it is not before it in its turn."
            return Said(message, ids=site.ids, cause=cause_of(site), variant="server", words=words)
        if site.defect == Defect.RESULT_BEFORE_CALL:
            reason = f"Its call stands behind it, at {site.scene.pointer(site.partner)}. What the API says to that is not known."
            return Said(f"This output {named(site)}stands in front of its call.", reason, site.ids, cause_of(site), variant="unknown")
        if site.defect == Defect.RESULT_REFERRED:
            message = f"The call of this output {named(site)}may be what a reference before it stands for."
            return Said(message, "There are reports of a refusal and of none.", site.ids, cause_of(site), variant=words["type"])
        message = f"This result {named(site)}answers a call that is not there."
        turn = site.turn - 1
        behind = turn >= 0 and site.reading.turn_role[turn] == Role.ASSISTANT
        called = behind and bool(site.scene.view.calls[site.reading.of_turn(turn)].any())
        variant = words["type"] if site.scene.table.item is not None else "run" if called else ""
        return Said(message, missing_call(site, site.position), site.ids, cause_of(site), variant=variant, words=words)

    def fixes(self, site: Site) -> Iterator[Change]:
        if site.flags & Flag.SERVER:
            yield _fixes.drop(site, "Drop the result", [site.position])
            return
        if site.defect == Defect.RESULT_BEFORE_CALL:
            yield _fixes.move_home(site, site.position, site.partner)
            return
        if site.defect == Defect.RESULT_REFERRED:
            yield _fixes.drop(site, "Drop the output", [site.position])
            return
        yield from _fixes.for_stray_result(site)
        block = site.block
        if block is not None and block.text.strip() and not block.media:
            text = Made(Kind.TEXT, Role.USER, f"[result of a call that is no longer in this conversation]\n\n{block.text}")
            last = int(site.reading.of_turn(site.turn)[-1])
            drop, insert = Drop(_fixes.rows(site, [site.position])), Insert(After(site.row_of(last)), text)
            yield site.change("Keep its words as a message of the user", "loses", drop, insert)


RULE = ToolResultOrphan()
