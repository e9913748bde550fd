"""An open call of a provider's tool that the request does not declare (Anthropic).

A call that is still to be answered needs its tool: `bash_code_execution` and `text_editor_code_execution` are declared as
`code_execution`, the searches for tools by their type, calls of MCP by `mcp_servers`. Calls of the advisor need theirs when they are
answered as well.

Evidence: Anthropic's documentation on stop reasons (a text that ends with "but no `web_search` tool was provided"; text-index id
69535476021); pydantic/pydantic-ai models/anthropic.py:1695 (the advisor).

Repair: the tool, declared again by who has its definition; else the call goes, with what it found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.provider import Defect, Reading
from app.rules import _fixes
from app.rules._request import declared_names, declared_types, request_of
from app.rules._rule import Rule, Said
from app.rules._said import tool
from app.rules._scene import Site
from app.rules.container_unexpected import RUNS_CODE

ALWAYS = "advisor"
CODE = "code_execution"


class ServerToolNotDeclared(Rule):
    name = "server-tool-not-declared"
    summary = "an open call of a provider's tool that the request does not declare"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, names = reading.view, reading.view.transcript.table.names
        if not view.server.any() or (request := request_of(reading)) is None:
            return []
        always = names.index(ALWAYS) if ALWAYS in names else -2
        wanted = (reading.defect == Defect.IN_FLIGHT) | (view.server & (reading.partner >= 0) & (view.name == always))
        found = np.flatnonzero(wanted & (view.name >= 0))
        mcp = np.asarray([word == "mcp_tool_use" for word in view.transcript.table.types], bool)[view.type[found]]
        servers = bool(request.get("mcp_servers"))
        declared = {int(number): _declared(reading, names[int(number)]) for number in np.unique(view.name[found])}
        missing = [not (servers if of_mcp else declared[int(number)]) for of_mcp, number in zip(mcp, view.name[found], strict=True)]
        return [self.hit(reading, found[np.asarray(missing, bool)])]

    def say(self, site: Site) -> Said:
        state = "open" if site.partner < 0 else "there"
        message = f"The call of {tool(site, site.position)} is {state}, and the request does not declare that tool."
        return Said(message, ids=site.ids, cause="tools not declared", words={"name": site.scene.name(site.position)})

    def fixes(self, site: Site) -> Sequence[Change]:
        return [_fixes.drop(site, "Drop the call", _fixes.with_calls(site.scene, [site.position]))]


def _declared(reading: Reading, name: str) -> bool:
    """Whether a tool of the provider is among those that the request declares."""
    types = declared_types(reading)
    if name.endswith(CODE) and any(word.startswith(RUNS_CODE) for word in types):
        return True
    return name in declared_names(reading) or any(word == name or word.startswith(f"{name}_2") for word in types)


RULE = ServerToolNotDeclared()
