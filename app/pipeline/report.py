"""A report in Markdown: what was found, what was changed, what was written. With or without an export.

Text of a dump is hostile: it stands in code spans and fences that it cannot leave, control characters are made visible.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from app.formats._json import compact
from app.model.dump import Dump
from app.model.edits import DELETE, After, Before, Drop, Edit, End, HeadOf, Insert, Move, Replace, Set, SetRequest
from app.model.findings import Finding, Report
from app.model.provider import Provider
from app.model.state import Written
from app.model.transcript import Transcript
from app.pipeline import atomic
from app.pipeline.markdown import line, span
from app.pipeline.report_plan import other_question, plans, row_by_row, verdict_words
from app.pipeline.report_section import Section

__all__ = ["Section", "line", "markdown", "span", "write"]

FINDINGS_SHOWN = 200  # of a severity; counts are never cut
CHANGES_SHOWN = 1000  # of an undo step
ROWS_SHOWN = 12  # places named of an edit that touches many
EFFECTS = {
    "exact": "exact: moves or renames, loses nothing",
    "adds": "adds something that the dump does not state",
    "loses": "removes recorded content",
}


def write(
    path: str | os.PathLike[str], dump: Dump, sections: Sequence[Section], provider: Provider, written: Written | None = None
) -> None:
    """Writes a report, whole or not at all: JSON where the name ends in .json, else Markdown."""
    target = atomic.target_of(path, dump.source)
    if target.suffix.lower() == ".json":
        from app.pipeline.report_json import facts

        text = compact(facts(dump, sections, provider, written))
        atomic.write(target, [text.encode("utf-8", "backslashreplace"), b"\n"])
        return
    atomic.write(target, [markdown(dump, sections, provider, written).encode("utf-8", "backslashreplace")])


def markdown(dump: Dump, sections: Sequence[Section], provider: Provider, written: Written | None = None) -> str:
    """The report as text."""
    name = os.path.basename(dump.source.name) or dump.source.name
    lines = [f"# Report on {span(name)}", ""]
    lines += [f"- File: {span(dump.source.name)}, {dump.source.size:,} bytes", f"- Format: {dump.format}"]
    read = dump.records
    lines.append(
        f"- Records read: {sum(read.values()):,} = {read['shown']:,} shown + {read['hidden']:,} hidden + {read['unparsed']:,} unparsed"
    )
    lines += [f"- {line(why)}" for why in dump.whys]
    if written is not None:
        lines += ["", "## Export", "", line(written.summary)]
        lines += [f"- {span(pointer) + ': ' if pointer else ''}{line(what)}" for pointer, what in written.notes]
    for section in sections:
        lines += ["", *_section(dump, section, provider, len(sections) > 1 or len(dump.transcripts) > 1)]
    return "\n".join(lines) + "\n"


def _section(dump: Dump, section: Section, provider: Provider, several: bool) -> Iterator[str]:
    if several:
        yield f"## Transcript {span(section.base.id)}"
        yield ""
    now = section.now
    question = "whether it could be sent now" if now.mode == "complete" else "whether it is well formed so far"
    model = f", model {span(now.model)}" if now.model else ""
    yield f"Judged for {provider.title}{model}: {question}, by {now.rules} rules."
    yield ""
    if section.before is not None and section.layers:
        yield f"- Before the changes: {verdict_words(section.before)}"
    yield f"- {'After the changes' if section.layers else 'Verdict'}: {verdict_words(now)}"
    if section.tokens_after is not None:
        was = f"{section.tokens_before:,} before, " if section.tokens_before is not None and section.layers else ""
        yield f"- Tokens of the next request: {was}{section.tokens_after:,}{' now' if was else ''} ({section.counter})"
    yield from other_question(section)
    risk = section.risk(dump).words()
    if risk:
        yield f"- Cut risk{' as opened' if section.layers else ''}: {risk}"
    yield from plans(section)
    if section.lost is not None:
        yield from ("", "### What was lost", "")
        yield from section.lost[1]
    if section.before is not None and section.layers:
        yield from _findings("### Findings before the changes", section.before)
        if _same(section.before, now):
            yield from ("", "### Findings after the changes", "", "The same.")
        else:
            yield from _findings("### Findings after the changes", now)
    else:
        yield from _findings("### Findings", now)
    if section.recalled:
        yield from _refusals(dump, section)
    if section.layers:
        yield from _doubt(dump, section, provider)
    if section.layers or section.skipped:
        yield from _changes(dump, section)
        yield from row_by_row(dump, section)
    if now.not_judged:
        yield from ("", "### Not judged", "")
        yield from (f"- {line(what)}" for what in now.not_judged)


def _findings(title: str, report: Report) -> Iterator[str]:
    yield from ("", title, "")
    if not report.findings:
        yield "None."
        return
    for severity in ("error", "warning", "note"):
        found = [finding for finding in report.findings if finding.severity == severity]
        for finding in found[:FINDINGS_SHOWN]:
            yield from _finding(finding)
        if len(found) > FINDINGS_SHOWN:
            yield f"- … and {len(found) - FINDINGS_SHOWN:,} further findings of severity {severity}"
    if report.left_out:
        yield f"- {report.left_out:,} findings of rules with more than 1,000 are counted and not listed"


def _same(before: Report, now: Report) -> bool:
    """Whether two reports list the same findings."""
    told = [[(one.rule, one.at, one.message) for one in report.findings] for report in (before, now)]
    return bool(told[0]) and told[0] == told[1] and before.left_out == now.left_out


def _finding(finding: Finding) -> Iterator[str]:
    place = f" at {span(finding.at)}" if finding.at else ""
    theirs = f" (the provider would say {span(finding.provider_at)})" if finding.provider_at else ""
    yield f"- **{finding.severity}** {span(finding.rule)}{place}{theirs}: {line(finding.message)}"
    if finding.reason:
        yield f"  - Why: {line(finding.reason)}"
    if finding.provider_error:
        yield f"  - Likely words of the provider: {span(finding.provider_error)}"
    for fix in finding.fixes:
        yield f"  - Could be mended: {line(fix.title)} ({fix.effect})"


def _refusals(dump: Dump, section: Section) -> Iterator[str]:
    yield from ("", "### Refusals that the dump records", "")
    for one in section.recalled[:FINDINGS_SHOWN]:
        refusal, found = one.refusal, one.explained
        at = f" at {span(dump.table.pointer(refusal.record))}" if refusal.record >= 0 else ""
        often = f", {one.times:,} times" if one.times > 1 else ""
        yield f"- {f'{refusal.status} ' if refusal.status else ''}{span(found.words)}{at}{often}"
        best = found.best
        if found.elsewhere:
            yield f"  - About something else than the transcript: {line(found.elsewhere)}"
        elif best is not None:
            place = f" at {span(best.at)}" if best.at else ""
            yield f"  - {span(best.rule)}{place}: {line(best.why)}{' (as it was when it was sent)' if one.then else ''}"
        elif found.known:
            yield f"  - Words of {span(found.candidates[0].rule)}; no such defect is there now"
        else:
            yield "  - No rule explains it"


def _doubt(dump: Dump, section: Section, provider: Provider) -> Iterator[str]:
    """What the changes make doubtful although it was not touched: a warning, no finding."""
    from app.pipeline.signed import doubt

    found = doubt(section.base, section.after, provider, section.now.model)
    if found is None:
        return
    place = _Names(dump, section.base, section.after).of(found.row)
    yield from ("", "### Doubtful behind the changes", "", f"- **warning** {place}: {line(found.words)}")


# -- changes ----------------------------------------------------------------------------------------------------------------


def _changes(dump: Dump, section: Section) -> Iterator[str]:
    yield from ("", "### Changes")
    names = _Names(dump, section.base, section.after)
    unmade = {id(change) for change, _ in section.skipped}
    for number, layer in enumerate(section.layers, 1):
        yield from ("", f"{number}. {line(layer.title)}")
        done = [change for change in layer.changes if id(change) not in unmade]
        for change in done[:CHANGES_SHOWN]:
            tokens = f", {change.tokens:+,} token{'' if abs(change.tokens) == 1 else 's'}" if change.tokens else ""
            yield f"   - {line(change.title)} ({EFFECTS[change.effect]}{tokens}; {span(change.origin)})"
            if change.note:
                yield f"     - {line(change.note)}"
            for edit in change.edits:
                yield f"     - {_edit(edit, names)}"
        if len(done) > CHANGES_SHOWN:
            yield f"   - … and {len(done) - CHANGES_SHOWN:,} further changes"
    if section.skipped:
        yield from ("", "Not made:", "")
        yield from (f"- {line(change.title)}: {line(why)}" for change, why in section.skipped)


class _Names:
    """What a row is called in a report: its JSON pointer in the file, or what was made there."""

    def __init__(self, dump: Dump, base: Transcript, after: Transcript) -> None:
        from app.pipeline.blocks import Blocks

        self._after = after
        self._block = Blocks(dump, base)

    def of(self, row: int) -> str:
        made = self._after.made.get(row)
        if made is not None:
            return f"the {made.kind.word} that was put in"
        return span(self._block(row).pointer or "the whole")

    def many(self, rows: Sequence[int]) -> str:
        named = ", ".join(self.of(row) for row in rows[:ROWS_SHOWN])
        return named + (f" and {len(rows) - ROWS_SHOWN:,} more" if len(rows) > ROWS_SHOWN else "")


def _edit(edit: Edit, names: _Names) -> str:
    if isinstance(edit, Drop):
        return f"dropped: {names.many(edit.rows.tolist())}"
    if isinstance(edit, Replace):
        what = type(edit.content).__name__
        how = {"Stub": "content replaced by", "Cap": "cut to", "Words": "text replaced by"}[what]
        value = f"{getattr(edit.content, 'max_chars', 0):,} characters" if what == "Cap" else span(getattr(edit.content, "text", ""), 300)
        return f"{how} {value}: {names.many(edit.rows.tolist())}"
    if isinstance(edit, Move):
        return f"moved: {names.of(edit.row)} {_place(edit.place, names)}"
    if isinstance(edit, Set):
        value = "taken away" if edit.value is DELETE else f"set to {span(str(edit.value), 300)}"
        return f"{span(edit.field)} {value}: {names.of(edit.row)}"
    if isinstance(edit, Insert):
        answers = f", answering {names.of(edit.made.call)}" if edit.made.call >= 0 else ""
        return f"put in {_place(edit.place, names)}{answers}: {span(edit.made.text, 1000)}"
    assert isinstance(edit, SetRequest)
    what = "line" if edit.pointer[1:].isdecimal() else "member of a line" if edit.pointer[1:2].isdecimal() else "request member"
    return f"{what} {span(edit.pointer)} " + ("taken away" if edit.value is DELETE else f"set to {span(str(edit.value), 300)}")


def _place(place: Before | After | HeadOf | End, names: _Names) -> str:
    if isinstance(place, End):
        return "at the end"
    words = {Before: "before", After: "behind", HeadOf: "at the head of the turn that answers"}[type(place)]
    return f"{words} {names.of(place.row)}"
