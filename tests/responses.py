"""Short drawings of item lists (OpenAI's Responses): `u | r#1 | f#1 1 | o 1`.

A word, then `#` and the item's own id (`#1` gets the prefix of its type, `#=x` is `x`), then the call id. Words: `u a s d` messages of
the four roles, `r` reasoning (`re` encrypted), `f c x t ts l h p` calls (function, custom, computer, tool search of the client and of the
server, local shell, shell, patch), `o` before one of these their outputs (`o` alone: of a function), `ref` a reference, `w` a web search,
`m` an MCP call, `k` a compaction. `-` for a call id: there is none; `""`: the empty one.
"""

from __future__ import annotations

import json
from typing import Any

from app.model.dump import Dump
from app.model.findings import Mode, Report
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.view import make_view
from app.providers import PROVIDERS

CALLS = {
    "f": ("function_call", "fc", {"name": "look", "arguments": "{}"}),
    "c": ("custom_tool_call", "ctc", {"name": "patch", "input": "text"}),
    "x": ("computer_call", "cu", {"action": {"type": "click"}}),
    "t": ("tool_search_call", "tsc", {"execution": "client", "arguments": {}}),
    "ts": ("tool_search_call", "tsc", {"execution": "server", "arguments": {}}),
    "l": ("local_shell_call", "lsh", {"action": {"command": ["ls"]}}),
    "h": ("shell_call", "sh", {"action": {"commands": ["ls"]}}),
    "p": ("apply_patch_call", "apc", {"operation": {"type": "delete_file", "path": "a"}}),
}
OUTPUTS: dict[str, tuple[str, dict[str, Any]]] = {
    "o": ("function_call_output", {"output": "ok"}),
    "of": ("function_call_output", {"output": "ok"}),
    "oc": ("custom_tool_call_output", {"output": "ok"}),
    "ox": ("computer_call_output", {"output": {"type": "computer_screenshot", "file_id": "file-1"}}),
    "ot": ("tool_search_output", {"execution": "client", "tools": []}),
    "ots": ("tool_search_output", {"execution": "server", "tools": []}),
    "ol": ("local_shell_call_output", {"output": "ok"}),
    "oh": ("shell_call_output", {"output": []}),
    "op": ("apply_patch_call_output", {"status": "completed"}),
}
OTHERS = {
    "r": ("reasoning", "rs", {"summary": []}),
    "re": ("reasoning", "rs", {"summary": [], "encrypted_content": "gAAAAA"}),
    "ref": ("item_reference", "", {}),
    "w": ("web_search_call", "ws", {"status": "completed", "action": {"type": "search", "query": "x"}}),
    "m": ("mcp_call", "mcp", {"name": "ask", "server_label": "s", "arguments": "{}", "output": "yes"}),
    "k": ("compaction", "cmp", {"encrypted_content": "gAAAAA"}),
}
ROLES = {"u": "user", "a": "assistant", "s": "system", "d": "developer"}


def items(drawing: str) -> list[dict[str, Any]]:
    return [_item(*entry.split()) for entry in drawing.split("|") if entry.strip()]


def _item(head: str, call_id: str = "-") -> dict[str, Any]:
    word, _, own = head.partition("#")
    if word in ROLES:
        return {"type": "message", "role": ROLES[word], **_own(own, "msg"), "content": f"words of {word}"}
    if word in OUTPUTS:
        kind, members = OUTPUTS[word]
        return {"type": kind, **_own(own, "fco"), **_call_id(call_id), **members}
    if word in CALLS:
        kind, prefix, members = CALLS[word]
        return {"type": kind, **_own(own, prefix), **_call_id(call_id), **members}
    kind, prefix, members = OTHERS[word]
    return {"type": kind, **_own(own, prefix), **members}


def _own(own: str, prefix: str) -> dict[str, Any]:
    if not own:
        return {}
    return {"id": own[1:] if own.startswith("=") else f"{prefix}_{own}"}


def _call_id(text: str) -> dict[str, Any]:
    return {} if text == "-" else {"call_id": None if text == "null" else text.strip('"')}


def request(drawing: str, **members: Any) -> dict[str, Any]:
    return {"model": "gpt-5", **members, "input": items(drawing)}


def opened(made: Any) -> Dump:
    return load(Source.of(json.dumps(made, indent=1).encode(), "x.json"), "openai-responses")


def judged(
    dump: Dump, transcript: Transcript | None = None, provider: str = "openai-responses", mode: Mode = "complete", model: str | None = None
) -> Report:
    return check(make_view(transcript or dump.transcripts[0]), PROVIDERS[provider], model, mode, dump, all_findings=True)


def found(report: Report) -> str:
    """Severity, rule and place of each finding but notes, short: `e item-id-duplicate 2`."""
    return ", ".join(f"{f.severity[0]} {f.rule} {f.at.removeprefix('/input/')}" for f in report.findings if f.severity != "note")
