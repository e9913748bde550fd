"""Lists that were met while a file is read, each with what was found out of its elements: for those that begin with all of one of them.

What is told by their bytes alone stands here: which list another begins with, and where it ends. The rest is `_growing.py`.
"""

from __future__ import annotations

import os
import threading
from array import array
from bisect import bisect_right
from typing import Any, Final

import orjson

from app.formats._fast_spans import elements_behind
from app.formats._json import loads_odd
from app.formats._which import Look

RECENT: Final = 8  # lists that one may begin with
WORTH: Final = 2048  # bytes from which on taking elements from an earlier list is cheaper than decoding them
AHEAD: Final = 1 << 16  # bytes before a list, within which it is looked for
_WORD: Final = os.urandom(12).hex().encode()  # no text of a dump is this


class Met:
    """A list that was met: its bytes up to the end of its last element, where the elements (objects, all of them) stand in these, and what
    is known of each. `keys`, `chains`, `prints`: see `_calls.py`, which fills them in."""

    __slots__ = ("before", "chains", "data", "ends", "keys", "look", "prints", "said", "starts", "values", "wire")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.starts, self.ends = array("q"), array("q")
        self.values: list[Any] = []
        self.look = Look()
        self.before = 0, Look()  # of the elements that stood in the list that it goes on with
        self.said: list[Any] = []
        self.wire = ""
        self.forget()

    def forget(self) -> None:
        """Forgets what depends on the wire."""
        self.keys: list[tuple[Any, ...]] = []
        self.chains: list[int] = []
        self.prints = array("q")

    def add(self, value: Any, start: int, end: int) -> None:
        self.values.append(value)
        self.look.add(value)
        self.starts.append(start)
        self.ends.append(end)

    def begun(self, count: int, data: bytes) -> Met:
        """The same for a list that begins with `count` of these elements."""
        met = Met(data)
        met.starts, met.ends, met.values = self.starts[:count], self.ends[:count], self.values[:count]
        met.wire, met.said = self.wire, self.said[:count]
        met.keys, met.chains, met.prints = self.keys[:count], self.chains[:count], self.prints[:count]
        if count == len(self.values):
            met.look = self.look.copy()
        else:
            known, look = self.before if count >= self.before[0] else (0, Look())
            met.look = look.copy()
            for value in met.values[known:]:
                met.look.add(value)
        met.before = count, met.look.copy()
        return met


class _Memory(threading.local):
    """The lists that were met last, the latest at the end."""

    def __init__(self) -> None:
        self.lists: list[Met] = []


_memory: Final = _Memory()


def forget() -> None:
    """Forgets all of them: to be called where a file begins and ends."""
    _memory.lists = []


def remember(met: Met, before: Met | None) -> None:
    """`before`: the list that it goes on with, all of it."""
    if before is not None:
        _memory.lists.remove(before)
    _memory.lists.append(met)
    if len(_memory.lists) > RECENT:
        del _memory.lists[0]


def begins(data: bytes, start: int, end: int) -> tuple[Met | None, int]:
    """The list that was met with which the one from `start` to `end` shares the most elements from the front on, and how many."""
    best, most = None, 0
    for met in reversed(_memory.lists):
        if not data.startswith(met.data[: met.ends[0]], start):
            continue
        count = len(met.values)
        if end - start <= len(met.data) or not data.startswith(met.data, start):
            count = bisect_right(met.ends, _same(met.data, data, start))
        if count > most:
            best, most = met, count
        if count == len(met.values):
            break
    return best, most


def known_end(data: bytes, start: int, end: int) -> int:
    """Where the list at `start` ends, in a container that ends at `end`; -1 where it begins with none that was met. Torn, Malformed."""
    for met in reversed(_memory.lists):
        if end - start > len(met.data) and data.startswith(met.data, start):
            stop = start + len(met.data)
            for span in elements_behind(data, stop, end):
                stop = span[1]
            return data.index(b"]", stop) + 1
    return -1


def decoded(text: bytes) -> tuple[Any, bool]:
    """As `loads_odd`. Where a list that was met stands in the text, its elements are taken from there and only the rest is decoded: with a
    word in their place, which is found again in what comes out. So nothing rests on where they seem to stand."""
    for met in reversed(_memory.lists):
        if len(met.data) < WORTH:
            continue
        start = text.find(met.data[: met.ends[0]], 0, len(met.data[: met.ends[0]]) + AHEAD)
        if start < 0:
            continue
        best, count = begins(text, start, len(text))
        if best is None or best.ends[count - 1] < WORTH:
            continue
        try:
            value = orjson.loads(b'%b["%b"%b' % (text[:start], _WORD, text[start + best.ends[count - 1] :]))
        except orjson.JSONDecodeError:
            break
        held = _worded(value)
        if held is not None:
            held[:1] = best.values[:count]
            return value, False
        break
    return loads_odd(text)


def _worded(value: Any) -> list[Any] | None:
    """The list that begins with our word."""
    word = _WORD.decode()
    waiting, left = [value], 400
    while waiting and left:
        left -= 1
        held = waiting.pop(0)
        if isinstance(held, list) and held and held[0] == word:
            return held
        inner = held.values() if isinstance(held, dict) else held
        waiting += [one for one in inner if isinstance(one, dict | list)]
    return None


def _same(one: bytes, data: bytes, start: int) -> int:
    """How many bytes `one` and what stands at `start` have in common."""
    low, high = 0, min(len(one), len(data) - start)
    while low < high:
        middle = (low + high + 1) // 2
        if data.startswith(one[low:middle], start + low):
            low = middle
        else:
            high = middle - 1
    return low
