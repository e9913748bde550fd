"""An export is what is shown: read again it is equal, untouched bytes are the same, and nothing is written that was not asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Change, HeadOf, Insert, Made, Replace, Stub, drop
from app.model.errors import ChangedError, InspectorError, RefusedError, RemainingError
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline import mended
from app.pipeline.apply import apply
from app.pipeline.diff import diff, difference, edited
from app.pipeline.export import export
from app.pipeline.load import load
from app.providers import PROVIDERS
from tests.builders import request_of
from tests.pipeline import edited as drawn

DRAWINGS = (
    "u=hi | a:looking,call 1,call 2 | u:result 1,result 2,go on | a=done",
    "u:hi,image | a:think,call 1 | u:result! 1 words of it | a:call 2 | u=go on | u:result 2",
    "u=hi | a:call 1,call 1 | u:result 1 | u:none | a=done | u=again | a:call 3",
    "a:call 1 | u:result~ 1 | u:result 7,text | a= | u=x",
)
OPENAI = (
    "s=rules | u=hi | a:looking,call 1,call 2 | t:result 1 | t:result 2 | a=done",
    "u:hi,image | a:call 1 | u=wait | t:result 1 | a:null | u=x",
    "u=hi | a:call 1 | t:result 1 | t:result 9 | a:call 2",
)


def written(drawing: str, provider: str, path: Path) -> Dump:
    members: dict[str, Any] = {"model": "claude-sonnet-4-5" if provider == "anthropic" else "gpt-5", "max_tokens": 9, "temperature": 0.50}
    text = json.dumps(request_of(drawing, provider, **members), indent=2, ensure_ascii=False)
    path.write_text(text.replace('"temperature": 0.5', '"temperature":0.50,\n  "big": 12345678901234567890123, "e": 1e5'))
    return load(Source.open(path))


def change(*edits: Any, title: str = "a change") -> Change:
    return Change(title, "rule:test", "loses", edits)


def saved(dump: Dump, transcript: Transcript, path: Path, provider: str = "anthropic", **more: Any) -> Any:
    return export(dump, [transcript], path, PROVIDERS[provider], None, "complete", **more)


@pytest.mark.parametrize(("provider", "drawings"), [("anthropic", DRAWINGS), ("openai-chat", OPENAI)])
@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_what_was_written_reads_back_as_what_was_in_memory(
    data: st.DataObject, provider: str, drawings: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("export") / "in.json"
    dump = written(data.draw(st.sampled_from(drawings)), provider, path)
    transcript = data.draw(drawn.edited(dump.transcripts[0], PROVIDERS[provider]))
    writing = FORMATS[dump.format].write_plan(dump, [transcript])
    out = b"".join(writing.chunks())
    again = load(Source.of(out), dump.format)
    assert difference(dump, [transcript], again) is None
    tally = writing.tally
    assert tally.same + tally.changed + tally.relinked + tally.dropped == sum(dump.records.values())
    assert b'"temperature":0.50,\n  "big": 12345678901234567890123, "e": 1e5' in out
    if not edited(transcript, dump.transcripts[0]):
        assert out == path.read_bytes()


def test_untouched_messages_are_the_same_bytes(tmp_path: Path) -> None:
    dump = written(DRAWINGS[0], "anthropic", tmp_path / "in.json")
    call = next(r for r in dump.transcripts[0].order.tolist() if dump.table.kind[r] == Kind.TOOL_RESULT)
    after = apply(dump.transcripts[0], [change(Replace(np.asarray([call], np.int32), Stub("[gone]")))], PROVIDERS["anthropic"]).transcript
    done = saved(dump, after, tmp_path / "out.json")
    before, now = (tmp_path / "in.json").read_bytes(), (tmp_path / "out.json").read_bytes()
    assert (done.same, done.changed, done.dropped, done.inserted, done.records, done.verdict) == (3, 1, 0, 0, 4, "accept")
    cut = now.index(b"[gone]")
    assert before[:cut] == now[:cut]
    tail = now[cut + len(b"[gone]") :]
    assert before.endswith(tail)
    assert "4 records: 3 unchanged, 1 changed" in done.summary


def test_an_export_with_errors_needs_to_be_told_so(tmp_path: Path) -> None:
    dump = written(DRAWINGS[3], "anthropic", tmp_path / "in.json")
    with pytest.raises(RemainingError, match=r"out.json: not written: \d errors? would remain \(tool-result-orphan at "):
        saved(dump, dump.transcripts[0], tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()
    done = saved(dump, dump.transcripts[0], tmp_path / "out.json", allow_broken=True)
    assert done.verdict == "reject"
    assert "reasons to refuse remain" in done.summary
    assert (tmp_path / "out.json").read_bytes() == (tmp_path / "in.json").read_bytes()


def test_only_the_transcripts_that_are_meant_are_judged(tmp_path: Path) -> None:
    dump = written(DRAWINGS[3], "anthropic", tmp_path / "in.json")
    assert saved(dump, dump.transcripts[0], tmp_path / "out.json", judged=[]).verdict == "accept"


def test_a_source_that_changed_is_not_exported_from(tmp_path: Path) -> None:
    dump = written(DRAWINGS[0], "anthropic", tmp_path / "in.json")
    with (tmp_path / "in.json").open("a") as file:
        file.write("\n")
    with pytest.raises(ChangedError, match=r"in.json: the file has changed since it was read"):
        saved(dump, dump.transcripts[0], tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()


def test_a_source_that_changes_while_it_is_written_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dump = written(DRAWINGS[0], "anthropic", tmp_path / "in.json")
    calls: list[int] = []

    def once() -> None:
        calls.append(1)
        if len(calls) > 1:
            raise ChangedError("in.json: the file has changed")

    monkeypatch.setattr(dump.source, "require_unchanged", once)
    with pytest.raises(ChangedError):
        saved(dump, dump.transcripts[0], tmp_path / "out.json")
    assert [path.name for path in tmp_path.iterdir()] == ["in.json"]


def test_nothing_is_left_where_what_was_written_does_not_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dump = written(DRAWINGS[0], "anthropic", tmp_path / "in.json")
    after = apply(dump.transcripts[0], [change(drop(0))], PROVIDERS["anthropic"]).transcript
    format = FORMATS[dump.format]
    plan = format.write_plan
    monkeypatch.setattr(type(format), "write_plan", lambda self, dump, transcripts: plan(dump, dump.transcripts))
    said = r"not written: read again, it would not be what is shown here \(transcript main: 8 blocks in place of 7"
    with pytest.raises(InspectorError, match=said):
        saved(dump, after, tmp_path / "out.json", allow_broken=True)
    assert [path.name for path in tmp_path.iterdir()] == ["in.json"]


def test_the_source_is_no_target(tmp_path: Path) -> None:
    dump = written(DRAWINGS[0], "anthropic", tmp_path / "in.json")
    with pytest.raises(RefusedError, match="never written over"):
        saved(dump, dump.transcripts[0], tmp_path / "in.json")
    dump.complete = False
    with pytest.raises(RefusedError, match="not all of the file has been read yet"):
        saved(dump, dump.transcripts[0], tmp_path / "out.json")


def test_a_diff_names_rows_by_what_became_of_them(tmp_path: Path) -> None:
    dump = written(DRAWINGS[2], "anthropic", tmp_path / "in.json")
    before = dump.transcripts[0]
    call = int(before.order[before.table.kind[before.order] == Kind.TOOL_CALL][-1])
    answer = Insert(HeadOf(call), Made(Kind.TOOL_RESULT, Role.USER, "[no result recorded]", call, True))
    after = apply(before, [change(drop(0)), change(answer)], PROVIDERS["anthropic"]).transcript
    found = diff(before, after)
    assert (found.dropped.tolist(), found.made.tolist(), found.moved.tolist(), found.changed.tolist()) == ([0], [len(before.table)], [], [])
    assert diff(before, before).empty
    assert not edited(before, before)
    assert edited(after, before)


def test_what_two_branches_made_in_what_they_share_is_written_once(tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = []

    def record(parent: str | None, role: str, content: Any) -> str:
        uuid = f"00000000-0000-4000-8000-{len(lines):012d}"
        body = {"role": role, "content": content} | ({"id": f"m{len(lines)}", "model": "claude-opus-4-6"} if role == "assistant" else {})
        lines.append({"parentUuid": parent, "isSidechain": False, "sessionId": "s", "type": role, "message": body, "uuid": uuid})
        return uuid

    call = record(record(None, "user", "q"), "assistant", [{"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}}])
    fork = record(record(call, "user", "stop"), "assistant", [{"type": "text", "text": "ok"}])
    for way in ("first way", "second way"):
        record(record(fork, "user", way), "assistant", [{"type": "text", "text": "so"}])
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    dump = load(Source.open(path))
    provider = PROVIDERS["anthropic"]
    after = [mended(dump, t, provider, None, "prefix", "all")[1] for t in dump.transcripts]
    assert [len(t.made) for t in after] == [1, 1]
    done = export(dump, after, tmp_path / "out.jsonl", provider, None, "prefix")
    assert (done.inserted, done.verdict) == (1, "accept")
    assert (tmp_path / "out.jsonl").read_text().count("no result recorded") == 1
