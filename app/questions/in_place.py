"""The file written over with the changes of all its transcripts, after a backup (app/pipeline/in_place.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.desk import Desk
    from app.model.evidence import InPlace


def answer(desk: Desk, layers: dict[int, tuple[Any, ...]], allow_broken: bool = False) -> InPlace:
    """`layers`: index of a transcript to its layers. It is one act that nothing interrupts. Gives an InPlace."""
    from app.pipeline.apply import apply_layers
    from app.pipeline.in_place import repair_in_place
    from app.pipeline.names import provider_named

    spec, dump = desk.spec, desk.dump
    assert dump is not None
    provider = provider_named(spec.provider)
    transcripts = [
        apply_layers(base, layers[i], provider).transcript if i in layers else base for i, base in enumerate(dump.transcripts)
    ]  # fmt: skip
    return repair_in_place(dump, transcripts, provider, spec.model, spec.mode, allow_broken)
