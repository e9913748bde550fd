"""Runs a preset on a dump in memory, without the window and without the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from app.model.dump import Dump
from app.model.edits import Change
from app.model.plan import Plan
from app.model.provider import Provider
from app.model.source import Source
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline import counted, load
from app.pipeline.apply import apply
from app.pipeline.count import after_edits, totals
from app.pipeline.names import format_named, provider_named
from app.pipeline.plan import make
from app.pipeline.view import make_view


@dataclass(frozen=True, eq=False)
class Imitation:
    """What a preset made of a dump. `tokens`: of the result, counted anew."""

    dump: Dump
    view: View
    plan: Plan
    change: Change
    after: Transcript
    tokens: int
    data: bytes


def imitate(
    data: bytes, preset: str, params: dict[str, Any], provider: str, budget: int | None = None, pinned: frozenset[int] = frozenset()
) -> Imitation:
    dump = load.load(Source.of(data, "in.json"))
    one: Provider = provider_named(provider)
    transcript = dump.transcripts[dump.opened]
    view, tokens = counted(dump, transcript, one, "chars/4")
    view.pinned = pinned
    arranged, plan = make(dump, view, [(preset, params)], budget, one, "chars/4")
    change = arranged.change(plan)
    applied = apply(transcript, [change], one)
    assert applied.skipped == ()
    after = applied.transcript
    fresh = after_edits(dump, tokens, after, one)
    result = make_view(after, fresh, one, source=dump.source)
    transcripts = list(dump.transcripts)
    transcripts[dump.opened] = after
    out = b"".join(format_named(dump.format).write_plan(dump, transcripts).chunks())
    return Imitation(dump, view, plan, change, after, totals(result, fresh, one).total, out)


def written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()
