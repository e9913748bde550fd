"""An output of one kind of tool that answers a call of another (OpenAI Responses).

A `function_call_output` for a `custom_tool_call` and the like, which proxies make that know functions only. One such pair is recorded with
status 200 (a search for tools answered by a `function_call_output`); of the others nothing is known.

Evidence: pydantic/pydantic-ai@4fda389 (test_tool_availability_portability_matrix[R5-T3-native-search]).

Repair: the output gets the type of its call's family, where both are texts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.items import OUTPUTS
from app.model.provider import Reading
from app.rules._items import own_ids
from app.rules._rule import Rule, Said
from app.rules._scene import Site

ALIKE = frozenset({"function_call", "custom_tool_call"})


class CallOutputFamilyMismatch(Rule):
    name = "call-output-family-mismatch"
    summary = "an output of one kind of tool that answers a call of another"
    severity = "warning"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if own_ids(reading) is None:
            return []
        families = {word: number for number, word in enumerate(OUTPUTS)} | {word: number for number, word in enumerate(OUTPUTS.values())}
        family = np.asarray([families.get(word, -1) for word in view.transcript.table.types] or [-1], np.int32)
        results = np.flatnonzero(view.results & reading.sent & (reading.partner >= 0))
        calls = reading.partner[results]
        ours, theirs = family[view.type[results]], family[view.type[calls]]
        return [self.hit(reading, results[(ours >= 0) & (theirs >= 0) & (ours != theirs)])]

    def say(self, site: Site) -> Said:
        call = site.scene.type(site.partner)
        message = f"A {site.scene.type(site.position)} answers a {call}."
        return Said(message, f"The call stands at {site.scene.pointer(site.partner)}.", site.ids, cause=f"family {call}")

    def fixes(self, site: Site) -> Sequence[Change]:
        call = site.scene.type(site.partner)
        mine = next((word for word, output in OUTPUTS.items() if output == site.scene.type(site.position)), "")
        if call not in ALIKE or mine not in ALIKE:
            return []
        return [site.change(f"Make it a {OUTPUTS[call]}", "exact", Set(site.row, "block.type", OUTPUTS[call]))]


RULE = CallOutputFamilyMismatch()
