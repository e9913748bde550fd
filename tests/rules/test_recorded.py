"""Nothing that a provider is recorded as accepting may be an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.model.findings import Mode
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.view import make_view
from app.providers import PROVIDERS

AT_LEAST = {"mistral": 15}
"""Of most providers there are more than 50 recorded requests."""


@pytest.mark.parametrize("name", sorted(set(PROVIDERS) - {"deepseek"}))  # of DeepSeek none is recorded
@pytest.mark.parametrize("mode", ["complete", "prefix"])
def test_no_false_alarm(shared: Path, name: str, mode: Mode) -> None:
    accepted = 0
    for line in (shared / "recorded" / f"{name}.jsonl").read_text().splitlines():
        recorded = json.loads(line)
        if not recorded["status"] or recorded["status"] >= 400:
            continue
        accepted += 1
        dump = load(Source.of(json.dumps(recorded["request"]).encode(), recorded["source"]))
        report = check(make_view(dump.transcripts[0]), PROVIDERS[name], recorded["url_model"], mode, dump)
        errors = [(finding.rule, finding.at) for finding in report.findings if finding.severity == "error"]
        assert not errors, recorded["source"]
    assert accepted > AT_LEAST.get(name, 50)
