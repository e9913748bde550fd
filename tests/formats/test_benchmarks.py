"""Trajectories of benchmarks: tau2-bench, SWE-agent, Inspect's logs and archives."""

from __future__ import annotations

import io
import json
import random
import zipfile
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Cap, Change, End, Insert, Made, Replace, Stub, drop
from app.model.errors import InspectorError, UnreadableError
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.detect import detect
from app.pipeline.load import load
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import damaged, round_trip, unchanged

OPENAI = PROVIDERS["openai-chat"]


def call2(id: str, who: str = "assistant", **args: Any) -> dict[str, Any]:
    return {"id": id, "name": "find", "arguments": args, "requestor": who}


def result2(id: str, text: str, who: str = "assistant", error: bool = False) -> dict[str, Any]:
    return {"id": id, "role": "tool", "content": text, "requestor": who, "error": error, "timestamp": "2025-11-26T01:12:59.1"}


def said2(role: str, text: str | None, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "content": text, "tool_calls": list(calls) or None, "timestamp": "2025-11-26T01:12:47.7", "cost": 1e-05}


def simulation(id: str, *messages: dict[str, Any]) -> dict[str, Any]:
    return {"id": id, "task_id": "7", "trial": 1, "termination_reason": "user_stop", "reward_info": None, "messages": list(messages)}


TAU2 = {
    "timestamp": "x", "info": {"user_info": {}, "agent_info": {}}, "tasks": [],
    "simulations": [
        simulation(
            "s1", said2("assistant", "hi"), said2("user", "help"), said2("assistant", None, call2("a", q="é"), call2("b")),
            {"role": "tool", "tool_messages": [result2("a", "one"), result2("b", "no", error=True)]},
            said2("assistant", "well", call2("a")), result2("a", "again"),
        ),
        simulation("s2", said2("user", None, call2("u", "user")), result2("u", "on", "user"), said2("user", "done")),
    ],
}  # fmt: skip
TICKS = {
    "id": "t1", "task_id": "4", "mode": "full_duplex", "ticks": [
        {"tick_id": 0, "agent_chunk": {"role": "assistant", "contains_speech": True}, "user_chunk": None},
        {"tick_id": 1, "agent_chunk": {"role": "assistant", "content": "hello"}, "user_chunk": {"role": "user", "content": "yes"}},
    ],
}  # fmt: skip


def swe(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "agent": "main", **more}


def swe_call(id: str) -> dict[str, Any]:
    return {"function": {"arguments": '{"a": "é"}', "name": "create"}, "id": id, "type": "function"}


SWE = {
    "environment": "main", "trajectory": [{"action": "create", "observation": "made", "response": "first", "state": {}}],
    "history": [
        swe("system", "setting", message_type="system_prompt"), swe("user", "a demonstration", is_demo=True),
        swe("user", [{"type": "text", "text": "the issue"}]),
        swe("assistant", "first", thought="first", action="create", tool_calls=[swe_call("c"), swe_call("d")], message_type="action"),
        swe("tool", "made", tool_call_ids=["c", "d"], message_type="observation"),
        swe("assistant", "next", thought="next", tool_calls=[swe_call("c")]),
        swe("tool", [{"type": "text", "text": "ok"}], tool_call_ids=["c"]),
    ],
    "info": {"exit_status": "submitted", "model_stats": {"instance_cost": 0}}, "replay_config": '{"a": 1}',
}  # fmt: skip


def ask(id: str, name: str = "bash") -> dict[str, Any]:
    return {"id": id, "function": name, "arguments": {"cmd": "ls é"}, "type": "function"}


def sample(id: Any, epoch: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": id, "epoch": epoch, "input": "go", "target": "x",
        "messages": [
            {"id": "m1", "content": "be kind", "role": "system"}, {"id": "m2", "content": "go", "source": "input", "role": "user"},
            {"id": "m3", "role": "assistant", "source": "generate", "model": "gpt-4o", "tool_calls": [ask("c1"), ask("c2")], "content": [
                {"type": "reasoning", "reasoning": "hm", "signature": "s"}, {"type": "text", "text": "I look"},
                {"type": "tool_use", "tool_type": "web_search", "id": "w", "name": "search", "arguments": "{}", "result": "r"}]},
            {"id": "m4", "content": "out", "role": "tool", "tool_call_id": "c1", "function": "bash"},
            {"id": "m5", "content": "", "role": "tool", "tool_call_id": "c2", "function": "bash",
             "error": {"type": "timeout", "message": "late"}},
            {"id": "m6", "content": "done", "role": "assistant", "source": "generate"},
        ],
        "output": {"model": "gpt-4o", "usage": {"input_tokens": 5, "output_tokens": 7, "input_tokens_cache_read": 11}},
        "scores": {"s": {"value": float("nan")}}, "events": [], **more,
    }  # fmt: skip


