"""Logs of programs that are read and never written: what each line tells, and what is no kind that is known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.formats import FORMATS
from app.model.edits import Change, drop
from app.model.errors import InspectorError
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import damaged, unchanged


def lines(*values: Any) -> bytes:
    return b"\n".join(json.dumps(value).encode() for value in values) + b"\n"


def kimi(type: str, time: int = 1785612812820, **more: Any) -> dict[str, Any]:
    return {"type": type, "time": time, **more}


def muse(**event: Any) -> dict[str, Any]:
    record = {"stream": {"id": "s"}, "record_type": "event", "payload_type": "runtime.session", "recorded_at": 1786140001000000}
    return {**record, "payload": {"kind": "run", "event": event}}


def copilot(type: str, **data: Any) -> dict[str, Any]:
    return {"type": type, "data": data, "id": "e", "timestamp": "2026-01-01T00:00:00Z", "parentId": None}


def iflow(role: str, content: Any, id: str) -> dict[str, Any]:
    message = {"id": id, "role": role, "content": content, "model": "glm-4.7"}
    return {"uuid": id, "parentUuid": None, "sessionId": "s", "type": role, "message": message, "timestamp": "2026-01-01T00:00:00Z"}


CALL = {"type": "tool_use", "id": "c1", "name": "read", "input": {"p": 1}}
RESULT = {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "x"}]}
SAMPLES: dict[str, tuple[bytes, list[Kind], str | None]] = {
    "other-antigravity": (
        lines(
            {"step_index": 0, "source": "USER_EXPLICIT", "type": "USER_INPUT", "created_at": "2026-01-01T00:00:00Z", "content": "go"},
            {"step_index": 1, "source": "SYSTEM", "type": "CONVERSATION_HISTORY"},
            {"step_index": 2, "source": "MODEL", "type": "PLANNER_RESPONSE", "thinking": "hm", "content": "I look",
             "tool_calls": [{"name": "list_dir", "args": {"p": "."}}]},
            {"step_index": 3, "source": "MODEL", "type": "LIST_DIRECTORY", "content": "a.txt"},
        ),
        [Kind.TEXT, Kind.REASONING, Kind.TEXT, Kind.TOOL_CALL, Kind.OTHER], None,
    ),
    "other-copilot-cli": (
        lines(
            copilot("session.start", sessionId="s"), copilot("session.model_change", newModel="gpt-5"),
            copilot("user.message", content="go"),
            copilot("assistant.message", content="", toolRequests=[{"toolCallId": "c1", "name": "bash", "arguments": {"c": "ls"}}]),
            copilot("tool.execution_start", toolCallId="c1", toolName="bash"),
            copilot("tool.execution_complete", toolCallId="c1", success=False, error={"message": "no"}),
            copilot("session.error", message="429 too many"),
        ),
        [Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT], "gpt-5",
    ),
    "other-cursor": (
        lines(
            {"role": "user", "message": {"content": [{"type": "text", "text": "go"}]}},
            {"role": "assistant", "message": {"content": [
                {"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "name": "read", "input": {}},
            ]}},
            {"role": "user", "message": {"content": [RESULT]}},
        ),
        [Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT], None,
    ),
    "other-droid": (
        lines(
            {"type": "system", "session_id": "s", "model": "d-1"}, {"type": "message", "session_id": "s", "role": "user", "text": "go"},
            {"type": "tool_call", "session_id": "s", "id": "tc", "toolCallId": "c1", "toolName": "Shell", "parameters": {}},
            {"type": "tool_result", "session_id": "s", "id": "tr", "toolCallId": "c1", "value": {"stdout": "x", "exitCode": 0}},
            {"type": "completion", "session_id": "s", "finalText": "done"},
        ),
        [Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TEXT], "d-1",
    ),
    "other-gptme": (
        lines(
            {"role": "system", "content": "You are gptme", "timestamp": "2026-01-01T00:00:00.0", "pinned": True},
            {"role": "user", "content": "go", "timestamp": "2026-01-01T00:00:01.0"},
            {"role": "assistant", "content": "ok", "timestamp": "2026-01-01T00:00:02.0",
             "metadata": {"model": "m", "usage": {"input_tokens": 9}}},
        ),
        [Kind.TEXT, Kind.TEXT, Kind.TEXT], "m",
    ),
    "other-grok-cli": (
        lines(
            {"type": "system", "content": "You are Grok"}, {"type": "user", "content": [{"type": "text", "text": "go"}], "prompt_index": 0},
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "x"},
            {"type": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "read", "arguments": "{}"}], "model_id": "grok"},
            {"type": "tool_result", "tool_call_id": "c1", "content": "x"},
            {"type": "backend_tool_call", "kind": {"tool_type": "web_search", "id": "w1", "action": {"query": "q"}}},
        ),
        [Kind.TEXT, Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TOOL_CALL], "grok",
    ),
    "other-iflow": (
        lines(
            iflow("user", "go", "u1"), iflow("assistant", [{"type": "text", "text": "I"}, CALL], "response-1768975012469-x"),
            iflow("assistant", [CALL, {**CALL, "id": "c2"}], "response-1768975012470"),
            iflow("assistant", [CALL], "response-1768975012471"),
            iflow("user", [RESULT], "u2"), iflow("user", [{**RESULT, "tool_use_id": "c2"}], "u3"),
        ),
        [Kind.TEXT, Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TOOL_RESULT], "glm-4.7",
    ),
    "other-kimi-cli": (
        lines(
            {"type": "metadata", "protocol_version": "1.4", "created_at": 1785612803281}, kimi("llm.request", model="k2"),
            kimi("context.append_message", message={"role": "user", "content": [{"type": "text", "text": "go"}]}),
            kimi("context.append_loop_event", event={"type": "content.part", "part": {"type": "think", "think": "hm"}}),
            kimi("context.append_loop_event", event={"type": "tool.call", "uuid": "u", "toolCallId": "c1", "name": "Bash", "args": {}}),
            kimi("context.append_loop_event", event={"type": "tool.result", "toolCallId": "c1", "result": {"output": "x"}}),
            kimi("context.append_loop_event", event={"type": "step.end", "usage": {"inputOther": 3, "inputCacheRead": 4, "output": 2}}),
        ),
        [Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT], "k2",
    ),
    "other-musecode": (
        lines(
            muse(kind="started", prompt="go"), muse(kind="model_completed", model="muse", usage={"input_tokens": 9, "output_tokens": 2}),
            muse(kind="assistant_tool_calls_committed", tool_calls=[{"id": "f", "call_id": "c1", "name": "bash", "args": "{}"}]),
            muse(kind="tool_result_batch_committed", results=[{"tool_call_id": "c1", "text": "x"}]),
            muse(kind="assistant_message_committed", text="done"),
        ),
        [Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TEXT], "muse",
    ),
    "codex-legacy-or-synthetic": (
        lines(
            {"timestamp": "2025-09-10T12:00:00Z", "role": "user", "content": "go", "model": "o4"},
            {"timestamp": "2025-09-10T12:00:01Z", "type": "tool_call", "function": {"name": "f"}, "arguments": "{}"},
            {"timestamp": "2025-09-10T12:00:01Z", "type": "tool_result", "name": "f", "result": "x"},
            {"timestamp": "2025-09-10T12:00:02Z", "role": "assistant", "content": "done"},
        ),
        [Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TEXT], "o4",
    ),
    "other-ide-exports": (
        json.dumps({"app": "W", "conversation": {"messages": [
            {"sender": "user", "parts": [{"type": "text", "text": "go"}]},
            {"role": "assistant", "content": "I", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "x"},
        ]}}, indent=1).encode(),
        [Kind.TEXT, Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT], None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_what_a_program_tells(name: str) -> None:
    data, kinds, model = SAMPLES[name]
    assert detect(Source.of(data, "x"))[0].format == name
    dump = unchanged(name, data)
    (transcript,) = dump.transcripts
    blocks = [FORMATS[name].block(transcript, row, dump.source) for row in transcript.order.tolist()]
    assert ([block.kind for block in blocks], transcript.model) == (kinds, model)
    found = counts(make_view(transcript, source=dump.source))
    calls = kinds.count(Kind.TOOL_CALL) - (name == "other-grok-cli")  # one is the provider's own
    assert (found["tool_calls"], found["tool_results"], found["orphan_results"]) == (calls, kinds.count(Kind.TOOL_RESULT), 0)
    assert sum(dump.records.values()) == len(data.splitlines()) or name == "other-ide-exports"
    provider = PROVIDERS[FORMATS[name].provider]
    report = check(make_view(transcript, provider=provider, source=dump.source), provider, model, "prefix", dump.source)
    assert report.verdict == "accept" or name == "other-antigravity", report.counts


@pytest.mark.parametrize("name", SAMPLES)
def test_it_is_never_written(name: str) -> None:
    dump = FORMATS[name].parse(Source.of(SAMPLES[name][0]))
    change = Change("x", "rule:x", "loses", (drop(0),))
    edited = apply(dump.transcripts[0], [change], PROVIDERS[FORMATS[name].provider]).transcript
    with pytest.raises(InspectorError, match="never written"):
        FORMATS[name].write_plan(dump, [edited])


@pytest.mark.parametrize("name", SAMPLES)
def test_damage_is_said_in_one_line_or_opened(name: str) -> None:
    damaged(name, SAMPLES[name][0], 40)


def test_a_call_that_is_told_twice_counts_once() -> None:
    dump = FORMATS["other-iflow"].parse(Source.of(SAMPLES["other-iflow"][0]))
    assert dump.records == {"shown": 5, "hidden": 1, "unparsed": 0}
    block = FORMATS["other-iflow"].block(dump.transcripts[0], 3, dump.source)
    assert (block.call_id, block.pointer) == ("c2", "/2/message/content/1")


def test_what_a_step_cost() -> None:
    usages = FORMATS["other-kimi-cli"].parse(Source.of(SAMPLES["other-kimi-cli"][0])).table.usages
    assert (usages.input.tolist(), usages.output.tolist()) == ([7], [2])


def test_hermes_is_written_like_chat() -> None:
    told = {"session_id": "s", "model": "m", "platform": "cli", "session_start": "x", "system_prompt": "You.", "messages": [
        {"role": "user", "content": "go"}, {"role": "assistant", "content": "ok", "reasoning": "hm"},
    ]}  # fmt: skip
    data = json.dumps(told, indent=2).encode()
    assert detect(Source.of(data, "x"))[0].format == "other-hermes"
    dump = unchanged("other-hermes", data)
    (transcript,) = dump.transcripts
    assert [FORMATS["other-hermes"].block(transcript, row, dump.source).kind for row in transcript.order.tolist()] == [
        Kind.SYSTEM, Kind.TEXT, Kind.REASONING, Kind.TEXT,
    ]  # fmt: skip
    edited = apply(transcript, [Change("x", "rule:x", "loses", (drop(int(transcript.order[1])),))], PROVIDERS["openai-chat"]).transcript
    out = json.loads(b"".join(FORMATS["other-hermes"].write_plan(dump, [edited]).chunks()))
    assert out == {**told, "messages": told["messages"][1:]}


# -- what is no kind that is known ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "kinds"),
    [
        (lines({"x": 1}, {"role": "user", "content": "hi"}, {"y": {"z": 2}}), [Kind.OTHER, Kind.TEXT, Kind.OTHER]),
        (lines({"payload": {"role": "assistant", "content": [CALL]}}, {"payload": {"role": "user", "content": [RESULT]}}),
         [Kind.TOOL_CALL, Kind.TOOL_RESULT]),
        (json.dumps({"turns": [{"speaker": "human", "text": "hi"}, {"speaker": "ai", "text": "ho"}]}).encode(), [Kind.TEXT, Kind.TEXT]),
        (b'{"name": "a package", "version": "1.0"}', [Kind.OTHER]),
        (b'[{"a": 1}, 5, {"b": NaN}]', [Kind.OTHER, Kind.OTHER]),
    ],
)
def test_records_of_no_kind_that_is_known(data: bytes, kinds: list[Kind]) -> None:
    assert [found.format for found in detect(Source.of(data, "x"))] == ["records"]
    dump = unchanged("records", data)
    (transcript,) = dump.transcripts
    blocks = [FORMATS["records"].block(transcript, row, dump.source) for row in transcript.order.tolist()]
    assert [block.kind for block in blocks] == kinds
    assert dump.table.wire == ""


def test_who_speaks_is_told_by_many_words() -> None:
    told = {"author": {"role": "assistant"}, "content": {"parts": ["ho"]}}
    data = lines({"type": "user", "content": "hi"}, told, {"sender": "human", "text": "on"})
    dump = unchanged("records", data)
    roles = [FORMATS["records"].block(dump.transcripts[0], row, dump.source).role for row in range(3)]
    assert roles == [Role.USER, Role.ASSISTANT, Role.USER]


def test_any_damage_is_opened_as_records_or_said() -> None:
    damaged("records", lines({"role": "user", "content": "hi"}, {"payload": {"role": "assistant", "content": [CALL]}}, {"x": [1, {}]}), 120)
    damaged("records", json.dumps({"turns": [{"speaker": "ai", "text": "x"}]}).encode(), 60)
