"""Requests judged and mended for tests of rules: what is found, by rule and place, and what a repair makes of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.findings import Finding, Mode, Report
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.diff import difference
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS

Request = dict[str, Any] | list[Any]
FORMAT = {"anthropic": "anthropic-messages", "openai-chat": "openai-chat"}


@dataclass
class Asked:
    """A request as the program reads it."""

    wire: str
    dump: Dump
    report: Report
    model: str | None = None
    mode: Mode = "complete"

    def places(self, rule: str) -> str:
        """Severity and place of each finding of a rule: `e /messages/1 w /tools/0`."""
        return " ".join(f"{f.severity[0]} {f.at}" for f in self.report.findings if f.rule == rule)

    def one(self, rule: str) -> Finding:
        return next(finding for finding in self.report.findings if finding.rule == rule)

    def errors(self) -> list[str]:
        return sorted({finding.rule for finding in self.report.findings if finding.severity == "error"})


def asked(request: Request | bytes, wire: str = "anthropic", model: str | None = None, mode: Mode = "complete") -> Asked:
    data = request if isinstance(request, bytes) else json.dumps(request, ensure_ascii=True, indent=1).encode()
    dump = load(Source.of(data, "request.json"), FORMAT[wire])
    report = check(make_view(dump.transcripts[0]), PROVIDERS[wire], model, mode, dump)
    return Asked(wire, dump, report, model, mode)


@dataclass
class Mended:
    """What a repair left: the request that was written, how it is judged, and that it is what was shown."""

    out: bytes
    request: Any
    after: Asked
    titles: list[str]
    effects: list[str]


def mended(request: Request | bytes, wire: str = "anthropic", model: str | None = None, rules: tuple[str, ...] = ()) -> Mended:
    """Repairs all that may be repaired. What is read again is what was in memory, and a second repair has nothing to do."""
    before = asked(request, wire, model)
    level = "none" if rules else "all"
    transcript = before.dump.transcripts[0]
    layer, after = repair(transcript, before.dump, PROVIDERS[wire], model, "complete", level, rules)  # type: ignore[arg-type]
    out = b"".join(FORMATS[FORMAT[wire]].write(before.dump, [after]))
    again = asked(out, wire, model)
    assert difference(before.dump, [after], again.dump) is None
    assert not (after is transcript and out != before.dump.source.all())
    second, _ = repair(again.dump.transcripts[0], again.dump, PROVIDERS[wire], model, "complete", level, rules)  # type: ignore[arg-type]
    assert not second.passes
    changes = layer.changes
    return Mended(out, json.loads(out), again, [change.title for change in changes], [change.effect for change in changes])