HEADER = {"version": 2, "status": "success", "eval": {"task": "ctf", "run_id": "r", "model": "openai/gpt-4o"}, "plan": {}}
INSPECT = {**HEADER, "samples": [sample(1), sample("b", 2, error={"message": "Error code: 400 - no", "traceback": ""}), sample("c")]}


def document(value: Any, **style: Any) -> bytes:
    return json.dumps(value, **style).encode()


def archive(*members: tuple[str, Any], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as held:
        for name, value in members:
            held.writestr(zipfile.ZipInfo(name, (2025, 1, 2, 3, 4, 6)), document(value), compress_type=method)
    return out.getvalue()


EVAL = archive(
    ("_journal/start.json", HEADER), ("samples/1_epoch_1.json", sample(1)), ("_journal/summaries/1.json", []),
    ("samples/b_epoch_2.json", sample("b", 2)), ("summaries.json", [1]), ("header.json", HEADER),
)  # fmt: skip


LONG = {"aa": "a long prompt é", "bb": "a long result", "cc": "ls -la"}
CONDENSED = sample(
    5, attachments=LONG,
    messages=[
        {"id": "m1", "content": "attachment://aa", "role": "user"},
        {"id": "m2", "role": "assistant", "content": [{"type": "text", "text": "attachment://gone"}],
         "tool_calls": [{"id": "c1", "function": "bash", "arguments": {"cmd": "attachment://cc"}, "type": "function"}]},
        {"id": "m3", "content": [{"type": "text", "text": "attachment://bb"}], "role": "tool", "tool_call_id": "c1", "function": "bash"},
        {"id": "m4", "content": "done", "role": "assistant"},
    ],
)  # fmt: skip

FILES: dict[str, list[bytes]] = {
    "tau2-bench": [document(TAU2, indent=4, ensure_ascii=False), document(TAU2["simulations"][0]), document(TICKS, indent=2)],
    "swe-agent": [document(SWE, indent=2), document({"history": SWE["history"]})],
    "inspect-json": [document(INSPECT, indent=2), document(sample(4)), document({**HEADER, "samples": [sample(1), CONDENSED]}, indent=2)],
    "inspect-eval": [EVAL, archive(("samples/1_epoch_1.json", sample(1)), method=zipfile.ZIP_STORED),
                     archive(("samples/5_epoch_1.json", CONDENSED), ("header.json", HEADER))],
}  # fmt: skip
ALL = [pytest.param(name, data, id=f"{name}-{number}") for name, files in FILES.items() for number, data in enumerate(files)]


def rows_of(dump: Dump, index: int = 0) -> list[tuple[str, Role]]:
    transcript = dump.transcripts[index]
    table = transcript.table
    return [(Kind(int(table.kind[r])).name, Role(int(table.role[r]))) for r in transcript.order]


def takes(transcript: Any, edit: Any) -> bool:
    if getattr(edit, "made", None) is not None and edit.made.kind == Kind.TEXT and transcript.subagent:
        return False  # no text stands among the calls of a user
    return hasattr(edit, "rows") or transcript.id != "t1"  # nothing stands beside a chunk


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
@pytest.mark.parametrize("name", ["tau2-bench", "swe-agent", "inspect-json"])
def test_damage_is_refused_in_one_line_or_opened(name: str, seed: int) -> None:
    damaged(name, random.Random(seed).choice(FILES[name]), 3, seed)


def test_a_run_of_tau2() -> None:
    dump = load(Source.of(FILES["tau2-bench"][0], "x"))
    assert [(t.id, t.title) for t in dump.transcripts[:2]] == [("s1", "task 7, trial 1, user_stop"), ("s2", "task 7, trial 1, user_stop")]
    kinds = [kind for kind, _ in rows_of(dump)]
    assert kinds == ["TEXT", "TEXT", "TOOL_CALL", "TOOL_CALL", "TOOL_RESULT", "TOOL_RESULT", "TEXT", "TOOL_CALL", "TOOL_RESULT"]
    assert make_view(dump.transcripts[0]).links.partner.tolist() == [-1, -1, 4, 5, 2, 3, -1, 8, 7]
    failed = FORMATS["tau2-bench"].block(dump.transcripts[0], 5, dump.source)
    assert (failed.error, failed.texts, failed.pointer) == (True, ("no",), "/simulations/0/messages/3/tool_messages/1")
    assert (dump.transcripts[2].id, dump.opened) == ("s2-user", 0)  # the user calls tools too, and the agent sees none of it
    assert rows_of(dump, 1) == [("TEXT", Role.USER)]
    assert rows_of(dump, 2) == [("TOOL_CALL", Role.ASSISTANT), ("TOOL_RESULT", Role.TOOL)]
    assert all(check(make_view(t), OPENAI, None, "prefix").verdict == "accept" for t in dump.transcripts)


def test_ticks_of_speech_are_read_where_they_say_something() -> None:
    dump = load(Source.of(FILES["tau2-bench"][2], "x"))
    assert rows_of(dump) == [("TEXT", Role.USER), ("TEXT", Role.ASSISTANT)]
    assert dump.records == {"shown": 2, "hidden": 1, "unparsed": 0}


def test_nothing_can_be_put_where_there_is_no_list() -> None:
    dump = FORMATS["tau2-bench"].parse(Source.of(document({"id": "t", "task_id": "4", "ticks": []})))
    made = Insert(End(), Made(Kind.TEXT, Role.USER, "new"))
    after = apply(dump.transcripts[0], [Change("x", "rule:x", "adds", (made,))], OPENAI).transcript
    with pytest.raises(InspectorError, match="no list of messages"):
        FORMATS["tau2-bench"].write_plan(dump, [after])


def test_a_history_of_swe_agent() -> None:
    dump = load(Source.of(FILES["swe-agent"][0], "x"))
    assert dump.transcripts[0].title == "main, submitted"
    assert make_view(dump.transcripts[0]).links.partner.tolist() == [-1, -1, -1, -1, 6, 7, 4, 5, -1, 10, 9]
    after = apply(dump.transcripts[0], [Change("x", "rule:x", "loses", (drop(5, 7),))], OPENAI).transcript
    writing = FORMATS["swe-agent"].write_plan(dump, [after])
    wanted = json.loads(FILES["swe-agent"][0])
    del wanted["history"][3]["tool_calls"][1]
    del wanted["history"][4]["tool_call_ids"][1]
    assert b"".join(writing.chunks()) == document(wanted, indent=2)
    assert writing.tally.notes == [("/trajectory", "the steps of the trajectory repeat the history as it was, and stay so")]


def test_a_run_of_swe_agent_without_a_history_is_read_by_its_last_prompt() -> None:
    steps = [{"action": "a", "observation": "b", "query": held} for held in ([swe("user", "go")], SWE["history"])]
    dump = load(Source.of(document({"environment": "main", "trajectory": steps}), "x"))
    assert len(dump.transcripts[0].order) == 11
    assert FORMATS["swe-agent"].block(dump.transcripts[0], 0, dump.source).pointer == "/trajectory/1/query/0/content"
    with pytest.raises(UnreadableError, match="no history"):
        FORMATS["swe-agent"].parse(Source.of(document({"environment": "main", "trajectory": []})))


def test_a_sample_of_inspect() -> None:
    dump = load(Source.of(FILES["inspect-json"][0], "x"))
    assert [(t.id, t.title) for t in dump.transcripts][:2] == [("1-1", "ctf, sample 1"), ("b-2", "ctf, sample b, epoch 2")]
    kinds = [kind for kind, _ in rows_of(dump)]
    assert kinds == ["TEXT", "TEXT", "REASONING", "TEXT", "TOOL_CALL", "TOOL_CALL", "TOOL_CALL", "TOOL_RESULT", "TOOL_RESULT", "TEXT"]
    late = FORMATS["inspect-json"].block(dump.transcripts[0], 8, dump.source)
    assert (late.error, late.texts, late.name) == (True, ("late",), "bash")
    assert [r.text for r in dump.transcripts[1].refusals] == ["Error code: 400 - no"]
    assert dump.table.usages.input.tolist() == [16, 16, 16]
    assert check(make_view(dump.transcripts[0]), OPENAI, None, "complete").verdict == "accept"


def test_texts_that_a_sample_keeps_beside_its_messages_are_seen_and_stay_names() -> None:
    data = FILES["inspect-json"][2]
    dump = load(Source.of(data, "x"))
    format, one = FORMATS["inspect-json"], dump.transcripts[1]
    texts = ["".join(format.block(one, row, dump.source).texts) for row in one.order.tolist()]
    assert texts == ["a long prompt é", "attachment://gone", '{"cmd":"ls -la"}', "a long result", "done"]
    assert int(dump.table.size[one.order[0]]) == len("a long prompt é")
    stub = Change("y", "rule:x", "loses", (Replace(one.order[3:4], Cap(6)),))
    after = apply(one, [stub], OPENAI).transcript
    out = b"".join(format.write_plan(dump, [dump.transcripts[0], after]).chunks())
    short = format.block(after, int(one.order[3]), dump.source).text
    assert out == data.replace(b"attachment://bb", json.dumps(short)[1:-1].encode())
    assert short != "a long result"


def test_an_edit_goes_into_the_member_that_it_touches() -> None:
    dump = load(Source.of(EVAL, "x"))
    assert [t.id for t in dump.transcripts] == ["1-1", "b-2"]
    row = int(dump.transcripts[1].order[7])
    edit = Change("x", "rule:x", "loses", (drop(*dump.transcripts[1].order[4:6].tolist()),))
    assert dump.table.kind[row] == Kind.TOOL_RESULT
    stub = Change("y", "rule:x", "loses", (Replace(dump.transcripts[1].order[7:8], Stub("gone")),))
    after = apply(dump.transcripts[1], [edit, stub], OPENAI).transcript
    out = b"".join(FORMATS["inspect-eval"].write_plan(dump, [dump.transcripts[0], after]).chunks())
    with zipfile.ZipFile(io.BytesIO(out)) as new, zipfile.ZipFile(io.BytesIO(EVAL)) as old:
        assert new.testzip() is None
        assert new.namelist() == old.namelist()
        for name in old.namelist():
            assert (new.read(name) == old.read(name)) == (name != "samples/b_epoch_2.json")
        assert json.loads(new.read("samples/b_epoch_2.json"))["messages"][3]["content"] == "gone"


def test_members_compressed_with_zstandard() -> None:
    text = document(sample(1))
    packed = zstandard.ZstdCompressor().compress(text)
    plain = archive(("samples/1_epoch_1.json", "x" * (len(packed) - 2)), method=zipfile.ZIP_STORED)
    data = bytearray(plain.replace(b'"' + b"x" * (len(packed) - 2) + b'"', packed))
    import zlib

    at = data.index(b"PK\x01\x02")
    for start, method, crc in ((0, 8, 14), (at, 10, 16)):
        data[start + method : start + method + 2] = (93).to_bytes(2, "little")
        data[start + crc : start + crc + 4] = zlib.crc32(text).to_bytes(4, "little")
        data[start + crc + 8 : start + crc + 12] = len(text).to_bytes(4, "little")
    dump = unchanged("inspect-eval", bytes(data))
    assert len(dump.transcripts[0].order) == 10
    round_trip("inspect-eval", bytes(data), 1)


def test_a_journal_alone_opens_and_holds_nothing() -> None:
    dump = load(Source.of(archive(("_journal/start.json", HEADER)), "x"))
    assert dump.transcripts == []


@pytest.mark.parametrize("end", [10, 200, len(EVAL) - 10])
def test_an_archive_that_is_cut_off_is_refused_in_one_line(end: int) -> None:
    with pytest.raises(UnreadableError) as told:
        FORMATS["inspect-eval"].parse(Source.of(EVAL[:end]))
    assert "\n" not in str(told.value)


def test_an_archive_with_turned_bytes_never_fails_otherwise() -> None:
    r = random.Random(4)
    for _ in range(150):
        at = r.randrange(len(EVAL))
        broken = EVAL[:at] + bytes([r.randrange(256)]) + EVAL[at + 1 :]
        try:
            dump = FORMATS["inspect-eval"].parse(Source.of(broken))
        except UnreadableError as error:
            assert "\n" not in str(error)  # noqa: PT017
            continue
        assert b"".join(FORMATS["inspect-eval"].write_plan(dump, dump.transcripts).chunks()) == broken
