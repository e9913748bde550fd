"""An output that is neither a text nor a list of parts (OpenAI Responses).

An object, a number or null, as a tool gave it back; or no output at all, where a client leaves out what is empty. The empty string is
taken. (Outputs of a computer, a shell or a search for tools have shapes of their own.)

Evidence: text-index ids 63538984037, 53239412077; left out: SamSaffron/term-llm PR #1011.

Repair: the value as a string of JSON; nothing becomes the empty string.
"""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Flag
from app.model.provider import Reading
from app.rules._items import own_ids, words
from app.rules._rule import Rule, Said
from app.rules._scene import Site

GOT = {dict: "an object", bool: "a boolean", int: "an integer", float: "a decimal"}


class ToolOutputTypeInvalid(Rule):
    name = "tool-output-type-invalid"
    summary = "an output that is neither a text nor a list of parts"
    any_of = Flag.CONTENT_NULL | Flag.CONTENT_ODD

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if own_ids(reading) is None:
            return []
        wrong = (view.flags & (Flag.CONTENT_NULL | Flag.CONTENT_ODD)) != 0
        texts = np.isin(view.type, words(reading, "function_call_output", "custom_tool_call_output"))
        return [self.hit(reading, np.flatnonzero(view.results & texts & wrong & reading.sent))]

    def say(self, site: Site) -> Said:
        value = self._value(site)
        if site.flags & Flag.CONTENT_NULL:
            return Said("This output is null, or left out.", ids=site.ids, cause="output", variant="absent")
        got = GOT.get(type(value), "another value")
        return Said(f"This output is {got}; a string or a list of parts is wanted.", ids=site.ids, cause="output", words={"got": got})

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.flags & Flag.CONTENT_NULL:
            return [site.change("Make the output an empty string", "exact", Set(site.row, "content", ""))]
        if site.block is None:
            return []
        text = dumps(self._value(site), ensure_ascii=False)
        return [site.change("Write the output as a string", "exact", Set(site.row, "content", text))]

    def _value(self, site: Site) -> object:
        block = site.block
        return block.value.get("output") if block is not None and isinstance(block.value, dict) else None


RULE = ToolOutputTypeInvalid()
