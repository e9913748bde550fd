"""The summary for the review: what was wrong, what was done, how it stands now, and the proof of what was written. Plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from app.model.findings import Finding, Report
from app.model.state import State
from app.version import VERSION
from widgets.visible import visible
from widgets.words import counted, full

SHOWN = 12  # findings and changes that are named


def review_summary(state: State, opened: Report | None, title: str) -> str:
    """`opened`: what was found before all changes, None where nobody looked; `title`: of the provider."""
    return visible("\n".join(_lines(state, opened, title)))


def _lines(state: State, opened: Report | None, title: str) -> Iterator[str]:
    dump, transcript = state.dump, state.transcript
    yield f"{state.path} ({dump.format if dump is not None else 'nothing read yet'}; Transcript Inspector {VERSION})"
    if dump is not None and transcript is not None and len(dump.transcripts) > 1:
        yield f"transcript {transcript.id}, one of {full(len(dump.transcripts))}"
    before = opened or state.report
    if before is not None:
        yield ""
        yield f"What was wrong ({title}{f', {state.model}' if state.model else ''}; {counted(before.rules, 'rule')}):"
        yield from _findings(before.findings) if before.findings else iter(["- nothing was found"])
    yield ""
    changes = [change for layer in state.history.active for change in layer.changes]
    yield "What was done:"
    yield from (f"- {change.title} ({change.effect})" for change in changes[:SHOWN])
    if len(changes) > SHOWN:
        yield f"- and {counted(len(changes) - SHOWN, 'further change')}"
    if not changes:
        yield "- nothing was changed"
    if state.report is not None and changes:
        errors = len([f for f in state.report.findings if f.severity == "error"])
        left = f"{counted(errors, 'error')} left" if errors else f"no reason found why {title} would refuse it"
        yield f"Now: {left} ({counted(state.report.rules, 'rule')})."
    if state.written is not None:
        yield ""
        yield f"Proof: {state.written.summary}"


def _findings(findings: list[Finding]) -> Iterator[str]:
    """By rule, errors first, each with its first place."""
    many = Counter((f.severity, f.rule) for f in findings)
    first: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        first.setdefault((finding.severity, finding.rule), finding)
    shown = sorted(first.values(), key=lambda f: ("error", "warning", "note").index(f.severity))
    for finding in shown[:SHOWN]:
        number = many[finding.severity, finding.rule]
        place = f" at {finding.at}" if finding.at else ""
        further = f", and at {counted(number - 1, 'further place')}" if number > 1 else ""
        yield f"- {finding.severity}: {finding.rule}{place}{further}: {finding.message}"
    if len(shown) > SHOWN:
        yield f"- and findings of {counted(len(shown) - SHOWN, 'further rule')}"
