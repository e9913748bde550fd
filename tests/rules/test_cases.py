"""Requests after public threads: the verdict, each finding by rule and place, and repairs that hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.formats import FORMATS
from app.model.findings import Finding
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS

CASES = sorted((Path(__file__).parent.parent / "cases").glob("*/*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(path: Path) -> None:
    case = json.loads(path.read_text())
    data = json.dumps(case["request"], ensure_ascii=False, indent=1).encode()
    provider = PROVIDERS[case["provider"]]
    dump = load(Source.of(data, path.name))
    report = check(make_view(dump.transcripts[0]), provider, None, "complete", dump)
    assert report.verdict == case["verdict"]
    for want in case["findings"]:
        assert any(meets(finding, want) for finding in report.findings), want
    assert all(finding.provider_error for finding in report.findings if finding.severity == "error")

    layer, mended = repair(dump.transcripts[0], dump, provider, None, "complete", "all")
    out = b"".join(FORMATS[dump.format].write(dump, [mended]))
    if case["verdict"] == "accept":
        assert out == data
        assert not layer.passes
        return
    again = load(Source.of(out, path.name))
    assert check(make_view(again.transcripts[0]), provider, None, "complete", again).verdict == "accept"
    second, _ = repair(again.transcripts[0], again, provider, None, "complete", "all")
    assert not second.passes


def meets(finding: Finding, want: dict[str, Any]) -> bool:
    """The rule itself and its own place, not only one of the others that would do. A block stands for the message that it is alone in."""
    places = [want["at"], f"{want['at']}/content", f"{want['at']}/content/0"]
    return finding.rule == want["rule"] and finding.at in places and list(finding.ids) == want["ids"]


def test_there_are_cases() -> None:
    assert {path.parent.name for path in CASES} <= set(PROVIDERS)
