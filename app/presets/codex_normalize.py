"""Codex's normalisation before each request: calls without an output get one, outputs without a call go.

Every call without an output gets `aborted`; then outputs go whose call is nowhere before them. It mends, and takes nothing that was
paired; a second run changes nothing. Source: openai/codex, codex-rs context manager (normalize), 2026.
"""

from __future__ import annotations

from app.presets import _counters as counters
from app.presets._mending import drop_orphans
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, said
from app.presets._talk import Part, Style


def select(case: Case) -> tuple[Part, ...]:
    """Calls without an output; the n-th call of an id is answered by the n-th output of it."""
    open_calls: dict[str, list[Part]] = {}
    for part in case.talk.parts:
        if part.is_call and part.call_id is not None:
            open_calls.setdefault(part.call_id, []).append(part)
        elif part.is_result and part.call_id is not None and open_calls.get(part.call_id):
            open_calls[part.call_id].pop(0)
    waiting = [part for parts in open_calls.values() for part in parts]
    return tuple(sorted(waiting, key=lambda part: part.position))


def act(case: Case, chosen: tuple[Part, ...]) -> None:
    for call in chosen:
        case.work.answer(call, case.params["output"])


PRESET = Preset(
    name="codex-normalize",
    summary="answers open calls and drops outputs without a call, as Codex does before each request",
    family="evict-steps",
    imitates="Codex CLI, normalisation of the history",
    source="openai/codex codex-rs/core/src/context_manager",
    evidence="S",
    unit="calls and outputs",
    minimum="none",
    style=Style.SPLIT,
    counter=counters.one,
    select=select,
    act=act,
    repair=drop_orphans,
    settings=(Setting("output", "aborted", "what a made output says", said),),
    takes="parts",
)
