"""What changes took away, kept by digest: one JSON object a line, so that every removed body can be found again.

The first line says of which file; each further one is `{"sha256": …, "at": [pointers], "was": …, "body": …}`. A report names the digests.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from app.formats._json import compact
from app.model.dump import Dump
from app.model.edits import Layer
from app.model.transcript import Transcript
from app.pipeline import atomic
from app.pipeline.blocks import Blocks
from app.pipeline.report_rows import Done, Looks, body_of, rows_of
from app.pipeline.view import make_view
from app.version import VERSION


@dataclass
class _Body:
    row: int
    looks: Looks
    was: str
    places: list[str] = field(default_factory=list)


def save(path: str | os.PathLike[str], dump: Dump, done: Iterable[tuple[Transcript, tuple[Layer, ...]]]) -> int:
    """Writes the bodies that the layers of each transcript (as opened) removed; how many different ones. Whole or not at all."""
    bodies: dict[str, _Body] = {}
    for base, layers in done:
        looks = Looks(make_view(base, source=dump.source), Blocks(dump, base))
        for one in _removed(layers, looks):
            body = bodies.setdefault(one.digest, _Body(one.row, looks, one.was))
            if one.at not in body.places:
                body.places.append(one.at)
    atomic.write(atomic.target_of(path, dump.source), _lines(dump, bodies))
    return len(bodies)


def _removed(layers: tuple[Layer, ...], looks: Looks) -> Iterator[Done]:
    for layer in layers:
        for change in layer.changes:
            yield from (one for one in rows_of(change, looks) if one.digest)


def _lines(dump: Dump, bodies: dict[str, _Body]) -> Iterator[bytes]:
    head = {"program": "transcript-inspector", "kind": "removed", "version": 1, "file": os.path.basename(dump.source.name), "by": VERSION}
    yield _line(head)
    for digest, body in bodies.items():
        block = body.looks.block(body.row)
        assert block is not None
        yield _line({"sha256": digest, "at": body.places, "was": body.was, "body": body_of(block)})


def _line(value: object) -> bytes:
    return compact(value).encode("utf-8", "backslashreplace") + b"\n"
