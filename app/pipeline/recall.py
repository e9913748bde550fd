"""The refusals that a dump records, each brought to the place that it speaks of.

A format gives a refusal as a position and a text (`Transcript.refusals`) and nothing else; what the text means is found here. Where the
transcript no longer shows the defect, it is looked at once more as it was when it was sent.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.model.dump import Dump
from app.model.explained import Explained, Recalled
from app.model.provider import Provider
from app.model.source import Source
from app.model.transcript import Refusal, Transcript
from app.model.view import View
from app.pipeline.explain import explain
from app.pipeline.view import make_view

MOST = 200  # different texts that are looked at
BACK = 4  # so many are looked at as they were ...
ROWS = 100_000  # ... in transcripts of at most so many blocks


def recall(view: View, provider: Provider, model: str | None, source: Source | Dump | None = None) -> tuple[Recalled, ...]:
    """The recorded refusals of a transcript, in their order, those of one text behind one row together."""
    known: dict[tuple[str, int | None], Explained] = {}
    found: list[Recalled] = []
    back = 0
    for refusal in view.transcript.refusals:
        key = refusal.text, refusal.status
        if key not in known:
            if len(known) >= MOST:
                continue
            known[key] = explain(refusal.text, view, provider, model, source, refusal.status)
        if found and _again(found[-1], refusal, known[key]):
            found[-1] = replace(found[-1], times=found[-1].times + 1, records=(*found[-1].records, refusal.record))
            continue
        explained, then = known[key], False
        if explained.known and explained.best is None and back < BACK and len(view) <= ROWS:
            back += 1
            before = _as_sent(view, refusal, provider, model, source)
            if before is not None and before.best is not None:
                explained, then = before, True
        found.append(Recalled(refusal, 1, explained, then, (refusal.record,)))
    return tuple(found)


def _again(last: Recalled, refusal: Refusal, explained: Explained) -> bool:
    """The same refusal once more: the prompt was repeated, and nothing was answered between."""
    same = last.explained.words == explained.words or last.refusal.text == refusal.text
    return same and last.refusal.status == refusal.status


def _as_sent(view: View, refusal: Refusal, provider: Provider, model: str | None, source: Source | Dump | None) -> Explained | None:
    """What the text comes to on the transcript as it was when it was refused; None where that is the whole of it."""
    position = view.at(refusal.after)
    if position < 0 or position >= len(view) - 1:
        return None
    transcript = view.transcript
    walls = [at for at in (view.at(wall.row) for wall in transcript.walls) if 0 <= at <= position]
    start = transcript.start if transcript.start <= position else max(walls, default=0)
    cut: Transcript = transcript.with_(order=np.asarray(transcript.order[: position + 1]), start=start, refusals=(), walls=())
    return explain(refusal.text, make_view(cut), provider, model, source, refusal.status)
