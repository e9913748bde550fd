"""A section of a report, made: both transcripts judged under both questions, and every row counted before and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.model.dump import Dump
from app.model.edits import Change, Layer
from app.model.explained import Recalled
from app.model.findings import Mode
from app.model.provider import Provider
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.report_rows import plans_in
from app.pipeline.report_section import Section

Recalls = Callable[[View], tuple[Recalled, ...]]


def section_of(
    dump: Dump,
    base: Transcript,
    after: Transcript,
    layers: tuple[Layer, ...],
    provider: Provider,
    model: str | None,
    mode: Mode,
    *,
    tokens: Tokens | None = None,
    skipped: tuple[tuple[Change, str], ...] = (),
    recalls: Recalls | None = None,
    pins: int = 0,
) -> Section:
    """`tokens`: counts of the dump's own table; without them nothing is said of tokens. `recalls` says what became of recorded refusals."""
    from app.pipeline import count as counting
    from app.pipeline.check import check
    from app.pipeline.view import make_view

    other: Mode = "prefix" if mode == "complete" else "complete"
    old = None if tokens is None else counting.after_edits(dump, tokens, base, provider)
    new = None if tokens is None else counting.after_edits(dump, tokens, after, provider)
    view = make_view(base, old, provider, source=dump.source)
    now = make_view(after, new, provider, source=dump.source) if layers else view
    before, other_before = (check(view, provider, model, one, dump) for one in (mode, other))
    report, other_now = (check(now, provider, model, one, dump) for one in (mode, other)) if layers else (before, other_before)
    made = Section(
        base, after, before, report, layers, skipped,
        tokens_before=None if old is None else counting.totals(view, old, provider).total,
        tokens_after=None if new is None else counting.totals(now, new, provider).total,
        counter="" if tokens is None else tokens.counter,
        recalled=recalls(view) if recalls is not None else (),
        other_before=other_before, other_now=other_now,
        own=None if old is None else old.own, own_after=None if new is None else new.own, pins=pins,
    )  # fmt: skip
    if not plans_in(layers):
        return made
    from app.pipeline.report_lost import told

    return replace(made, lost=told(dump, view, after, made.looks(dump)))
