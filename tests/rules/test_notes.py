"""Notes: what is worth a look and no provider refuses. They never weigh in the verdict."""

from __future__ import annotations

import base64
import json
import struct
import time
from typing import Any

import numpy as np
import pytest

from app.model.edits import Change, Set
from app.model.kinds import Kind
from app.model.source import Source
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from app.rules.effect_unanswered import effect
from tests.builders import draw, request_of, tiled
from tests.rules.asked import Asked, asked, mended


def drawn(drawing: str, wire: str = "anthropic", mode: Any = "complete", **members: Any) -> Asked:
    return asked(request_of(drawing, wire, **members), wire, mode=mode)


@pytest.mark.parametrize("wire", ["anthropic", "openai-chat"])
@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        (('call 1 args={"q":1}', 'call 2 args={"q":1}'), "n 3.0"),
        (('call 1 args={"q":1}', 'call 2 args={"q":2}'), ""),
        (('call 1 args={"q":1}', 'call 2 find args={"q":1}'), ""),
        (('call 1 args={"q":1}', 'call 1 args={"q":1}'), "n 3.0"),  # ids do not matter
        (("call 1 args={}", "call 2 args={}"), "n 3.0"),
    ],
)
def test_the_same_call_again(wire: str, calls: tuple[str, str], expected: str) -> None:
    answer = "u:result" if wire == "anthropic" else "t:result"
    ids = [call.split()[1] for call in calls]
    found = drawn(f"u:q | a:{calls[0]} | {answer} {ids[0]} | a:{calls[1]} | {answer} {ids[1]} | a:ok | u:so", wire)
    places = found.places("call-repeated").replace("/messages/", "").replace("/content/", ".").replace("/tool_calls/", ".")
    assert places == expected
    assert found.report.verdict == "accept"
    if expected:
        note = found.one("call-repeated")
        assert note.ids == tuple(dict.fromkeys(reversed(ids)))
        assert "/messages/1/" in note.reason
        assert note.related == note.detail == found.dump.transcripts[0].order[1]
        assert note.related_at == ("/messages/1/content/0" if wire == "anthropic" else "/messages/1/tool_calls/0")
        assert not note.fixes


def test_a_result_that_came_twice_and_one_that_stands_elsewhere_show_both_places() -> None:
    found = drawn("u:q | a:call 1 | t:result 1 | t:result 1 | a:ok | u:so", "openai-chat")
    twice = next(finding for finding in found.report.findings if finding.rule in ("result-repeated", "tool-result-duplicate"))
    assert (twice.at, twice.related_at) == ("/messages/3", "/messages/2")
    found = drawn("u:q | a:call 1 | u:wait | a:ok | u:result 1 | a:so | u:go")
    away = next(finding for finding in found.report.findings if finding.rule == "tool-result-not-adjacent")
    assert away.related_at != away.at
    assert away.related_at == "/messages/1/content/0"
    alone = drawn("u:q | a:call 1 | u:wait")
    assert [finding.related for finding in alone.report.findings] == [-1] * len(alone.report.findings)


def test_each_repetition_names_the_one_before() -> None:
    found = drawn("u:q | a:call 1 args={},call 2 args={} | u:result 1,result 2 | a:call 3 args={} | u:result 3 | a:ok | u:so")
    notes = [finding for finding in found.report.findings if finding.rule == "call-repeated"]
    assert [(note.at, note.reason) for note in notes] == [
        ("/messages/1/content/1", "That one stands at /messages/1/content/0."),
        ("/messages/3/content/0", "That one stands at /messages/1/content/1."),
    ]
    assert len({note.cause for note in notes}) == 1


def test_arguments_that_an_edit_changed_are_not_known() -> None:
    found = drawn("u:q | a:call 1 args={} | u:result 1 | a:call 2 args={} | u:result 2 | a:ok | u:so")
    transcript, provider = found.dump.transcripts[0], PROVIDERS["anthropic"]
    row = int(transcript.order[3])
    edited = apply(transcript, [Change("x", "test", "exact", (Set(row, "input", {"q": 1}),))], provider).transcript
    assert "call-repeated" not in check(make_view(edited), provider, None, "complete", found.dump).counts


