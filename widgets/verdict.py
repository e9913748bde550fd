"""What the verdict strip says, as a value: one sentence, one cause, what can be done. No Qt; every text is asserted in a test.

The strip never calls a transcript good: it says that no reason was found, by how many rules, and what was not judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from app.model.findings import Finding, Report
from app.model.prices import window_of
from app.model.state import State
from widgets import refusal_words as refusals
from widgets.refusal_words import Lines
from widgets.visible import line
from widgets.words import abridged, counted, exchange_and_step, full, short, spelled, titles

Tone = Literal["error", "warning", "note", "green", "plain"]
OPEN = "tool-call-trailing"  # an error of no other rule is an open call at the end
READER = "reader-"  # rules of what a program reads of its own file, beside those of a provider


@dataclass(frozen=True)
class Verdict:
    """`actions` are ids of the table of actions, the first primary one marked by `primary`; `ways` are the fixes of `finding`."""

    tone: Tone
    icon: str
    title: str
    detail: str = ""
    actions: tuple[str, ...] = ()
    primary: str = ""
    finding: Finding | None = None
    ways: tuple[str, ...] = ()
    progress: float | None = None  # from 0 to 1; -1 without a known end
    row: int = -1


@dataclass(frozen=True)
class Summary:
    """A report in numbers: findings of each severity, and how many causes the errors have; `more`: at least so many, not all are listed."""

    errors: int
    warnings: int
    notes: int
    causes: int
    first: Finding | None
    more: bool = False

    @property
    def caused(self) -> str:
        """`three causes`, `at least 1,000 causes`."""
        return f"{'at least ' if self.more else ''}{spelled(self.causes, 'cause')}"


@lru_cache(maxsize=8)
def summary(report: Report) -> Summary:
    """Complete numbers, although a report holds only the first thousand findings of a rule."""
    seen: dict[tuple[str, str], int] = {}
    by_rule: dict[str, int] = {}
    causes: set[str] = set()
    first: Finding | None = None
    for number, finding in enumerate(report.findings):
        key = (finding.severity, finding.rule)
        seen[key] = seen.get(key, 0) + 1
        by_rule[finding.rule] = by_rule.get(finding.rule, 0) + 1
        if finding.severity == "error":
            first = first or finding
            causes.add(finding.cause or f"#{number}")
    total = {"error": 0, "warning": 0, "note": 0}
    listed = sum(shown for (severity, _), shown in seen.items() if severity == "error")
    for (severity, rule), shown in seen.items():
        more = report.counts.get(rule, by_rule[rule]) - by_rule[rule]
        whole = shown == by_rule[rule]  # a rule of one severity: what was left out has the same
        total[severity] += shown + (max(0, more) if whole else 0)
    return Summary(total["error"], total["warning"], total["note"], len(causes), first, total["error"] > listed)


def verdict(state: State, names: Mapping[str, str], line_of: Lines = lambda record: None) -> Verdict | None:
    """What to say of a state; None where nothing is open. `names`: providers to what people call them."""
    if state.dump is None or not state.dump.complete or state.report is None:
        return _reading(state)
    if state.progress is not None:
        return _reading(state)
    title = names.get(state.provider, state.provider)
    if state.preview is not None:
        return _previewed(state, title)
    said = _judged(state, state.report, title, line_of)
    changes = sum(len(layer.changes) for layer in state.history.active)
    if changes:
        said = replace(said, title=f"After {counted(changes, 'change')}: {_lower(said.title, title)}")
    return said


def _reading(state: State) -> Verdict | None:
    progress = state.progress
    name = state.path.replace("\\", "/").rsplit("/", 1)[-1] or "the clipboard"
    if progress is None and state.dump is None:
        return None
    if progress is None:
        here = "" if state.dump is not None and state.dump.complete else " Only the head of the file is here."
        return Verdict("note", "note", f"Reading {line(name, 80)} was stopped; nothing was judged.{here}", "", ("file.reload",))
    judged = state.report is not None and state.dump is not None and state.dump.complete
    share = "" if progress.fraction is None else f", {progress.fraction:.0%}".replace("%", " %")
    detail = "What is here can be looked at already." if state.view is not None and not judged else ""
    fraction = -1.0 if progress.fraction is None else progress.fraction
    act = ("file.cancel",) if progress.cancel else ()
    return Verdict("plain", "reading", f"{progress.label.capitalize()} {line(name, 80)}{share}", detail, act, progress=fraction)


def _previewed(state: State, title: str) -> Verdict:
    assert state.preview is not None
    changes, report = state.preview.layer.changes, state.preview.report
    nowhere: Lines = lambda record: None  # noqa: E731
    said = _accepted(state, report, title, nowhere) if report.verdict == "accept" else _rejected(state, report, title, nowhere)
    return Verdict(
        "green" if report.verdict == "accept" else "warning",
        "repair",
        f"After {counted(len(changes), 'change')}: {_lower(said.title, title)}",
        f"{titles(changes)}{_cost(state.preview.tokens)}. Nothing is applied yet.",
        ("finding.apply", "finding.cancel"),
        "finding.apply",
    )


def _cost(tokens: int) -> str:
    """`, +21 tokens in all`; "" where nothing changes."""
    return f", {'+' if tokens > 0 else '−'}{counted(abs(tokens), 'token')} in all" if tokens else ""


def _judged(state: State, report: Report, title: str, line_of: Lines) -> Verdict:
    other = state.other
    if other is not None and {report.verdict, other.verdict} == {"accept", "reject"} and report.mode != other.mode:
        strict = other if other.verdict == "reject" else report
        if all(finding.rule == OPEN for finding in strict.findings if finding.severity == "error"):
            return _with_puzzle(_open_call(state, report, other, title), state, line_of)
        if strict is report:
            return _rejected(state, report, title, line_of, " if it were sent now")
        return _with_puzzle(_not_now(strict, title), state, line_of)
    if report.verdict == "reject":
        return _rejected(state, report, title, line_of)
    refusal = refusals.unanswered(state)
    if refusal is not None and state.view is not None and state.view.unread:
        said, detail = refusals.alone(refusal)
        return Verdict("warning", "refusal", said, detail, ("go.refusal",), row=refusal.after)
    if refusal is not None and not refusals.answered_for(state, refusal):
        return Verdict(
            "warning",
            "refusal",
            "This was refused when it was sent, though nothing is known to be wrong with it.",
            refusals.words(state, refusal, line_of),
            ("go.refusal", "finding.error", "file.report"),
            "go.refusal",
            row=refusal.after,
        )
    return _accepted(state, report, title, line_of)


def _with_puzzle(said: Verdict, state: State, line_of: Lines) -> Verdict:
    """The same, and that the file records a refusal which no rule explains, where it does."""
    return replace(said, detail=" ".join(filter(None, (said.detail, refusals.puzzle(state, line_of)))))


def _open_call(state: State, report: Report, other: Report, title: str) -> Verdict:
    strict = other if other.verdict == "reject" else report
    first = summary(strict).first
    pending = max(1, report.pending, other.pending)
    words = "Open call at the end" if pending == 1 else f"{full(pending)} open calls at the end"
    hurt = report.verdict == "reject"
    return Verdict(
        "error" if hurt else "warning",
        "open-call",
        f"{words}: fine as a log, refused if sent now.",
        f"{title} would wait for what the tool said. {abridged(first.message, first.ids)}" if first else "",
        _acts(strict) if hurt else ("view.mode_complete",),
        "finding.preview" if hurt and _mendable(strict) else "",
        finding=first if hurt else None,
        ways=_ways(first) if hurt else (),
        row=first.row if first else -1,
    )


def _not_now(strict: Report, title: str) -> Verdict:
    """Nothing against it as a log; as a request it has other errors than open calls at its end."""
    numbers = summary(strict)
    first = numbers.first
    return Verdict(
        "warning",
        "warning",
        f"{title} would refuse this if it were sent now: {counted(numbers.errors, 'error')}, {numbers.caused}.",
        f"Nothing is wrong with it as a log. First: {_lower(abridged(first.message, first.ids), '')}" if first else "",
        ("view.mode_complete",),
        row=first.row if first else -1,
    )


def _mendable(report: Report) -> bool:
    return any(finding.fixes for finding in report.findings if finding.severity == "error")


def _acts(report: Report) -> tuple[str, ...]:
    """A repair is offered only where something could mend an error."""
    return ("go.next_finding", "finding.preview") if _mendable(report) else ("go.next_finding",)


def _rejected(state: State, report: Report, title: str, line_of: Lines, when: str = "") -> Verdict:
    numbers = summary(report)
    sentence = f"{title} would refuse this{when}: {counted(numbers.errors, 'error')}, {numbers.caused}."
    sentence += refusals.held(state, line_of)
    named = refusals.named(state, report)
    first = named or numbers.first
    place = exchange_and_step(state, first.row) if first else ""
    which = "It names" if named else "First"
    detail = f"{which}: {_lower(abridged(first.message, first.ids), '')}{f' ({place})' if place else ''}" if first else ""
    return Verdict(
        "error", "error", sentence, " ".join(filter(None, (detail, refusals.puzzle(state, line_of)))), _acts(report),
        "finding.preview" if _mendable(report) else "", first, _ways(first), row=first.row if first else -1,
    )  # fmt: skip


def _accepted(state: State, report: Report, title: str, line_of: Lines) -> Verdict:
    numbers = summary(report)
    reader = next((f for f in report.findings if f.rule.startswith(READER) and f.severity == "warning"), None)
    if reader is not None:
        return Verdict(
            "warning",
            "warning",
            f"{title} would take it, but {reader.message}",
            reader.reason,
            ("go.next_finding",),
            row=reader.row,
        )
    if state.view is not None and state.view.unread:
        said = "Nothing here could be judged: no message was found in it."
        way = "Open it as a format that you name (Ctrl+Shift+O) if you know what it is."
        return Verdict("warning", "warning", said, way, ("go.next_finding",) if report.findings else ())
    more = [counted(n, word) for n, word in ((numbers.warnings, "warning"), (numbers.notes, "note")) if n]
    tail = f", {' and '.join(more)}" if more else ""
    later = refusals.recorded(state, line_of)
    long = _too_long(state)
    judged = f"Not judged: {'; '.join(report.not_judged)}." if report.not_judged else ""
    return Verdict(
        "warning" if numbers.warnings or long else "green",
        "warning" if numbers.warnings or long else "clear",
        f"No reason found why {title} would refuse this{', but for its length' if long else ''}: {counted(report.rules, 'rule')}{tail}.",
        " ".join(filter(None, (long, (later + judged).strip()))),
        ("go.next_finding",) if more else (),
    )


def _too_long(state: State) -> str:
    """That it is over the model's window, where its name tells one and no recorded request was longer; "" otherwise."""
    window, recorded = window_of(state.model), state.recorded
    taken = int(recorded.input.max(initial=0)) if recorded is not None else 0
    if window is None or state.now <= window or taken > window:
        return ""
    about = "" if state.totals is not None and state.totals.exact else "About "
    times = state.now / window
    return f"{about}{short(state.now)} tokens are {times:.{0 if times >= 10 else 2}f} × the {short(window)} that the model's name tells."


def _ways(finding: Finding | None) -> tuple[str, ...]:
    return tuple(f"{fix.title} ({fix.effect})" for fix in finding.fixes) if finding else ()


def _lower(sentence: str, name: str) -> str:
    """A sentence behind a colon begins small, but for a name."""
    word = sentence.split(" ", 1)[0]
    known = word in ("This", "These", "The", "A", "An", "No", "It", "Two", "Open", "Nothing", "One")
    return sentence if not known or (name and sentence.startswith(name)) else sentence[:1].lower() + sentence[1:]
