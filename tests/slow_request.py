"""What Anthropic says of a request beside its messages, written down a second time (see `tests/slow_blocks.py`)."""

from __future__ import annotations

from typing import Any

Found = set[tuple[str, str]]
Request = dict[str, Any]


def is_request(request: Request) -> bool:
    """Whether anything is known beside the messages."""
    return bool(request.keys() - {"messages", "system"})


def marks(request: Request, in_messages: list[tuple[str, Any]]) -> Found:
    """Of cache marks. `in_messages`: pointer and value of the blocks of messages."""
    found: Found = set()
    blocks: list[tuple[str, Any]] = []
    for key in ("tools", "system"):
        held = request.get(key)
        blocks += [(f"/{key}/{index}", block) for index, block in enumerate(held if isinstance(held, list) else [])]
    marked = [(at, block["cache_control"]) for at, block in blocks + in_messages if isinstance(block, dict) and block.get("cache_control")]
    if len(marked) > 4:
        found.add(("cache-breakpoints-too-many", marked[4][0]))
    short = False
    for pointer, mark in marked:
        if mark.get("ttl") == "1h" and short:
            found.add(("cache-ttl-order", pointer))
            break
        short = short or mark.get("ttl") != "1h"
    return found


def members(request: Request) -> Found:
    """Of tools and of members of other APIs."""
    found: Found = set()
    tools = request.get("tools") or []
    names = [tool.get("name") for tool in tools]
    for index, name in enumerate(names):
        if name is not None and name in names[:index]:
            found.add(("tool-names-not-unique", f"/tools/{index}"))
    if tools and all(tool.get("defer_loading") is True for tool in tools):
        found.add(("tools-all-deferred", "/tools/0"))
    for key in ("response_format", "stream_options", "reasoning_effort"):
        if key in request:
            found.add(("unknown-field", f"/{key}"))
    if request.get("container") is not None and not _runs_code(request):
        found.add(("container-unexpected", "/container"))
    held = request.get("system")
    for index, block in enumerate(held if isinstance(held, list) else []):
        for key in ("id", "index"):
            if key in block:
                found.add(("unknown-field", f"/system/{index}/{key}"))
    return found


def _types(request: Request) -> list[str]:
    return [tool.get("type", "custom") for tool in request.get("tools") or []]


def _runs_code(request: Request) -> bool:
    return any(word.startswith(("code_execution", "web_search_2026", "web_fetch_2026")) for word in _types(request))


def declared(request: Request, call: dict[str, Any]) -> bool:
    """Whether the tool of a call that the provider answers is declared."""
    name = call["name"]
    if call["type"] == "mcp_tool_use":
        return bool(request.get("mcp_servers"))
    names = [tool.get("name") for tool in request.get("tools") or []]
    known = name in names or any(word == name or word.startswith(f"{name}_2") for word in _types(request))
    return known or (name.endswith("code_execution") and _runs_code(request))


def unknown_references(request: Request, content: Any) -> bool:
    """Whether a result refers to a tool that is not declared."""
    if "mcp_toolset" in _types(request) or request.get("mcp_servers") or not isinstance(content, list):
        return False
    names = [tool.get("name") for tool in request.get("tools") or []]
    refers = [inner.get("tool_name") for inner in content if isinstance(inner, dict) and inner.get("type") == "tool_reference"]
    return any(isinstance(name, str) and name not in names for name in refers)
