"""What a file is, by its content; what comes later is named; a tie is said."""

from __future__ import annotations

import contextlib
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from app.formats import FORMATS
from app.formats._peek import peek
from app.model.errors import UnreadableError
from app.model.source import Source
from app.pipeline.detect import detect, rivals

CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]}
CHAT_CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}
TEXT = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes"}]


WIRES = {"anthropic": "anthropic-messages", "openai-chat": "openai-chat", "bedrock": "bedrock-converse", "mistral": "mistral"}


def source(made: Any, name: str = "x.json") -> Source:
    return Source.of(made if isinstance(made, bytes) else json.dumps(made).encode(), name)


def best(made: Any) -> str:
    return detect(source(made))[0].format


def refused(made: Any) -> str:
    with pytest.raises(UnreadableError) as caught:
        detect(source(made))
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith("x.json: ")
    return line


@pytest.mark.parametrize(
    ("made", "want"),
    [
        ({"messages": [CALL]}, "anthropic-messages"),
        ([CALL], "anthropic-messages"),
        ({"model": "claude-sonnet-4-5", "messages": TEXT}, "anthropic-messages"),
        ({"system": "s", "messages": TEXT}, "anthropic-messages"),
        ({"anthropic_version": "bedrock-2023-05-31", "messages": TEXT}, "anthropic-messages"),
        ({"messages": TEXT, "tools": [{"name": "f", "input_schema": {}}]}, "anthropic-messages"),
        ({"id": "msg_1", "type": "message", "role": "assistant", "content": []}, "anthropic-messages"),
        ({"messages": [*TEXT, {"role": "user", "content": [{"type": "image", "source": {}}]}]}, "anthropic-messages"),
        (
            {"messages": [CALL, {"role": "user", "content": "x", "tool_calls": [1]}], "tools": [{"name": "f", "input_schema": {}}]},
            "anthropic-messages",
        ),
        ({"messages": [CHAT_CALL]}, "openai-chat"),
        ([*TEXT, {"role": "tool", "tool_call_id": "c", "content": "x"}], "openai-chat"),
        ([{"role": "developer", "content": "x"}], "openai-chat"),
        ({"model": "gpt-5", "messages": TEXT}, "openai-chat"),
        ({"messages": TEXT, "tools": [{"type": "function", "function": {"name": "f"}}]}, "openai-chat"),
        ({"choices": [{"message": {"role": "assistant", "content": "x"}}]}, "openai-chat"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}, "cache_control": {}}]}]},
            "openai-chat",
        ),
        ({"model": "gpt-5", "messages": []}, "openai-chat"),
        ({"messages": [{"role": "user", "content": [{"text": "x"}]}], "inferenceConfig": {}}, "bedrock-converse"),
        ([{"role": "user", "content": [{"toolResult": {}}]}], "bedrock-converse"),
        ({"output": {"message": {}}, "stopReason": "x"}, "bedrock-converse"),
        ({"messages": [{**CHAT_CALL, "tool_calls": [{"id": "abcde1234", "function": {"name": "f"}}]}]}, "mistral"),
        ({"model": "mistral-large", "messages": TEXT}, "mistral"),
    ],
)
def test_wires(made: Any, want: str) -> None:
    assert best(made) == want


def test_text_alone_is_a_tie_that_is_said() -> None:
    found = detect(source(TEXT))
    assert [c.format for c in found] == ["openai-chat", "anthropic-messages"]
    assert [c.format for c in rivals(found)] == ["anthropic-messages"]
    assert "alike" in found[0].why
    assert rivals(detect(source([CALL]))) == []


def test_the_hint_decides_alone() -> None:
    assert detect(source([CALL]), "openai-chat")[0].format == "openai-chat"
    with pytest.raises(UnreadableError, match="there is no format acme; there are aider, anthropic-messages, "):
        detect(source([CALL]), "acme")
    with pytest.raises(UnreadableError, match="empty"):
        detect(source(b""), "openai-chat")


