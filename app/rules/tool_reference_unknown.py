"""A result refers to a tool that the request does not declare (Anthropic).

A search for tools gives references, which the provider expands from `tools`. Tools of MCP servers are not among these: where the request
has such servers, nothing is said.

Evidence: Anthropic's documentation of the tool search tool, "Tool reference '...' not found in available tools" (mirrors: text-index ids
70753279498, 67495435841, 68822235961).

Repair: the references go; a search whose whole finding they are goes with what it found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.model.edits import Change, Replace, Set, Words
from app.model.findings import Hit
from app.model.kinds import Mark
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._request import declared_names, declared_types, request_of
from app.rules._rule import Rule, Said
from app.rules._scene import Site

PREFIX = f"{Mark.REFERENCE}."
SERVERS = "mcp_toolset"


class ToolReferenceUnknown(Rule):
    name = "tool-reference-unknown"
    summary = "a result refers to a tool that the request does not declare"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        found = np.zeros(len(view), bool)
        for word in _unknown(reading):
            found |= view.marked(word)
        return [self.hit(reading, np.flatnonzero(found & reading.sent))]

    def say(self, site: Site) -> Said:
        names = self._names(site)
        listed = ", ".join(f"`{name[:60]}`" for name in names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        message = f"This result refers to {listed}, which the request does not declare."
        return Said(message, ids=site.ids, cause="tool references", words={"name": names[0] if names else ""})

    def fixes(self, site: Site) -> Sequence[Change]:
        names, value = self._names(site), site.block.value if site.block is not None else None
        content = value.get("content") if isinstance(value, dict) else None
        if not isinstance(content, list):
            call = [site.partner] if site.partner >= 0 else []
            away = _fixes.with_calls(site.scene, call) if call else [site.position]
            return [_fixes.drop(site, "Drop the search and what it found", away)]
        kept = [part for part in content if not (isinstance(part, dict) and part.get("tool_name") in names)]
        if kept:
            return [site.change("Take the references away", "loses", Set(site.row, "content", kept))]
        words = "[what it refers to is no longer declared]"
        return [site.change("Say so in place of the references", "loses", Replace(_fixes.rows(site, [site.position]), Words(words)))]

    def _names(self, site: Site) -> list[str]:
        return [word.removeprefix(PREFIX) for word in _unknown(site.reading) if site.scene.view.bears(word, site.position)]


def _unknown(reading: Reading) -> Iterator[str]:
    """Marks of references to tools that are not declared."""
    request = request_of(reading)
    if request is None or request.get("mcp_servers") or SERVERS in declared_types(reading):
        return
    declared = declared_names(reading)
    for word in reading.view.transcript.table.marks:
        if word.startswith(PREFIX) and word.removeprefix(PREFIX) not in declared:
            yield word


RULE = ToolReferenceUnknown()
