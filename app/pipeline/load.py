"""From a path to a dump: the source is opened, its format found, its records and blocks read into columns."""

from __future__ import annotations

import os
from collections.abc import Callable

from app.formats import FORMATS
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source
from app.pipeline.detect import detect, rivals
from app.pipeline.unwrap import said

FIRST_LOOK = 1 << 18  # bytes: what a window shows before the whole file is read


def load(source: Source, hint: str | None = None, progress: Callable[[float], None] | None = None) -> Dump:
    """The whole file as columns. `hint`: the name of a format that is to be used whatever the file looks like.

    UnreadableError, one clear line, where nothing of it can be opened.
    """
    found = detect(source, hint)
    return _parsed(source, found, progress=progress)


def first_look(path: str | os.PathLike[str], hint: str | None = None) -> Dump | None:
    """What the head of a file tells, in some milliseconds at any size; None where it tells nothing (then `load` says why).

    The dump is not complete: what the head cuts off is left out, and what depends on the end of the file (which branch is opened)
    may come out otherwise in the end.
    """
    try:
        source = Source.open(path, limit=FIRST_LOOK)
    except UnreadableError:
        return None
    try:
        return _parsed(source, detect(source, hint), first_look=source.size < source.stamp.size)
    except UnreadableError:
        source.close()
        return None


def _parsed(source: Source, found: list[Confidence], progress: Callable[[float], None] | None = None, first_look: bool = False) -> Dump:
    best = found[0]
    source.told = progress
    try:
        dump = FORMATS[best.format].parse(source, progress, first_look)
    finally:
        source.told = None
        if progress is not None:
            progress(1.0)
    if source.stand_in is not None:
        dump.table.extra.setdefault("stand_in", source.stand_in)
    near = rivals(found)
    dump.rivals = near
    dump.whys.insert(0, f"{best.format}: {best.why}")
    if wrapped := said(source):
        dump.whys.append(f"taken out of {wrapped}; it is put back into the same")
    if near:
        dump.whys.insert(1, f"{' and '.join(c.format for c in near)} would fit nearly as well")
    return dump
