"""ATIF trajectories, Letta's agent files, and what is read only: tau-bench's few-shot texts, Aider's history."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Change, Edit, HeadOf, Insert, Made, Move, Set, drop
from app.model.errors import InspectorError, UnreadableError
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

OPENAI = PROVIDERS["openai-chat"]


def called(id: str) -> dict[str, Any]:
    return {"tool_call_id": id, "function_name": "bash", "arguments": {"keystrokes": "ls é\n", "duration": 0.1}}


def agent(id: int, text: str, *calls: str, results: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    step: dict[str, Any] = {"step_id": id, "source": "agent", "model_name": "gpt-4o", "message": text, **more}
    step |= {"tool_calls": [called(call) for call in calls]} if calls else {}
    return step | {"observation": {"results": results}} if results is not None else step


ATIF = {
    "schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": "terminus-2", "version": "2", "model_name": "gpt-4o"},
    "steps": [
        {"step_id": 1, "source": "system", "message": "You are"}, {"step_id": 2, "source": "user", "message": "make a file"},
        agent(3, "I look", "c1", "c2", results=[{"content": "one"}, {"content": "two"}], reasoning_content="hm",
              metrics={"prompt_tokens": 100, "completion_tokens": 5, "cached_tokens": 40, "cost_usd": 2.5e-05}),
        agent(4, "no call", results=[{"content": "Previous response had parsing errors"}]),
        agent(5, "", "c3", results=[{"source_call_id": "c3", "content": [{"type": "text", "text": "ok"}]}]),
        agent(6, "done", is_copied_context=True),
    ],
    "final_metrics": {"total_cost_usd": 0.000025},
}  # fmt: skip


def note(id: str, role: str, *parts: dict[str, Any], calls: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    return {
        "type": "message", "role": role, "content": list(parts), "name": None, "otid": None, "group_id": None, "id": id, "model": None,
        "agent_id": "agent-0", "tool_calls": calls, "tool_call_id": None, "tool_returns": [], "created_at": "2026-01-27T18:41:13+00:00",
        "approvals": [], **more,
    }  # fmt: skip


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "signature": None}


def ask(id: str) -> dict[str, Any]:
    return {"id": id, "function": {"arguments": '{"a": "é"}', "name": "find"}, "type": "function"}


def gave(id: str, text: str, status: str = "success") -> dict[str, Any]:
    return {"tool_call_id": id, "status": status, "stdout": None, "stderr": None, "func_response": text}


MESSAGES = [
    note("message-0", "system", words("You are")), note("message-1", "user", words("old")), note("message-2", "assistant", words("answer")),
    note("message-3", "user", words("look"), words("and")),
    note("message-4", "assistant", {"type": "reasoning", "is_native": True, "reasoning": "hm", "signature": "s"}, words("I ask"),
         calls=[ask("c1")]),
    note("message-5", "tool", words("found"), name="find", tool_call_id="c1", tool_returns=[gave("c1", "found")]),
    note("message-6", "approval", calls=[ask("c2"), ask("c3")]),
    note("message-7", "approval", approve=True, approvals=[{"type": "approval", "tool_call_id": "c2", "approve": True}]),
    note("message-8", "tool", words("a"), words("b"), name="find", tool_returns=[gave("c2", "a"), gave("c3", "b", "error")]),
]  # fmt: skip
SEEN = ["message-0", *[f"message-{n}" for n in range(3, 9)]]
LETTA = {
    "agents": [
        {"name": "helper", "agent_type": "letta_v1_agent", "block_ids": [], "llm_config": {"model": "claude-opus-4-6"},
         "messages": MESSAGES, "in_context_message_ids": SEEN},
        {"name": "sleeper", "agent_type": "sleeptime_agent", "block_ids": [], "llm_config": {"model": "gpt-4o"},
         "messages": [note("message-9", "system", words("You sleep"))], "in_context_message_ids": ["message-9"]},
    ],
    "blocks": [], "tools": [], "metadata": {},
}  # fmt: skip
FEWSHOT = (
    json.dumps({"messages_display": "user: Hi\nthere\nassistant: None\ntool: {}\nassistant: Done: all"}) + "\n"
    + json.dumps({"messages_display": "user: é"}, ensure_ascii=False) + "\n"
).encode()  # fmt: skip
AIDER = b"""
# aider chat started at 2026-06-09 14:01:00

> Aider v0.86

#### add a retry
#### please
I add it.

Here it is:

> Applied edit to a.py

# aider chat started at 2026-06-09 15:30:00

