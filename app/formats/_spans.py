"""Items of logs: a list, one by itself, or one a line; and their order in time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from app.formats._calls import CallSheet
from app.formats._iso_times import seconds
from app.formats._json import BOM
from app.formats._logs import each_text
from app.formats._met import decoded
from app.formats._nodes import Node, document
from app.formats._peek import peek
from app.model.errors import UnreadableError
from app.model.source import Source

T = TypeVar("T")


def items_of(
    sheet: CallSheet, source: Source, first_look: bool, inside: str | Callable[[Node], Node | None] | None = None
) -> Iterator[tuple[int, Node]]:
    """The items of a file with their places: elements of a list, a document by itself, lines. Lines that are no JSON are noted as records.
    `inside`: a member of the document that holds the list, where there is one, or what finds the list in it."""
    if is_lines(source):
        read = 0
        for number, offset, text, value, _odd in each_text(source, first_look, decoded):
            if value is None:
                sheet.unparsed(offset, len(text), number)
                continue
            read += 1
            yield number, Node(text, value, offset, offset + len(text), f"/{number}", (), offset)
        if not read:
            raise UnreadableError(f"{source.name}: it holds no line that could be read")
        return
    root = document(source)
    held = root.get(inside) if isinstance(inside, str) else inside(root) if inside is not None else None
    if held is not None and isinstance(held.value, list):
        root = held
    yield from enumerate(root.elements() if isinstance(root.value, list) else [root])


def is_lines(source: Source) -> bool:
    """Whether a file is lines of JSON, and not one document."""
    start = len(BOM) if source.read(0, len(BOM)) == BOM else 0
    head = source.read(start, 1 << 20)
    return peek(head, start + len(head) >= source.size).lines


def in_time(items: Sequence[T], time: Callable[[T], Any]) -> list[T]:
    """Items in the order of their times (ISO 8601, or a number); those without one keep their place behind the one before."""
    stamps = [time(item) for item in items]
    found = seconds([stamp if isinstance(stamp, str) else "" for stamp in stamps]).tolist() if stamps else []
    for at, stamp in enumerate(stamps):
        if isinstance(stamp, int | float) and not isinstance(stamp, bool):
            found[at] = float(stamp) if abs(stamp) < 1e300 else math.nan
    last, keys = -math.inf, list[float]()
    for moment in found:
        last = last if math.isnan(moment) else moment
        keys.append(last)
    return [items[at] for at in sorted(range(len(items)), key=lambda at: (keys[at], at))]
