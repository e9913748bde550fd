"""A list of messages somewhere inside a document that is of no kind that is known: where the deepest stores of programs keep it."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from app.formats._json import NotJson, loads
from app.formats._which import is_message

_DEEPEST: Final = 10
_MOST: Final = 20_000  # values that are looked at
_LOOKED_AT: Final = 60  # elements of a list

Keys = tuple[str | int, ...]


def buried(value: Any) -> Keys | None:
    """The way to the longest list whose elements are messages; None where there is none. Strings that hold JSON are looked into."""
    best: tuple[int, Keys] | None = None
    waiting: deque[tuple[Any, Keys]] = deque([(value, ())])
    left = _MOST
    while waiting and left:
        left -= 1
        held, way = waiting.popleft()
        if isinstance(held, str) and held.lstrip()[:1] in ("{", "["):
            try:
                held = loads(held.encode("utf-8", "surrogatepass"))
            except NotJson:
                continue
        if isinstance(held, list) and _is_talk(held):
            if best is None or len(held) > best[0]:
                best = len(held), way
        elif len(way) < _DEEPEST:
            inner = held.items() if isinstance(held, dict) else enumerate(held[:_LOOKED_AT]) if isinstance(held, list) else ()
            waiting.extend((one, (*way, key)) for key, one in inner if isinstance(one, dict | list | str))
    return best[1] if best is not None else None


def _is_talk(held: list[Any]) -> bool:
    """Whether most elements are messages, and one of them says who speaks."""
    some = held[:_LOOKED_AT]
    return 2 * sum(is_message(one) for one in some) > len(some) and any(isinstance(one, dict) and "role" in one for one in some)
