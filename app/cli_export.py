"""`export`: the repaired or compacted dump, in the format that came in; fixes come first, then the strategy."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass, field, replace

from app import cli_error, cli_evidence, cli_pins
from app.cli_open import Opened, opened
from app.cli_plan import Spec, policy, warn_if_dry
from app.cli_words import Output, wrapped
from app.model.edits import Layer
from app.model.errors import InspectorError, RemainingError
from app.model.evidence import InPlace
from app.model.findings import Report
from app.model.state import Written
from app.model.transcript import Transcript
from app.model.view import View

NEEDS_BUDGET = frozenset({"evict-exchanges", "evict-steps", "summarize-prefix", "drop-oldest-messages"})


@dataclass(eq=False)
class Work:
    """The transcripts as they will be written, and what was done to each (index to layers)."""

    transcripts: list[Transcript]
    layers: dict[int, list[Layer]] = field(default_factory=dict)
    tokens: dict[int, tuple[int, int]] = field(default_factory=dict)  # before and after, where they were counted

    def lay(self, index: int, layer: Layer, transcript: Transcript) -> None:
        if layer.changes:
            self.layers.setdefault(index, []).append(layer)
            self.transcripts[index] = transcript


def run(words: Namespace, out: Output) -> int:
    from app.pipeline.export import export
    from app.pipeline.translate import translate
    from app.pipeline.wires import WIRES

    if cli_evidence.asked(words):
        return cli_evidence.run_export(words, out)
    if words.wire is not None and words.in_place:
        raise InspectorError(f"{words.file}: another wire is another file; name it with -o")
    if words.wire is not None and words.wire not in WIRES:
        raise InspectorError(f"--to {words.wire}: nothing is written as this; there are {', '.join(WIRES)}")
    spec = _spec(words)
    _require_rules(words.fix_rule)
    file = opened(words.file, words)
    if words.wire is not None and words.mode is None:
        file = replace(file, mode="complete")  # what is written is to be sent
    _require_targets(file, words)
    work = Work(list(file.dump.transcripts))
    _mend(file, words, work)
    left = _compact(file, words, spec, work) if spec is not None else 0
    judged = None if file.index is None else [file.index]
    done: InPlace | None = None
    try:
        if words.wire is not None:
            if not work.transcripts:
                raise InspectorError(f"{file.path}: {file.dump.format} without a conversation; there is nothing to write")
            written = translate(file.dump, work.transcripts[file.chosen], words.out, words.wire, words.allow_broken)
        elif words.in_place and not work.layers and (words.allow_broken or not _errors_left(file, work)):
            out.text(f"{file.path}: nothing to change; the file is untouched, and no backup was made")
            return 0
        elif words.in_place:
            from app.pipeline.in_place import repair_in_place

            done = repair_in_place(file.dump, work.transcripts, file.provider, file.model, file.mode, words.allow_broken, judged)
            written = done.written
        else:
            written = export(
                file.dump, work.transcripts, words.out, file.provider, file.model, file.mode, words.allow_broken, judged
            )  # fmt: skip
    except RemainingError as error:
        _report(file, words, work, None)
        hint = "" if words.fix == "all" else "--fix all mends what can be mended, "
        raise RemainingError(f"{error}; {hint}--allow-broken writes it all the same") from None
    if spec is not None:
        warn_if_dry(file.path, spec, words.budget, left)
    _report(file, words, work, written)
    for line in wrapped(written.summary, "", first=""):
        out.text(line)
    if done is not None:
        cli_evidence.say_in_place(done, out)
    for said in _doubts(file, work):
        out.text("\n".join(wrapped(f"warning: {said}", "    ", first="  ")))
    for pointer, what in written.notes[:20]:
        out.text("\n".join(wrapped(f"{pointer + ': ' if pointer else ''}{what}", "    ", first="  ")))
    return 0


def _errors_left(file: Opened, work: Work) -> bool:
    return any(_judged(file, work.transcripts[index])[1].verdict == "reject" for index in file.indexes)


def _require_targets(file: Opened, words: Namespace) -> None:
    """What can be known before anything is done: that both targets can be written, and are two."""
    from app.pipeline import atomic

    if words.in_place:
        from app.pipeline.in_place import place

        out = place(file.dump)
    else:
        out = atomic.place_for(words.out, file.dump.source)
    if words.report is not None and atomic.place_for(words.report, file.dump.source) == out:
        raise InspectorError(f"{words.report}: the report and the dump cannot be one file; name another target for one of them")


def _spec(words: Namespace) -> Spec | None:
    """The strategy, by its spec or by a policy file. InspectorError where it needs a budget and has none."""
    from app.pipeline.spec import parse_spec

    if words.strategy is not None and words.policy is not None:
        raise InspectorError(f"{words.file}: give --strategy or --policy, not both")
    if words.strategy is None and words.policy is None:
        if cli_pins.wanted(words):
            raise InspectorError(f"{words.file}: pins hold against a --strategy, and none is given")
        if words.budget is not None:
            raise InspectorError(f"{words.file}: --budget needs a --strategy that works towards it; list strategies names them")
        return None
    spec = parse_spec(words.strategy) if words.strategy is not None else policy(words.policy)
    blind = [name for name, _ in spec if name in NEEDS_BUDGET]
    if blind and words.budget is None:
        raise InspectorError(f"{words.file}: {blind[0]} without a budget would take all that it may take; give --budget N")
    return spec


def _require_rules(names: list[str]) -> None:
    if not names:
        return
    from app.rules import RULES

    for name in names:
        if name not in RULES:
            raise InspectorError(f"--fix-rule {name}: there is no such rule; list rules names them")


def _mend(file: Opened, words: Namespace, work: Work) -> None:
    """Fixes, in every transcript or in the one that was named."""
    from app.pipeline import mended

    if words.fix is None and not words.fix_rule:
        return
    for index in file.indexes:
        transcript = work.transcripts[index]
        model = file.model_of(transcript)
        layer, after = mended(file.dump, transcript, file.provider, model, file.mode, words.fix or "none", words.fix_rule)
        work.lay(index, layer, after)


def _compact(file: Opened, words: Namespace, spec: Spec, work: Work) -> int:
    """The strategy, on the transcript that was named or that a window would open; the tokens that are left."""
    from app.pipeline import count as counting
    from app.pipeline import counted
    from app.pipeline.plan import commit

    if not work.transcripts:
        raise InspectorError(f"{file.path}: {file.dump.format} without a conversation; there is nothing to compact")
    index = file.chosen
    transcript = work.transcripts[index]
    pins = cli_pins.read(file.dump, file.dump.transcripts[index], words)
    view, tokens = counted(file.dump, transcript, file.provider, words.counter)
    if pins:
        cli_pins.lay(view, file.dump, pins)
    model = file.model_of(transcript)
    checked, after = commit(file.dump, view, spec, words.budget, file.provider, model, file.mode, words.counter)
    work.tokens[index] = counting.totals(view, tokens, file.provider).total, checked.tokens_after
    work.lay(index, Layer(checked.change.title, ((checked.change,),)), after)
    return checked.tokens_after


def _doubts(file: Opened, work: Work) -> list[str]:
    """What the changes make doubtful although it was not touched, once in the same words."""
    from app.pipeline.signed import doubt

    several = len(work.layers) > 1
    found = []
    for index in sorted(work.layers):
        base = file.dump.transcripts[index]
        said = doubt(base, work.transcripts[index], file.provider, file.model_of(base))
        if said is not None:
            found.append(f"transcript {base.id}, {said.words}" if several else said.words)
    return found


# -- the report -------------------------------------------------------------------------------------------------------------


def _report(file: Opened, words: Namespace, work: Work, written: Written | None) -> None:
    if words.report is None:
        return
    from app.pipeline import report

    sections = []
    for index in file.indexes:
        base, after = file.dump.transcripts[index], work.transcripts[index]
        layers = tuple(work.layers.get(index, ()))
        view, before = _judged(file, base)
        now = _judged(file, after)[1] if layers else before
        was, left = work.tokens.get(index, (None, None))
        sections.append(
            report.Section(
                base, after, before, now, layers, tokens_before=was, tokens_after=left, counter=words.counter,
                recalled=cli_error.recalled(file, view),
            )
        )  # fmt: skip
    report.write(words.report, file.dump, sections, file.provider, written)


def _judged(file: Opened, transcript: Transcript) -> tuple[View, Report]:
    from app.pipeline import inspected

    return inspected(file.dump, transcript, file.provider, file.model_of(transcript), file.mode)
