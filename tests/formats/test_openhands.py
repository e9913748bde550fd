"""OpenHands: events before the SDK (lists, rows of an evaluation, pairs) and those of the SDK."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Change, Edit, Insert, Move, Set
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.detect import detect
from app.pipeline.load import load
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import damaged, round_trip, unchanged


def response(*ids: str) -> dict[str, Any]:
    calls = [{"id": id, "type": "function", "function": {"name": "execute_bash", "arguments": '{"command":"ls é"}'}} for id in ids]
    usage = {"prompt_tokens": 100, "completion_tokens": 5}
    return {"id": "r1", "model": "gpt-5", "choices": [{"message": {"role": "assistant", "tool_calls": calls}}], "usage": usage}


def meta(id: str, *ids: str) -> dict[str, Any]:
    return {"function_name": "execute_bash", "tool_call_id": id, "model_response": response(*(ids or (id,))), "total_calls_in_response": 1}


def event(id: int, source: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": "2025-10-10T06:10:15.1", "source": source, "message": "", **more}


def said(id: int, source: str, text: str) -> dict[str, Any]:
    return event(id, source, action="message", args={"content": text, "image_urls": None}) | {"message": text}


def run(id: int, call: str, *ids: str, thought: str = "") -> dict[str, Any]:
    args = {"command": "ls", "thought": thought, "hidden": False}
    return event(id, "agent", action="run", tool_call_metadata=meta(call, *ids), args=args)


def ran(id: int, cause: int, call: str, text: str) -> dict[str, Any]:
    return event(id, "agent", cause=cause, observation="run", tool_call_metadata=meta(call), content=text, extras={"command": "ls"})


EVENTS = [
    event(0, "agent", action="system", args={"content": "You are", "tools": []}),
    said(1, "user", "list é"), event(2, "user", action="recall", args={"query": "x"}),
    event(3, "environment", observation="recall", cause=2, content="", extras={}),
    run(4, "c1", "c1", "c2", thought="I look"), ran(5, 4, "c1", "a.py"), run(6, "c2", "c1", "c2"), ran(7, 6, "c2", "b.py"),
    event(8, "agent", action="read", args={"path": "/x", "thought": "read it"}),
    event(9, "agent", cause=8, observation="read", content="text"),
    event(10, "agent", observation="error", cause=None, content="bad argument", extras={}),
    event(11, "agent", action="finish", args={"final_thought": "done", "thought": ""}, tool_call_metadata=meta("f")),
]  # fmt: skip
CONDENSED = [
    said(0, "user", "first"), *[said(n, "agent", f"step {n}") for n in range(1, 5)],
    event(5, "agent", action="condensation", args={"forgotten_event_ids": [1, 2], "summary": "what was", "summary_offset": 1}),
    said(6, "user", "on"),
]  # fmt: skip
BARE = [
    {"action": "run", "source": "agent", "args": {"command": "a"}}, {"observation": "run", "source": "agent", "content": "b", "extras": {}},
]  # fmt: skip
ROWS = [
    {"instance_id": "django-1", "instruction": "do", "history": EVENTS[:8], "metadata": {"llm_config": {"model": "gpt-5"}},
     "error": "BadRequestError: Error code: 400 - no"},
    {"instance_id": "django-2", "history": [BARE, BARE], "error": None},
]  # fmt: skip


def sdk(kind: str, id: str, source: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": "2026-06-16T05:39:18.8", "source": source, **more, "kind": kind}


def words(text: str) -> dict[str, Any]:
    return {"cache_prompt": False, "type": "text", "text": text}


def act(id: str, call: str, *thoughts: str, response: str = "r") -> dict[str, Any]:
    return sdk(
        "ActionEvent", id, "agent", thought=[words(t) for t in thoughts], reasoning_content="hm" if thoughts else None, thinking_blocks=[],
        action={"command": "ls", "kind": "TerminalAction"}, tool_name="terminal", tool_call_id=call,
        tool_call={"id": call, "name": "terminal", "arguments": '{"command": "ls é"}', "origin": "completion"}, llm_response_id=response,
    )  # fmt: skip


def observed(id: str, action: str, call: str, *texts: str, error: bool = False) -> dict[str, Any]:
    held = {"content": [words(t) for t in texts], "is_error": error, "exit_code": 0, "kind": "TerminalObservation"}
    return sdk("ObservationEvent", id, "environment", tool_name="terminal", tool_call_id=call, observation=held, action_id=action)


SDK = [
    sdk("SystemPromptEvent", "e0", "agent", system_prompt=words("You are"), tools=[]),
    sdk("MessageEvent", "e1", "user", llm_message={"role": "user", "content": [words("list")]}, extended_content=[words("skill")]),
    sdk("ConversationStateUpdateEvent", "e2", "environment", key="stats", value={}),
    act("e3", "c1", "I look", response="r1"), act("e4", "c2", response="r1"),
    observed("e5", "e3", "c1", "a.py"), observed("e6", "e4", "c2", "no", error=True),
    act("e7", "c3"), sdk("AgentErrorEvent", "e8", "agent", tool_name="terminal", tool_call_id="c3", error="not run"),
    act("e9", "c4"),
    sdk("UserRejectObservation", "ea", "environment", tool_name="terminal", tool_call_id="c4", rejection_reason="no", action_id="e9"),
    sdk("MessageEvent", "eb", "agent", llm_message={"role": "assistant", "content": [words("done")]}, extended_content=[]),
    sdk("ConversationErrorEvent", "ec", "environment", code="LLMBadRequestError", detail="Error code: 400 - too long"),
]  # fmt: skip
SDK_CONDENSED = [
    *SDK[:2], act("e3", "c1", "I look"), observed("e5", "e3", "c1", "a.py"), act("e7", "c3"), observed("e8", "e7", "c3", "b.py"),
    sdk("Condensation", "ex", "environment", forgotten_event_ids=["e3", "e5"], summary="what was", summary_offset=2, llm_response_id="q"),
    sdk("MessageEvent", "ey", "user", llm_message={"role": "user", "content": [words("on")]}, extended_content=[]),
]  # fmt: skip


def lines(rows: list[Any], **style: Any) -> bytes:
    return b"".join(json.dumps(row, **style).encode() + b"\n" for row in rows)


FILES: dict[str, list[bytes]] = {
    "openhands": [json.dumps(EVENTS, indent=2, ensure_ascii=False).encode(), lines(ROWS), json.dumps(CONDENSED).encode()],
    "openhands-v1": [lines(SDK), json.dumps(SDK, indent=1).encode(), json.dumps(SDK[3]).encode(), lines(SDK_CONDENSED)],
}
ALL = [pytest.param(name, data, id=f"{name}-{number}") for name, files in FILES.items() for number, data in enumerate(files)]


def rows_of(dump: Dump, index: int = 0) -> list[tuple[str, Role, str]]:
    transcript = dump.transcripts[index]
    table = transcript.table
    return [(Kind(int(table.kind[r])).name, Role(int(table.role[r])), table.types[table.type[r]]) for r in transcript.order]


def takes(transcript: Transcript, edit: Edit) -> bool:
    """Nothing stands beside a single event, nor among what the model no longer sees."""
    if isinstance(edit, Insert | Move) and len(transcript.table.records) == 1:
        return False
    hidden = transcript.order[: transcript.start].tolist()
    return not (isinstance(edit, Insert) and getattr(edit.place, "row", -1) in hidden)


@pytest.mark.parametrize(("name", "data"), ALL)
def test_it_is_known_and_comes_back(name: str, data: bytes) -> None:
    assert detect(Source.of(data, "x"))[0].format == name
    assert unchanged(name, data).records["unparsed"] == 0


@pytest.mark.parametrize(("name", "data"), ALL)
def test_exported_and_opened_again_it_is_the_same(name: str, data: bytes) -> None:
    for seed in range(8):
        round_trip(name, data, seed, takes=takes)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
@pytest.mark.parametrize("name", FILES)
def test_damage_is_refused_in_one_line_or_opened(name: str, seed: int) -> None:
    damaged(name, random.Random(seed).choice(FILES[name]), 3, seed)


def test_events_before_the_sdk() -> None:
    dump = load(Source.of(FILES["openhands"][0], "x"))
    assert [row[::2] for row in rows_of(dump)] == [
        ("TEXT", "text"), ("TEXT", "text"), ("TEXT", "thought"), ("TOOL_CALL", "run"), ("TOOL_RESULT", "run"), ("TOOL_CALL", "run"),
        ("TOOL_RESULT", "run"), ("TEXT", "thought"), ("TOOL_CALL", "read"), ("TOOL_RESULT", "read"), ("TEXT", "error"),
        ("TOOL_CALL", "finish"),
    ]  # fmt: skip
    assert make_view(dump.transcripts[0]).links.partner.tolist() == [-1, -1, -1, 4, 3, 6, 5, -1, 9, 8, -1, -1]
    call = FORMATS["openhands"].block(dump.transcripts[0], 3, dump.source)
    assert (call.name, call.call_id, call.texts) == ("execute_bash", "c1", ('{"command":"ls é"}',))
    usages = dump.table.usages
    assert (usages.input.tolist(), usages.output.tolist()) == ([100], [5])  # one response gave both calls
    assert dump.records == {"shown": 10, "hidden": 2, "unparsed": 0}
    assert check(make_view(dump.transcripts[0]), PROVIDERS["openai-chat"], None, "prefix").verdict == "accept"


def test_copies_of_a_call_are_kept_in_step() -> None:
    dump = load(Source.of(FILES["openhands"][0], "x"))
    after = apply(dump.transcripts[0], [Change("x", "rule:x", "exact", (Set(5, "call_id", "z"),))], PROVIDERS["openai-chat"]).transcript
    out = json.loads(b"".join(FORMATS["openhands"].write_plan(dump, [after]).chunks()))
    told = out[6]["tool_call_metadata"]
    assert told["tool_call_id"] == "z"
    assert [call["id"] for call in told["model_response"]["choices"][0]["message"]["tool_calls"]] == ["c1", "z"]


def test_a_condensation_puts_what_it_forgot_before_what_is_sent() -> None:
    dump = load(Source.of(FILES["openhands"][2], "x"))
    transcript = dump.transcripts[0]
    texts = [FORMATS["openhands"].block(transcript, int(row), dump.source).text for row in transcript.order]
    assert texts == ["step 1", "step 2", "first", "what was", "step 3", "step 4", "on"]
    assert transcript.start == 2
    assert len(transcript.walls) == 1
    assert dump.table.flags[transcript.order[3]] & Flag.SUMMARY


def test_rows_of_an_evaluation() -> None:
    dump = load(Source.of(FILES["openhands"][1], "x"))
    assert [(t.id, t.model) for t in dump.transcripts] == [("django-1", "gpt-5"), ("django-2", None)]
    assert dump.transcripts[0].refusals[0].text.startswith("BadRequestError")
    assert make_view(dump.transcripts[1]).links.partner.tolist() == [1, 0, 3, 2]  # no ids: in sequence


def test_events_of_the_sdk() -> None:
    dump = load(Source.of(FILES["openhands-v1"][0], "x"))
    transcript = dump.transcripts[0]
    assert [kind for kind, _, _ in rows_of(dump)] == [
        "TEXT", "TEXT", "TEXT", "REASONING", "TEXT", "TOOL_CALL", "TOOL_CALL", "TOOL_RESULT", "TOOL_RESULT", "TOOL_CALL", "TOOL_RESULT",
        "TOOL_CALL", "TOOL_RESULT", "TEXT",
    ]  # fmt: skip
    links = make_view(transcript).links
    assert links.partner.tolist() == [-1, -1, -1, -1, -1, 7, 8, 5, 6, 10, 9, 12, 11, -1]
    assert [bool(dump.table.flags[row] & Flag.ERROR) for row in (7, 8, 10, 12)] == [False, True, True, False]
    assert [refusal.text for refusal in transcript.refusals] == ["Error code: 400 - too long"]
    report = check(make_view(transcript), PROVIDERS["anthropic"], None, "prefix")
    assert [finding.rule for finding in report.findings if finding.severity == "error"] == []


def test_a_state_without_events_opens_and_holds_nothing() -> None:
    state = {"id": "x", "agent": {"kind": "Agent"}, "workspace": {}, "persistence_dir": "p", "max_iterations": 5, "stats": {}}
    data = json.dumps(state).encode()
    assert detect(Source.of(data, "base_state.json"))[0].format == "openhands-v1"
    assert unchanged("openhands-v1", data).transcripts == []
