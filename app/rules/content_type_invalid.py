"""A message whose content is neither a string nor a list of parts (OpenAI Chat).

An object or a number; an empty list in a message that is not the assistant's. Null there was taken when it was measured on 2026-08-30
(gpt-5.6-terra): a warning, since hosts differ.

Evidence: recorded texts of the API ("expected one of a string or array of objects, but got an object instead"); the measurement: text-index
id 61383321887.

Repair: the value is written as a string of JSON; nothing becomes the empty string, and null beside calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import Any

import numpy as np

from app.model.edits import Change, Drop, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site

GOT = {dict: "an object", bool: "a boolean", int: "an integer", float: "a number"}


class ContentTypeInvalid(Rule):
    name = "content-type-invalid"
    summary = "a message whose content is neither a string nor a list of parts"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native:
            return []
        odd = ((view.flags & Flag.CONTENT_ODD) != 0) & ~view.results
        nothing = (view.kind == Kind.EMPTY) & (view.role != Role.ASSISTANT)
        null = nothing & ((view.flags & Flag.CONTENT_NULL) != 0)
        wrong, disputed = (np.flatnonzero(mask & reading.sent) for mask in (odd | (nothing & ~null), null))
        return [
            self.hit(reading, wrong[np.unique(reading.wire_message[wrong], return_index=True)[1]]),
            self.hit(reading, disputed, severity="warning"),
        ]

    def say(self, site: Site) -> Said:
        got = self._got(site)
        if site.severity == "warning":
            said = "The content of this message is null (taken by one model in 2026; hosts differ)."
            return Said(said, cause="content", whole=True, variant="null")
        return Said(
            f"The content of this message is {got}, neither a string nor a list of parts.", cause="content", whole=True, words={"got": got}
        )

    def fixes(self, site: Site) -> Sequence[Change]:
        value = _content(site)
        if not value and len(site.scene.message_of(site.position)) > 1:
            return [site.change("Make the content null beside the calls", "exact", Drop(_fixes.rows(site, [site.position])))]
        text = dumps(value, ensure_ascii=False) if value else ""
        title = "Write the content as a string" if value else "Write the empty string as its content"
        return [site.change(title, "exact", Set(site.row, "content", text))]

    def _got(self, site: Site) -> str:
        if site.flags & Flag.CONTENT_NULL:
            return "null"
        return "an empty array" if site.flags & Flag.CONTENT_NONE else GOT.get(type(_content(site)), "an object")


def _content(site: Site) -> Any:
    """The content as the wire has it, as far as the block tells."""
    value = site.block.value if site.block is not None else None
    return value.get("content") if isinstance(value, dict) and "content" in value else value


RULE = ContentTypeInvalid()
