"""A tool's name in a call that the provider's schema refuses.

Anthropic: 1 to 200 characters. OpenAI Chat, Bedrock and Mistral: `^[a-zA-Z0-9_-]+$`, at most 64 (names with dots, slashes or spaces are
hallucinated, or come from MCP). Once such a call is in the history, each further request is refused. Mistral looks at the name of a tool
message as well. Gemini looks at the declarations: a letter or `_` first, then letters, digits and `_.:-`, at most 64. OpenAI Responses has
the same pattern as OpenAI Chat; calls without a name by design (shells, patches, the computer, searches for tools) are not asked for one.

Evidence: Claude Code's changelog ("permanently stuck"); Semantic Kernel's decision record on function names; openai/openai-openapi@f85dbe2;
AWS's API reference, ToolUseBlock; mistralai/mistral-common@bc022b9, protocol/instruct/validator.py. Responses:
NousResearch/hermes-agent#31666; openai/codex PR #9447.

Repair: other characters become `_`, a long name is cut; a result that names its tool gets the same name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Kind
from app.model.provider import Reading
from app.rules._declared import DECLARED, badly_named, renamed, said
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ToolNameFormat(Rule):
    name = "tool-name-format"
    summary = "a tool's name that the provider refuses"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, pattern = reading.view, reading.provider.name_pattern
        if pattern is None:
            return []
        if DECLARED in reading.provider.strict:
            return [self.hit(reading, badly_named(reading))]
        fits = re.compile(pattern)
        names = view.transcript.table.names
        bad = np.array([*(not fits.fullmatch(name) for name in names), reading.native])[view.name]  # the last one: -1, no name
        wrong = view.calls & reading.sent & bad
        if f"{self.name}/result" in reading.provider.strict:
            wrong |= view.results & reading.sent & (view.name >= 0) & bad
        return [self.hit(reading, np.flatnonzero(wrong))]

    def say(self, site: Site) -> Said:
        name = site.scene.name(site.position)
        if site.kind == Kind.TOOLS:
            return said(site)
        if not name:
            return Said("The call names no tool.", ids=site.ids, cause="name", variant="empty", words={"name": ""})
        message = f"The tool's name `{name[:80]}` is one that {site.reading.provider.title} refuses."
        return Said(message, ids=site.ids, cause=f"name {name[:80]}", words={"name": name[:80]})

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.kind == Kind.TOOLS:
            return renamed(site)
        fits = re.compile(site.reading.provider.name_pattern or "")
        name = site.scene.name(site.position)
        if fits.fullmatch(re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64]):
            new = name[:200] if fits.fullmatch(name[:200]) else re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64]
            return [site.change("Give the call a name that fits", "exact", Set(site.row, "name", new))]
        return [site.change("Name the tool “unnamed”", "adds", Set(site.row, "name", "unnamed"))]


RULE = ToolNameFormat()
