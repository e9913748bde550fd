"""A request of a log beside the one before it, block by block."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from app.model.compared import Compared
from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.requests import Requested
from app.model.tokens import Tokens
from app.pipeline import compare as engine
from app.pipeline.names import provider_named
from app.pipeline.view import make_view
from app.questions._compared import keep

if TYPE_CHECKING:
    from app.desk import Desk


def answer(desk: Desk, number: int) -> Generator[None, None, Compared]:
    dump, tokens = desk.dump, desk.tokens
    if dump is None or tokens is None or not 0 <= number < len(dump.requests):
        raise InspectorError("there is no such request")
    one = dump.requests[number]
    if one.before < 0:
        raise InspectorError("there is no request before this one that it has a message of")
    first, second = _sent(desk, dump, tokens, dump.requests[one.before], one.before), _sent(desk, dump, tokens, one, number)
    run = engine.compare(first, second)
    while True:
        try:
            desk.progress(next(run))
        except StopIteration as stop:
            return keep(desk, "compare_requests", stop.value, first, second)
        yield None


def _sent(desk: Desk, dump: Dump, tokens: Tokens, one: Requested, number: int) -> engine.One:
    """What a request carried, as a transcript by itself."""
    whole = dump.transcripts[one.transcript]
    part = whole.with_(order=whole.order[: one.rows], start=0, id=f"request {number + 1}", refusals=(), walls=())
    return engine.One(dump, make_view(part, tokens, provider_named(desk.spec.provider)), tokens, dump.source.name)
