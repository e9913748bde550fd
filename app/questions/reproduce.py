"""Requests of the dump that do not go on from one another, and what turns one into the next: `ask("reproduce")`.

Parts: one `Reproduced` a pair; the answer is the tuple of all. As the dump was opened, changes aside.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from app.model.errors import InspectorError
from app.model.reproduce import Reproduced

if TYPE_CHECKING:
    from app.desk import Desk


def answer(desk: Desk) -> Generator[Reproduced | None, None, tuple[Reproduced, ...]]:
    from app.pipeline.names import provider_named
    from app.pipeline.reproduce import pairs, reproduced

    if desk.dump is None or desk.tokens is None:
        raise InspectorError("no file is open")
    found: list[Reproduced] = []
    for pair in pairs(desk.dump):
        found.append((yield from reproduced(desk.dump, pair, provider_named(desk.spec.provider), desk.tokens.own)))
        yield found[-1]
    return tuple(found)
