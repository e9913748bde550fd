"""`export`: the repaired or compacted dump, in the format that came in; fixes come first, then the strategy."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass, field, replace

import numpy as np

from app import cli_error, cli_evidence, cli_pins
from app.cli_open import Opened, opened
from app.cli_plan import Spec, policy, warn_if_dry
from app.cli_words import Output, wrapped
from app.model.edits import Layer
from app.model.errors import InspectorError, RemainingError
from app.model.evidence import InPlace
from app.model.findings import Report
from app.model.state import Written
from app.model.tokens import Tokens
from app.model.transcript import Transcript

NEEDS_BUDGET = frozenset({"evict-exchanges", "evict-steps", "summarize-prefix", "drop-oldest-messages"})


@dataclass(eq=False)
class Work:
    """The transcripts as they will be written, and what was done to each (index to layers)."""

    transcripts: list[Transcript]
    layers: dict[int, list[Layer]] = field(default_factory=dict)
    counted: bool = False  # a strategy was asked for: what it frees is told
    pins: dict[int, int] = field(default_factory=dict)  # pinned rows, partners included

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
    if spec is not None and words.budget is not None and left > words.budget:
        out.text(f"  over the budget by {left - words.budget:,} tokens: {left:,} are left, the budget is {words.budget:,}")
    if done is not None:
        cli_evidence.say_in_place(done, out)
    for said in _doubts(file, work):
        out.text("\n".join(wrapped(f"warning: {said}", "    ", first="  ")))
    for pointer, what in written.notes[:20]:
        out.text("\n".join(wrapped(f"{pointer + ': ' if pointer else ''}{what}", "    ", first="  ")))
    return 0


def _errors_left(file: Opened, work: Work) -> bool:
    return any(_judged(file, work.transcripts[index]).verdict == "reject" for index in file.indexes)


def _require_targets(file: Opened, words: Namespace) -> None:
    """What can be known before anything is done: that all targets can be written, and are several."""
    from app.pipeline import atomic

    if words.in_place:
        from app.pipeline.in_place import place as own_place

        out = own_place(file.dump)
    else:
        out = atomic.place_for(words.out, file.dump.source)
    taken = {out: "the dump"}
    for name, what in ((words.report, "the report"), (words.removed, "what is removed")):
        if name is None:
            continue
        place = atomic.place_for(name, file.dump.source)
        if place in taken:
            raise InspectorError(f"{name}: {what} and {taken[place]} cannot be one file; name another target for one of them")
        taken[place] = what


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
    from app.pipeline import counted
    from app.pipeline.plan import commit

    if not work.transcripts:
        raise InspectorError(f"{file.path}: {file.dump.format} without a conversation; there is nothing to compact")
    index = file.chosen
    transcript = work.transcripts[index]
    pins = cli_pins.read(file.dump, file.dump.transcripts[index], words)
    view, _ = counted(file.dump, transcript, file.provider, words.counter)
    if pins:
        work.pins[index] = cli_pins.lay(view, file.dump, pins)["rows"]
    model = file.model_of(transcript)
    checked, after = commit(file.dump, view, spec, words.budget, file.provider, model, file.mode, words.counter)
    work.counted = True
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
    from app.pipeline import removed, report
    from app.pipeline.report_made import section_of

    if words.report is not None:
        tokens = _counts(file, words, work) if work.layers or work.counted else None
        sections = [
            section_of(
                file.dump, file.dump.transcripts[index], work.transcripts[index], tuple(work.layers.get(index, ())), file.provider,
                file.model_of(file.dump.transcripts[index]), file.mode, tokens=tokens,
                recalls=lambda view: cli_error.recalled(file, view), pins=work.pins.get(index, 0),
            )
            for index in file.indexes
        ]  # fmt: skip
        report.write(words.report, file.dump, sections, file.provider, written)
    if words.removed is not None and written is not None:
        done = [(file.dump.transcripts[index], tuple(layers)) for index, layers in sorted(work.layers.items())]
        removed.save(words.removed, file.dump, done)


def _counts(file: Opened, words: Namespace, work: Work) -> Tokens:
    """Exact counts of all rows that a section names."""
    from app.pipeline import count as counting

    tokens = counting.estimate(file.dump.table, file.provider, words.counter)
    rows = [file.dump.transcripts[index].order for index in file.indexes]
    counting.fill(file.dump, tokens, file.provider, np.unique(np.concatenate(rows)) if rows else np.empty(0, np.int32))
    return tokens


def _judged(file: Opened, transcript: Transcript) -> Report:
    from app.pipeline import inspected

    return inspected(file.dump, transcript, file.provider, file.model_of(transcript), file.mode)[1]