@pytest.mark.parametrize(
    ("drawing", "mode", "expected"),
    [
        ("u:q | a:call 1 send_mail,call 2 read_file | u:go", "complete", "n /messages/1/content/0"),
        ("u:q | a:call 1 deleteRow,call 2 look | u:result 2", "complete", "n /messages/1/content/0"),
        ("u:q | a:call 1 payInvoice", "complete", "n /messages/1/content/0"),
        ("u:q | a:call 1 payInvoice", "prefix", ""),
        ("u:q | a:call 1 payInvoice | u:go", "prefix", "n /messages/1/content/0"),
        ("u:q | a:call 1 Bash | u:go", "complete", "n /messages/1/content/0"),
        ("u:q | a:call 1 send_mail | u:result 1 | a:ok", "complete", ""),
        ("u:q | a:call 1 list_orders | u:go", "complete", ""),
    ],
)
def test_calls_with_effects_that_stayed_unanswered(drawing: str, mode: Any, expected: str) -> None:
    found = drawn(drawing, mode=mode)
    assert found.places("effect-unanswered") == expected
    if expected:
        assert "may have been done" in found.one("effect-unanswered").message


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("send_email", True),
        ("writeFile", True),
        ("mcp__ledger__post", True),
        ("apply_patch", True),
        ("HTTPPost", True),
        ("str_replace_editor", True),
        ("get_weather", False),
        ("read_settings", False),
        ("search", False),
        ("list_payments", False),
        ("postcode_lookup", False),
    ],
)
def test_what_a_name_tells(name: str, expected: bool) -> None:
    assert bool(effect(name)) is expected


def test_a_result_that_came_twice_is_an_error_where_it_is_refused() -> None:
    found = drawn("u:q | a:call 1 | u:result 1,result 1")
    assert found.places("result-repeated") == ""
    assert found.errors() == ["tool-result-duplicate"]


def test_a_result_that_came_twice_where_it_is_taken() -> None:
    def call(call_id: str) -> dict[str, Any]:
        return {"functionCall": {"id": call_id, "name": "look", "args": {}}}

    answer = {"functionResponse": {"id": "1", "name": "look", "response": {"output": "x"}}}
    request = {"contents": [
        {"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [call("1"), call("2")]},
        {"role": "user", "parts": [answer, answer]},
    ]}  # fmt: skip
    dump = load(Source.of(json.dumps(request).encode(), "x.json"), "gemini")
    report = check(make_view(dump.transcripts[0]), PROVIDERS["gemini"], None, "complete", dump)
    assert report.verdict == "accept"  # as many results as calls
    note = next(finding for finding in report.findings if finding.rule == "result-repeated")
    assert (note.severity, note.at, note.reason) == (
        "note",
        "/contents/2/parts/1",
        "The one before it stands at /contents/2/parts/0.",
    )


def test_notes_are_no_reason_to_refuse_and_are_not_mended() -> None:
    drawing = "u:q | a:call 1 args={},call 2 args={} | u:result 1,result 2 | a:ok | u:so"
    found = drawn(drawing)
    assert {finding.severity for finding in found.report.findings} == {"note"}
    assert found.report.verdict == "accept"
    assert not len(found.report.error_rows)
    assert not len(found.report.warning_rows)
    after = mended(request_of(drawing))
    assert not after.titles


def test_notes_of_many_calls_cost_little() -> None:
    """A loop over calls needs many seconds for this; the bound is wide, since other programs may run."""
    one = draw('u:q | a:call 1 send args={"q":1},call 2 look args={"q":1} | u:result 1,result 2')
    transcript = tiled(one, 100_000)
    calls = int((transcript.table.kind == Kind.TOOL_CALL).sum())
    table = transcript.table.with_columns(arguments=np.arange(calls, dtype=np.int64) // 4)
    view = make_view(transcript.with_(table=table))
    began = time.process_time()
    report = check(view, PROVIDERS["anthropic"], None, "complete")
    assert time.process_time() - began < 3
    assert report.counts["call-repeated"] == calls // 2


def test_a_session_log_tells_of_calls_and_images_too() -> None:
    shot = base64.b64encode(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", 10, 9000) + b"\x08\x02\x00\x00\x00").decode()
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": shot}}
    call = {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}
    contents: list[tuple[str, Any]] = [
        ("user", "list"),
        ("assistant", [{**call, "id": "toolu_1"}]),
        ("user", [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [image]}]),
        ("assistant", [{**call, "id": "toolu_2", "cache_control": {"type": "ephemeral"}}]),
        ("user", [{"type": "tool_result", "tool_use_id": "toolu_2", "content": "b"}]),
    ]
    lines = [
        {"type": role, "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n else None, "sessionId": "s", "timestamp": "2026-01-01T00:00:00.000Z",
         "message": {"role": role, "content": content, **({"id": f"m{n}", "model": "claude-opus-4-5"} if role == "assistant" else {})}}
        for n, (role, content) in enumerate(contents)
    ]  # fmt: skip
    dump = load(Source.of(b"".join(json.dumps(line).encode() + b"\n" for line in lines), "session.jsonl"))
    assert dump.format == "claude-code"
    report = check(make_view(dump.transcripts[0]), PROVIDERS["anthropic"], None, "prefix", dump)
    assert {finding.rule: finding.at for finding in report.findings} == {
        "call-repeated": "/3/message/content/0",
        "image-too-many-pixels": "/2/message/content/0/content/0",
    }
