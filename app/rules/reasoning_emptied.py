"""Reasoning of the newest answer whose text is gone and whose signature was kept, among reasoning that has its text.

A block of reasoning may come without its text: newer models leave it out unless asked, and the block is sent back as it came. So empty
reasoning with a signature is no defect by itself. Where other reasoning of the same model in the same session has its text, this one had
one too, and what is sent on a resume is not what was signed. Reports say that Anthropic refuses that in the newest answer, for good;
others see such blocks taken.

Evidence: disputed. Refused: anthropics/claude-code#63147, #63475, #63898 (2.1.153 to 2.1.156); emptied when it is written:
anthropics/claude-code#32810 (since 2.1.72), anthropics/claude-agent-sdk-typescript#337 (some blocks of a turn). Empty and taken: thinking
with `display: "omitted"`, BerriAI/litellm#41362.

Repair: the block is dropped whole; a signature is never altered and never made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.model.reader import Resumed
from app.rules._fixes import drop
from app.rules._reader import ReaderRule, resumed
from app.rules._rule import Said
from app.rules._scene import Site


class ReasoningEmptied(ReaderRule):
    name = "reasoning-emptied"
    summary = "reasoning whose text was emptied is sent under its old signature when the session is resumed"
    any_of = Flag.TEXT_EMPTY

    def records(self, resumed: Resumed) -> Sequence[int]:
        return ()

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, table = reading.view, reading.view.transcript.table
        if reading.resumed is None or not reading.resumed.messages:
            return []
        thought = (view.kind == Kind.REASONING) & reading.sent & ((view.flags & Flag.REDACTED) == 0)
        empty = thought & ((view.flags & Flag.TEXT_EMPTY) != 0) & ((view.flags & Flag.SIGNED) != 0)
        answers = np.flatnonzero(reading.turn_role == Role.ASSISTANT)
        found = np.flatnonzero(empty & (reading.turn == answers[-1])) if len(answers) else answers
        if not len(found):
            return []
        model = table.records.model[np.maximum(table.record[view.rows], 0)]
        whole = np.unique(model[thought & ((view.flags & (Flag.TEXT_EMPTY | Flag.TEXT_BLANK)) == 0)])
        found = found[np.isin(model[found], whole)]
        return [self.hit(reading, found)] if len(found) else []

    def say(self, site: Site) -> Said:
        message = "This reasoning of the newest answer has a signature and no text, though other reasoning of the session has its text."
        return Said(message, resumed(site).reader.words.get(self.name, ""))

    def fixes(self, site: Site) -> Iterable[Change]:
        yield drop(site, "Drop the emptied reasoning", [site.position])


RULE = ReasoningEmptied()
