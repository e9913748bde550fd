"""A block of a type that the wire does not have (Anthropic).

A type of another dialect (`input_text`, `image_url`, ...) is refused, and so is a block that is no object, has no type, or is a text
without its text; a type that is merely unknown here is a warning at most, since new ones appear. What could not be decoded at all is
`body-not-json`.

Evidence: anthropics/claude-code#11678 and reports of "Input tag ... does not match any of the expected tags"; measured on 2026-08-31
("Input should be an object", "type: Field required": text-index id 61383321887).

Repair: a text of another dialect becomes a text block; else the block goes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.model.table import Ints, RecordKind
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site

TEXTS = frozenset({"input_text", "output_text", "summary_text", "reasoning_text"})
FOREIGN = TEXTS | {
    "image_url", "input_image", "input_file", "input_audio", "file", "refusal", "tool_call", "tool-call", "tool-result", "function_call",
    "function_call_output", "toolCall", "toolUse", "toolResult", "functionCall", "functionResponse", "reasoning",
}  # fmt: skip


NO_TYPE = "(no type)"
NO_BLOCK = frozenset({"(string)", "(list)", "(boolean)", "(null)", "(number)"})
"""Our own words for blocks that are no objects."""
INCOMPLETE = frozenset({"text", "thinking"})
"""Types whose text is not there: else they would be known."""


class BlockTypeUnknown(Rule):
    name = "block-type-unknown"
    summary = "a block of a type that the wire does not have"
    any_of = Flag.TYPE_ODD

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native:
            return []
        odd = (view.kind == Kind.OTHER) & ((view.flags & Flag.TYPE_ODD) != 0) & reading.sent & _blocks(reading)
        words = view.transcript.table.types
        wrong = FOREIGN | NO_BLOCK | INCOMPLETE | {NO_TYPE}
        foreign = odd & np.isin(view.type, [number for number, word in enumerate(words) if word in wrong])
        return [self.hit(reading, np.flatnonzero(foreign)), self.hit(reading, np.flatnonzero(odd & ~foreign), severity="warning")]

    def say(self, site: Site) -> Said:
        word = site.scene.type(site.position)
        if word == NO_TYPE:
            return Said("This block has no type.", cause="no type", variant="absent")
        if word in NO_BLOCK:
            return Said(f"This block is a {word.strip('()')} and no object.", cause="no block", variant="element")
        if word in INCOMPLETE:
            return Said(f"This block of type `{word}` has no text.", cause="no text", variant="text", words={"type": word})
        message = f"The block's type `{word[:60]}` is {'of another dialect' if site.severity == 'error' else 'not known here'}."
        return Said(message, cause=f"type {word[:60]}", words={"type": word[:60]})

    def fixes(self, site: Site) -> Sequence[Change]:
        value = site.block.value if site.block is not None else None
        text = value.get("text") if isinstance(value, dict) and site.scene.type(site.position) in TEXTS else value
        found = []
        if isinstance(text, str) and text.strip():
            found.append(_fixes.as_text(site, text, "Make it a text block"))
        return [*found, _fixes.drop(site, "Drop the block", [site.position])]


def _blocks(reading: Reading) -> Ints:
    """Mask over positions: rows of messages, not of what stands in the place of one."""
    view, table = reading.view, reading.view.transcript.table
    if not len(table.records):
        return np.ones(len(view), bool)
    record = table.record[view.rows]
    return np.asarray((record < 0) | np.isin(table.records.kind[np.maximum(record, 0)], (RecordKind.MESSAGE, RecordKind.SUMMARY)))


RULE = BlockTypeUnknown()
