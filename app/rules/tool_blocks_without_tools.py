"""Calls or results in the history of a request that declares no tools (Bedrock).

Converse wants `toolConfig` as soon as one such block is there. (Anthropic wanted `tools` until 2025-02 and takes it since; OpenAI Chat
takes it.) Of a list of messages without a request, and of an answer, nothing is said.

Evidence: langgenius/dify#17545, #16421; vercel/ai PR #7537; vxcontrol/pentagi PR #196; aws-samples/bedrock-access-gateway PR #239;
patriceckhart/zot PR #18 (a stub of a tool is taken).

Repair: the tools that the history calls are declared, by their names alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import Any

import numpy as np

from app.model.edits import Before, Change, Edit, Insert, Made, SetRequest
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.model.table import RecordKind
from app.rules._rule import Rule, Said
from app.rules._scene import Site

NAME = "unnamed"


class ToolBlocksWithoutTools(Rule):
    name = "tool-blocks-without-tools"
    summary = "calls or results in a request that declares no tools"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if (view.kind == Kind.TOOLS).any() or not _is_request(reading):
            return []
        blocks = np.flatnonzero(reading.sent & ((view.kind == Kind.TOOL_CALL) | (view.kind == Kind.TOOL_RESULT)))
        return [self.hit(reading, blocks[:1])]

    def say(self, site: Site) -> Said:
        return Said("The history holds calls or results, and the request declares no tools.", cause="no tools")

    def fixes(self, site: Site) -> Sequence[Change]:
        if not site.reading.native:
            return []  # how another wire declares tools is not this rule's
        scene, view = site.scene, site.scene.view
        calls = np.flatnonzero(view.calls & site.reading.sent)
        names = list(dict.fromkeys(scene.name(int(at)) or NAME for at in calls)) or [NAME]
        tools: list[dict[str, Any]] = [{"toolSpec": {"name": name, "inputSchema": {"json": {"type": "object"}}}} for name in names]
        first = site.row_of(int(np.flatnonzero(view.in_messages)[0]))
        edits: list[Edit] = [SetRequest("/toolConfig", {"tools": tools})]
        edits += [Insert(Before(first), Made(Kind.TOOLS, Role.SYSTEM, _compact(tool))) for tool in tools]
        return [site.change("Declare the tools of the history by their names", "adds", *edits)]


def _is_request(reading: Reading) -> bool:
    """Whether the messages stand in a request: not in a bare list, an answer or a session log."""
    table = reading.view.transcript.table
    if table.pointer_prefix == "/":
        return False
    listed = np.flatnonzero(table.records.kind == RecordKind.MESSAGE)
    return any(int(record) not in table.pointers for record in listed)


def _compact(value: Any) -> str:
    return dumps(value, ensure_ascii=False, separators=(",", ":"))


RULE = ToolBlocksWithoutTools()
