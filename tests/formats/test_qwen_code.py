"""Qwen Code sessions: the tree, rewinds and compressions, and the way back."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.edits import Change, Edit, HeadOf, Insert, Made, Replace, Stub, drop
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import damaged, round_trip, unchanged

FORMAT = FORMATS["qwen-code"]


class Session:
    """Lines one after the other; each hangs on the one before it unless told."""

    def __init__(self, id: str = "019f-s") -> None:
        self.lines: list[Any] = []
        self.last: str | None = None
        self.id = id

    def line(self, type: str, parent: Any = ..., uuid: str | None = None, **more: Any) -> str:
        number = len(self.lines)
        uuid = uuid or f"u-{self.id}-{number}"
        stamp = f"2026-08-17T13:{number // 60:02d}:{number % 60:02d}.000Z"
        above = self.last if parent is ... else parent
        self.lines.append({"uuid": uuid, "parentUuid": above, "sessionId": self.id, "timestamp": stamp, "type": type, **more})
        self.last = uuid
        return uuid

    def say(self, *parts: Any, role: str = "user", **more: Any) -> str:
        answers = any("functionResponse" in part for part in parts)
        word = "tool_result" if answers else "assistant" if role == "model" else "user"
        return self.line(word, message={"role": role, "parts": list(parts)}, **more)

    def system(self, subtype: str, **payload: Any) -> str:
        return self.line("system", subtype=subtype, systemPayload=payload)

    def data(self, end: str = "\n", final: bool = True) -> bytes:
        style: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}
        texts = [one if isinstance(one, bytes) else json.dumps(one, **style).encode() for one in self.lines]
        return end.encode().join(texts) + (end.encode() if final else b"")


def call(id: str, **args: Any) -> dict[str, Any]:
    return {"functionCall": {"id": id, "name": "read", "args": args}}


def answer(id: str, text: str = "ok") -> dict[str, Any]:
    return {"functionResponse": {"id": id, "name": "read", "response": {"output": text}}}


def session() -> Session:
    s = Session()
    s.say({"text": "go"})
    usage = {"promptTokenCount": 12, "candidatesTokenCount": 4, "cachedContentTokenCount": 2}
    s.say({"text": "hm", "thought": True}, call("c1"), role="model", model="qwen3-coder", usageMetadata=usage)
    s.say(answer("c1", "secret"), toolCallResult={"callId": "c1", "status": "success", "resultDisplay": "secret"})
    s.system("custom_title", customTitle="a walk")
    s.say({"text": "done"}, role="model", model="qwen3-coder")
    return s


def written(data: bytes, *edits: Edit) -> list[dict[str, Any]]:
    dump = FORMAT.parse(Source.of(data))
    transcripts = list(dump.transcripts)
    changed = apply(transcripts[dump.opened], [Change("x", "rule:x", "loses", edits)], PROVIDERS["gemini"]).transcript
    transcripts[dump.opened] = changed
    return [json.loads(line) for line in b"".join(FORMAT.write_plan(dump, transcripts).chunks()).splitlines()]


def words(data: bytes, index: int = 0) -> list[str]:
    dump = FORMAT.parse(Source.of(data))
    return [FORMAT.block(dump.transcripts[index], row, dump.source).text for row in dump.transcripts[index].order.tolist()]


def test_a_session() -> None:
    data = session().data()
    dump = unchanged("qwen-code", data)
    (transcript,) = dump.transcripts
    assert (transcript.id, transcript.title, transcript.model) == ("main", "a walk", "qwen3-coder")
    assert dump.records == {"shown": 4, "hidden": 1, "unparsed": 0}
    found = counts(make_view(transcript, source=dump.source))
    assert [found[k] for k in ("messages", "tool_calls", "tool_results", "orphan_results")] == [4, 1, 1, 0]
    block = FORMAT.block(transcript, int(transcript.order[3]), dump.source)
    assert (block.pointer, block.texts) == ("/2/message/parts/0", ("secret",))
    assert (dump.table.usages.input.tolist(), dump.table.usages.cache_read.tolist()) == ([12], [2])
    assert detect(Source.of(data, "x"))[0].format == "qwen-code"


def test_a_rewind_leaves_a_branch_and_parts_of_one_uuid_are_none() -> None:
    s = Session()
    first = s.say({"text": "go"})
    s.say({"text": "left"}, role="model")
    s.line("system", parent=first, subtype="rewind", systemPayload={"targetUuid": first})
    above = s.say({"text": "on"})
    s.say({"text": "I", "thought": True}, role="model", uuid="same")
    s.say(call("c1"), role="model", uuid="same", parent=above)
    data = s.data()
    dump = unchanged("qwen-code", data)
    assert [words(data, i) for i in range(2)] == [["go", "on", "I", "{}"], ["go", "left"]]
    assert [t.forks_from for t in dump.transcripts] == [None, "main"]


def test_a_compression_is_a_wall_and_a_failed_request_a_refusal() -> None:
    s = session()
    s.system("ui_telemetry", uiEvent={"event.name": "qwen-code.api_error", "status_code": 429, "error_message": "slow down"})
    s.system("chat_compression", info={"originalTokenCount": 9, "newTokenCount": 3}, compressedHistory=[{"role": "user", "parts": []}])
    s.say({"text": "next"})
    dump = unchanged("qwen-code", s.data())
    (transcript,) = dump.transcripts
    assert [(w.record, w.before, w.after) for w in transcript.walls] == [(6, 9, 3)]
    assert (transcript.start, len(transcript.order)) == (5, 6)
    assert [(r.status, r.text, r.after) for r in transcript.refusals] == [(429, "slow down", 4)]


def test_edits_keep_the_tree_and_take_copies_away() -> None:
    lines = written(session().data(), Replace(FORMAT.parse(Source.of(session().data())).transcripts[0].order[3:4], Stub("stub")))
    assert b"secret" not in json.dumps(lines).encode()
    lines = written(session().data(), drop(2, 3))
    assert lines[2]["parentUuid"] == lines[1]["uuid"]
    s = Session()
    s.say({"text": "go"})
    s.say(call("c1"), role="model", model="m")
    s.say({"text": "on"}, provenance="real_user")
    lines = written(s.data(), Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.USER, "none", call=1)))
    made = lines[2]
    assert (made["type"], made["parentUuid"], lines[3]["parentUuid"]) == ("tool_result", lines[1]["uuid"], made["uuid"])
    assert made["message"] == {"role": "user", "parts": [answer("c1", "none")]}
    assert "model" not in made


def random_session(seed: int) -> bytes:
    r = random.Random(seed)
    s = Session()
    uuids: list[str] = []
    for number in range(r.randrange(2, 9)):
        pick = r.randrange(11)
        more = {"parent": r.choice(uuids)} if uuids and r.random() < 0.12 else {}
        if pick < 3:
            uuids.append(s.say({"text": r.choice(["é", "go"])}, **more))
        elif pick < 7:
            ids = [f"c{number}{k}" for k in range(r.choice([1, 1, 2]))]
            above = s.last
            uuids.append(s.say({"text": "I"}, *(call(id, a=r.random()) for id in ids), role="model", model="m", **more))
            if r.random() < 0.2 and not more:
                s.say({"text": "part"}, role="model", uuid=s.last, parent=above)
            held = [answer(id, "out é") for id in ids if r.random() < 0.9]
            if held:
                uuids.append(s.say(*held, toolCallResult={"x": 1}))
        elif pick == 7:
            uuids.append(s.say({"text": "said"}, role="model", **more))
        elif pick == 8:
            s.system("chat_compression", info={})
        elif pick == 9:
            s.system("slash_command", rawCommand="/x")
        else:
            s.lines.append(r.choice([b"{torn", b"", b"[1]"]))
    return s.data(r.choice(["\n", "\r\n"]), r.random() < 0.7)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same(seed: int) -> None:
    data = random_session(seed)
    if any(line.strip() for line in data.splitlines()):
        unchanged("qwen-code", data)
        round_trip("qwen-code", data, seed, leaf=True)


def test_damage_is_said_in_one_line_or_opened() -> None:
    s = session()
    s.system("chat_compression", info={"originalTokenCount": 9}, compressedHistory=[])
    s.system("ui_telemetry", uiEvent={"event.name": "api_error", "status_code": 429})
    damaged("qwen-code", s.data(), 150)
