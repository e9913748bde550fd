"""A transcript written as another wire: the same words, calls and results, tied as they were; what has no counterpart is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.model.dump import Dump
from app.model.errors import InspectorError, RemainingError
from app.model.kinds import Kind
from app.model.source import Source
from app.pipeline import look
from app.pipeline.load import load
from app.pipeline.pieces import image_of, pieces_of
from app.pipeline.translate import translate
from app.pipeline.view import make_view
from app.pipeline.wires import WIRES

PNG = "iVBORw0KGgo="
ANTHROPIC: dict[str, Any] = {
    "model": "claude-sonnet-4-5", "max_tokens": 9, "system": [{"type": "text", "text": "be brief"}],
    "tools": [{"name": "read", "description": "reads", "input_schema": {"type": "object", "properties": {"p": {"type": "string"}}}}],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "look"},
                                     {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}, {"type": "text", "text": "I read"},
                                          {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"p": "a"}},
                                          {"type": "tool_use", "id": "toolu_2", "name": "read", "input": {"p": "b"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "A"},
                                     {"type": "tool_result", "tool_use_id": "toolu_2", "content": "no such file", "is_error": True},
                                     {"type": "text", "text": "and?"}]},
        {"role": "assistant", "content": "that is all"}, {"role": "user", "content": "thanks"},
    ],
}  # fmt: skip


def dump_of(document: Any, hint: str | None = None) -> Dump:
    return load(Source.of(json.dumps(document).encode(), "a.json"), hint)


def written(tmp_path: Path, dump: Dump, wire: str, **how: Any) -> tuple[Any, Any]:
    path = tmp_path / "out.json"
    told = translate(dump, dump.transcripts[dump.opened], path, wire, **how)
    return json.loads(path.read_text()), told


def story(dump: Dump) -> list[tuple[str, ...]]:
    """What stands in a dump, whatever its wire: texts, calls with their arguments, results with the call that each answers."""
    view = make_view(dump.transcripts[dump.opened], source=dump.source)
    calls = [at for at in range(len(view)) if view.kind[at] == Kind.TOOL_CALL]
    found: list[tuple[str, ...]] = []
    for at in range(len(view)):
        block = look.block(dump, view.transcript, int(view.rows[at]))
        if block.kind == Kind.TEXT or block.kind == Kind.SYSTEM:
            found.append(("text", block.text))
        elif block.kind == Kind.TOOL_CALL:
            found.append(("call", block.name or "", json.dumps(json.loads(block.text), sort_keys=True)))
        elif block.kind == Kind.TOOL_RESULT:
            found.append(("result", block.text, str(calls.index(int(view.links.partner[at])))))
    return sorted(found)


@pytest.mark.parametrize("wire", WIRES)
def test_words_calls_and_ties_are_the_same(tmp_path: Path, wire: str) -> None:
    dump = dump_of(ANTHROPIC)
    made, told = written(tmp_path, dump, wire)
    again = dump_of(made)
    assert again.format == wire
    assert story(again) == story(dump)
    assert told.verdict == "accept"
    assert (None, "reasoning left out: it holds for its own provider alone (1)") in told.notes


def test_chat_as_it_is_written(tmp_path: Path) -> None:
    made, told = written(tmp_path, dump_of(ANTHROPIC), "openai-chat")
    call = {"type": "function", "function": {"name": "read", "arguments": '{"p":"a"}'}}
    assert made["messages"] == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": [{"type": "text", "text": "look"},
                                     {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}]},
        {"role": "assistant", "content": "I read", "tool_calls": [
            {"id": "toolu_1", **call}, {"id": "toolu_2", "type": "function", "function": {"name": "read", "arguments": '{"p":"b"}'}}]},
        {"role": "tool", "tool_call_id": "toolu_1", "content": "A"},
        {"role": "tool", "tool_call_id": "toolu_2", "content": "no such file"},
        {"role": "user", "content": "and?"}, {"role": "assistant", "content": "that is all"}, {"role": "user", "content": "thanks"},
    ]  # fmt: skip
    assert made["tools"] == [{"type": "function", "function": {
        "name": "read", "description": "reads", "parameters": ANTHROPIC["tools"][0]["input_schema"]}}]  # fmt: skip
    assert (None, "marks of a failed result left out: this wire has none (1)") in told.notes
    assert (None, "the model claude-sonnet-4-5 is another provider's: name one of the target's before it is sent (1)") in told.notes
    assert "model" not in made


def test_gemini_as_it_is_written(tmp_path: Path) -> None:
    made, _ = written(tmp_path, dump_of(ANTHROPIC), "gemini")
    assert [content["role"] for content in made["contents"]] == ["user", "model", "user", "model", "user"]
    assert made["contents"][2]["parts"] == [
        {"functionResponse": {"name": "read", "response": {"result": "A"}}},
        {"functionResponse": {"name": "read", "response": {"error": "no such file"}}}, {"text": "and?"},
    ]  # fmt: skip
    assert made["systemInstruction"] == {"parts": [{"text": "be brief"}]}
    assert made["contents"][0]["parts"][1] == {"inlineData": {"mimeType": "image/png", "data": PNG}}


def test_from_chat_to_anthropic(tmp_path: Path) -> None:
    """Results of parallel calls are one message; ids and names that the wire does not take are its own; arguments that are no JSON stay."""
    call = {"id": "call:1", "type": "function", "function": {"name": "read file", "arguments": "{broken"}}
    other = {"id": "call:1", "type": "function", "function": {"name": "read.file", "arguments": "{}"}}
    chat = {"model": "gpt-5", "messages": [
        {"role": "developer", "content": "be brief"}, {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call, other]},
        {"role": "tool", "tool_call_id": "call:1", "content": "A"}, {"role": "tool", "tool_call_id": "call:1", "content": "B"},
        {"role": "system", "content": "mind the gap"}, {"role": "user", "content": "and?"},
    ]}  # fmt: skip
    made, told = written(tmp_path, dump_of(chat), "anthropic-messages", allow_broken=True)
    assert made["system"] == [{"type": "text", "text": "be brief"}]
    first, second = made["messages"][1]["content"]
    assert (first["name"], second["name"]) == ("read_file", "read_file_2")
    assert (first["input"], second["input"]) == ({"arguments": "{broken"}, {})
    answer = made["messages"][2]["content"]
    assert [(block["type"], block.get("tool_use_id"), block.get("content", block.get("text"))) for block in answer] == [
        ("tool_result", first["id"], "A"), ("tool_result", second["id"], "B"), ("text", None, "mind the gap"), ("text", None, "and?"),
    ]  # fmt: skip
    assert first["id"] != second["id"]
    said = [what for _, what in told.notes]
    assert "call ids renamed: another wire's, or used twice (2)" in said
    assert "tools declared by their names: the dump does not hold their schemas (2)" in said
    assert "arguments that are no JSON object kept as text (1)" in said
    assert "system texts in the middle written as a person's (1)" in said


def test_what_would_be_refused_is_not_written(tmp_path: Path) -> None:
    broken = {**ANTHROPIC, "messages": ANTHROPIC["messages"][:2] + ANTHROPIC["messages"][4:]}
    with pytest.raises(RemainingError, match="tool-call-unanswered"):
        written(tmp_path, dump_of(broken), "openai-chat")
    assert not (tmp_path / "out.json").exists()
    made, told = written(tmp_path, dump_of(broken), "openai-chat", allow_broken=True)
    assert told.verdict == "reject"
    assert len(made["messages"]) == 4


def test_nothing_to_send_and_no_such_wire(tmp_path: Path) -> None:
    with pytest.raises(InspectorError, match="nothing that could be sent"):
        written(tmp_path, dump_of({"model": "claude-x", "max_tokens": 9, "messages": []}), "gemini")
    with pytest.raises(InspectorError, match="there are anthropic-messages, openai-chat, openai-responses, gemini"):
        written(tmp_path, dump_of(ANTHROPIC), "cobol")


@pytest.mark.parametrize(("value", "found"), [
    ({"type": "image", "source": {"type": "url", "url": "https://a/b.png"}}, ("", "", "https://a/b.png")),
    ({"type": "image_url", "image_url": {"url": "data:image/gif;base64,R0lG"}}, ("image/gif", "R0lG", "")),
    ({"type": "input_image", "image_url": "https://a/b.png"}, ("", "", "https://a/b.png")),
    ({"inlineData": {"mimeType": "image/webp", "data": "UklG"}}, ("image/webp", "UklG", "")),
    ({"image": {"format": "jpeg", "source": {"bytes": "/9j/"}}}, ("image/jpeg", "/9j/", "")),
    ({"type": "image", "source": {"type": "file", "file_id": "f"}}, None), (None, None), ({"image_url": 3}, None),
])  # fmt: skip
def test_images_of_every_wire(value: Any, found: tuple[str, str, str] | None) -> None:
    image = image_of(value)
    assert (None if image is None else (image.mime, image.data, image.url)) == found


letters = st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"))
words = st.text(letters, min_size=1, max_size=8).filter(lambda text: text.strip() == text)


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """Requests of Anthropic's that are well formed."""
    messages: list[dict[str, Any]] = []
    number = 0
    for _ in range(draw(st.integers(1, 3))):
        messages.append({"role": "user", "content": draw(words)})
        for _ in range(draw(st.integers(0, 2))):
            many = draw(st.integers(1, 3))
            calls = [{"type": "tool_use", "id": f"toolu_{number + n}", "name": draw(st.sampled_from(["a", "b"])),
                      "input": draw(st.dictionaries(words, words, max_size=2))} for n in range(many)]  # fmt: skip
            results = [{"type": "tool_result", "tool_use_id": f"toolu_{number + n}", "content": draw(words)} for n in range(many)]
            number += many
            messages.append({"role": "assistant", "content": [{"type": "text", "text": draw(words)}, *calls]})
            messages.append({"role": "user", "content": results})
        messages.append({"role": "assistant", "content": draw(words)})
    messages.append({"role": "user", "content": "end"})
    return {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(requests(), st.permutations(list(WIRES)))
def test_from_wire_to_wire_and_nothing_is_lost(tmp_path: Path, asked: dict[str, Any], wires: list[str]) -> None:
    """Through all of them in any order, the story is the same."""
    dump = dump_of(asked)
    told = story(dump)
    for number, wire in enumerate(wires):
        path = tmp_path / f"{number}.json"
        translate(dump, dump.transcripts[0], path, wire)
        dump = load(Source.open(path), wire)  # words alone are a chat of either
        assert story(dump) == told
    assert not pieces_of(dump, make_view(dump.transcripts[0], source=dump.source)).notes