#### on
"""


def document(value: Any, **style: Any) -> bytes:
    return json.dumps(value, **style).encode()


FILES: dict[str, list[bytes]] = {
    "atif": [document(ATIF, indent=2), document(ATIF, ensure_ascii=False)],
    "letta": [document(LETTA, indent=2), document(LETTA)],
}
READ = {"tau-bench-fewshot": FEWSHOT, "aider": AIDER}
ALL = [pytest.param(name, data, id=f"{name}-{number}") for name, files in FILES.items() for number, data in enumerate(files)]


def rows_of(dump: Dump, index: int = 0) -> list[tuple[str, Role]]:
    transcript = dump.transcripts[index]
    table = transcript.table
    return [(Kind(int(table.kind[r])).name, Role(int(table.role[r]))) for r in transcript.order]


def takes(transcript: Transcript, edit: Edit) -> bool:
    """A result of ATIF stands in the step of its call; nothing goes among what the model of Letta's no longer sees."""
    if isinstance(edit, Insert | Move) and transcript.table.format == "letta":
        return getattr(edit.place, "row", -1) not in transcript.order[: transcript.start]
    if transcript.table.format != "atif":
        return True
    return not (isinstance(edit, Move) or (isinstance(edit, Insert) and isinstance(edit.made.call, int) and edit.made.call < 0))


@pytest.mark.parametrize(("name", "data"), [*ALL, *[pytest.param(n, d, id=n) for n, d in READ.items()]])
def test_it_is_known_and_comes_back(name: str, data: bytes) -> None:
    assert detect(Source.of(data, "x"))[0].format == name
    assert unchanged(name, data).records["unparsed"] == 0


def tried(name: str, data: bytes, seed: int) -> None:
    """A round trip; what the format has no place for is refused in one line."""
    try:
        round_trip(name, data, seed, takes=takes)
    except InspectorError as error:
        if name != "atif" or not str(error).endswith("drop both, or neither"):
            raise


@pytest.mark.parametrize(("name", "data"), ALL)
def test_exported_and_opened_again_it_is_the_same(name: str, data: bytes) -> None:
    for seed in range(10):
        tried(name, data, seed)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
@pytest.mark.parametrize("name", [*FILES, *READ])
def test_damage_is_refused_in_one_line_or_opened(name: str, seed: int) -> None:
    damaged(name, random.Random(seed).choice(FILES[name]) if name in FILES else READ[name], 3, seed)


def test_steps_of_atif() -> None:
    dump = load(Source.of(FILES["atif"][0], "x"))
    transcript = dump.transcripts[0]
    assert rows_of(dump) == [
        ("TEXT", Role.SYSTEM), ("TEXT", Role.USER), ("REASONING", Role.ASSISTANT), ("TEXT", Role.ASSISTANT), ("TOOL_CALL", Role.ASSISTANT),
        ("TOOL_CALL", Role.ASSISTANT), ("TOOL_RESULT", Role.TOOL), ("TOOL_RESULT", Role.TOOL), ("TEXT", Role.ASSISTANT),
        ("TEXT", Role.USER),
        ("TOOL_CALL", Role.ASSISTANT), ("TOOL_RESULT", Role.TOOL), ("TEXT", Role.ASSISTANT),
    ]  # fmt: skip
    assert make_view(transcript).links.partner.tolist() == [-1, -1, -1, -1, 6, 7, 4, 5, -1, -1, 11, 10, -1]
    assert (dump.table.usages.input.tolist(), dump.table.usages.cache_read.tolist()) == ([100], [40])
    assert FORMATS["atif"].block(transcript, 7, dump.source).pointer == "/steps/2/observation/results/1"
    assert check(make_view(transcript), OPENAI, None, "complete").verdict == "accept"


def test_steps_are_numbered_anew_and_results_named_where_their_calls_went() -> None:
    dump = load(Source.of(FILES["atif"][0], "x"))
    edits = drop(1, 4, 6), Set(5, "call_id", "new"), Set(7, "call_id", "new")
    after = apply(dump.transcripts[0], [Change("x", "rule:x", "loses", edits)], OPENAI).transcript
    writing = FORMATS["atif"].write_plan(dump, [after])
    out = json.loads(b"".join(writing.chunks()))
    assert [step["step_id"] for step in out["steps"]] == [1, 2, 3, 4, 5]
    assert out["steps"][1]["observation"] == {"results": [{"content": "two", "source_call_id": "new"}]}
    assert (writing.tally.changed, writing.tally.dropped, writing.tally.relinked) == (1, 1, 3)


def test_a_result_that_is_made_stands_in_the_step_of_its_call() -> None:
    steps = [agent(1, "go", "c1")]
    dump = FORMATS["atif"].parse(Source.of(document(ATIF | {"steps": steps})))
    made = Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.USER, "[none]", 1))
    after = apply(dump.transcripts[0], [Change("x", "rule:x", "adds", (made,))], OPENAI).transcript
    out = json.loads(b"".join(FORMATS["atif"].write_plan(dump, [after]).chunks()))
    assert out["steps"][0]["observation"] == {"results": [{"source_call_id": "c1", "content": "[none]"}]}