def test_more_is_looked_at_while_the_head_does_not_tell() -> None:
    padding = [{"role": "user", "content": "x" * 9000}] * 300
    assert best([*padding, CALL]) == "anthropic-messages"
    assert best([*padding, CHAT_CALL]) == "openai-chat"
    huge = [{"role": "user", "content": "x" * (3 << 20)}, CALL]
    assert best(huge) == "anthropic-messages"


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ([[{"role": "user", "content": "x"}]], "list of conversations"),
        (json.dumps(TEXT).encode() + b"\n" + json.dumps(TEXT).encode(), "one a line"),
    ],
)
def test_what_comes_later_is_named(made: Any, words: str) -> None:
    line = refused(made)
    assert words in line
    assert "yet" in line


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf", "nothing but white space"),
        (b" \n\t ", "nothing but white space"),
        (b"hello", "not JSON: byte 0 is 'h'"),
        (b"\0" * 64, "not JSON: byte 0"),
        (b"PK\x03\x04....", "zip"),
        (gzip.compress(b"", mtime=0), "the file is empty"),
        (gzip.compress(b"{}", mtime=0)[:-9], "cut off"),
        (b"SQLite format 3\x00...", "SQLite"),
        ("{}".encode("utf-16"), "keys: none"),
        (b"\xff\xfe{\0}", "no UTF-16-LE text from byte 4 on"),
        ({}, "keys: none"),
        ([], "an empty list"),
        ([1, 2], "holds no messages"),
        (b"{'messages': []}", "at byte 1"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deep"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(made: Any, words: str) -> None:
    assert words in refused(made)


@pytest.mark.parametrize("made", [{"x\ny": 1}, b'{"x": 1}\n{"x": 2}', [{"a": 1}]])
def test_what_nobody_knows_opens_as_records(made: Any) -> None:
    found = detect(source(made))
    assert [one.format for one in found] == ["records"]
    assert "\n" not in found[0].why


def test_mistral_is_no_accident() -> None:
    """Nine letters and digits are Mistral's only where nothing else speaks."""
    calls = [{**CHAT_CALL, "tool_calls": [{"id": i, "function": {"name": "f"}} for i in ("abcde1234", "call_1")]}]
    assert best({"messages": calls}) == "openai-chat"
    named = {"model": "gpt-5", "messages": [{**CHAT_CALL, "tool_calls": [{"id": "abcde1234", "function": {"name": "f"}}]}]}
    assert best(named) == "openai-chat"


def test_a_damaged_document_is_told_by_what_stands_before_the_damage() -> None:
    whole = json.dumps({"model": "claude-x", "messages": [CALL, *TEXT]}).encode()
    for end in range(40, len(whole)):
        assert best(whole[:end]) == "anthropic-messages"
    assert best(whole.replace(b'"hi"', b"hi")) == "anthropic-messages"
    assert best(whole.replace(b'"hi"', b'"h\xe9"')) == "anthropic-messages"
    assert best(whole[:-1] + b",}") == "anthropic-messages"


def test_a_head_is_closed_where_it_is_cut_off() -> None:
    assert peek(b'{"a": 1, "b": [1, 2, {"c": [3', False).value == {"a": 1, "b": [1, 2]}
    assert peek(b'[{"role": "user"}, {"role": "assis', False).value == [{"role": "user"}]
    assert peek(b'{"a": 1}\n{"b": 2}\n{"c', False).records == ({"a": 1}, {"b": 2})
    assert peek(b'{"a": 1}\n', True).lines is False
    assert peek(b'{"a": 1}\n{"b', False).lines is True
    assert peek(b"half a line\n{bad}\n" + b'{"a": 1}\n{"b": 2}\n', False).first == ord("h")
    assert peek(b'{"half\n{"a": 1}\n{"b": 2}\n', True).lines is True


def test_every_case_and_record_of_a_wire_is_known(shared: Path) -> None:
    for provider, want in WIRES.items():
        for path in sorted((shared / "cases" / provider).glob("*.json")):
            assert best(json.loads(path.read_text(encoding="utf-8"))["request"]) == want, path.name
        for line in (shared / "recorded" / f"{provider}.jsonl").read_text(encoding="utf-8").splitlines():
            assert best(json.loads(line)["request"]) == want


def test_no_real_dump_is_taken_for_another(shared: Path) -> None:
    """Of every kind of dump that there is: opened as what it is, or one line."""
    ours = {name.replace("-", "_"): name for name in FORMATS}
    ours["codex_fork"] = "codex"
    alike = {"mistral", "other_openclaw", "other_gemini_cli_fake_responses", "other_posit_assistant"}  # text only, and of a wider kind
    for path in sorted(p for p in (shared / "samples").rglob("*") if p.is_file() and p.suffix != ".tsv"):
        folder = path.relative_to(shared / "samples").parts[0]
        found, line = "", ""
        with contextlib.closing(Source.open(path)) as opened:
            try:
                found = detect(opened)[0].format
            except UnreadableError as error:
                line = str(error)
        assert found == ours.get(folder, "") or folder in alike, path
        assert "\n" not in line
