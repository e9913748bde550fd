"""The file without its contents, written beside it (app/pipeline/shape.py)."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from app.questions._thread import Care, threaded

if TYPE_CHECKING:
    from app.desk import Desk
    from app.model.evidence import Filled


def answer(desk: Desk, path: str, keep_tools: bool = True) -> Generator[Any, None, Filled]:
    """Writes to `path`, gives a Filled."""
    from app.pipeline.names import provider_named
    from app.pipeline.shape import export_shape

    spec, dump = desk.spec, desk.dump
    assert dump is not None

    def work(care: Care) -> Filled:
        return export_shape(dump, path, provider_named(spec.provider), spec.model, spec.mode, keep_tools, care.progress)

    return (yield from threaded(desk, work))
