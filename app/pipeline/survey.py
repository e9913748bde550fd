"""Looks at one transcript of many: what the chooser says of it."""

from __future__ import annotations

from app.model.dump import Dump
from app.model.findings import Mode
from app.model.provider import Provider
from app.model.survey import Surveyed
from app.model.tokens import Tokens
from app.pipeline import count
from app.pipeline.check import check
from app.pipeline.view import make_view


def survey(dump: Dump, index: int, tokens: Tokens, provider: Provider, mode: Mode) -> Surveyed:
    """Transcript `index` as it was opened, judged for `provider` and its own model. `tokens` are of the dump's table."""
    transcript = dump.transcripts[index]
    view = make_view(transcript, tokens, provider, frozenset(), dump.source)
    report = check(view, provider, transcript.model, mode, dump.source)
    found = {"error": 0, "warning": 0, "note": 0}
    for finding in report.findings:
        found[finding.severity] += 1
    total = count.totals(view, tokens, provider).total
    groups = view.groups
    return Surveyed(index, groups.exchanges, groups.steps, total, found["error"], found["warning"], len(transcript.refusals))
