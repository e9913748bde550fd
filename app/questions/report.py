"""A report of what was found and changed, written where it is asked for, and what the changes removed beside it.

The one question that leaves something behind: a file, made only because a person named it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from app.model.edits import Layer
from app.model.explained import Recalled
from app.model.provider import Provider
from app.model.source import Source
from app.model.state import Written
from app.model.view import View

if TYPE_CHECKING:
    from app.desk import Desk
    from app.pipeline.report_section import Section


def answer(desk: Desk, path: str, removed: str, layers: dict[int, tuple[Layer, ...]], written: Written | None = None) -> tuple[str, ...]:
    """`path` and `removed`: where to write them, "" not at all. `layers`: the active changes of each transcript by index. The files that
    were written. InspectorError where one cannot be."""
    from app.pipeline import removed as removing
    from app.pipeline import report
    from app.pipeline.apply import apply_layers
    from app.pipeline.names import provider_named
    from app.pipeline.report_made import section_of

    dump, spec, view = desk.dump, desk.spec, desk.view
    assert dump is not None
    assert spec is not None
    assert view is not None
    provider = provider_named(spec.provider)
    if path:
        sections: list[Section] = []
        for index in sorted({*layers, spec.index}):
            base, done = dump.transcripts[index], layers.get(index, ())
            applied = apply_layers(base, done, provider)
            model = spec.model if index == spec.index else base.model
            made = section_of(
                dump, base, applied.transcript, done, provider, model, spec.mode, tokens=desk.tokens, skipped=tuple(applied.skipped),
                recalls=partial(_recalled, provider, model, dump.source),
                pins=int(view.pins.sum()) if index == spec.index else 0,
            )  # fmt: skip
            exact = desk.tokens is not None and bool(desk.tokens.exact[base.order[base.order < len(dump.table)]].all())
            sections.append(made if exact else replace(made, counter=f"{made.counter}, partly estimated"))
        report.write(path, dump, sections, provider, written)
    if removed:
        removing.save(removed, dump, [(dump.transcripts[index], done) for index, done in sorted(layers.items())])
    return tuple(name for name in (path, removed) if name)


def _recalled(provider: Provider, model: str | None, source: Source, view: View) -> tuple[Recalled, ...]:
    from app.pipeline.recall import recall

    return recall(view, provider, model, source) if view.transcript.refusals else ()
