"""A JSON value looked at a level at a time: what a tree shows of it without laying out the rest.

A place is a path of numbers: the n-th member or element, at each level; INSIDE goes into a string that holds JSON itself. Members that
stand twice in an object are kept where the text was read here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import orjson

INSIDE: Final = -1
PREVIEW: Final = 300  # characters of a string that are shown
SMALL: Final = 200_000  # characters of JSON in a string that are read with all that stands in it: members that stand twice, its depth
DEEP: Final = 200  # levels that are counted


class Members(list[tuple[str, Any]]):
    """An object with every member that its text has, though a key stands twice."""


class Seen(NamedTuple):
    """One member or element. `kind`: object, array, string, number, true, false, null. `text`: its value, or the head of it; `size`: of a
    string its characters, else its members. `holds`: levels of JSON that a string holds, 0 for none, -1 for an unknown number.
    `twice`: its key stands more than once in its object."""

    key: str | int
    kind: str
    text: str
    size: int
    holds: int = 0
    twice: bool = False


def children(value: Any, path: Sequence[int], start: int, count: int) -> tuple[list[Seen], int]:
    """What stands at a path, `count` entries from `start` on, and how many there are. ValueError where a string holds no JSON."""
    held = at(value, path)
    if isinstance(held, dict | Members):
        items: Iterator[tuple[str, Any]] = iter(held.items()) if isinstance(held, dict) else iter(held)
        twice = _twice(held) if isinstance(held, Members) else frozenset()
        return _all_seen(((key, item, key in twice) for key, item in islice(items, start, start + count))), len(held)
    if isinstance(held, list):
        return _all_seen((start + n, item, False) for n, item in enumerate(held[start : start + count])), len(held)
    return [], 0


def _all_seen(entries: Iterable[tuple[str | int, Any, bool]]) -> list[Seen]:
    """Strings that hold JSON are read for their depth until that comes to too much."""
    out, left = [], 2 * SMALL
    for key, item, twice in entries:
        out.append(_seen(key, item, twice, left > 0))
        left -= len(item) if isinstance(item, str) else 0
    return out


def _twice(members: Members) -> frozenset[str]:
    seen: set[str] = set()
    again: set[str] = set()
    for key, _ in members:
        (again if key in seen else seen).add(key)
    return frozenset(again)


def at(value: Any, path: Sequence[int]) -> Any:
    """The value at a path. ValueError where a string on the way holds no JSON; IndexError where there is nothing."""
    for step in path:
        if step == INSIDE:
            value = read(value)
        elif isinstance(value, dict):
            value = next(islice(value.values(), step, None), None)
        else:
            value = value[step][1] if isinstance(value, Members) else value[step]
    return value


def read(text: str) -> Any:
    """JSON that stands in a string. ValueError where it is none."""
    if len(text) > SMALL:
        return orjson.loads(text)
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _object(pairs: list[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Members(pairs)


def seen(key: str | int, value: Any) -> Seen:
    """What is shown of a value by itself."""
    return _seen(key, value)


def _seen(key: str | int, value: Any, twice: bool = False, look: bool = True) -> Seen:
    if isinstance(value, str):
        return Seen(key, "string", value[:PREVIEW], len(value), holds(value, SMALL if look else 0), twice)
    if isinstance(value, dict | Members):
        return Seen(key, "object", "", len(value), 0, twice)
    if isinstance(value, list):
        return Seen(key, "array", "", len(value), 0, twice)
    if value is None or isinstance(value, bool):
        word = {None: "null", True: "true", False: "false"}[value]
        return Seen(key, word, word, 0, 0, twice)
    return Seen(key, "number", str(value)[:PREVIEW], 0, 0, twice)


def holds(text: str, most: int = SMALL) -> int:
    """How many levels of JSON a string holds: 0 where it is no object and no list, -1 where it is too long to be read now."""
    head = text[:64].lstrip()[:1]
    if head not in ("{", "[") or text[-64:].rstrip()[-1:] not in ("}", "]"):
        return 0
    if len(text) > most:
        return -1
    try:
        return depth(read(text))
    except ValueError:
        return 0


def depth(value: Any) -> int:
    """Levels of objects and lists; at most DEEP are counted."""
    level, here = 0, [value]
    while here and level < DEEP:
        here = [item for held in here if isinstance(held, dict | list) for item in _items(held)]
        level += bool(here)
    return max(1, level) if isinstance(value, dict | list) else 0


def _items(held: Any) -> list[Any]:
    if isinstance(held, dict):
        return list(held.values()) or [None]
    return ([item for _, item in held] if isinstance(held, Members) else list(held)) or [None]


def written(value: Any) -> str:
    """A value as JSON over lines, members that stand twice both; on one line where it is nested too deep for that."""
    return "".join(_written(value, 0))


def _written(value: Any, level: int) -> Iterator[str]:
    pairs = list(value.items()) if isinstance(value, dict) else list(value) if isinstance(value, Members) else None
    if (pairs is None and not isinstance(value, list)) or not value or level >= DEEP:
        yield "{}" if pairs == [] else _line(value)
        return
    pad = "\n" + "  " * (level + 1)
    yield "[" if pairs is None else "{"
    for number, item in enumerate(value if pairs is None else pairs):
        yield ("," if number else "") + pad
        if pairs is not None:
            yield json.dumps(item[0], ensure_ascii=False) + ": "
            item = item[1]
        yield from _written(item, level + 1)
    yield "\n" + "  " * level + ("]" if pairs is None else "}")


def _line(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return '"… nested too deep to be written here"'


def pointer(keys: Sequence[str | int]) -> str:
    """A JSON pointer (RFC 6901)."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def walk(value: Any, needle: str) -> Iterator[tuple[int, ...] | None]:
    """Paths of the keys and values that hold a text, whatever its case, in the order of the tree; None now and then, to take a breath.
    A short string that holds JSON is looked into."""
    wanted, count = needle.casefold(), 0
    todo: list[tuple[tuple[int, ...], str | int, Any]] = [((), "", value)]
    while todo:
        path, key, held = todo.pop()
        count += 1
        if not count % 500:
            yield None
        inside = isinstance(held, str) and len(held) <= SMALL and holds(held) > 0
        plain = held if isinstance(held, str) and not inside else _seen("", held).text if not isinstance(held, dict | list | str) else ""
        if path and ((isinstance(key, str) and wanted in key.casefold()) or (plain and wanted in plain.casefold())):
            yield path
        if inside:
            path, held = (*path, INSIDE), read(held)
        if isinstance(held, dict | Members):
            pairs = list(held.items()) if isinstance(held, dict) else list(held)
            todo += [((*path, n), name, item) for n, (name, item) in reversed(list(enumerate(pairs)))]
        elif isinstance(held, list):
            todo += [((*path, n), n, item) for n, item in reversed(list(enumerate(held)))]
