"""One defect is one finding: what another rule says of a place is not said again, and a repair mends what it was asked to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.rule_page import example
from app.pipeline.view import make_view
from app.providers import PROVIDERS


def counts(provider: str, **request: Any) -> dict[str, int]:
    dump = load(Source.of(json.dumps(request).encode(), "x.json"))
    transcript = dump.transcripts[0]
    return check(make_view(transcript), PROVIDERS[provider], transcript.model, "complete", dump).counts


def claude(*messages: tuple[str, Any], **more: Any) -> dict[str, int]:
    listed = [{"role": role, "content": content} for role, content in messages]
    return counts("anthropic", model="claude-sonnet-4-5", max_tokens=9, messages=listed, **more)


CALL = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "42"}
TEXT = {"type": "text", "text": "go on"}
TOOLS = [{"type": "web_search_20250305", "name": "web_search"}]


@pytest.mark.parametrize(
    ("assistant", "user", "expected"),
    [
        ([CALL], [RESULT, TEXT], {"text-after-tool-result": 1}),
        ([CALL], [RESULT, RESULT], {"tool-result-duplicate": 1}),
        ([SEARCH, CALL], [RESULT, TEXT], {"text-after-tool-result-with-open-server-tool": 1}),
        ([TEXT], [RESULT, TEXT], {"tool-result-orphan": 1}),
    ],
)
def test_what_stands_behind_results(assistant: list[Any], user: list[Any], expected: dict[str, int]) -> None:
    assert claude(("user", "q"), ("assistant", assistant), ("user", user), tools=TOOLS) == expected


COMPACTED = {"type": "compaction", "content": "They asked for 42."}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("They asked for 42.", {"compaction-before-content": 1}),
        ("", {"compaction-content-empty": 1}),
        (None, {}),
    ],
)
def test_only_a_compaction_that_holds_something_hides_what_stands_before_it(content: str | None, expected: dict[str, int]) -> None:
    assert claude(("user", "q"), ("assistant", [{"type": "compaction", "content": content}, TEXT]), ("user", "go on")) == expected


def test_a_conversation_may_begin_with_a_compaction() -> None:
    assert claude(("assistant", [COMPACTED, TEXT]), ("user", "go on")) == {}
    assert claude(("assistant", [TEXT, COMPACTED]), ("user", "go on")) == {"compaction-before-content": 1, "first-message-not-user": 1}


def test_a_split_result_is_no_second_message_of_a_role() -> None:
    def use(id: str) -> dict[str, Any]:
        return {"toolUse": {"toolUseId": id, "name": "look", "input": {}}}

    def result(id: str) -> dict[str, Any]:
        return {"role": "user", "content": [{"toolResult": {"toolUseId": id, "content": [{"text": "42"}]}}]}

    messages = [{"role": "user", "content": [{"text": "q"}]}, {"role": "assistant", "content": [use("a"), use("b")]}, result("a")]
    tools = {"tools": [{"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}]}
    more: dict[str, Any] = {"modelId": "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "toolConfig": tools}
    assert counts("bedrock", messages=[*messages, result("b")], **more) == {
        "tool-results-split-across-messages": 1, "call-repeated": 1,
    }  # fmt: skip
    second = {"role": "user", "content": [{"text": "x"}]}
    assert counts("bedrock", messages=[*messages[:1], second], **more) == {"role-alternation": 1}


def test_an_image_leaves_the_assistant_and_its_words_stay() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    said = {"role": "assistant", "content": [{"type": "text", "text": "here"}, image, {"type": "text", "text": "see?"}]}
    data = json.dumps({"model": "gpt-4o", "messages": [{"role": "user", "content": "q"}, said]}).encode()
    mended = json.loads(example("image-in-assistant-message", "openai-chat", data).mended)
    assert [(message["role"], [part["type"] for part in message["content"]]) for message in mended["messages"][1:]] == [
        ("assistant", ["text", "text"]),
        ("user", ["image_url"]),
    ]


@pytest.mark.parametrize("only", ["id", "call_id"])
def test_the_output_of_a_local_shell_gets_its_second_id(only: str) -> None:
    call = {"type": "local_shell_call", "call_id": "c", "status": "completed", "action": {"type": "exec", "command": ["ls"], "env": {}}}
    output = {"type": "local_shell_call_output", only: "c", "output": "a"}
    data = json.dumps({"model": "gpt-4.1", "input": [{"role": "user", "content": "q"}, call, output]}).encode()
    mended = json.loads(example("local-shell-id", "openai-responses", data).mended)
    assert mended["input"][2] == {"type": "local_shell_call_output", "id": "c", "call_id": "c", "output": "a"}
    assert counts("openai-responses", **mended) == {}
