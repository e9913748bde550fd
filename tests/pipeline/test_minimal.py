"""Bug reports: small, checked, and without contents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.dump import Dump
from app.model.findings import Finding
from app.model.source import Source
from app.pipeline import inspected, opened
from app.pipeline.load import load
from app.pipeline.minimal import minimal
from app.pipeline.names import provider_named
from app.pipeline.shrink import Patience, shrunk
from tests import generate
from tests.evidence import SECRETS, dump_of, request, session

ANTHROPIC = provider_named("anthropic")


def first(dump: Dump, rule: str | None = None, mode: Any = "complete") -> Finding:
    report = inspected(dump, dump.transcripts[0], ANTHROPIC, None, mode)[1]
    return next(f for f in report.findings if rule is None or f.rule == rule)


def test_what_is_left_fails_the_same_rule() -> None:
    dump = dump_of(request())
    made = minimal(dump, dump.transcripts, 0, first(dump, "tool-result-orphan"), ANTHROPIC, None, "complete")
    small = load(Source.of(made.text.encode(), "small"))
    report = inspected(small, small.transcripts[0], ANTHROPIC, None, "complete")[1]
    assert [f.rule for f in report.findings if f.severity == "error"] == ["tool-result-orphan"]
    assert made.blocks == 1 < made.blocks_before
    assert made.whole
    assert made.at == report.findings[0].at == "/messages/0/content/0"
    assert not [secret for secret in SECRETS if secret in made.markdown]
    assert "metadata" not in json.loads(made.text)


def test_the_report_says_what_one_must_know() -> None:
    dump = dump_of(request())
    made = minimal(dump, dump.transcripts, 0, first(dump, "tool-result-orphan"), ANTHROPIC, None, "complete")
    for said in ("tool-result-orphan", "unexpected `tool_use_id`", "claude-sonnet-4-5", "Transcript Inspector", "```json", "fillers"):
        assert said in made.markdown
    assert "toolu_01Zzz999" not in made.markdown  # the renamed id is the one that is spoken of


def test_a_session_becomes_the_lines_that_are_needed() -> None:
    dump = dump_of(session(), "s.jsonl")
    made = minimal(dump, dump.transcripts, 0, first(dump, "tool-call-unanswered", "prefix"), ANTHROPIC, None, "prefix")
    assert made.suffix == ".jsonl"
    lines = [json.loads(line) for line in made.text.splitlines()]
    assert 1 <= len(lines) <= 3
    assert "cwd" not in lines[0]
    assert [b["type"] for line in lines for b in line["message"]["content"] if isinstance(b, dict)].count("tool_use") == 1


def test_time_is_bounded_and_the_result_still_fails() -> None:
    dump = dump_of(request())
    made = minimal(dump, dump.transcripts, 0, first(dump, "tool-result-orphan"), ANTHROPIC, None, "complete", seconds=0)
    assert not made.whole
    assert made.checks == 0
    assert made.blocks == made.blocks_before
    assert not [secret for secret in SECRETS if secret in made.text]


def test_the_incident(monkeypatch: pytest.MonkeyPatch) -> None:
    from app import headless

    dump = opened(str(headless.INCIDENT))
    made = minimal(dump, dump.transcripts, dump.opened, first(dump), ANTHROPIC, None, "complete", keep_tools=False)
    assert made.blocks == 1
    assert made.blocks_before == 270
    assert "search_invoices" not in made.markdown


@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_damaged_requests_stay_broken_in_the_same_way(data: st.DataObject) -> None:
    body = {"model": "claude-sonnet-4-5", "max_tokens": 5, "messages": data.draw(generate.damaged("anthropic"))}
    dump = dump_of(body)
    if dump.format != "anthropic-messages":
        return
    report = inspected(dump, dump.transcripts[0], ANTHROPIC, None, "complete")[1]
    for finding in [f for f in report.findings if f.severity == "error"][:1]:
        made = minimal(dump, dump.transcripts, 0, finding, ANTHROPIC, None, "complete")
        again = load(Source.of(made.text.encode("utf-8", "surrogatepass"), "small"))
        rules = {f.rule for f in inspected(again, again.transcripts[0], ANTHROPIC, None, "complete")[1].findings if f.severity == "error"}
        assert finding.rule in rules
        assert rules <= {f.rule for f in report.findings}
        assert made.blocks <= made.blocks_before


@given(st.sets(st.integers(0, 39), max_size=4))
def test_shrinking_finds_exactly_what_is_needed(needed: set[int]) -> None:
    left = shrunk(range(40), lambda some: needed <= set(some), Patience(60))
    assert set(left) == needed


def test_nobody_waits() -> None:
    patience = Patience(60, lambda: False)
    assert shrunk([1, 2, 3], lambda some: True, patience) == [1, 2, 3]
    assert patience.ended
    assert patience.trials == 0


def test_a_request_that_is_only_read_is_reported_too(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"meta": {"who": "maria"}, "request": request()}))
    dump = opened(str(path))
    made = minimal(dump, dump.transcripts, 0, first(dump, "tool-result-orphan"), ANTHROPIC, None, "complete")
    assert "tool-result-orphan" in made.markdown
    assert not [secret for secret in SECRETS if secret in made.text]
