"""OpenAI's Chat Completions: what becomes of each member of a message, and of what stands beside the messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.formats import FORMATS
from app.model.block import Block, Media
from app.model.dump import Dump
from app.model.kinds import ARGS_SHIFT, Args, Flag, Kind, Role
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.test_anthropic_messages import _counts

FORMAT = FORMATS["openai-chat"]


def opened(made: Any) -> Dump:
    return FORMAT.parse(Source.of(json.dumps(made).encode()))


def rows(message: dict[str, Any]) -> list[tuple[Kind, str, str | None, int]]:
    """Kind, the wire's word, pointer inside the message and flags of each row of a message."""
    dump = opened([message])
    blocks = FORMAT.each_block(dump.table, dump.source, range(len(dump.table)))
    return [(b.kind, b.type, (b.pointer or "").removeprefix("/0"), int(dump.table.flags[b.row])) for b in blocks]


def block(message: dict[str, Any], row: int = 0) -> Block:
    dump = opened([message])
    return FORMAT.block(dump.transcripts[0], row, dump.source)


def call(arguments: Any = "{}", **more: Any) -> dict[str, Any]:
    return {"id": "c1", "type": "function", "function": {"name": "look", "arguments": arguments}, **more}


CALL = int(Args.STRING) << ARGS_SHIFT


