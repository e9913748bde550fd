"""What may leave the room, on the command line: `report-bug`, and `export` with `--shape`, `--redact` or `--in-place`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from app.cli_open import Opened, opened
from app.cli_progress import progress
from app.cli_words import Output, count, note, table, wrapped
from app.model.errors import InspectorError

if TYPE_CHECKING:
    from app.model.evidence import InPlace, Searched
    from app.model.findings import Finding
    from app.model.transcript import Transcript

LISTED = 200


def export_options(export: ArgumentParser) -> None:
    """The options of `export` for what may leave the room, and for writing over the source."""
    export.add_argument("--shape", action="store_true", help="write the file with all contents filled, an equal number of characters each")
    export.add_argument("--redact", action="store_true", help="write it without secrets and personal data; lists what was found")
    export.add_argument("--word", action="append", default=[], metavar="WORD", help="with --redact: a word of your own that goes too")
    export.add_argument("--leave", action="append", default=[], metavar="NUMBER|NAME", help="with --redact: what stays in")
    export.add_argument("--rename-tools", action="store_true", help="with --shape: names of tools are replaced too")
    export.add_argument("--in-place", action="store_true", help="write over FILE; FILE.bak-1 (-2, …) keeps what was there")


def report_options(report: ArgumentParser) -> None:
    report.add_argument("file", metavar="FILE")
    report.add_argument("--rule", metavar="NAME", help="the finding to report; default: the first error, else the first finding")
    report.add_argument("--at", metavar="POINTER", help="where it is found, as check prints it")
    report.add_argument("-o", dest="out", metavar="OUT.md", help="write the report there; default: standard output")
    report.add_argument("--transcript-out", metavar="OUT", help="write the transcript by itself too")
    report.add_argument("--rename-tools", action="store_true", help="names of tools are replaced too")
    report.add_argument("--seconds", type=float, default=30.0, metavar="S", help="how long to look for a smaller one")


def asked(words: Namespace) -> bool:
    """Whether an export is one of these."""
    return bool(words.shape or words.redact)


def run_export(words: Namespace, out: Output) -> int:
    """`export --shape` and `export --redact`. InspectorError where the words do not go together."""
    _require_alone(words)
    file = opened(words.file, words)
    return _shape(file, words, out) if words.shape else _redact(file, words, out)


def _require_alone(words: Namespace) -> None:
    if words.shape and words.redact:
        raise InspectorError(f"{words.file}: give --shape or --redact, not both: a shape holds nothing that could be redacted")
    others = {"--fix": words.fix, "--fix-rule": words.fix_rule, "--strategy": words.strategy, "--policy": words.policy, "--to": words.wire,
              "--in-place": words.in_place, "--report": words.report}  # fmt: skip
    named = next((name for name, value in others.items() if value), None)
    if named is not None:
        act = "--shape" if words.shape else "--redact"
        raise InspectorError(f"{words.file}: {act} writes the file as it is; export with {named} first")


def _shape(file: Opened, words: Namespace, out: Output) -> int:
    from app.pipeline.shape import export_shape

    made = export_shape(file.dump, words.out, file.provider, file.model, file.mode, not words.rename_tools, progress("filling"))
    for line in wrapped(made.summary, "", first=""):
        out.text(line)
    return 0


def _redact(file: Opened, words: Namespace, out: Output) -> int:
    from app.pipeline import atomic
    from app.pipeline.redact import export_redacted, search

    atomic.place_for(words.out, file.dump.source)
    found = search(file.dump, words.word, progress("searching"))
    listed = found.listed()
    keep = _left(file, words, listed)
    made = export_redacted(file.dump, words.out, words.word, keep, file.provider, file.model, file.mode, found, progress("writing"))
    rows = [
        (str(one.number + 1), "left" if one.number in keep else "gone", one.name, one.shown, count(one.count, "place"), one.places[0])
        for one in listed.found[:LISTED]
    ]
    for line in table(rows, right=(0,)):
        out.text(line)
    if len(listed.found) > LISTED:
        out.text(f"  … and {len(listed.found) - LISTED:,} more")
    for line in wrapped(made.summary, "", first=""):
        out.text(line)
    return 0


def _left(file: Opened, words: Namespace, listed: Searched) -> set[int]:
    """Numbers of what is left in."""
    keep: set[int] = set()
    for one in words.leave:
        numbers = {f.number for f in listed.found if f.name == one or str(f.number + 1) == one}
        if not numbers:
            raise InspectorError(f"{file.path}: --leave {one}: nothing of this number or name was found")
        keep |= numbers
    return keep


# -- over the source ----------------------------------------------------------------------------------------------------------------


def say_in_place(done: InPlace, out: Output) -> None:
    """The two commands that one wants then."""
    out.text(f"backup: {done.backup}")
    out.text(f"back with: {done.back}")
    if done.resume:
        out.text(f"resume with: {done.resume}")


# -- a bug report ---------------------------------------------------------------------------------------------------------------------


def run_report(words: Namespace, out: Output) -> int:
    """The smallest transcript that still fails, as Markdown."""
    from app.pipeline import atomic
    from app.pipeline.minimal import minimal

    if not 0 < words.seconds < float("inf"):
        raise InspectorError(f"{words.file}: --seconds {words.seconds:g}: give a number of seconds above 0")
    file = opened(words.file, words)
    targets = [atomic.place_for(path, file.dump.source) for path in (words.out, words.transcript_out) if path is not None]
    if len(set(targets)) < len(targets):
        raise InspectorError(f"{words.out}: the report and the transcript cannot be one file; name another target for one of them")
    index, _, finding = _finding(file, words)
    made = minimal(
        file.dump, file.dump.transcripts, index, finding, file.provider, file.model, file.mode, not words.rename_tools, words.seconds,
        progress=progress("looking for a smaller one"),
    )  # fmt: skip
    if words.transcript_out is not None:
        atomic.write(atomic.target_of(words.transcript_out, file.dump.source), [made.text.encode("utf-8", "surrogatepass")])
    said = f"{made.rule}: {count(made.blocks_before, 'block')} became {made.blocks:,}, checked {made.checks:,} times"
    note(f"{file.path}: {said}{'' if made.whole else '; time was up: it may be smaller still'}")
    if words.out is None:
        out.text(made.markdown.rstrip("\n"))
    else:
        atomic.write(atomic.target_of(words.out, file.dump.source), [made.markdown.encode("utf-8", "surrogatepass")])
        out.text(f"{words.out}: written")
    return 0


def _finding(file: Opened, words: Namespace) -> tuple[int, Transcript, Finding]:
    """The finding that is meant, and the transcript in which it is. InspectorError where there is none such."""
    from app.pipeline import inspected

    wanted = f"{words.rule or 'any rule'}{f' at {words.at}' if words.at is not None else ''}"
    fallback: tuple[int, Transcript, Finding] | None = None
    for index in file.indexes:
        transcript = file.dump.transcripts[index]
        _, report = inspected(file.dump, transcript, file.provider, file.model_of(transcript), file.mode, words.at is not None)
        for finding in report.findings:
            if (words.rule is None or finding.rule == words.rule) and (words.at is None or finding.at == words.at):
                if finding.severity == "error" or words.rule is not None:
                    return index, transcript, finding
                fallback = fallback or (index, transcript, finding)
    if fallback is None:
        raise InspectorError(f"{file.path}: nothing to report: no finding of {wanted}; check lists what is found")
    return fallback
