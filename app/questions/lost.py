"""What each strategy loses at a budget: `ask("lost", budget, ((name, ((parameter, value), ...)), ...))`.

Parts: one `Lost` a strategy, as it is known; the answer is the tuple of all. What stands where is read once for an analysed transcript.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from app.model.errors import InspectorError
from app.model.lost import Lost
from app.model.view import View
from app.pipeline.fact_index import FactIndex

if TYPE_CHECKING:
    from app.desk import Desk

Specs = tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]

_read: WeakKeyDictionary[Any, tuple[View, FactIndex]] = WeakKeyDictionary()  # by desk: what was read last


def answer(desk: Desk, budget: int | None, specs: Specs) -> Generator[Lost | None, None, tuple[Lost, ...]]:
    from app.pipeline import look
    from app.pipeline.apply import apply
    from app.pipeline.fact_index import read
    from app.pipeline.lost import lost
    from app.pipeline.names import provider_named
    from app.pipeline.plan import make

    dump, view, spec = desk.dump, desk.view, desk.spec
    if dump is None or view is None:
        raise InspectorError("no file is open")
    held = _read.get(desk)
    if held is None or held[0] is not view:
        _read.pop(desk, None)
        index = yield from read(dump, view, desk.progress)
        held = _read[desk] = view, index
    found: list[Lost] = []
    provider = provider_named(spec.provider)
    for name, params in specs:
        arranged, plan = make(dump, view, [(name, dict(params))], budget, provider, spec.counter)
        after = apply(view.transcript, [arranged.change(plan)], provider).transcript
        found.append(lost(held[1], view, after, lambda transcript, row: look.block(dump, transcript, row), name, budget))
        yield found[-1]
    return tuple(found)
