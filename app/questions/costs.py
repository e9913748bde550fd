"""What the blocks and tools of the transcript cost in all of its requests: `ask("costs")`. The answer is one `Costs`."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from app.model.costs import Costs
from app.model.errors import InspectorError

if TYPE_CHECKING:
    from app.desk import Desk


def answer(desk: Desk) -> Generator[None, None, Costs]:
    from app.pipeline.costs import costs

    dump, view, spec = desk.dump, desk.view, desk.spec
    if dump is None or view is None:
        raise InspectorError("no file is open")
    exact = desk.tokens is not None and not desk.counting and bool(desk.tokens.exact[view.rows[view.rows < len(desk.tokens.exact)]].all())
    return (yield from costs(dump, view, spec.counter, exact, progress=desk.progress))
