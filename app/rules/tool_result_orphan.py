"""A result whose call is nowhere before it.

The usual cause is a cut: a pass that drops the oldest messages took the call and left its result. A result that stands *before* its
call, and an answer under another id, are orphans too; then the call is a finding of its own.

Evidence: router-for-me/CLIProxyAPI#497; anthropics/claude-code#13460, #18947; decocms/studio#1803; miurla/morphic#136;
run-llama/llama_index#10493. Results of the provider's own tools: anthropics/claude-code#64383, #80439.

Repair: a result that stands before its call goes behind it; one that waits beside one open call gets its id; else it goes.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.model.edits import After, Change, Drop, Insert, Made
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Defect
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

    def say(self, site: Site) -> Said:
        words = {"type": site.scene.type(site.position)}
        if site.flags & Flag.SERVER:
            message = f"This result {named(site)}comes from a tool of the provider, and the call of it is not before it in its turn."
            return Said(message, ids=site.ids, cause=cause_of(site), variant="server", words=words)
        message = f"This result {named(site)}answers a call that is not there."
        turn = site.turn - 1
        behind = turn >= 0 and site.reading.turn_role[turn] == Role.ASSISTANT
        called = behind and bool(site.scene.view.calls[site.reading.of_turn(turn)].any())
        return Said(message, missing_call(site, site.position), site.ids, cause_of(site), variant="run" if called else "", words=words)

    def fixes(self, site: Site) -> Iterator[Change]:
        if site.flags & Flag.SERVER:
            yield _fixes.drop(site, "Drop the result", [site.position])
            return
        yield from _fixes.for_stray_result(site)
        block = site.block
        if block is not None and block.text.strip() and not block.media:
            text = Made(Kind.TEXT, Role.USER, f"[result of a call that is no longer in this conversation]\n\n{block.text}")
            last = int(site.reading.of_turn(site.turn)[-1])
            drop, insert = Drop(_fixes.rows(site, [site.position])), Insert(After(site.row_of(last)), text)
            yield site.change("Keep its words as a message of the user", "loses", drop, insert)


RULE = ToolResultOrphan()
