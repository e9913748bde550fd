"""What would be taken out of the file as secret or personal (app/pipeline/redact.py), for a review."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from app.questions._thread import Care, threaded

if TYPE_CHECKING:
    from app.desk import Desk
    from app.model.evidence import Searched
    from app.pipeline.redact import Found

held: dict[tuple[int, tuple[str, ...]], Found] = {}
"""The last search, by the generation of the dump and the own words: what is written goes on from it."""


def answer(desk: Desk, own: tuple[str, ...] = ()) -> Generator[Any, None, Searched]:
    """`own`: words of a person's own. Gives a Searched."""
    found = yield from threaded(desk, lambda care: find(desk, own, care))
    return found.listed()


def find(desk: Desk, own: tuple[str, ...], care: Care) -> Found:
    """The search for these words, made once."""
    from app.pipeline.redact import search

    dump, which = desk.dump, (desk.generation, own)
    assert dump is not None
    if which not in held:
        found = search(dump, own, care.progress)
        held.clear()
        held[which] = found
    return held[which]
