"""A part of a message of a type that the API, or the model, does not take (OpenAI Chat).

Parts of other dialects (`input_text`, `image`, `tool_use`, ...) are refused; one that is merely unknown here is a warning, since hosts have
some of their own. Audio is taken by models that hear.

Evidence: pydantic/pydantic-ai@4fda389, test_multimodal_tool_return_matrix (`input_audio` to gpt-5-mini: 400; to gpt-4o-audio-preview: 200);
openai/openai-python#2454; aallam/openai-kotlin#320 (`image`); openai/openai-dotnet#396 (the list of types).

Repair: a text of another dialect becomes a text part, and so does the JSON of what is no media; else a note takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from json import dumps

import numpy as np

from app.model.edits import Change, Drop, Effect, Insert, Made
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site

TEXTS = frozenset({"input_text", "output_text", "summary_text", "reasoning_text"})
MEDIA = frozenset({"image", "document", "input_image", "input_file", "input_audio"})
FOREIGN = (TEXTS | MEDIA | {
    "tool_use", "tool_result", "server_tool_use", "tool-call", "tool-result", "tool_call", "toolCall", "toolUse", "toolResult",
    "function_call", "function_call_output", "functionCall", "functionResponse", "redacted_thinking",
}) - {"input_audio"}  # fmt: skip
"""Parts of other dialects."""
DEAF = re.compile(r"(?:gpt|o[134]|chatgpt)-(?!.*(?:audio|realtime)).*|o[13]")
"""Models of OpenAI that take no audio, by their names."""


class ContentPartUnsupported(Rule):
    name = "content-part-unsupported"
    summary = "a part of a type that the API or the model does not take"
    any_of = Flag.CONTENT_LIST

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native:
            return []
        words = view.transcript.table.types
        part = reading.sent & ((view.flags & Flag.CONTENT_LIST) != 0) & ~view.results
        odd = part & (view.kind == Kind.OTHER) & ((view.flags & Flag.TYPE_ODD) != 0)
        foreign = odd & np.isin(view.type, [number for number, word in enumerate(words) if word in FOREIGN])
        wrong = foreign.copy()
        if "input_audio" in words and DEAF.fullmatch(reading.model or ""):
            wrong |= part & (view.kind == Kind.MEDIA) & (view.type == words.index("input_audio"))
        return [self.hit(reading, np.flatnonzero(wrong)), self.hit(reading, np.flatnonzero(odd & ~foreign), severity="warning")]

    def say(self, site: Site) -> Said:
        word = site.scene.type(site.position)[:60]
        if site.kind == Kind.MEDIA:
            return Said(f"{site.reading.model} takes no audio.", cause="audio")
        known = "of another dialect" if site.severity == "error" else "not known here"
        return Said(f"The type of this part, `{word}`, is {known}.", cause=f"part {word}", variant="type", words={"type": word})

    def fixes(self, site: Site) -> Sequence[Change]:
        word, value = site.scene.type(site.position), site.block.value if site.block is not None else None
        text = value.get("text") if isinstance(value, dict) and word in TEXTS else None
        away = _fixes.drop(site, "Drop the part", [site.position])
        if word in MEDIA:
            return [self._as_text(site, f"[{word} taken out]", "loses", "Put a note in its place"), away]
        if isinstance(text, str):
            return [_fixes.as_text(site, text, "Make it a text part")]
        if value is None:
            return [away]
        return [self._as_text(site, dumps(value, ensure_ascii=False), "adds", "Write its JSON as a text part"), away]

    def _as_text(self, site: Site, text: str, effect: Effect, title: str) -> Change:
        made = Made(Kind.TEXT, Role(int(site.scene.view.role[site.position])), text)
        edits = Insert(_fixes.beside(site), made), Drop(_fixes.rows(site, [site.position]))
        return site.change(title, effect, *edits)


RULE = ContentPartUnsupported()
