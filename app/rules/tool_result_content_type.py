"""A tool message whose content is null or an object (OpenAI Chat).

A tool that found nothing, stored as null. (The empty string is taken.)

Evidence: run-llama/llama_index#17555; docker/docker-agent#63.

Repair: null becomes the empty string, another value its JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Flag
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ToolResultContentType(Rule):
    name = "tool-result-content-type"
    summary = "a tool message whose content is null or an object"
    any_of = Flag.CONTENT_NULL | Flag.CONTENT_ODD

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native:
            return []
        wrong = (view.flags & (Flag.CONTENT_NULL | Flag.CONTENT_ODD)) != 0
        return [self.hit(reading, np.flatnonzero(view.results & wrong & reading.sent))]

    def say(self, site: Site) -> Said:
        null = bool(site.flags & Flag.CONTENT_NULL)
        return Said(f"The content of this result is {'null' if null else 'no text'}; a string is wanted.", ids=site.ids, cause="content")

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.flags & Flag.CONTENT_NULL:
            return [site.change("Make the content an empty string", "exact", Set(site.row, "content", ""))]
        value = site.block.value if site.block is not None else None
        if not isinstance(value, dict):
            return []
        text = dumps(value.get("content"), ensure_ascii=False)
        return [site.change("Write the content as a string", "exact", Set(site.row, "content", text))]


RULE = ToolResultContentType()
