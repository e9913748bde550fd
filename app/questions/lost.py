"""What each strategy loses at a budget: `ask("lost", budget, ((name, ((parameter, value), ...)), ...))`.

Parts: one `Lost` a strategy, as it is known; the answer is the tuple of all. What stands where is read once for an analysed transcript. A
plan that was applied and checked just now is not made again.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.lost import Lost
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.fact_index import FactIndex

if TYPE_CHECKING:
    from app.desk import Desk

Params = tuple[tuple[str, Any], ...]
Specs = tuple[tuple[str, Params], ...]

_read: WeakKeyDictionary[Any, tuple[View, FactIndex]] = WeakKeyDictionary()  # by desk: what was read last


def answer(desk: Desk, budget: int | None, specs: Specs) -> Generator[Lost | None, None, tuple[Lost, ...]]:
    from app.pipeline import look
    from app.pipeline.fact_index import read
    from app.pipeline.lost import lost

    dump, view = desk.dump, desk.view
    if dump is None or view is None:
        raise InspectorError("no file is open")
    held = _read.get(desk)
    if held is None or held[0] is not view:
        _read.pop(desk, None)
        index = yield from read(dump, view, desk.progress)
        held = _read[desk] = view, index
    found: list[Lost] = []
    for name, params in specs:
        after = _applied(desk, dump, view, name, params, budget)
        found.append(lost(held[1], view, after, lambda transcript, row: look.block(dump, transcript, row), name, budget))
        yield found[-1]
    return tuple(found)


def _applied(desk: Desk, dump: Dump, view: View, name: str, params: Params, budget: int | None) -> Transcript:
    """What a plan comes to."""
    from app.pipeline.apply import apply
    from app.pipeline.names import provider_named
    from app.pipeline.plan import make

    spec = desk.spec
    job, after = desk.applied.pop(name, (None, view.transcript))
    if job is not None and (job.serial, job.budget) == (spec.serial, budget) and dict(params) | dict(job.params) == dict(params):
        return after
    provider = provider_named(spec.provider)
    arranged, plan = make(dump, view, [(name, dict(params))], budget, provider, spec.counter)
    return apply(view.transcript, [arranged.change(plan)], provider).transcript
