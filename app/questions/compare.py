"""The open transcript as it stands beside one of another dump, which is read here."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from app.model.compared import Compared
from app.model.errors import InspectorError
from app.model.source import Source
from app.pipeline import compare as engine
from app.pipeline.load import load
from app.pipeline.names import judge_of, provider_named
from app.questions._compared import as_it_stands, keep

if TYPE_CHECKING:
    from app.desk import Desk

READING = 0.5  # of the way is reading the second dump
LISTED = 500  # transcripts of the second that are named
Answer = tuple[Compared, tuple[tuple[str, str], ...], int]
_read: tuple[Any, ...] = ()  # the second dump that was read last: its path, stamp, and what it holds


def answer(desk: Desk, path: str, index: int = -1) -> Generator[None, None, Answer]:
    """The comparison; id and title of the second's transcripts, and which of them it is (`index`; -1: the one that a window opens)."""
    global _read
    first = as_it_stands(desk)
    source = Source.open(path)
    if not _read or _read[:2] != (path, source.stamp):

        def progress(fraction: float) -> None:
            if not desk.wanted():
                raise InspectorError("it is no longer wanted")
            desk.progress(READING * fraction)

        _read = ()
        _read = (path, source.stamp, load(source, None, progress))
    yield None
    dump = _read[2]
    if not dump.transcripts:
        raise InspectorError(f"{path}: {dump.format}, and no conversation in it")
    index = index if 0 <= index < len(dump.transcripts) else dump.opened
    second = engine.opened(dump, index, provider_named(judge_of(dump.table)), path, desk.spec.counter)
    run = engine.compare(first, second)
    while True:
        try:
            desk.progress(READING + (1 - READING) * next(run))
        except StopIteration as stop:
            found: Compared = stop.value
            break
        yield None
    keep(desk, "compare", found, first, second)
    return found, tuple((one.id, one.title) for one in dump.transcripts[:LISTED]), index
