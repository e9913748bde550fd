"""A tool's name in a call that the provider's schema refuses.

Anthropic: 1 to 200 characters. OpenAI Chat: `^[a-zA-Z0-9_-]+$`, at most 64 (names with dots, slashes or spaces are hallucinated, or come
from MCP). Once such a call is in the history, each further request is refused.

Evidence: Claude Code's changelog ("permanently stuck"); Semantic Kernel's decision record on function names; openai/openai-openapi@f85dbe2.

Repair: other characters become `_`, a long name is cut; the result needs no change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ToolNameFormat(Rule):
    name = "tool-name-format"
    summary = "a tool's name that the provider refuses"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, pattern = reading.view, reading.provider.name_pattern
        if pattern is None:
            return []
        fits = re.compile(pattern)
        bad = [number for number, name in enumerate(view.transcript.table.names) if not fits.fullmatch(name)]
        bad += [-1] if reading.native else []
        calls = view.calls & reading.sent
        return [self.hit(reading, np.flatnonzero(calls & np.isin(view.name, bad)))]

    def say(self, site: Site) -> Said:
        name = site.scene.name(site.position)
        if not name:
            return Said("The call names no tool.", ids=site.ids, cause="name", variant="empty")
        return Said(
            f"The tool's name `{name[:80]}` is one that {site.reading.provider.title} refuses.", ids=site.ids, cause=f"name {name[:80]}"
        )

    def fixes(self, site: Site) -> Sequence[Change]:
        fits = re.compile(site.reading.provider.name_pattern or "")
        name = site.scene.name(site.position)
        if fits.fullmatch(re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64]):
            new = name[:200] if fits.fullmatch(name[:200]) else re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64]
            return [site.change("Give the call a name that fits", "exact", Set(site.row, "name", new))]
        return [site.change("Name the tool “unnamed”", "adds", Set(site.row, "name", "unnamed"))]


RULE = ToolNameFormat()
