"""The report as JSON: the same as in Markdown, nothing cut.

```
{"program": "transcript-inspector", "kind": "report", "version": 1, "by": …, "file": {…}, "provider": …, "export": {…} or null,
 "transcripts": [{"id", "model", "verdicts": {"complete": {"before", "after"}, "prefix": {…}}, "tokens": {"before", "after", "counter"},
                  "pinned_rows", "changes": [{"title", "origin", "effect", "why", "strategy": [{"strategy", "params"}], "budget",
                  "tokens_after", "missed_by", "overshoot", "keeps", "tokens", "put_in",
                  "rows": [{"at", "what", "was", "place", "tokens_before", "tokens_after", "sha256"}]}],
                  "not_made", "lost", "cut_risk", "findings": {"before", "after"}, "doubt", "not_judged"}]}
```
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

from app.model.dump import Dump
from app.model.edits import Change, Insert
from app.model.findings import Finding, Report
from app.model.provider import Provider
from app.model.state import Written
from app.pipeline.report_rows import Looks, links_of, rows_of, why
from app.pipeline.report_section import Section
from app.pipeline.signed import doubt
from app.version import VERSION

VERSION_OF_REPORT: Final = 1


def facts(dump: Dump, sections: Sequence[Section], provider: Provider, written: Written | None = None) -> dict[str, Any]:
    """Plain values. What is not known is null or an empty list; names stay, more may come."""
    return {
        "program": "transcript-inspector",
        "kind": "report",
        "version": VERSION_OF_REPORT,
        "by": VERSION,
        "file": {
            "name": os.path.basename(dump.source.name), "path": dump.source.name, "bytes": dump.source.size, "format": dump.format,
            "records": dict(dump.records), "whys": list(dump.whys),
        },
        "provider": provider.name,
        "export": _export(written),
        "transcripts": [_section(dump, section, provider) for section in sections],
    }  # fmt: skip


def _export(written: Written | None) -> dict[str, Any] | None:
    if written is None:
        return None
    names = ("path", "records", "same", "inserted", "relinked", "dropped", "changed", "verdict", "summary")
    return {name: getattr(written, name) for name in names} | {"notes": [{"at": at, "what": what} for at, what in written.notes]}


def _section(dump: Dump, section: Section, provider: Provider) -> dict[str, Any]:
    looks, now = section.looks(dump), section.now
    before = section.before if section.before is not None else now if not section.layers else None
    other_before = section.other_before if section.other_before is not None else section.other_now if not section.layers else None
    risk = section.risk(dump)
    found = doubt(section.base, section.after, provider, now.model) if section.layers else None
    return {
        "id": section.base.id,
        "model": now.model,
        "verdicts": {
            now.mode: {"before": _verdict(before), "after": _verdict(now)},
            "prefix" if now.mode == "complete" else "complete": {"before": _verdict(other_before), "after": _verdict(section.other_now)},
        },
        "tokens": {"before": section.tokens_before, "after": section.tokens_after, "counter": section.counter or None},
        "pinned_rows": section.pins,
        "changes": [_change(change, looks) for change in section.done],
        "not_made": [{"title": change.title, "why": reason} for change, reason in section.skipped],
        "lost": section.lost[0] if section.lost is not None else None,
        "cut_risk": {"places": risk.places, "bad": risk.bad, "one_session_in": risk.one_in(), "words": risk.words()},
        "findings": {"before": _findings(before), "after": _findings(now)},
        "doubt": found.words if found is not None else None,
        "not_judged": list(now.not_judged),
    }  # fmt: skip


def _verdict(report: Report | None) -> dict[str, Any] | None:
    if report is None:
        return None
    counts = {severity: sum(1 for finding in report.findings if finding.severity == severity) for severity in ("error", "warning", "note")}
    counts["error"] = max(counts["error"], len(report.error_rows))
    return {
        "verdict": report.verdict, "errors": counts["error"], "warnings": counts["warning"], "pending": report.pending,
        "rules": report.rules,
    }  # fmt: skip


def _change(change: Change, looks: Looks) -> dict[str, Any]:
    rows = [one.told() for one in rows_of(change, looks)]
    return {
        "title": change.title,
        "origin": change.origin,
        "effect": change.effect,
        "why": why(change),
        "strategy": [{"strategy": name, "params": params} for name, params in links_of(change)],
        "budget": change.budget,
        "tokens_after": change.after,
        "missed_by": change.missed,
        "overshoot": round(change.overshoot, 4) if change.overshoot is not None else None,
        "keeps": change.note or None,
        "tokens": change.tokens,
        "rows": rows,
        "put_in": [edit.made.text for edit in change.edits if isinstance(edit, Insert)],
    }


def _findings(report: Report | None) -> list[dict[str, Any]]:
    return [_finding(finding) for finding in report.findings] if report is not None else []


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule, "severity": finding.severity, "at": finding.at, "message": finding.message, "reason": finding.reason,
    }  # fmt: skip
