"""A text with half of a surrogate pair (Anthropic, Bedrock, DeepSeek, Mistral).

A split emoji or a cut stream leaves one behind. JSON can write such a half down, and UTF-8 cannot hold it: the body is then none that the
provider reads.

Evidence: anthropics/claude-code#6902.

Repair: U+FFFD stands in for it. Signed reasoning is never altered: such a block goes whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class TextLoneSurrogate(Rule):
    name = "text-lone-surrogate"
    summary = "a text with half of a surrogate pair"
    any_of = Flag.SURROGATE

    def check(self, reading: Reading) -> Sequence[Hit]:
        return [self.hit(reading, np.flatnonzero(((reading.view.flags & Flag.SURROGATE) != 0) & reading.sent))]

    def say(self, site: Site) -> Said:
        return Said("The text holds half of a surrogate pair, which is no character.", ids=site.ids, cause="surrogate")

    def fixes(self, site: Site) -> Sequence[Change]:
        block = site.block
        title = "Put U+FFFD in its place"
        if block is None:
            return []
        if site.kind == Kind.TEXT:
            return [site.change(title, "loses", Set(site.row, "text", mended(block.text)))]
        if site.kind == Kind.TOOL_RESULT and isinstance(block.value, dict):
            return [site.change(title, "loses", Set(site.row, "content", mended(block.value.get("content"))))]
        if site.kind == Kind.TOOL_CALL and isinstance(block.value, dict) and "input" in block.value:
            return [site.change(title, "loses", Set(site.row, "input", mended(block.value["input"])))]
        return [_fixes.drop(site, "Drop the block", [site.position])]


def mended(value: Any) -> Any:
    """A value whose texts have U+FFFD for each unpaired surrogate."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [mended(one) for one in value]
    if isinstance(value, dict):
        return {mended(key): mended(one) for key, one in value.items()}
    return value


RULE = TextLoneSurrogate()
