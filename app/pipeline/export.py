"""Writes a dump with its edits, and proves what was written: it is read again, compared with what is in memory, and checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from app.model.dump import Dump
from app.model.errors import InspectorError, RefusedError, RemainingError
from app.model.findings import Mode, Report
from app.model.provider import Provider
from app.model.source import Source
from app.model.state import Written
from app.model.transcript import Transcript
from app.pipeline import atomic
from app.pipeline.diff import RunTogether, difference, edited
from app.pipeline.shared_rows import agreed
from app.pipeline.unwrap import rewrap


def export(
    dump: Dump,
    transcripts: Sequence[Transcript],
    path: str | os.PathLike[str],
    provider: Provider,
    model: str | None,
    mode: Mode,
    allow_broken: bool = False,
    judged: Sequence[int] | None = None,
    over: Path | None = None,
    ready: Callable[[Path], None] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Written:
    """Writes the whole file with `transcripts` (aligned with `dump.transcripts`) in the format that came in.

    `over`: the file that is written, though it be the source (app/pipeline/in_place.py, which keeps a backup); None: the one at `path`.
    `ready`: asked once what was written is proved, before it takes the target's place; what it raises leaves the target as it was.
    `progress`: told how far it is, 0 to 1; what it raises ends the writing, and the target is what it was.
    `judged`: indexes of the transcripts that are checked, None: all. `model` None: what each transcript names.
    RefusedError: the target is the source, or the format cannot be written; RemainingError: errors would remain and `allow_broken` is
    not given; ChangedError: the source is no longer what was read; InspectorError: the system refuses to write. In all of them the
    target stays what it was.
    """
    from app.formats import FORMATS

    target = over or atomic.target_of(path, dump.source)
    dump.source.require_unchanged()
    format = FORMATS[dump.format]
    if not dump.complete:
        raise RefusedError(f"{dump.source.name}: not all of the file has been read yet; wait until it is")
    changed = {i for i, (t, base) in enumerate(zip(transcripts, dump.transcripts, strict=True)) if edited(t, base)}
    transcripts = agreed(dump, transcripts)
    if changed and not format.writable:
        way = "write a request of another wire (--to WIRE on the command line, Written as in the window)"
        raise RefusedError(f"{dump.source.name}: edits cannot be written in the format {dump.format}; {way}")
    which = range(len(transcripts)) if judged is None else judged
    if not allow_broken:
        _require_clean(dump, [transcripts[i] for i in which], provider, model, mode, os.fspath(path))
    writing = rewrap(dump.source, format.write_plan(dump, transcripts))
    proof: list[Report] = []

    def prove(temporary: Path) -> None:
        dump.source.require_unchanged()
        half = None if progress is None else (lambda fraction: progress(0.4 + 0.5 * fraction))
        proof.extend(_proof(dump, transcripts, changed, temporary, which, provider, model, mode, os.fspath(path), half))
        if not allow_broken:  # what is in memory was clean, and what was read again is not: edits of shared records met
            _require_read_clean(proof, os.fspath(path))
        if ready is not None:
            ready(temporary)

    beside = _beside(target, dump.source) if writing.aside else None
    atomic.write(target, _told(writing.chunks(), dump.source.size, progress), prove)
    if beside is not None:
        atomic.write(beside, (piece + b"\n" for piece in writing.aside))
    tally = writing.tally
    verdict = "reject" if any(report.verdict == "reject" for report in proof) else "accept"
    records = tally.same + tally.changed + tally.inserted + tally.relinked
    return Written(
        path=os.fspath(path),
        records=records,
        same=tally.same,
        inserted=tally.inserted,
        relinked=tally.relinked,
        dropped=tally.dropped,
        changed=tally.changed,
        verdict=verdict,
        summary=_summary(dump, os.fspath(path), writing.tally, records, proof, provider)
        + (f" What was taken out of it stands in {beside}." if beside is not None else ""),
        notes=tuple(tally.notes),
    )


def _told(chunks: Iterator[bytes], size: int, progress: Callable[[float], None] | None) -> Iterator[bytes]:
    """The chunks, and how far it is after each."""
    done = 0
    for chunk in chunks:
        done += len(chunk)
        if progress is not None:
            progress(min(0.4, 0.4 * done / max(1, size)))
        yield chunk


def _beside(target: Path, source: Source) -> Path:
    """The file in which what is taken out of a dump is kept: beside it, under a name that nothing has."""
    for number in range(1, 1000):
        path = target.with_name(f"{target.name}.taken-out{f'-{number}' if number > 1 else ''}.txt")
        if not path.exists():
            return atomic.place_for(path, source)
    raise RefusedError(f"{target}: not written: too many files {target.name}.taken-out beside it; take some away or name another target")


def reports(dump: Dump, transcripts: Sequence[Transcript], provider: Provider, model: str | None, mode: Mode) -> list[Report]:
    """What a fresh check says of each transcript."""
    from app.pipeline import inspected

    return [inspected(dump, t, provider, model or t.model, mode)[1] for t in transcripts]


def _require_clean(dump: Dump, transcripts: Sequence[Transcript], provider: Provider, model: str | None, mode: Mode, path: str) -> None:
    broken: list[str] = []
    errors = 0
    for transcript, report in zip(transcripts, reports(dump, transcripts, provider, model, mode), strict=True):
        here = [finding for finding in report.findings if finding.severity == "error"]
        if report.verdict != "reject":
            continue
        errors += max(len(here), len(report.error_rows))
        where = f" in transcript {transcript.id}" if len(dump.transcripts) > 1 else ""
        broken += [f"{finding.rule} at {finding.at or 'the whole'}{where}" for finding in here[:2]]
    if not broken:
        return
    many = f"{errors} errors" if errors != 1 else "1 error"
    raise RemainingError(f"{path}: not written: {many} would remain ({'; '.join(broken[:3])}{'; …' if errors > len(broken[:3]) else ''})")


def _require_read_clean(proof: Sequence[Report], path: str) -> None:
    errors = [f for report in proof if report.verdict == "reject" for f in report.findings if f.severity == "error"]
    if not any(report.verdict == "reject" for report in proof):
        return
    named = "; ".join(f"{finding.rule} at {finding.at or 'the whole'}" for finding in errors[:3])
    many = f"{len(errors)} errors" if len(errors) != 1 else "1 error"
    raise RemainingError(f"{path}: not written: read again, {many} would remain ({named})")


def _proof(
    dump: Dump,
    transcripts: Sequence[Transcript],
    changed: set[int],
    temporary: Path,
    which: Sequence[int],
    provider: Provider,
    model: str | None,
    mode: Mode,
    path: str,
    progress: Callable[[float], None] | None = None,
) -> list[Report]:
    """Reads what was written and compares it with what is in memory; what a check says of it comes back."""
    from app.pipeline.load import load

    if dump.source.stand_in is not None and not changed:  # a copy of a file that is a dump only with what lies beside it
        return reports(dump, [transcripts[i] for i in which], provider, model, mode)
    source = Source.open(temporary)
    try:
        if source.size == 0:
            raise RefusedError(f"{path}: not written: nothing of the dump would be left")
        again = load(source, dump.format, progress)
        found = difference(dump, transcripts, again, changed)
        if isinstance(found, RunTogether):
            advice = "keep the place where they part, or choose what keeps it (evict-steps, stub-tool-results)"
            raise RefusedError(f"{path}: not written: transcripts of this file could no longer be told apart ({found}); {advice}")
        if found is not None:
            raise InspectorError(f"{path}: not written: read again, it would not be what is shown here ({found}); please report this")
        ids = {transcripts[i].id for i in which}
        return reports(again, [t for t in again.transcripts if t.id in ids], provider, model, mode)
    finally:
        source.close()


def _summary(dump: Dump, path: str, tally: object, records: int, proof: Sequence[Report], provider: Provider) -> str:
    """One paragraph to copy."""
    counts = [(getattr(tally, name), word) for name, word in (
        ("same", "unchanged"), ("changed", "changed"), ("inserted", "added"), ("relinked", "linked anew"), ("dropped", "removed"),
    )]  # fmt: skip
    said = ", ".join(f"{count:,} {word}" for count, word in counts if count) or "none"
    errors = sum(len([f for f in report.findings if f.severity == "error"]) for report in proof)
    judged = "no reason to refuse was found" if not errors else f"{errors:,} reasons to refuse remain"
    rules = max((report.rules for report in proof), default=0)
    return (
        f"{path}: written from {dump.source.name} ({dump.format}); {records:,} record{'' if records == 1 else 's'}: {said}. "
        f"Read again after writing: the same as shown; judged for {provider.name} by {rules} rules, {judged}."
    )
