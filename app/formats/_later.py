"""Dumps that are known by sight but cannot be opened yet: each is named, so that nobody takes it for a damaged request.

The most specific key comes first. An entry goes when its format arrives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from app.formats._peek import Peek


class Later(NamedTuple):
    """`title`: what it looks like; `why`: the keys that matched."""

    title: str
    why: str


_Test = Callable[[Any], bool]


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _first(value: Any) -> dict[str, Any]:
    """The first element of a list, where it is an object."""
    return _dict(value[0]) if isinstance(value, list) and value else {}


OBJECTS: Final[tuple[tuple[str, str, _Test], ...]] = (
    ("a batch entry", "custom_id", lambda o: "custom_id" in o),
)  # fmt: skip

LINES: Final[tuple[tuple[str, str, _Test], ...]] = (
    ("a data set, one a line", "messages in each line", lambda o: "messages" in o or "contents" in o or "input" in o),
)  # fmt: skip


def recognise(seen: Peek) -> Later | None:
    """What a head looks like, where that cannot be opened yet; None where it is none of these."""
    if seen.lines:
        return _of_lines(seen.records)
    value = seen.value
    if isinstance(value, dict):
        for title, why, test in OBJECTS:
            if test(value):
                return Later(title, why)
    elif isinstance(value, list) and value:
        first = value[0]
        if isinstance(first, list) and _first(first):
            return Later("a list of conversations", "lists in a list")
    messages = seen.messages()
    return of_messages(messages) if messages else None


def _of_lines(records: tuple[Any, ...]) -> Later | None:
    """The verdict of most lines."""
    votes: dict[Later, int] = {}
    for record in records:
        found = None
        if isinstance(record, list):
            found = Later("a file of conversations, one a line", "a list in each line")
        else:
            found = next((Later(title, why) for title, why, test in LINES if test(record)), None)
        if found is not None:
            votes[found] = votes.get(found, 0) + 1
    best = max(votes, key=lambda later: votes[later], default=None)
    return best if best is not None and 2 * votes[best] >= len(records) else None


def of_messages(messages: list[Any]) -> Later | None:
    """A list of messages in a dialect that comes later, told by its keys, its blocks or its ids."""
    objects = [m for m in messages if isinstance(m, dict)]
    if not objects:
        return None
    blocks = [b for m in objects for b in _list(m.get("content")) if isinstance(b, dict)]
    for title, why, test in _DIALECTS:
        if test(objects, blocks):
            return Later(title, why)
    return None


_Messages = list[dict[str, Any]]
_DIALECTS: Final[tuple[tuple[str, str, Callable[[_Messages, _Messages], bool]], ...]] = (
)  # fmt: skip
