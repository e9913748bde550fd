"""The two that were compared last, by what for: kept so that their lines can be put in words when somebody looks at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.model.compared import Compared
from app.model.errors import InspectorError
from app.pipeline import count
from app.pipeline.compare import One
from app.pipeline.names import provider_named

if TYPE_CHECKING:
    from app.desk import Desk

KEPT: dict[str, tuple[int, Compared, One, One]] = {}  # generation of the dump that is open, and the two


def keep(desk: Desk, about: str, found: Compared, first: One, second: One) -> Compared:
    KEPT[about] = (desk.generation, found, first, second)
    return found


def kept(desk: Desk, about: str) -> tuple[Compared, One, One]:
    """InspectorError where another dump is open by now."""
    held = KEPT.get(about)
    if held is None or held[0] != desk.generation:
        raise InspectorError("what was compared is no longer open; compare it again")
    return held[1:]


def as_it_stands(desk: Desk) -> One:
    """The open transcript with all changes."""
    view = desk.view
    if desk.dump is None or view is None or desk.tokens is None:
        raise InspectorError("no file is open")
    tokens = count.after_edits(desk.dump, desk.tokens, view.transcript, provider_named(desk.spec.provider))
    return One(desk.dump, view, tokens, desk.dump.source.name)
