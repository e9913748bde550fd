"""`check`: one verdict for each transcript in each file."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from typing import Any

from app import cli_error
from app.cli_open import Opened, opened
from app.cli_words import Output, count, table, wrapped
from app.model.explained import Explained, Recalled
from app.model.findings import Finding, Report
from app.model.transcript import Transcript
from app.model.view import View

FINDINGS_SHOWN = 20  # in text; JSON has them all
LABEL = 14  # columns of a fact's name


def run(path: str, words: Namespace, out: Output) -> int:
    """Checks one file. 1 where a finding of severity error exists, else 0."""
    from app.pipeline import inspected

    text = cli_error.error_text(words)
    file = opened(path, words)
    status = 0
    for index in file.indexes:
        transcript = file.dump.transcripts[index]
        view, report = inspected(file.dump, transcript, file.provider, file.model_of(transcript), file.mode, words.all_findings)
        tokens = _tokens(file, view, words.counter) if words.counter else None
        status = max(status, 1 if report.verdict == "reject" else 0)
        said = cli_error.explained(file, view, text) if text is not None else None
        refused = cli_error.recalled(file, view)
        if words.json:
            out.json(as_object(file, view, report, tokens, said, refused))
        else:
            _print(file, view, report, tokens, said, refused, out, first=index == file.indexes[0])
    if not len(file.indexes) and not words.json:
        out.text(f"{path}: {file.dump.format}, {count(sum(file.dump.records.values()), 'record')}, no conversation in it")
    return status


def _tokens(file: Opened, view: View, counter: str) -> dict[str, Any]:
    """The object `tokens`: exact counts of what the next request would carry."""
    from app.pipeline import count as counting

    tokens = counting.estimate(file.dump.table, file.provider, counter)
    counting.fill(file.dump, tokens, file.provider, view.rows)
    view.tokens, view.message_overhead = None, None
    totals = counting.totals(view, tokens, file.provider)
    recorded = counting.recorded(view)
    fitted = counting.calibrate(view, tokens, file.provider, recorded)
    calibration = None if fitted is None else {"factor": round(fitted.factor, 4), "offset": fitted.offset, "requests": fitted.requests}
    return {"total": totals.total, "not_sent": totals.not_sent, "counter": counter, "calibration": calibration}


# -- JSON -------------------------------------------------------------------------------------------------------------------


def as_object(
    file: Opened, view: View, report: Report, tokens: dict[str, Any] | None, said: Explained | None, refused: tuple[Recalled, ...]
) -> dict[str, Any]:
    """The object of `check --json`."""
    from app.pipeline.counts import counts

    transcript = view.transcript
    found: dict[str, Any] = {
        "path": file.path, "format": file.dump.format, "transcript": transcript.id, "provider": report.provider, "model": report.model,
        "mode": report.mode, "counts": counts(view),
    }  # fmt: skip
    if transcript.forks_from is not None:
        found |= {"forks_from": transcript.forks_from, "shared_records": transcript.shared_records}
    if tokens is not None:
        found["tokens"] = tokens
    if said is not None:
        found |= {"error_candidates": cli_error.candidates_object(said), "error": cli_error.error_object(said)}
    if refused:
        found["recorded_refusals"] = cli_error.refusals_object(refused, file.dump.table)
    return found | {
        "verdict": report.verdict, "pending_calls": report.pending, "finding_counts": report.counts, "findings_left_out": report.left_out,
        "findings": [_finding(finding) for finding in report.findings],
    }  # fmt: skip


def _finding(finding: Finding) -> dict[str, Any]:
    found: dict[str, Any] = {
        "rule": finding.rule, "severity": finding.severity, "at": finding.at, "provider_at": finding.provider_at, "ids": finding.ids,
        "message": finding.message, "provider_error": finding.provider_error, "reason": finding.reason,
        "fixes": [{"title": fix.title, "effect": fix.effect} for fix in finding.fixes],
    }  # fmt: skip
    if finding.related_at:
        found["related_at"] = finding.related_at
    if finding.within:
        found["within"] = finding.within
    if finding.member is not None:
        found["member"] = finding.member
    return found


# -- text -------------------------------------------------------------------------------------------------------------------


def _print(
    file: Opened, view: View, report: Report, tokens: dict[str, Any] | None, said: Explained | None, refused: tuple[Recalled, ...],
    out: Output, first: bool,
) -> None:  # fmt: skip
    if not first:
        out.text()
    transcript = view.transcript
    several = len(file.dump.transcripts) > 1
    head = [file.path, file.dump.format]
    head += [f"transcript {transcript.id}" + (f" ({transcript.title})" if transcript.title else "")] if several else []
    for line in wrapped(", ".join(head), "    ", first=""):
        out.text(line)
    said_of_it = verdict_words(report)
    if view.unread and report.verdict != "reject":
        said_of_it = REFUSAL_ALONE if transcript.refusals else NOTHING_JUDGED
    for line in wrapped(said_of_it, "    ", first="  "):
        out.text(line)
    facts = [*_facts(file, view, report, tokens, transcript), *cli_error.refusal_facts(refused, file.dump.table)]
    for label, fact in facts:
        for line in wrapped(fact, " " * LABEL, first=f"  {label}".ljust(LABEL)):
            out.text(line)
    if said is not None:
        out.text()
        for line in cli_error.error_lines(said):
            out.text(line)
    shown = report.findings[:FINDINGS_SHOWN]
    for finding in shown:
        out.text()
        for line in _finding_lines(finding):
            out.text(line)
    more = sum(report.counts.values()) - len(shown)
    if more > 0:
        out.text()
        named = ", ".join(f"{rule} {number:,}" for rule, number in Counter(report.counts).most_common())
        for line in wrapped(f"{count(more, 'further finding')}; by rule: {named}. All of them: --json --all-findings", "    ", first="  "):
            out.text(line)


NOTHING_JUDGED = "Nothing here could be judged: no message was found in it. Name a format (--format NAME) if you know what it is"
REFUSAL_ALONE = "This is a provider's refusal, and nothing of what it refused: no message was found in it"


def verdict_words(report: Report) -> str:
    """The verdict in words. What a check cannot see it does not promise."""
    question = "could be sent now" if report.mode == "complete" else "well formed so far"
    who = report.provider + (f" ({report.model})" if report.model else "")
    errors = sum(1 for finding in report.findings if finding.severity == "error")
    if report.verdict == "reject":
        return f"WOULD BE REFUSED by {who}: {count(max(errors, len(report.error_rows)), 'error')}. Asked: {question}"
    return f"No reason for {who} to refuse was found. Asked: {question}, by {count(report.rules, 'rule')}"


def _facts(file: Opened, view: View, report: Report, tokens: dict[str, Any] | None, transcript: Transcript) -> list[list[str]]:
    from app.pipeline.counts import counts

    n = counts(view)
    open_calls, orphans = n["unanswered_calls"], n["orphan_results"]
    calls = f"{count(n['tool_calls'], 'call')}" + (f" ({open_calls:,} unanswered)" if open_calls else "")
    results = f"{count(n['tool_results'], 'result')}" + (f" ({orphans:,} without a call)" if orphans else "")
    server = [count(n["server_tool_calls"], "server-side call")] if n["server_tool_calls"] else []
    beside = int((~view.in_messages & view.transcript.own()).sum())  # the list of a window shows them among its rows
    blocks = count(n["blocks"], "block") + (f" and {beside:,} of system text and tools" if beside else "")
    facts = [["holds", ", ".join([count(n["exchanges"], "exchange"), count(n["steps"], "step"), count(n["messages"], "message"),
                                  blocks, calls, results, *server])]]  # fmt: skip
    kept = f", of which {n['unparsed_records']:,} could not be parsed and are kept as they are" if n["unparsed_records"] else ""
    records = {name: number for name, number in file.dump.records.items() if number}
    shared = f"; the file holds {sum(records.values()):,} = " + " + ".join(f"{number:,} {name}" for name, number in records.items())
    facts.append(["records", f"{n['records']:,}{kept}{shared if sum(records.values()) != n['records'] else ''}"])
    if transcript.forks_from is not None:
        facts.append(["branch", f"of {transcript.forks_from}, with which it shares {count(transcript.shared_records, 'record')}"])
    if transcript.why:
        facts.append(["opened", transcript.why])
    if report.pending:
        facts.append(["pending", count(report.pending, "open call") + " at the very end"])
    if tokens is not None:
        said = f"{tokens['total']:,} in the next request ({tokens['counter']})"
        said += f", {tokens['not_sent']:,} no longer sent" if tokens["not_sent"] else ""
        facts.append(["tokens", said])
        fitted = tokens["calibration"]
        if fitted is not None:
            facts.append(["recorded", f"{fitted['factor']:.2f} times what is counted, over {count(fitted['requests'], 'request')}; "
                          f"{fitted['offset']:,} tokens are not in the dump"])  # fmt: skip
    facts += [["seen", why] for why in file.dump.whys]
    if report.not_judged:
        facts.append(["not judged", "; ".join(report.not_judged)])
    return facts


def _finding_lines(finding: Finding) -> list[str]:
    ids = f"  {' '.join(finding.ids[:6])}{' …' if len(finding.ids) > 6 else ''}" if finding.ids else ""
    lines = table([[finding.severity, finding.rule, (finding.at or "the whole") + ids]])
    lines += wrapped(finding.message, "      ", first="    ")
    if finding.provider_error:
        at = f" ({finding.provider_at})" if finding.provider_at and finding.provider_at not in finding.provider_error else ""
        lines += wrapped(f"likely words{at}: {finding.provider_error}", "      ", first="    ")
    if finding.reason:
        lines += wrapped(f"why: {finding.reason}", "      ", first="    ")
    if finding.fixes:
        lines += wrapped("mend: " + "; or ".join(f"{fix.title} ({fix.effect})" for fix in finding.fixes), "      ", first="    ")
    return lines
