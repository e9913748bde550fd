"""A tool message whose content is of a kind that is not taken (OpenAI Chat, Mistral).

OpenAI Chat: null (a tool that found nothing) or an object; the empty string is taken. Mistral: an image too, up to tokenizer v15.

Evidence: run-llama/llama_index#17555; docker/docker-agent#63. Mistral: mistralai/mistral-common@bc022b9, protocol/instruct/validator.py.

Repair: null becomes the empty string, another value its JSON; an image goes, and a text says so.
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
    summary = "a tool message whose content is of a kind that is not taken"
    any_of = Flag.CONTENT_NULL | Flag.CONTENT_ODD | Flag.MEDIA

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native:
            return []
        wrong = (view.flags & (Flag.CONTENT_NULL | Flag.CONTENT_ODD)) != 0
        if f"{self.name}/image" in reading.provider.strict:
            wrong |= (view.flags & Flag.MEDIA) != 0
        return [self.hit(reading, np.flatnonzero(view.results & wrong & reading.sent))]

    def say(self, site: Site) -> Said:
        if site.flags & Flag.MEDIA:
            return Said("This tool message holds an image; text alone is taken.", ids=site.ids, cause="image in a result")
        null = bool(site.flags & Flag.CONTENT_NULL)
        return Said(f"The content of this result is {'null' if null else 'no text'}; a string is wanted.", ids=site.ids, cause="content")

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.flags & Flag.CONTENT_NULL:
            return [site.change("Make the content an empty string", "exact", Set(site.row, "content", ""))]
        if site.flags & Flag.MEDIA and site.block is not None:
            text = "\n".join([*site.block.texts, "[image left out: this model takes text alone here]"])
            return [site.change("Say in words what stood there", "loses", Set(site.row, "content", text))]
        value = site.block.value if site.block is not None else None
        if not isinstance(value, dict):
            return []
        text = dumps(value.get("content"), ensure_ascii=False)
        return [site.change("Write the content as a string", "exact", Set(site.row, "content", text))]


RULE = ToolResultContentType()