@pytest.mark.parametrize(
    ("message", "want"),
    [
        ({"role": "user", "content": "hi"}, [(Kind.TEXT, "text", "/content", 0)]),
        ({"role": "user", "content": ""}, [(Kind.TEXT, "text", "/content", Flag.TEXT_EMPTY)]),
        ({"role": "user", "content": None}, [(Kind.EMPTY, "empty", "", Flag.CONTENT_NULL)]),
        ({"role": "user"}, [(Kind.EMPTY, "empty", "", Flag.CONTENT_NULL)]),
        ({"role": "user", "content": []}, [(Kind.EMPTY, "empty", "", Flag.CONTENT_LIST | Flag.CONTENT_NONE)]),
        ({"role": "user", "content": {"a": 1}}, [(Kind.EMPTY, "(object)", "/content", Flag.CONTENT_ODD)]),
        ({"role": "user", "content": 0}, [(Kind.EMPTY, "(number)", "/content", Flag.CONTENT_ODD)]),
        ({"role": "user", "content": "hi", "name": "ann"}, [(Kind.TEXT, "text", "/content", Flag.NAMED)]),
        ({"role": "user", "content": "hi", "name": None}, [(Kind.TEXT, "text", "/content", 0)]),
        ({"role": "system", "content": "hi"}, [(Kind.TEXT, "text", "/content", 0)]),
        ({"role": "assistant", "content": None, "tool_calls": [call()]}, [(Kind.TOOL_CALL, "function", "/tool_calls/0", CALL)]),
        ({"role": "assistant", "content": "", "tool_calls": [call()]}, [(Kind.TOOL_CALL, "function", "/tool_calls/0", CALL)]),
        ({"role": "assistant", "tool_calls": [call(), call()]}, [(Kind.TOOL_CALL, "function", f"/tool_calls/{n}", CALL) for n in (0, 1)]),
        ({"role": "assistant", "content": "x", "tool_calls": []}, [(Kind.TEXT, "text", "/content", Flag.CALLS_NONE)]),
        ({"role": "assistant", "content": "x", "tool_calls": None}, [(Kind.TEXT, "text", "/content", 0)]),
        (
            {"role": "assistant", "content": "x", "tool_calls": {"a": 1}},
            [(Kind.TEXT, "text", "/content", 0), (Kind.OTHER, "tool_calls", "/tool_calls", Flag.TYPE_ODD)],
        ),
        (
            {"role": "assistant", "content": "x", "tool_calls": ["bare"]},
            [(Kind.TEXT, "text", "/content", 0), (Kind.OTHER, "(string)", "/tool_calls/0", 0)],
        ),
        ({"role": "assistant", "content": None, "refusal": "no"}, [(Kind.TEXT, "refusal", "/refusal", 0)]),
        ({"role": "assistant", "content": "x", "refusal": None}, [(Kind.TEXT, "text", "/content", 0)]),
        (
            {"role": "assistant", "content": "x", "reasoning_content": "r"},
            [(Kind.REASONING, "reasoning_content", "/reasoning_content", 0), (Kind.TEXT, "text", "/content", 0)],
        ),
        ({"role": "assistant", "content": "x", "reasoning": ""}, [(Kind.TEXT, "text", "/content", 0)]),
        (
            {"role": "assistant", "content": "x", "reasoning": "", "reasoning_signature": "s"},
            [
                (Kind.REASONING, "reasoning_signature", "/reasoning_signature", Flag.SIGNED | Flag.REDACTED | Flag.TEXT_EMPTY),
                (Kind.TEXT, "text", "/content", 0),
            ],
        ),
        (
            {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": "{}"}},
            [(Kind.TOOL_CALL, "function_call", "/function_call", CALL | Flag.ID_ABSENT)],
        ),
        (
            {"role": "assistant", "content": None, "tool_calls": [call()], "function_call": {"name": "copy"}},
            [(Kind.TOOL_CALL, "function", "/tool_calls/0", CALL)],
        ),
        ({"role": "tool", "tool_call_id": "c1", "content": "ok"}, [(Kind.TOOL_RESULT, "tool", "", 0)]),
        ({"role": "tool", "tool_call_id": "c1", "content": None}, [(Kind.TOOL_RESULT, "tool", "", Flag.CONTENT_NULL)]),
        ({"role": "tool", "content": "ok"}, [(Kind.TOOL_RESULT, "tool", "", Flag.ID_ABSENT)]),
        ({"role": "function", "name": "look", "content": "ok"}, [(Kind.TOOL_RESULT, "function", "", Flag.ID_ABSENT | Flag.NAMED)]),
        (
            {
                "role": "tool",
                "tool_call_id": "c1",
                "content": [{"type": "text", "text": ""}, {"type": "image_url", "image_url": {"url": "u"}}],
            },
            [(Kind.TOOL_RESULT, "tool", "", Flag.CONTENT_LIST | Flag.PART_EMPTY | Flag.MEDIA)],
        ),
        ({"role": "user", "content": "hi", "tool_use_id": "x"}, [(Kind.TEXT, "text", "/content", Flag.UNKNOWN_KEYS)]),
    ],
)
def test_messages(message: dict[str, Any], want: list[tuple[Kind, str, str, int]]) -> None:
    assert rows(message) == want


def test_parts() -> None:
    parts = [
        {"type": "text", "text": "a"},
        {"type": "refusal", "refusal": "b"},
        {"type": "image_url", "image_url": {"url": "https://x"}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        {"type": "file", "file": {"file_id": "f"}},
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "input_text", "text": "foreign"},
        "bare",
    ]
    message = {"role": "user", "content": parts}
    listed = Flag.CONTENT_LIST
    assert [(kind, flags) for kind, _, _, flags in rows(message)] == [
        (Kind.TEXT, listed),
        (Kind.TEXT, listed),
        (Kind.MEDIA, listed),
        (Kind.MEDIA, listed),
        (Kind.MEDIA, listed),
        (Kind.REASONING, listed),
        (Kind.OTHER, listed | Flag.TYPE_ODD),
        (Kind.OTHER, listed | Flag.TYPE_ODD),
    ]
    assert [block(message, row).texts for row in (0, 1, 5)] == [("a",), ("b",), ("hm",)]
    assert block(message, 3).media == (Media("audio/wav", bytes=3),)
    assert block(message, 0).pointer == "/0/content/0"


@pytest.mark.parametrize(
    ("arguments", "want", "size"),
    [
        ('{"a":1}', Args.STRING, 7),
        ("", Args.BROKEN, 0),
        ("3", Args.STRING_OTHER, 1),
        ({"a": 1}, Args.OBJECT, 7),
        (None, Args.NULL, 0),
        ([1], Args.OTHER, 3),
    ],
)
def test_arguments(arguments: Any, want: Args, size: int) -> None:
    dump = opened([{"role": "assistant", "content": None, "tool_calls": [call(arguments)]}])
    assert (int(dump.table.flags[0]) & Flag.ARGS) >> ARGS_SHIFT == want
    assert dump.table.size[0] == len("look") + size


def test_custom_tools_take_free_text() -> None:
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "patch", "input": "*** begin"}}],
    }
    (row,) = rows(message)
    assert row[3] == int(Args.FREE) << ARGS_SHIFT
    assert (block(message).name, block(message).texts, block(message).call_id) == ("patch", ("*** begin",), "c")