def test_results_that_are_made_stand_in_the_step_of_their_calls_though_another_step_follows() -> None:
    steps = [agent(1, "go", "c1", "c2"), agent(2, "on")]
    for step in steps:
        step.pop("observation", None)
    dump = FORMATS["atif"].parse(Source.of(document(ATIF | {"steps": steps})))
    calls = [row for row in range(len(dump.table)) if dump.table.kind[row] == Kind.TOOL_CALL]
    made = tuple(Insert(HeadOf(row), Made(Kind.TOOL_RESULT, Role.USER, f"none {row}", row)) for row in calls)
    after = apply(dump.transcripts[0], [Change("x", "rule:x", "adds", made)], OPENAI).transcript
    out = json.loads(b"".join(FORMATS["atif"].write_plan(dump, [after]).chunks()))
    assert [one["source_call_id"] for one in out["steps"][0]["observation"]["results"]] == ["c1", "c2"]
    assert out["steps"][1] == steps[1]


def test_what_the_model_of_letta_does_not_see_stands_before_what_it_does() -> None:
    dump = load(Source.of(FILES["letta"][0], "x"))
    transcript = dump.transcripts[0]
    assert [(t.id, t.title, t.model) for t in dump.transcripts] == [("0", "helper", "claude-opus-4-6"), ("1", "sleeper", "gpt-4o")]
    texts = [FORMATS["letta"].block(transcript, int(row), dump.source).text for row in transcript.order]
    assert texts[:4] == ["old", "answer", "You are", "look"]
    assert transcript.start == 2
    assert dump.records == {"shown": 9, "hidden": 1, "unparsed": 0}
    results = [row for row in transcript.order if transcript.table.kind[row] == Kind.TOOL_RESULT]
    assert [bool(transcript.table.flags[row] & Flag.ERROR) for row in results] == [False, False, True]
    view = make_view(transcript)
    assert (view.links.partner >= 0).sum() == 6
    assert check(view, OPENAI, None, "complete").verdict == "accept"


def test_what_is_in_context_follows_the_edits_and_copies_are_kept_in_step() -> None:
    dump = load(Source.of(FILES["letta"][0], "x"))
    transcript = dump.transcripts[0]
    rows = transcript.order.tolist()
    result = next(row for row in rows if transcript.table.kind[row] == Kind.TOOL_RESULT)
    edits = drop(rows[3], rows[4]), Set(result, "content", "other"), Insert(HeadOf(rows[7]), Made(Kind.TEXT, Role.USER, "new"))
    after = apply(transcript, [Change("x", "rule:x", "loses", edits)], OPENAI).transcript
    out = json.loads(b"".join(FORMATS["letta"].write_plan(dump, [after, dump.transcripts[1]]).chunks()))["agents"]
    new = next(m for m in out[0]["messages"] if m["content"] == [{"type": "text", "text": "new"}])
    assert new["id"] == "message-10"
    assert set(out[0]["in_context_message_ids"]) == {*SEEN, "message-10"} - {"message-3"}
    told = next(m for m in out[0]["messages"] if m["id"] == "message-5")
    assert (told["content"][0]["text"], told["tool_returns"][0]["func_response"]) == ("other", "other")
    assert out[1] == LETTA["agents"][1]


def test_turns_of_a_text() -> None:
    dump = load(Source.of(FEWSHOT, "x"))
    assert [t.id for t in dump.transcripts] == ["0", "1"]
    texts = [FORMATS["tau-bench-fewshot"].block(dump.transcripts[0], int(r), dump.source).text for r in dump.transcripts[0].order]
    assert texts == ["Hi\nthere", "None", "{}", "Done: all"]


def test_sessions_of_aider() -> None:
    dump = load(Source.of(AIDER, "x"))
    assert [t.title for t in dump.transcripts] == ["2026-06-09 14:01:00", "2026-06-09 15:30:00"]
    blocks = [FORMATS["aider"].block(dump.transcripts[0], int(r), dump.source) for r in dump.transcripts[0].order]
    assert [(b.type, b.text) for b in blocks] == [
        ("output", "Aider v0.86"), ("user", "add a retry\nplease"), ("assistant", "I add it.\n\nHere it is:"),
        ("output", "Applied edit to a.py"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_what_is_read_only_says_so(name: str) -> None:
    dump = load(Source.of(READ[name], "x"))
    after = apply(dump.transcripts[0], [Change("x", "rule:x", "loses", (drop(0),))], OPENAI).transcript
    with pytest.raises(InspectorError, match="read and never written"):
        FORMATS[name].write_plan(dump, [after, *dump.transcripts[1:]])


def test_a_trajectory_without_steps_is_refused() -> None:
    with pytest.raises(UnreadableError, match="no steps"):
        FORMATS["atif"].parse(Source.of(b'{"schema_version": "ATIF-v1.5"}'))
