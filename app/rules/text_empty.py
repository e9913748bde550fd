"""A text block that is empty or white space only (Anthropic, Bedrock).

Refused at any place and in both roles, also among the parts of a result. Streams that carry a call without narration leave such blocks
behind. A message whose whole content is the empty string is `message-content-empty-user` or `-assistant`. On Bedrock white space alone is a
warning: it was refused for Claude, but one such block beside a document was taken.

Evidence: anomalyco/opencode#15715; anthropics/claude-code#23440; NousResearch/hermes-agent#70475; stacklok/mecatl#291 (inside a result);
a live probe of 2026-07-25. Bedrock: aws-samples/bedrock-engineer#8; OpenHands/OpenHands#5339, #5722; continuedev/continue#9767;
boto/botocore#3525; NousResearch/hermes-agent#55092 (inside a result), PR #63983 (blank, Claude); against it, recorded in
pydantic/pydantic-ai@4fda389: `test_bedrock_cache_write_and_read` (a blank block, Claude Sonnet 4.5) with status 200.

Repair: the block goes where others remain, else "(empty)" is put in its place; never a single space.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Replace, Set, Words
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Mark
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class TextEmpty(Rule):
    name = "text-empty"
    summary = "a text block that is empty or white space only"
    any_of = Flag.TEXT_EMPTY | Flag.TEXT_BLANK | Flag.PART_EMPTY

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        flags = view.flags
        bare = ((flags & Flag.TEXT_EMPTY) != 0) & ((flags & Flag.CONTENT_LIST) == 0)
        texts = (view.kind == Kind.TEXT) & ((flags & (Flag.TEXT_EMPTY | Flag.TEXT_BLANK)) != 0) & ~bare
        parts = view.results & ((flags & Flag.PART_EMPTY) != 0)
        if self.weight(reading, "blank") == self.weight(reading):
            return [self.hit(reading, np.flatnonzero((texts | parts) & reading.sent))]
        blank = (texts & ((flags & Flag.TEXT_BLANK) != 0)) | (parts & view.marked(Mark.BLANK))
        return [
            self.hit(reading, np.flatnonzero((texts | parts) & ~blank & reading.sent)),
            self.hit(reading, np.flatnonzero(blank & reading.sent), variant="blank"),
        ]

    def say(self, site: Site) -> Said:
        block = site.block
        if site.kind == Kind.TOOL_RESULT:
            parts = _parts(block.value if block is not None else None)
            where = "/toolResult/content" if block is not None and block.type == "toolResult" else "/content"
            empty = next((i for i, part in enumerate(parts) if _is_empty(part)), None)
            inner = "" if empty is None or block is None or not isinstance(block.value, dict) else f"{where}/{empty}"
            variant = "blank" if site.severity == "warning" else "result"
            return Said("A text part of this result is empty.", cause="empty text", inner=inner, variant=variant)
        blank = bool(site.flags & Flag.TEXT_BLANK)
        message = f"This text block {'holds white space only' if blank else 'is empty'}."
        return Said(message, cause="empty text", variant="blank" if blank else "")

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.kind == Kind.TOOL_RESULT:
            return self._of_result(site)
        view = site.scene.view
        message = site.scene.message_of(site.position)
        empty = (view.kind[message] == Kind.TEXT) & ((view.flags[message] & (Flag.TEXT_EMPTY | Flag.TEXT_BLANK)) != 0)
        if bool((~empty & (view.kind[message] != Kind.REASONING)).any()) or site.position != message[empty][0]:
            return [site.change("Drop the empty block", "exact", Drop(_fixes.rows(site, [site.position])))]
        return [site.change("Put “(empty)” in its place", "adds", Replace(_fixes.rows(site, [site.position]), Words(_fixes.EMPTY)))]

    def _of_result(self, site: Site) -> list[Change]:
        block = site.block
        parts = _parts(block.value if block is not None else None)
        kept = [part for part in parts if not _is_empty(part)]
        if kept and len(kept) < len(parts):
            return [site.change("Drop the empty part", "exact", Set(site.row, "content", kept))]
        return [site.change("Put “(empty)” in its place", "adds", Replace(_fixes.rows(site, [site.position]), Words(_fixes.EMPTY)))]


def _parts(value: object) -> list[object]:
    """The parts of a result as its wire has them."""
    held = value.get("toolResult", value) if isinstance(value, dict) else None
    content = held.get("content") if isinstance(held, dict) else None
    return content if isinstance(content, list) else []


def _is_empty(part: object) -> bool:
    text = part.get("text") if isinstance(part, dict) else None
    return isinstance(text, str) and not text.strip()


RULE = TextEmpty()
