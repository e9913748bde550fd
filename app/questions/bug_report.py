"""The smallest transcript that still fails like a finding, contents filled (app/pipeline/minimal.py)."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from app.model.errors import InspectorError
from app.questions._thread import Care, threaded

if TYPE_CHECKING:
    from app.desk import Desk
    from app.model.evidence import Minimal


def answer(desk: Desk, rule: str, row: int, keep_tools: bool = True) -> Generator[Any, None, Minimal]:
    """`rule` and `row` of a finding of the transcript as it stands. Gives a Minimal."""
    from app.pipeline.check import check
    from app.pipeline.minimal import minimal
    from app.pipeline.names import provider_named

    spec, view, dump = desk.spec, desk.view, desk.dump
    assert view is not None
    assert dump is not None
    provider = provider_named(spec.provider)
    transcripts = [view.transcript if index == spec.index else one for index, one in enumerate(dump.transcripts)]
    report = check(view, provider, spec.model, spec.mode, dump)
    finding = next((f for f in report.findings if f.rule == rule and f.row == row), None)
    if finding is None:
        raise InspectorError(f"{rule} is not found here any more")

    def work(care: Care) -> Minimal:
        return minimal(dump, transcripts, spec.index, finding, provider, spec.model, spec.mode, keep_tools, wanted=care.wanted,
                       progress=care.progress)  # fmt: skip

    return (yield from threaded(desk, work))