def test_the_readable_reasoning() -> None:
    details = [{"type": "reasoning.text", "text": "one", "signature": "s"}, {"type": "reasoning.summary", "summary": "two"}]
    assert block({"role": "assistant", "content": "x", "reasoning_details": details}).text == "one\ntwo"
    assert block({"role": "assistant", "content": "x", "reasoning": "r", "reasoning_details": details}).text == "r"
    encrypted = {"role": "assistant", "content": "x", "reasoning_details": [{"type": "reasoning.encrypted", "data": "zz"}]}
    assert rows(encrypted)[0][3] & (Flag.SIGNED | Flag.REDACTED) == Flag.SIGNED | Flag.REDACTED


def test_a_request_and_its_answer() -> None:
    dump = opened(
        {
            "object": "traffic.completion",
            "model": "gpt-5",
            "usage": {"prompt_tokens": 10, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}},
            "tools": [{"type": "function", "function": {"name": "look", "parameters": {}}}],
            "functions": [{"name": "old"}],
            "messages": [{"role": "developer", "content": "d"}, {"role": "user", "content": "hi"}],
            "choices": [{"index": 0, "message": {"role": "assistant", "content": "yes"}}, {"index": 1, "finish_reason": "stop"}],
        }
    )
    table = dump.table
    assert [table.pointer(r) for r in range(len(table.records))] == [
        "/tools/0",
        "/functions/0",
        "/messages/0",
        "/messages/1",
        "/choices/0/message",
    ]
    assert table.message.tolist() == [-1, -1, 0, 1, 2]
    assert [table.names[n] for n in table.name[:2]] == ["look", "old"]
    assert [Role(r) for r in table.role[2:]] == [Role.DEVELOPER, Role.USER, Role.ASSISTANT]
    usages = table.usages
    assert [int(c[0]) for c in (usages.message, usages.input, usages.cache_read, usages.cache_write, usages.output)] == [2, 10, 4, 0, 3]
    assert FORMAT.block(dump.transcripts[0], 4, dump.source).pointer == "/choices/0/message/content"
    assert (table.joins, table.args_text) == (False, True)


def test_choices_are_alternatives_and_no_conversation() -> None:
    """Of several answers to one request the last one is judged; the others are there, and written back."""
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    choice = {"role": "assistant", "content": None, "tool_calls": [call]}
    document = {"model": "gpt-5", "choices": [{"index": n, "message": choice} for n in range(3)], "usage": {"prompt_tokens": 3}}
    dump = opened(document)
    transcript = dump.transcripts[0]
    assert (len(transcript.order), transcript.start, transcript.why) == (3, 2, "the last of 3 choices; the others answer the same request")
    view = make_view(transcript, source=dump.source)
    report = check(view, PROVIDERS["openai-chat"], "gpt-5", "prefix", dump.source)
    assert [finding.rule for finding in report.findings if finding.severity == "error"] == []
    assert b"".join(FORMAT.write(dump, dump.transcripts)) == dump.source.all()
    both = opened({**document, "messages": [{"role": "user", "content": "q"}]})
    assert both.transcripts[0].start == 0


def test_an_answer_alone() -> None:
    dump = opened({"object": "chat.completion", "model": "gpt-5", "choices": [{"message": {"role": "assistant", "content": "yes"}}]})
    assert (len(dump.table), dump.records["shown"]) == (1, 1)


def test_counts_of_real_dumps(shared: Path) -> None:
    _counts(shared, "openai_chat")
