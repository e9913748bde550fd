"""A report says what was found and changed; nothing of a dump becomes markup in it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.dump import Dump
from app.model.edits import Layer
from app.model.errors import RefusedError
from app.model.source import Source
from app.pipeline import inspected, mended, report
from app.pipeline.load import load
from app.pipeline.report_made import section_of
from app.providers import PROVIDERS

ANTHROPIC = PROVIDERS["anthropic"]
JUDGED = (ANTHROPIC, None, "complete")
HOSTILE = "x`` `y` <script>alert(1)</script> [a](javascript:b) \x1b[31m\n# heading\n```"


def broken(path: Path, call_id: str = "toolu_01B") -> Dump:
    messages = [
        {"role": "user", "content": "Read it."},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id, "content": "b"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_02", "name": "read", "input": {}}]},
        {"role": "user", "content": "and?"},
    ]
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "messages": messages}))
    return load(Source.open(path))


def mended_section(dump: Dump) -> report.Section:
    base = dump.transcripts[0]
    layer, after = mended(dump, base, ANTHROPIC, None, "complete", "all")
    before, now = (inspected(dump, t, ANTHROPIC, None, "complete")[1] for t in (base, after))
    return report.Section(base, after, before, now, (layer,), tokens_before=40, tokens_after=60, counter="o200k_base")


def test_a_report_names_findings_changes_and_what_they_cost(tmp_path: Path) -> None:
    dump = broken(tmp_path / "in.json")
    text = report.markdown(dump, [mended_section(dump)], ANTHROPIC)
    assert "# Report on `in.json`" in text
    assert "- Records read: 4 = 4 shown + 0 hidden + 0 unparsed" in text
    assert "- Before the changes: would be refused (2 errors)" in text
    assert "- After the changes: no reason to refuse was found" in text
    assert "- Tokens of the next request: 40 before, 60 now (o200k_base)" in text
    assert "- **error** `tool-result-orphan` at `/messages/1/content/0`" in text
    assert "dropped: `/messages/1/content/0`" in text
    assert "answering `/messages/2/content/0`: `[no result recorded; the call may have run]`" in text
    assert "### Not judged" in text
    assert not re.search(r"\bvalid\b|safe to send", text)


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    dump = broken(tmp_path / "in.json", HOSTILE)
    text = report.markdown(dump, [mended_section(dump)], ANTHROPIC)
    assert "\x1b" not in text
    assert not re.search(r"^# heading", text, re.M)
    prose = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", text)
    assert not re.search(r"(?<!\\)<script", prose)
    assert "](javascript" not in prose.replace("\\]", "")


@given(st.text())
def test_a_code_span_is_never_left(text: str) -> None:
    made = report.span(text)
    assert "\n" not in made
    if text.split():
        ticks = re.match("`+", made)
        assert ticks
        inner = made[len(ticks.group()) : -len(ticks.group())]
        assert made.endswith(ticks.group())
        assert max((len(run) for run in re.findall("`+", inner)), default=0) != len(ticks.group()) or inner.strip() != inner


@given(st.text())
def test_a_line_holds_no_markup(text: str) -> None:
    made = report.line(text)
    assert "\n" not in made
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_<>\[\]]", made)


def test_a_report_is_never_written_over_the_source(tmp_path: Path) -> None:
    dump = broken(tmp_path / "in.json")
    report.write(tmp_path / "report.md", dump, [section_of(dump, dump.transcripts[0], dump.transcripts[0], (), *JUDGED)], ANTHROPIC)
    assert "- Verdict: would be refused (2 errors)" in (tmp_path / "report.md").read_text()
    with pytest.raises(RefusedError, match="never written over"):
        report.write(tmp_path / "in.json", dump, [mended_section(dump)], ANTHROPIC)


def test_what_was_not_made_is_told(tmp_path: Path) -> None:
    dump = broken(tmp_path / "in.json")
    section = mended_section(dump)
    change = section.layers[0].changes[0]
    told = report.Section(
        section.base, section.base, None, section.now, (Layer("one", ((change,),)),), ((change, "row 1 is no longer there"),)
    )
    text = report.markdown(dump, [told], ANTHROPIC)
    assert f"Not made:\n\n- {report.line(change.title)}: row 1 is no longer there" in text
    assert "dropped:" not in text
