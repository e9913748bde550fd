"""Paths into what a log holds in other forms than JSON: streams, and attributes that were flattened. They are decoded on the way.

What such a form comes to is kept for the last few, since neighbouring messages stand in the same one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from app.formats._attributes import flat, rebuilt
from app.formats._json import BOM, NotJson, loads
from app.formats._nodes import Node
from app.formats._paths import DECODE, Path, follow
from app.formats._streams import STREAM, answers

ATTRIBUTES: Final = "\0attributes"
"""On a path: these are attributes of a span; what follows is the prefix of what is rebuilt of them ("": all, as they are), and leads in."""

TEXT: Final = "\0text"
"""At the head of a path: the record is text, and no JSON."""
EACH_LINE: Final = "\0lines"
"""At the head of a path: the record is lines of JSON; those that are none are left out."""

_SPECIAL: Final = frozenset({DECODE, STREAM, ATTRIBUTES, TEXT, EACH_LINE})


def deep(data: bytes, path: Path) -> Any:
    """The node at the end of a path into a record; None where it leads nowhere. What comes back is shared: it must not be changed."""
    last = max((at for at, token in enumerate(path) if token in _SPECIAL), default=-1)
    if last < 0:
        return follow(loads(data), path)
    head = last + (2 if path[last] in (STREAM, ATTRIBUTES) else 1)
    return follow(_opened(data, path[:head]), path[head:])


@lru_cache(maxsize=4)
def _opened(data: bytes, path: Path) -> Any:
    """What stands at the end of a path that ends with a form of its own."""
    last = max(at for at, token in enumerate(path) if token in _SPECIAL)
    if path[last] == TEXT:
        return data.decode("utf-8", "replace")
    if path[last] == EACH_LINE:
        return [value for line in data.splitlines() if isinstance(value := _line(line), dict)]
    before = deep(data, path[:last])
    if path[last] == DECODE:
        return follow(before, path[last:])
    if path[last] == STREAM:
        found, number = answers(before), path[-1]
        return found[number] if isinstance(number, int) and number < len(found) else None
    return rebuilt(flat(before), str(path[-1])) if path[-1] else flat(before)


def _line(line: bytes) -> Any:
    try:
        return loads(line.removeprefix(BOM))
    except NotJson:
        return None


def clear() -> None:
    """Forgets what was kept."""
    _opened.cache_clear()


def attributes(node: Node, prefix: str = "") -> Node:
    """The attributes of a span as a node: all by their keys, or what was flattened under a prefix."""
    value = flat(node.value)
    held = rebuilt(value, prefix) if prefix else value
    return node.inside(held, ATTRIBUTES, prefix)
