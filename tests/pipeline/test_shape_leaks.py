"""Shape only, looked at with fresh eyes: no word of the contents is in what leaves, wherever it stood."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from app.pipeline.names import provider_named
from app.pipeline.shape import shape
from tests.evidence import dump_of

ANTHROPIC = provider_named("anthropic")
WORDS = st.text(alphabet="bcdfghjkpvwxyzBCDXYZ", min_size=4, max_size=9)  # no vowels: none of them is a filler's or a format's
TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
SHAPES = st.sampled_from([
    "{}", "/home/{}/a.py", "see https://{}.example/x", "{}@acme.example", "<{}>", '{{"note": "{}"}}', "```\n{}\n```", "{}=1", "\\u0041{}",
    "<system-reminder>{}</system-reminder>", "data:text/plain;base64,{}", "[{}]", "{}-4711", "a\n{}\tb", "claude-{}", "toolu_{}",
])  # fmt: skip
SAID = st.tuples(SHAPES, TEXTS).map(lambda pair: pair[0].format(pair[1]))


def words(text: str) -> set[str]:
    return {word.lower() for word in re.findall("[bcdfghjkpvwxyzBCDXYZ]{4,}", text)}


def left(said: list[str], made: bytes) -> set[str]:
    told = made.decode().lower()
    return {word for text in said for word in words(text) if word in told}


@settings(max_examples=6, deadline=None)
@given(st.lists(SAID, min_size=12, max_size=12), st.booleans())
def test_a_request(said: list[str], keep_tools: bool) -> None:
    call = {
        "type": "tool_use",
        "id": f"toolu_01{said[0]}",
        "name": "read_file",
        "input": {"path": said[1], "more": [said[2], {"x": said[3]}]},
    }
    result = {"type": "tool_result", "tool_use_id": call["id"], "content": [{"type": "text", "text": said[4]}]}
    body = {
        "model": "claude-sonnet-4-5", "max_tokens": 9, "metadata": {"user_id": said[5]}, "system": [{"type": "text", "text": said[6]}],
        "tools": [{"name": "read_file", "description": said[7], "input_schema": {
            "type": "object", "properties": {"path": {"type": "string", "description": said[8], "enum": [said[9]]}}}}],
        "messages": [{"role": "user", "content": said[10]}, {"role": "assistant", "content": [{"type": "text", "text": said[11]}, call]},
                     {"role": "user", "content": [result]}],
    }  # fmt: skip
    made = shape(dump_of(body), ANTHROPIC, None, "complete", keep_tools).data
    assert left(said, made) == set()


@settings(max_examples=6, deadline=None)
@given(st.lists(SAID, min_size=9, max_size=9))
def test_a_session(said: list[str]) -> None:
    base = {"isSidechain": False, "userType": said[0], "cwd": said[1], "sessionId": said[2], "version": "1.0.88", "gitBranch": said[3]}
    call = {"type": "tool_use", "id": "toolu_01Abcdefgh", "name": "Bash", "input": {"command": said[4]}}
    result = {"type": "tool_result", "tool_use_id": "toolu_01Abcdefgh", "content": said[5]}
    lines = [
        {"type": "summary", "summary": said[6], "leafUuid": "4f1c0000-0000-4000-8000-000000000002"},
        {**base, "parentUuid": None, "type": "user", "uuid": "4f1c0000-0000-4000-8000-000000000001",
         "timestamp": "2026-01-02T03:04:05.000Z", "message": {"role": "user", "content": said[7]}},
        {**base, "parentUuid": "4f1c0000-0000-4000-8000-000000000001", "type": "assistant",
         "uuid": "4f1c0000-0000-4000-8000-000000000002", "timestamp": "2026-01-02T03:04:06.000Z",
         "message": {"id": "msg_01", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [call]}},
        {**base, "parentUuid": "4f1c0000-0000-4000-8000-000000000002", "type": "user", "uuid": "4f1c0000-0000-4000-8000-000000000003",
         "timestamp": "2026-01-02T03:04:07.000Z", "message": {"role": "user", "content": [result]},
         "toolUseResult": {"stdout": said[5], "stderr": said[8], "file": {"filePath": said[1]}}, "unknownMember": [{"k": said[8]}]},
    ]  # fmt: skip
    data = "\n".join(json.dumps(line) for line in lines).encode()
    made = shape(dump_of(data, "s.jsonl"), ANTHROPIC, None, "prefix").data
    assert left(said, made) == set()
