"""The part of a Markdown report that tells of plans: the budget and whether it was met, both questions, row by row what went and why."""

from __future__ import annotations

from collections.abc import Iterator

from app.model.dump import Dump
from app.model.edits import Change
from app.model.findings import Report
from app.pipeline.catalogue import catalogue
from app.pipeline.markdown import line, span
from app.pipeline.report_rows import Done, links_of, rows_of, why
from app.pipeline.report_section import Section

ROWS_LISTED = 200  # of one change; the JSON report lists all

QUESTIONS = {"complete": "Could be sent now", "prefix": "Well formed so far"}


def verdict_words(report: Report) -> str:
    """`would be refused (2 errors, 1 warning)`."""
    errors, warnings = severity_count(report, "error"), severity_count(report, "warning")
    said = [f"{errors:,} error{'s' if errors != 1 else ''}"] if errors else []
    said += [f"{warnings:,} warning{'s' if warnings != 1 else ''}"] if warnings else []
    if report.pending:
        said.append(f"{report.pending:,} open call{'s' if report.pending != 1 else ''} pending at the end")
    head = "would be refused" if report.verdict == "reject" else "no reason to refuse was found"
    return f"{head} ({', '.join(said)})" if said else head


def severity_count(report: Report, severity: str) -> int:
    """How many findings have a severity, those included that a report leaves out where their rows are known."""
    listed = sum(1 for finding in report.findings if finding.severity == severity)
    return max(listed, len(report.error_rows)) if severity == "error" else listed


def other_question(section: Section) -> Iterator[str]:
    """The other of the two questions, before and after."""
    now = section.other_now
    if now is None:
        return
    words = QUESTIONS["prefix" if section.now.mode == "complete" else "complete"]
    was = f"{verdict_words(section.other_before)} before the changes, " if section.other_before is not None and section.layers else ""
    yield f"- {words}: {was}{verdict_words(now)}{' after them' if was else ''}"


def plans(section: Section) -> Iterator[str]:
    """One block a plan: strategy, parameters, budget met or missed."""
    made = [change for change in section.done if links_of(change)]
    if not made:
        return
    yield from ("", "### What was compacted, and how", "")
    for change in made:
        for name, params in links_of(change):
            said = ", ".join(f"{key} = {span(str(value), 200)}" for key, value in params.items()) or "no parameters"
            yield f"- {span(name)} ({said}): {line(catalogue()[name].summary)}"
        yield f"  - {_budget(change)}"
        if change.note:
            yield f"  - Keeps {line(change.note)}"
    if section.pins:
        yield f"- {section.pins:,} row{'s were' if section.pins != 1 else ' was'} pinned, partners included: no plan touched them"


def _budget(change: Change) -> str:
    freed = f"{-change.tokens:,} tokens freed"
    if change.overshoot is not None:
        freed += f", {change.overshoot:.2f} × what was needed"
    if change.budget is None:
        return f"No budget: {freed}"
    came = f"{change.after:,} tokens are left" if change.after is not None else ""
    if change.missed:
        return f"Budget of {change.budget:,} tokens **missed by {change.missed:,}**: {came}, and there was nothing more to take; {freed}"
    return f"Budget of {change.budget:,} tokens met: {came}; {freed}"


def row_by_row(dump: Dump, section: Section) -> Iterator[str]:
    """What went, change by change."""
    looks = section.looks(dump)
    listed = [(change, rows) for change in section.done if (rows := list(rows_of(change, looks)))]
    if not listed:
        return
    yield from ("", "### Row by row")
    for change, rows in listed:
        yield from ("", f"{line(change.title)}: {line(why(change))}", "")
        yield from (f"- {_row(one)}" for one in rows[:ROWS_LISTED])
        if len(rows) > ROWS_LISTED:
            yield f"- … and {len(rows) - ROWS_LISTED:,} more rows; a report as JSON lists all"


def _row(one: Done) -> str:
    place = f" in {one.place}" if one.place else ""
    where = f" {span(one.at)}" if one.at else ""
    tokens = ""
    if one.tokens is not None:
        tokens = f", {one.tokens:,} tokens" if one.tokens_after in (None, 0) else f", {one.tokens:,} to {one.tokens_after:,} tokens"
    detail = f": {span(one.detail, 300)}" if one.detail else ""
    digest = f", sha256 {one.digest[:12]}…" if one.digest else ""
    return f"{one.what}{where} ({line(one.was)}{place}{tokens}{digest}){detail}"

