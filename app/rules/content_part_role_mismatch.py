"""A part of a message, or of an output, with a type that its place does not have (OpenAI Responses).

What is sent to the model has `input_text`, `input_image`, `input_file`; what it said has `output_text` and `refusal`. The other side's
words are refused, and so are those of other wires (`text`, `image_url`), which conversions leave behind. A type that neither this wire nor
another is known for is a warning: new ones appear.

Evidence: text-index id 59347403402 (Azure); tinyhumansai/openhuman#3624 (2,332 events); jeremychone/rust-genai PR #119;
BerriAI/litellm#17507.

Repair: the part gets the word of its place; what has none there goes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.items import INPUT_PARTS, OUTPUT_PARTS
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._items import own_ids, words
from app.rules._rule import Rule, Said
from app.rules._scene import Site

FOREIGN = frozenset({"text", "image_url", "image", "document", "file", "tool_use", "tool_result", "thinking", "tool-call", "tool-result"})
"""Parts of other wires."""
TEXTS = frozenset({"text", "input_text", "output_text"})
LEGAL = {True: "'output_text' and 'refusal'", False: "'input_text', 'input_image', and 'input_file'"}


class ContentPartRoleMismatch(Rule):
    name = "content-part-role-mismatch"
    summary = "a part of a message with a type that its role does not have"
    any_of = Flag.CONTENT_LIST

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if own_ids(reading) is None:
            return []
        part = reading.sent & ((view.flags & Flag.CONTENT_LIST) != 0) & np.isin(view.kind, (Kind.TEXT, Kind.MEDIA, Kind.OTHER))
        said = view.role == Role.ASSISTANT
        wrong = np.where(said, np.isin(view.type, words(reading, *INPUT_PARTS)), np.isin(view.type, words(reading, *OUTPUT_PARTS)))
        wrong |= np.isin(view.type, words(reading, *FOREIGN))
        legal = np.isin(view.type, words(reading, *INPUT_PARTS, *OUTPUT_PARTS))
        return [
            self.hit(reading, np.flatnonzero(part & wrong)),
            self.hit(reading, np.flatnonzero(part & ~wrong & ~legal), severity="warning"),
        ]

    def say(self, site: Site) -> Said:
        word, said = site.scene.type(site.position), self._said(site)
        who = "the assistant" if said else "what is sent to the model"
        if site.severity == "warning":
            return Said(f"No part of type {word} is known in a message.", cause=f"part {word}", variant="unknown", words=self._words(site))
        message = f"A part of type {word} stands in a message of {who}." if said else f"A part of type {word} stands in {who}."
        return Said(message, cause=f"part {word}", words=self._words(site))

    def fixes(self, site: Site) -> Sequence[Change]:
        word, said = site.scene.type(site.position), self._said(site)
        away = _fixes.drop(site, "Drop the part", [site.position])
        if site.severity == "warning":
            return [away]
        if site.kind == Kind.TEXT and (word in TEXTS or word == "refusal"):
            new = "output_text" if said else "input_text"
            if word == "refusal":
                block = site.block
                text = block.text if block is not None else ""
                return [site.change(f"Make it {new}", "exact", Set(site.row, "block.type", new), Set(site.row, "block.text", text)), away]
            return [site.change(f"Make it {new}", "exact", Set(site.row, "block.type", new))]
        if word == "image_url" and not said and site.block is not None and isinstance(site.block.value, dict):
            held = site.block.value.get("image_url")
            url = held.get("url") if isinstance(held, dict) else held
            edits = (Set(site.row, "block.type", "input_image"), Set(site.row, "block.image_url", url))
            return [site.change("Make it input_image", "exact", *edits), away]
        return [away]

    def _said(self, site: Site) -> bool:
        return bool(site.scene.view.role[site.position] == Role.ASSISTANT)

    def _words(self, site: Site) -> dict[str, str]:
        return {"type": site.scene.type(site.position), "legal": LEGAL[self._said(site)]}


RULE = ContentPartRoleMismatch()
