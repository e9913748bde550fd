"""The file without what was found in it and not left in by hand, written beside it (app/pipeline/redact.py)."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from app.questions._thread import Care, threaded
from app.questions.sensitive import find

if TYPE_CHECKING:
    from app.desk import Desk
    from app.model.evidence import Redacted


def answer(desk: Desk, path: str, own: tuple[str, ...], keep: tuple[int, ...]) -> Generator[Any, None, Redacted]:
    """`keep`: numbers of what stays, as the question `sensitive` with the same words gave them. Gives a Redacted."""
    from app.pipeline.names import provider_named
    from app.pipeline.redact import export_redacted

    spec, dump = desk.spec, desk.dump
    assert dump is not None

    def work(care: Care) -> Redacted:
        found = find(desk, own, care)
        return export_redacted(dump, path, own, keep, provider_named(spec.provider), spec.model, spec.mode, found, care.progress)

    return (yield from threaded(desk, work))
