"""What providers are recorded as taking: each such row of the evidence as a request, in which no rule may see an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import request_of
from tests.rules.asked import asked
from tests.rules.test_request_rules import OK, TOOL, USER, assistant, call, request, result, text, thinking, user

SEARCH = {"type": "web_search_20250305", "name": "web_search"}
MCP = [{"type": "url", "name": "a", "url": "https://example.org"}]


def drawn(drawing: str, wire: str = "anthropic", **members: Any) -> dict[str, Any]:
    return request_of(drawing, wire, **members)


TAKEN: list[tuple[str, str, Any]] = [
    # one id in messages.1 and messages.3, each answered (claude-sonnet-4-5: 200)
    ("anthropic", "tool-call-id-reused-across-turns", drawn("u:q | a:call 1 | u:result 1 | a:call 1 | u:result 1 | a:ok | u:so")),
    # u | a[tool_use x2] | u[R2] | u[R1, text] = 200 (a live probe of 2026-07-25)
    ("anthropic", "tool-results-split-across-messages", drawn("u:q | a:call 1,call 2 | u:result 2 | u:result 1,go on")),
    ("anthropic", "tool-results-out-of-order", drawn("u:q | a:call 1,call 2,call 3 | u:result 3,result 1,result 2")),
    # assistant[text, A] | assistant[B] | user[A, B] = 200
    ("anthropic", "tool-call-split-across-messages", drawn("u:q | a:text,call 1 | a:call 2 | u:result 1,result 2")),
    ("anthropic", "role-alternation", drawn("u=q | u=more | a=ok | a=and | u=so")),
    ("anthropic", "server-tool-in-flight", drawn("u:q | a:server srvtoolu_1 web_search,call 1 | u:result 1", tools=[SEARCH])),
    ("anthropic", "server-tool-in-flight", drawn("u:q | a:text,server srvtoolu_1 web_search", tools=[SEARCH])),
    ("anthropic", "server-tool-in-flight", request(
        USER, assistant({"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "ask", "server_name": "a", "input": {}}, call()),
        user(result()), tools=[TOOL], mcp_servers=MCP)),
    # allowed since 2025-02; 200 on claude-sonnet-4-6 of 2026-07-09
    ("anthropic", "tool-blocks-without-tools", request(USER, assistant(call()), user(result()), OK, USER)),
    # clearing happens on the server, the history is sent whole
    ("anthropic", "context-cleared-placeholder", request(
        USER, assistant(call()), user(result(content="[Old tool result content cleared]")), OK, USER,
        context_management={"edits": [{"type": "clear_tool_uses_20250919"}]})),
    ("openai-chat", "tool-results-out-of-order", drawn("u=q | a:call 1,call 2 | t:result 2 | t:result 1", "openai-chat")),
    ("openai-chat", "first-message-not-user", drawn("a=hello | u=q", "openai-chat")),
    ("openai-chat", "first-message-not-user", drawn("a:call 1 | t:result 1 | u=q", "openai-chat")),
    ("openai-chat", "role-alternation", drawn("s=x | u=q | u=more | a=ok | a=and | u=so | s=now | u=then", "openai-chat")),
    ("openai-chat", "role-alternation", drawn("u=q | a:call 1 | t:result 1 | u=stop | a=ok", "openai-chat")),
    ("openai-chat", "tool-blocks-without-tools", drawn("u=q | a:call 1 | t:result 1", "openai-chat", model="gpt-4.1")),
]  # fmt: skip


@pytest.mark.parametrize(("wire", "row", "made"), TAKEN, ids=[f"{wire}/{row}/{number}" for number, (wire, row, _) in enumerate(TAKEN)])
def test_what_is_taken_is_no_error(wire: str, row: str, made: Any) -> None:
    model = None if wire == "openai-chat" else "claude-sonnet-4-5"
    found = asked(made, wire, model)
    assert found.errors() == []
    assert found.report.verdict == "accept"
    bare = found.dump.source.all()
    assert asked(bare, wire, model, "prefix").report.verdict == "accept"


@pytest.mark.parametrize("wire", ["anthropic", "openai-chat"])
def test_each_row_of_what_is_taken_stands_here(shared: Path, wire: str) -> None:
    rows = json.loads((shared / "rules" / "rules.json").read_text())
    wanted = {row["id"] for row in rows if row["provider"] == wire and row["severity"] == "ok"}
    assert wanted == {row for provider, row, _ in TAKEN if provider == wire}


MORE = [
    # an empty compaction that failed; a round trip (claude-sonnet-4-6: 200)
    request(USER, assistant({"type": "compaction", "content": None}, text()), user(text())),
    # a system message behind one of the user, tools added in it (recorded, 20 requests)
    request(USER, {"role": "system", "content": [{"type": "tool_addition", "tool": {"type": "tool_reference", "tool_name": "look"}}]}, OK,
            USER, tools=[TOOL]),
    # members beside the messages that a beta header allows (recorded)
    request(USER, output_config={"effort": "low"}, container={"id": "container_1", "skills": []}, mcp_servers=MCP,
            tools=[{"type": "code_execution_20260120", "name": "code_execution"}]),
    # a thinking block without text that has its signature (display "omitted")
    request(USER, assistant(thinking(""), text()), USER),
    # redacted thinking behind thinking
    request(USER, assistant(thinking(), {"type": "redacted_thinking", "data": "x"}, text()), USER),
    # an answer that is put into a list whole is refused, an answer by itself is no request
    {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [text()], "usage": {"input_tokens": 1}},
]  # fmt: skip


@pytest.mark.parametrize("made", MORE, ids=range(len(MORE)))
def test_more_that_is_taken(made: Any) -> None:
    assert asked(made).errors() == []
