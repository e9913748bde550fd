"""A result in the right run, under an id that an earlier call has already been answered for.

OpenAI Chat looks up the id among the calls of the one assistant message before the run. (Under an id that no call anywhere has, it is
`tool-result-orphan`.)

Evidence: the text in cline's `openai-format.ts`; several compatible hosts.

Repair: where one call of the message waits, the result gets its id; else it goes.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.model.edits import Change
from app.model.provider import Defect
from app.rules import _fixes
from app.rules._reasons import missing_call
from app.rules._rule import PairRule, Said
from app.rules._said import cause_of, named
from app.rules._scene import Site


class ToolResultIdMismatch(PairRule):
    name = "tool-result-id-mismatch"
    summary = "a result under the id of an earlier call, where another one waits"
    defect = Defect.RESULT_ID_MISMATCH
    by_mode = False

    def say(self, site: Site) -> Said:
        message = f"This result {named(site)}names a call that is answered already, and not the one before it that waits."
        return Said(message, missing_call(site, site.position), site.ids, cause_of(site))

    def fixes(self, site: Site) -> Iterable[Change]:
        return _fixes.for_stray_result(site)


RULE = ToolResultIdMismatch()
