"""opencode: calls with their results in one part, the folder of a session, the database, and the way back."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.edits import Change, Drop, Edit, End, HeadOf, Insert, Made, Move, Replace, Set, Stub, drop
from app.model.errors import InspectorError
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.export import export
from app.pipeline.load import load
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import damaged, round_trip, unchanged

FORMAT = FORMATS["opencode"]
INFO = {
    "id": "ses_1", "slug": "s", "projectID": "p", "directory": "/w", "title": "A walk", "version": "1.1.0",
    "time": {"created": 1, "updated": 9},
}  # fmt: skip
TOKENS = {"input": 10, "output": 5, "reasoning": 2, "cache": {"read": 4, "write": 1}}


def part(message: str, number: int, type: str, **more: Any) -> dict[str, Any]:
    return {"id": f"prt_{message[4:]}{number}", "sessionID": "ses_1", "messageID": message, "type": type, **more}


def tool(message: str, number: int, id: str, status: str = "completed", text: str = "a.txt", **more: Any) -> dict[str, Any]:
    state: dict[str, Any] = {"status": status, "input": {"command": id}}
    if status == "completed":
        state |= {"output": text, "title": "", "metadata": {}, "time": {"start": 5, "end": 6}}
    elif status == "error":
        state |= {"error": text, "time": {"start": 5, "end": 6}}
    elif status == "running":
        state |= {"time": {"start": 5}}
    return part(message, number, "tool", callID=id, tool="bash", state=state | more)


def user(id: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    model = {"providerID": "a", "modelID": "m"}
    info = {"id": id, "sessionID": "ses_1", "role": "user", "time": {"created": 2000}, "agent": "build", "model": model}
    return {"info": info | more, "parts": list(parts)}


def assistant(id: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    info = {
        "id": id, "sessionID": "ses_1", "role": "assistant", "time": {"created": 3000, "completed": 4000}, "parentID": "msg_1",
        "modelID": "m", "providerID": "a", "mode": "build", "agent": "build", "path": {"cwd": "/w", "root": "/w"}, "cost": 0,
        "tokens": TOKENS, "finish": "stop",
    }  # fmt: skip
    return {"info": info | more, "parts": list(parts)}


MESSAGES = [
    user("msg_1", part("msg_1", 0, "text", text="go"), part("msg_1", 1, "text", text="note", synthetic=True)),
    assistant(
        "msg_2", part("msg_2", 0, "step-start"), part("msg_2", 1, "reasoning", text="hm", metadata={"anthropic": {"signature": "s"}}),
        part("msg_2", 2, "text", text="I look"), tool("msg_2", 3, "c1"), tool("msg_2", 4, "c2", "running"),
        part("msg_2", 5, "step-finish", tokens=TOKENS), part("msg_2", 6, "step-start"), tool("msg_2", 7, "c3", "error", "no such file"),
        part("msg_2", 8, "patch", hash="x", files=[]),
    ),
    assistant("msg_3", error={"name": "APIError", "data": {"message": "Overloaded", "statusCode": 529, "isRetryable": True}}),
    user(
        "msg_4", part("msg_4", 0, "file", mime="image/png", url="data:image/png;base64,AAAA"),
        part("msg_4", 1, "text", text="x", ignored=True), time={"created": 5000},
    ),
]  # fmt: skip


def document(messages: list[Any] = MESSAGES, **style: Any) -> bytes:
    return json.dumps({"info": INFO, "messages": messages}, **({"indent": 2} | style)).encode()


def after(transcript: Transcript, *edits: Edit) -> Transcript:
    return apply(transcript, [Change("x", "rule:x", "loses", edits)], PROVIDERS["anthropic"]).transcript


def written(data: bytes, *edits: Edit) -> Any:
    dump = FORMAT.parse(Source.of(data))
    return json.loads(b"".join(FORMAT.write_plan(dump, [after(dump.transcripts[0], *edits), *dump.transcripts[1:]]).chunks()))


def storage(root: Path) -> Path:
    """The same session as files; the place of its own."""
    for message in MESSAGES:
        id = message["info"]["id"]
        for one in message["parts"]:
            _put(root / "part" / id / f"{one['id']}.json", one)
        _put(root / "message" / "ses_1" / f"{id}.json", message["info"])
    return _put(root / "session" / "p" / "ses_1.json", INFO)


def _put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    return path


def database(path: Path) -> Path:
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE `session` (id text PRIMARY KEY, project_id text, parent_id text, slug text, directory text, title text,"
                     " version text, revert text, time_created integer, time_updated integer)")  # fmt: skip
        base.execute("CREATE TABLE `message` (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text)")
        base.execute("CREATE TABLE `part` (id text PRIMARY KEY, message_id text, session_id text, time_created integer, data text)")
        base.execute("INSERT INTO session VALUES ('ses_1', 'p', NULL, 's', '/w', 'A walk', '1.2.0', NULL, 1, 9)")
        base.execute("INSERT INTO session VALUES ('ses_2', 'p', 'ses_1', 's', '/w', 'A side', '1.2.0', NULL, 2, 9)")
        for message in MESSAGES:
            info = {key: value for key, value in message["info"].items() if key not in ("id", "sessionID")}
            row = message["info"]["id"], info["time"]["created"], json.dumps(info)
            base.execute("INSERT INTO message VALUES (?, 'ses_1', ?, 0, ?)", row)
            for one in message["parts"]:
                held = {key: value for key, value in one.items() if key not in ("id", "sessionID", "messageID")}
                base.execute("INSERT INTO part VALUES (?, ?, 'ses_1', 0, ?)", (one["id"], message["info"]["id"], json.dumps(held)))
    base.close()
    return path


def test_an_export() -> None:
    dump = unchanged("opencode", document())
    (transcript,) = dump.transcripts
    assert (transcript.title, transcript.model) == ("A walk", "m")
    found = counts(make_view(transcript, source=dump.source))
    keys = ("records", "messages", "tool_calls", "tool_results", "unanswered_calls", "orphan_results")
    assert [found[key] for key in keys] == [4, 6, 3, 2, 1, 0]
    blocks = [FORMAT.block(transcript, row, dump.source) for row in transcript.order.tolist()]
    assert [block.kind for block in blocks] == [
        Kind.TEXT, Kind.TEXT, Kind.REASONING, Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TOOL_CALL,
        Kind.TOOL_RESULT, Kind.MEDIA,
    ]  # fmt: skip
    assert [blocks[n].pointer for n in (0, 6, 7)] == ["/messages/0/parts/0", "/messages/1/parts/3/state", "/messages/1/parts/7"]
    assert (blocks[8].texts, blocks[8].error, blocks[8].call_id) == (("no such file",), True, "c3")
    assert [(r.status, r.text, r.after) for r in transcript.refusals] == [(529, "Overloaded", 8)]
    assert dump.table.usages.input.tolist() == [15]
    assert detect(Source.of(document(), "x"))[0].format == "opencode"


def test_a_folder_is_its_session(tmp_path: Path) -> None:
    path = storage(tmp_path / "storage")
    dump = load(Source.open(path))
    again = FORMAT.parse(Source.of(document()))
    assert (dump.format, dump.transcripts[0].title) == ("opencode", "A walk")
    assert [dump.table.kind.tolist(), dump.table.size.tolist()] == [again.table.kind.tolist(), again.table.size.tolist()]
    out = tmp_path / "out.json"
    export(dump, dump.transcripts, out, PROVIDERS["anthropic"], None, "prefix", allow_broken=True)
    assert out.read_bytes() == path.read_bytes()
    export(dump, [after(dump.transcripts[0], drop(0))], out, PROVIDERS["anthropic"], None, "prefix", allow_broken=True)
    assert [m["info"]["id"] for m in json.loads(out.read_bytes())["messages"]] == ["msg_1", "msg_2", "msg_3", "msg_4"]
    assert not dump.source.changed()
    (tmp_path / "storage" / "part" / "msg_1" / "prt_10.json").write_text("{}")
    assert dump.source.changed()


def test_a_folder_as_it_was_before(tmp_path: Path) -> None:
    root = tmp_path / "storage" / "session"
    for message in MESSAGES:
        id = message["info"]["id"]
        for one in message["parts"]:
            _put(root / "part" / "ses_1" / id / f"{one['id']}.json", one)
        _put(root / "message" / "ses_1" / f"{id}.json", message["info"])
    path = _put(root / "info" / "ses_1.json", INFO)
    assert len(load(Source.open(path)).transcripts[0].order) == 10


def test_a_piece_of_a_folder_opens_as_what_it_is(tmp_path: Path) -> None:
    storage(tmp_path)
    (tmp_path / "migration").write_text("2\n")
    _put(tmp_path / "todo" / "ses_1.json", [])
    _put(tmp_path / "project" / "p.json", {"id": "p", "worktree": "/w"})
    for path, kinds in (
        (tmp_path / "part" / "msg_2" / "prt_23.json", [Kind.TOOL_CALL, Kind.TOOL_RESULT]),
        (tmp_path / "part" / "msg_2" / "prt_20.json", []),
        (tmp_path / "message" / "ses_1" / "msg_1.json", [Kind.EMPTY]),
        (tmp_path / "migration", []),
        (tmp_path / "todo" / "ses_1.json", []),
        (tmp_path / "project" / "p.json", []),
    ):
        dump = load(Source.open(path))
        assert (dump.format, dump.table.kind.tolist()) == ("opencode", kinds), path
        out = tmp_path / "out"
        export(dump, dump.transcripts, out, PROVIDERS["anthropic"], None, "prefix", allow_broken=True)
        assert out.read_bytes() == path.read_bytes()
        out.unlink()


def test_a_database_is_read_from_a_copy(tmp_path: Path) -> None:
    path = database(tmp_path / "opencode.db")
    before = path.read_bytes()
    dump = load(Source.open(path))
    found = [(t.id, t.title, t.subagent, len(t.order)) for t in dump.transcripts]
    assert found == [("ses_1", "A walk", False, 10), ("ses_2", "A side", True, 0)]
    blocks = [FORMAT.block(dump.transcripts[0], row, dump.source) for row in dump.transcripts[0].order.tolist()]
    assert (blocks[6].texts, blocks[6].pointer) == (("a.txt",), "/0/messages/1/parts/3/state")
    export(dump, dump.transcripts, tmp_path / "out.db", PROVIDERS["anthropic"], None, "prefix", allow_broken=True)
    assert (tmp_path / "out.db").read_bytes() == path.read_bytes() == before
    with pytest.raises(InspectorError, match="opencode export"):
        FORMAT.write_plan(dump, [after(dump.transcripts[0], drop(0)), dump.transcripts[1]])


def test_what_a_compaction_leaves() -> None:
    asked = user("msg_5", part("msg_5", 0, "compaction", auto=True))
    summary = assistant("msg_6", part("msg_6", 0, "text", text="sum"), parentID="msg_5", summary=True)
    said = user("msg_7", part("msg_7", 0, "text", text="on"))
    (transcript,) = FORMAT.parse(Source.of(document([MESSAGES[0], asked, summary, said]))).transcripts
    assert (transcript.start, [(wall.row, wall.record) for wall in transcript.walls]) == (2, [(2, 1)])
    tail = user("msg_5", part("msg_5", 0, "compaction", auto=True, tail_start_id="msg_1"))
    (transcript,) = FORMAT.parse(Source.of(document([said, MESSAGES[0], tail, summary]))).transcripts
    assert transcript.start == 1
    (transcript,) = FORMAT.parse(Source.of(document([MESSAGES[0], asked, said]))).transcripts
    assert (transcript.start, transcript.walls) == (0, ())


def test_what_is_taken_back_is_a_branch() -> None:
    data = json.dumps({"info": INFO | {"revert": {"messageID": "msg_4"}}, "messages": MESSAGES}).encode()
    main, back = unchanged("opencode", data).transcripts
    assert (len(main.order), len(back.order), back.forks_from, back.shared_records) == (9, 10, "main", 3)


def test_a_pruned_result_is_what_is_sent() -> None:
    cleared = tool("msg_2", 0, "c1", text="long ago", time={"start": 5, "end": 6, "compacted": 7})
    data = document([MESSAGES[0], assistant("msg_2", cleared)])
    dump = FORMAT.parse(Source.of(data))
    row = int(dump.transcripts[0].order[-1])
    assert FORMAT.block(dump.transcripts[0], row, dump.source).texts == ("[Old tool result content cleared]",)
    state = written(data, Set(row, "content", "other"))["messages"][1]["parts"][0]["state"]
    assert (state["output"], state["time"]) == ("other", {"start": 5, "end": 6})


def test_edits_stand_in_the_part_of_the_call() -> None:
    made = written(document(), Insert(HeadOf(5), Made(Kind.TOOL_RESULT, Role.USER, "none", call=5, error=True)))
    want = json.loads(document())
    want["messages"][1]["parts"][4]["state"] |= {"status": "error", "error": "none", "time": {"start": 5, "end": 5}}
    assert made == want
    made = written(document(), Replace(drop(6).rows, Stub("stub")))
    assert made["messages"][1]["parts"][3]["state"]["output"] == "stub"
    made = written(document(), drop(6))
    state = {"status": "running", "input": {"command": "c1"}, "title": "", "metadata": {}, "time": {"start": 5}}
    assert made["messages"][1]["parts"][3]["state"] == state
    made = written(document(), drop(4, 6))
    assert [p["type"] for p in made["messages"][1]["parts"]][:4] == ["step-start", "reasoning", "text", "tool"]
    made = written(document(), Insert(End(), Made(Kind.TEXT, Role.USER, "on")))["messages"][-1]
    assert (made["info"]["id"], made["info"]["role"], made["parts"][0]["text"]) == ("msg_40001", "user", "on")
    assert made["info"]["id"] > "msg_4"
    with pytest.raises(InspectorError, match="without a call"):
        written(document(), drop(4))


def random_session(seed: int) -> bytes:
    r = random.Random(seed)
    messages: list[Any] = []
    for number in range(10, 10 + r.randrange(1, 7)):
        id = f"msg_{number}"
        if r.random() < 0.4:
            messages.append(user(id, *[part(id, k, "text", text=r.choice(["é", "go"])) for k in range(r.choice([1, 1, 2]))]))
            continue
        parts: list[Any] = []
        for _ in range(r.choice([1, 1, 2])):
            parts.append(part(id, len(parts), "step-start"))
            if r.random() < 0.4:
                parts.append(part(id, len(parts), r.choice(["text", "reasoning"]), text="I ü"))
            for _ in range(r.randrange(3)):
                status = r.choice(["completed", "completed", "error", "running", "pending"])
                parts.append(tool(id, len(parts), f"c{number}{len(parts)}", status, "out é"))
        messages.append(assistant(id, *parts))
    style: dict[str, Any] = r.choice([{"indent": 2}, {"indent": None}, {"indent": None, "separators": (",", ":")}])
    return document(messages, ensure_ascii=r.random() < 0.5, **style)


def _takes(transcript: Transcript, edit: Edit) -> bool:
    """Results stand in their calls: none without one, none apart from it, none of another id, and nothing between the two."""
    table, order = transcript.table, transcript.order.tolist()
    results = [row for row in order if table.kind[row] == Kind.TOOL_RESULT]
    if isinstance(edit, Move):
        return False
    if isinstance(edit, Set) and edit.field == "call_id":
        return table.kind[edit.row] == Kind.TOOL_CALL and not any(table.key[row] == table.key[edit.row] for row in results)
    if isinstance(edit, Drop):
        gone = set(edit.rows.tolist())
        left = {int(table.key[row]) for row in order if table.kind[row] == Kind.TOOL_CALL and row not in gone}
        return all(int(table.key[row]) in left for row in results if row not in gone)
    if isinstance(edit, Insert) and edit.made.kind == Kind.TOOL_RESULT:
        call = order.index(edit.made.call)
        behind = [row for row in order[call:] if table.message[row] != table.message[edit.made.call]]
        taken = any(table.key[row] == table.key[edit.made.call] for row in results)
        return not taken and (not behind or table.role[behind[0]] == Role.USER)
    return not isinstance(edit, Insert) or isinstance(edit.place, End)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same(seed: int) -> None:
    data = random_session(seed)
    unchanged("opencode", data)
    round_trip("opencode", data, seed, takes=_takes, inside=True)


def test_damage_is_said_in_one_line_or_opened() -> None:
    damaged("opencode", document(), 120)


def test_a_database_that_is_damaged_is_said_in_one_line(tmp_path: Path) -> None:
    whole = database(tmp_path / "a.db").read_bytes()
    r = random.Random(0)
    for _ in range(12):
        at = r.randrange(100, len(whole))
        path = tmp_path / "b.db"
        path.write_bytes(whole[:at] + bytes(r.randrange(256) for _ in range(40)) + whole[at + 40 :] if r.random() < 0.7 else whole[:at])
        said = ""
        try:
            FORMAT.parse(Source.open(path))
        except InspectorError as error:
            said = str(error)
        assert "\n" not in said
