"""Repairs of a session log: records are linked anew, the lines that nothing touched stay as they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests import generate
from tests.builders import request_of

PROVIDER = PROVIDERS["anthropic"]


def session(messages: list[dict[str, Any]]) -> bytes:
    """A session log with one line for each message."""
    lines, parent = [], None
    for number, message in enumerate(messages):
        uuid = f"00000000-0000-4000-8000-{number:012d}"
        body: dict[str, Any] = dict(message)
        if message["role"] == "assistant":
            body = {"id": f"msg_{number}", "type": "message", "model": "claude-opus-4-6", **message}
        lines.append(
            {
                "parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/w", "sessionId": "s-1", "version": "2.1.0",
                "gitBranch": "", "type": message["role"], "message": body, "uuid": uuid, "timestamp": f"2026-01-01T00:00:{number:02d}.000Z",
            }
        )  # fmt: skip
        parent = uuid
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def judged(dump: Dump) -> list[tuple[str, str]]:
    report = check(make_view(dump.transcripts[0]), PROVIDER, None, "prefix", dump)
    return [(finding.rule, finding.at) for finding in report.findings if finding.severity == "error"]


@pytest.mark.parametrize(
    ("drawing", "errors", "same"),
    [
        ("u=q | a:call 1 | u:result 1 | a:ok", [], 4),
        ("u=q | a:call 1,call 2", [], 2),  # pending, and nothing after it is wrong
        ("u=q | a:call 1,call 2 | u:result 1", [], 3),
        ("u=q | a:call 1 | u=stop | a:ok", [("tool-call-unanswered", "/1/message/content/0")], 3),
        ("u=q | a:call 1 | u=wait | a:ok | u:result 1", [("tool-result-not-adjacent", "/4/message/content/0")], 3),
        ("u:result 1 | a:so | u=q", [("tool-result-orphan", "/0/message/content/0")], 1),
        ("u=q | a:call 1,call 2 | u:result 1,text | u:result 2", [("tool-result-not-first", "/3/message/content/0")], 2),
        ("u=q | a:call 1,call 2 | u:result 1,text", [("tool-call-partially-answered", "/1")], 2),
        ("u=q | a:call 1 | a:result 1", [("block-role-mismatch", "/2/message/content/0")], 2),  # the call itself is pending
    ],
)
def test_a_session_is_mended(drawing: str, errors: list[tuple[str, str]], same: int) -> None:
    data = session(request_of(drawing)["messages"])
    dump = load(Source.of(data, "session.jsonl"))
    assert dump.format == "claude-code"
    assert judged(dump) == errors
    layer, mended = repair(dump.transcripts[0], dump, PROVIDER, None, "prefix", "all")
    assert len(layer.passes) == bool(errors)
    out = b"".join(FORMATS[dump.format].write(dump, [mended]))
    again = load(Source.of(out, "session.jsonl"))
    assert judged(again) == []
    assert repair(again.transcripts[0], again, PROVIDER, None, "prefix", "all")[0].passes == ()
    before = data.splitlines()
    assert sum(line in before for line in out.splitlines()) >= same
    assert (out == data) == (not errors)
    parents = [(line["uuid"], line["parentUuid"]) for line in map(json.loads, out.splitlines())]
    assert all(own != parent for own, parent in parents)
    assert [parent for _, parent in parents[1:]] == [own for own, _ in parents[:-1]]


@given(generate.damaged("anthropic"))
@settings(max_examples=40, deadline=None)
def test_what_is_written_is_what_was_judged(messages: list[dict[str, Any]]) -> None:
    dump = load(Source.of(session(messages), "session.jsonl"))
    _, mended = repair(dump.transcripts[0], dump, PROVIDER, None, "complete", "all")
    assert not check(make_view(mended), PROVIDER, None, "complete", dump).errors
    out = b"".join(FORMATS[dump.format].write(dump, [mended]))
    if out.strip():  # nothing may be left of a log that held results only
        again = load(Source.of(out, "session.jsonl"))
        assert not check(make_view(again.transcripts[0]), PROVIDER, None, "complete", again).errors
        assert not repair(again.transcripts[0], again, PROVIDER, None, "complete", "all")[0].passes
