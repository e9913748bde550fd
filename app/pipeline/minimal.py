"""The smallest transcript that still fails the same rule, its contents replaced by fillers: a bug report that may leave the room.

First exchanges, then steps, then blocks are left out of the transcript (app/pipeline/shrink.py), partners with them, so that no new fault
is made; each trial is really checked, and counts only where the rule still fails at the same block and no other rule of severity error
fails that did not before. What is left is written in the dump's own format; then lines, list elements and members that only describe the
session go too, each trial read and checked anew. In the end the contents are filled (app/pipeline/shape.py) and it is checked once more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.formats import FORMATS
from app.formats._json import NotJson, loads
from app.model.dump import Dump
from app.model.edits import Change, Drop
from app.model.errors import InspectorError, RefusedError
from app.model.evidence import Minimal
from app.model.findings import Finding, Mode, Report
from app.model.provider import Provider
from app.model.source import Source
from app.model.table import Ints
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.apply import apply, close_under_partners
from app.pipeline.archived import ARCHIVE, as_document, is_json, pieces, whole
from app.pipeline.check import hits
from app.pipeline.read import read
from app.pipeline.shape import shape
from app.pipeline.shrink import Patience, shrunk
from app.pipeline.view import make_view

SECONDS = 30.0  # for all trials together
KEPT = frozenset({
    "type", "uuid", "parentUuid", "sessionId", "timestamp", "message", "messages", "model", "max_tokens", "role", "content", "payload",
    "input", "contents", "id", "isSidechain", "tool_calls", "tool_call_id", "stream", "thinking", "reasoning", "parts", "subtype",
})  # fmt: skip
_PRETTY = 200_000  # characters up to which one document is written with indents


@dataclass(frozen=True, eq=False)
class Fault:
    """What is to stay: a rule of a severity at a row, and the rules of severity error that fail anyway."""

    rule: str
    row: int
    severity: str
    others: frozenset[str]

    def stands(self, view: View, provider: Provider, model: str | None, mode: Mode) -> bool:
        there = False
        for rule, hit in hits(read(view, provider, model, mode)):
            if not len(hit.rows):
                continue
            if rule.name == self.rule and hit.severity == self.severity:
                there = there or self.row < 0 or bool((hit.rows == self.row).any())
            elif hit.severity == "error" and rule.name not in self.others:
                return False
        return there


@dataclass(eq=False)
class Job:
    """Whom a transcript of a dump is judged for, and how much time there is."""

    dump: Dump
    provider: Provider
    model: str | None
    mode: Mode
    patience: Patience
    known: bool = False  # whether what is written is told by its content; then it stays so

    def view(self, transcript: Transcript) -> View:
        return make_view(transcript, source=self.dump.source)


def minimal(
    dump: Dump, transcripts: Sequence[Transcript], index: int, finding: Finding, provider: Provider, model: str | None, mode: Mode,
    keep_tools: bool = True, seconds: float = SECONDS, wanted: Callable[[], bool] = lambda: True,
    progress: Callable[[float], None] | None = None,
) -> Minimal:  # fmt: skip
    """A small transcript that fails like `finding`, one of transcript `index` of `transcripts` (aligned with the dump's, edits and all).

    RefusedError where the format cannot be written, or where contents cannot be told from structure: then nothing leaves.
    """
    from app.pipeline.bug_report import markdown
    from app.pipeline.load import load

    transcript = transcripts[index]
    model = model or transcript.model
    job = Job(dump, provider, model, mode, Patience(seconds, wanted, progress))
    small = fewer_rows(job, transcript, finding)
    data, format = _chosen(job, [written(job, transcripts, index, small, finding), (whole(dump), dump.format)], finding)
    left = load(Source.of(fewer_members(job, data, format, finding), dump.source.name), format)
    made = shape(left, provider, model, mode, keep_tools)
    again, report, found = found_in(made.again, finding.rule, finding.severity, provider, model, mode)
    if found is None:
        what = "contents are" if keep_tools else "contents and names of tools are"
        hint = "" if keep_tools else "; keep the names of the tools"
        raise RefusedError(f"{dump.source.name}: {finding.rule} does not fail any more once {what} replaced; nothing was copied{hint}")
    text = made.data.decode("utf-8", "surrogatepass")
    blocks = len(again.order)
    named = format if job.known else f"{format}, to be named as it is opened: --format {format}"
    return Minimal(
        rule=finding.rule, at=found.at, blocks_before=len(transcript.order), blocks=blocks, checks=job.patience.trials,
        whole=not job.patience.ended, text=text, suffix=".jsonl" if text.strip().count("\n") and is_lines(text) else ".json",
        markdown=markdown(found, report, named, provider, model, mode, text, len(transcript.order), blocks, keep_tools),
    )  # fmt: skip


# -- rows -----------------------------------------------------------------------------------------------------------------------------


def fewer_rows(job: Job, transcript: Transcript, finding: Finding) -> Transcript:
    """The transcript with all dropped that is not needed for the finding."""
    view = job.view(transcript)
    others = {rule.name for rule, hit in hits(read(view, job.provider, job.model, job.mode)) if hit.severity == "error" and len(hit.rows)}
    fault = Fault(finding.rule, finding.row, finding.severity, frozenset(others))
    for units in (exchanges, steps, blocks):
        transcript = _without(job, transcript, fault, units)
    return transcript


def exchanges(view: View) -> Iterator[Ints]:
    yield from _units(view, view.groups.exchange)


def steps(view: View) -> Iterator[Ints]:
    """Steps one by one; what belongs to none, message by message."""
    step = view.groups.step.astype(np.int64)
    yield from _units(view, np.where(step >= 0, step, view.transcript.table.message[view.rows].astype(np.int64) + len(view) + 1))


def blocks(view: View) -> Iterator[Ints]:
    yield from _units(view, np.arange(len(view)))


def _units(view: View, number: Ints) -> Iterator[Ints]:
    """Positions by a number of theirs, in the order of their first coming; system text and tool definitions are left alone."""
    free = np.flatnonzero(view.groups.exchange >= 0)
    found, inverse = np.unique(number[free], return_inverse=True)
    by = np.argsort(inverse, kind="stable")
    if len(found):
        ends = np.cumsum(np.bincount(inverse, minlength=len(found)))[:-1]
        yield from sorted((free[part] for part in np.split(by, ends)), key=lambda part: int(part[0]))


def _without(job: Job, transcript: Transcript, fault: Fault, units: Callable[[View], Iterator[Ints]]) -> Transcript:
    view = job.view(transcript)
    all_units = list(units(view))
    kept = [transcript]

    def still(some: list[int]) -> bool:
        out = np.zeros(len(view), bool)
        staying = set(some)
        for number, unit in enumerate(all_units):
            if number not in staying:
                out[unit] = True
        out = close_under_partners(view, out)
        if not out.any():
            return False
        drop = Change("not needed", "report", "loses", (Drop(view.rows[out]),))
        applied = apply(transcript, [drop], job.provider)
        if applied.skipped or not len(applied.transcript.order):
            return False
        if not fault.stands(job.view(applied.transcript), job.provider, job.model, job.mode):
            return False
        kept[0] = applied.transcript
        return True

    shrunk(range(len(all_units)), still, job.patience)
    return kept[0]


def written(job: Job, transcripts: Sequence[Transcript], index: int, small: Transcript, finding: Finding) -> tuple[bytes, str]:
    """The file with one transcript made small, in its own format, and the name of that. Of a format that can only be read what it would
    send, as a request of the provider that judges, where the rule fails in that as well; else the file as it is."""
    from app.pipeline.diff import edited
    from app.pipeline.shared_rows import agreed

    dump = job.dump
    format = FORMATS[dump.format]
    plain = whole(dump)
    new = [small if number == index else one for number, one in enumerate(transcripts)]
    changed = any(edited(one, base) for one, base in zip(new, dump.transcripts, strict=True))
    if not changed:
        return plain, dump.format
    if format.writable:
        try:
            return b"".join(format.write_plan(dump, agreed(dump, new)).chunks()), dump.format
        except RefusedError:  # what is left is nothing that its program would write
            pass
    return _as_request(job, small, finding) or (plain, dump.format)


def _chosen(job: Job, candidates: Sequence[tuple[bytes, str]], finding: Finding) -> tuple[bytes, str]:
    """The first that fails, best one that is told by its content; an archive as the document that it holds."""
    texts = [
        (as_document(data, job.dump.source.name), "inspect-json") if format == ARCHIVE else (data, format)
        for data, format in candidates
    ]  # fmt: skip
    for job.known in (True, False):
        for data, format in texts:
            if _fails(job, data, format, finding, None):
                return data, format
    return texts[0]


def _as_request(job: Job, small: Transcript, finding: Finding) -> tuple[bytes, str] | None:
    from app.pipeline.pieces import pieces_of
    from app.pipeline.wires import WIRES

    wire = next((name for name in WIRES if FORMATS[name].provider == job.provider.name), None)
    if wire is None:
        return None
    body = pieces_of(job.dump, job.view(small))
    data = json.dumps(WIRES[wire](body), ensure_ascii=False).encode("utf-8", "surrogatepass")
    return (data, wire) if _fails(job, data, wire, finding, None) else None


def _fails(job: Job, data: bytes, format: str, finding: Finding, allowed: frozenset[str] | None) -> bool:
    """Whether the rule fails in a file, and no rule of severity error that is not `allowed`."""
    from app.pipeline.load import load

    try:
        dump = load(Source.of(data, "small"), None if job.known else format)  # as whoever gets it opens it
        if dump.format != format:
            return False
        return found_in(dump, finding.rule, finding.severity, job.provider, job.model, job.mode, allowed)[2] is not None
    except InspectorError:
        return False


# -- lines, elements, members -----------------------------------------------------------------------------------------------------------


def fewer_members(job: Job, data: bytes, format: str, finding: Finding) -> bytes:
    """The written file without lines, elements and members that are not needed. Where it is not JSON through and through it stays."""
    lines = [piece for piece, _ in pieces(Source.of(data, "small"))]

    allowed = _errors(job, data, format)

    def fails(candidate: bytes) -> bool:
        return _fails(job, candidate, format, finding, allowed)

    if finding.rule not in allowed and finding.severity == "error":
        return data
    if len(lines) > 1:
        lines = shrunk(lines, lambda some: fails(b"".join(some)), job.patience)
    if not all(is_json(line) for line in lines):
        return b"".join(lines)
    values = [loads(line.removeprefix(b"\xef\xbb\xbf")) for line in lines if line.strip()]
    return _pruned(values, fails, job.patience) or b"".join(lines)


def _errors(job: Job, data: bytes, format: str) -> frozenset[str]:
    """Rules of severity error that fail in a file."""
    from app.pipeline.export import reports
    from app.pipeline.load import load

    dump = load(Source.of(data, "small"), format)
    found = reports(dump, dump.transcripts, job.provider, job.model, job.mode)
    return frozenset(f.rule for report in found for f in report.findings if f.severity == "error")


def _pruned(values: list[Any], fails: Callable[[bytes], bool], patience: Patience) -> bytes | None:
    """Values written anew without what describes no conversation; None where writing them anew mends the fault."""

    def dumped(gone: set[tuple[Any, ...]]) -> bytes:
        texts = [_dumps(_cut(value, gone, (number,)), len(values) == 1) for number, value in enumerate(values)]
        return ("\n".join(texts) + "\n").encode("utf-8", "surrogatepass")

    everything = [path for number, value in enumerate(values) for path in _prunable(value, (number,))]
    if not fails(dumped(set())):
        return None
    left = shrunk(everything, lambda some: fails(dumped(set(everything) - set(some))), patience)
    return dumped(set(everything) - set(left))


def _prunable(value: Any, at: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Members of a record, and elements of the lists beside its messages."""
    if not isinstance(value, dict):
        return
    for key, held in value.items():
        if key not in KEPT:
            yield (*at, key)
        if key in ("tools", "system", "instructions") and isinstance(held, list):
            yield from ((*at, key, number) for number in range(len(held)))
        if key in ("message", "payload") and isinstance(held, dict):
            yield from ((*at, key, inner) for inner in held if inner not in KEPT)


def _cut(value: Any, gone: set[tuple[Any, ...]], at: tuple[Any, ...]) -> Any:
    if isinstance(value, dict) and len(at) <= 2:
        return {key: _cut(held, gone, (*at, key)) for key, held in value.items() if (*at, key) not in gone}
    if isinstance(value, list) and len(at) == 2:
        return [held for number, held in enumerate(value) if (*at, number) not in gone]
    return value


def _dumps(value: Any, alone: bool) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False, indent=1) if alone and len(text) <= _PRETTY else text


def is_lines(text: str) -> bool:
    first = text.lstrip().split("\n", 1)[0]
    try:
        loads(first.encode("utf-8", "surrogatepass"))
    except NotJson:
        return False
    return True


def found_in(
    dump: Dump, rule: str, severity: str, provider: Provider, model: str | None, mode: Mode, allowed: frozenset[str] | None = None
) -> tuple[Transcript, Report, Finding | None]:
    """The transcript in which a rule fails, its report and the finding; the first transcript and None where none does, or where a rule
    fails that is not among those `allowed`."""
    from app.pipeline import inspected

    first: tuple[Transcript, Report] | None = None
    best: tuple[Transcript, Report, Finding] | None = None
    for transcript in dump.transcripts:
        _, report = inspected(dump, transcript, provider, model or transcript.model, mode)
        first = first or (transcript, report)
        if allowed is not None and any(f.severity == "error" and f.rule not in allowed for f in report.findings):
            return transcript, report, None
        found = next((f for f in report.findings if f.rule == rule and f.severity == severity), None)
        if found is not None and best is None:
            best = transcript, report, found
    if best is not None:
        return best
    if first is None:
        raise RefusedError("nothing of the conversation is left")
    return first[0], first[1], None
