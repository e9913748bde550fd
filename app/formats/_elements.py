"""The elements of a long array, one by one, with their places: what makes a single document as cheap as lines.

The literal bytes from the brace of an element to its first key's colon are its signature. The next place where a signature stands
is where the next element is taken to begin, and the slice between is given to orjson. That is sound by induction: a slice that
begins at an element and decodes as one value ends with it. Where it does not decode, orjson's own error says what to do: content
behind the value, and where (the slice held more than one element); data that ends early (the signature stood inside the
element: twice as far, then). What orjson refuses for other reasons (unpaired surrogates, NaN, 1,024 levels) is ended by a scan for
the closing bracket, which is paid by that element alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import orjson

from app.formats._json import NotJson, loads_odd
from app.formats._scan import Malformed, Torn
from app.formats._window import Window

NOT_JSON: Final = object()
"""Stands for the value of an element that no decoder takes."""

Add = Callable[[int, int, Any, bool], None]
"""Is told of an element: offset, length, value (or NOT_JSON), and whether its strings may hold unpaired surrogates."""

_SIGNATURE: Final = re.compile(rb'\{[ \t\r\n]*+"[^"\\]*+"[ \t\r\n]*+:')
_SIGNATURES_MAX: Final = 8
_MORE: Final = "unexpected content after document"
_EARLY: Final = "unexpected end of data"
_SPACE: Final = b" \t\r\n"
_GAP_MAX: Final = 256


class Elements:
    """Walks an array of a file. After `walk`, `end` is behind its closing bracket, or `torn` is where what could not be read begins
    (`torn_in`: inside an element and not between two)."""

    def __init__(self, window: Window, add: Add) -> None:
        self._window = window
        self._add = add
        self._signatures: list[bytes] = []
        self._gap = b""
        self.end = -1
        self.torn = -1
        self.torn_in = False
        self.count = 0

    def walk(self, pos: int) -> None:
        """From the opening bracket at `pos`."""
        window = self._window
        at = window.space(pos + 1)
        if window.byte(at) == 93:
            self.end = at + 1
            return
        while True:
            at = self._alike(at)
            if window.byte(at) < 0:
                self.torn = at
                return
            try:
                value, odd, end = self._element(at)
            except (Torn, Malformed):
                self.torn, self.torn_in = at, True
                return
            self._add(at, end - at, value, odd)
            self.count += 1
            behind = window.space(end)
            byte = window.byte(behind)
            if byte == 93:
                self.end = behind + 1
                return
            if byte != 44:
                self.torn = behind
                self.torn_in = byte >= 0
                return
            at = window.space(behind + 1)
            self._gap = window.slice(end, at) if at - end <= _GAP_MAX else b""

    def _alike(self, at: int) -> int:
        """Elements that follow each other like the two before, from `at` on: what stands between them and the signature of the next
        one is searched for as one literal. Gives the place of the element that is not one of these."""
        if len(self._signatures) != 1 or not self._gap:
            return at
        window, add, loads = self._window, self._add, orjson.loads
        index = window.need(at, 1 << 16)
        data, base, gap = window.data, window.base, len(self._gap)
        literal = self._gap + self._signatures[0]
        view, find = memoryview(data), data.find
        if not data.startswith(self._signatures[0], index):
            return at
        begin = index
        while (cut := find(literal, index + 1)) >= 0:
            try:
                value = loads(view[index:cut])
            except orjson.JSONDecodeError:
                break
            add(base + index, cut - index, value, False)
            self.count += 1
            index = cut + gap
        return base + index if index > begin else at

    def _element(self, at: int) -> tuple[Any, bool, int]:
        """The value at `at`, whether it is odd, and where it ends."""
        window = self._window
        index = window.need(at, 1 << 16)
        data = window.data
        if data[index] != 123:
            return self._scanned(at)
        self._learn(index)
        cut = self._next(index + 1)
        if cut < 0 and not window.last:
            return self._far(at)
        end = _stripped(data, cut) if cut >= 0 else len(data) - _trailing(memoryview(data))
        if end < 0:  # not behind a comma: the signature stands inside the element
            return self._retried(at, cut, _EARLY)
        try:
            return orjson.loads(memoryview(data)[index:end]), False, window.base + end
        except orjson.JSONDecodeError as error:
            return self._refused(at, end, error)

    def _far(self, at: int) -> tuple[Any, bool, int]:
        """The window ends before the next element: it is moved, and an element that is larger than a window is scanned for its end."""
        if at == self._window.base:
            return self._scanned(at)
        self._window.move(at)
        return self._element(at)

    def _refused(self, at: int, end: int, error: orjson.JSONDecodeError) -> tuple[Any, bool, int]:
        """The slice up to index `end` is not one value."""
        if error.msg == _MORE:
            index = at - self._window.base
            cut = index + len(error.doc[: error.pos].encode("utf-8", "surrogatepass"))
            data = memoryview(self._window.data)[index:cut]
            try:
                value = orjson.loads(data)
            except orjson.JSONDecodeError:
                return self._scanned(at)
            return value, False, at + len(data) - _trailing(data)
        if error.msg == _EARLY and self._next(end) >= 0:
            return self._retried(at, end, _EARLY)
        return self._scanned(at)

    def _retried(self, at: int, end: int, reason: str) -> tuple[Any, bool, int]:
        """Further candidates, each at least twice as far away; then the scan."""
        window = self._window
        for _ in range(8):
            index = at - window.base
            cut = self._next(max(index + 2 * (end - index), end + 1))
            if cut < 0:
                break
            stripped = _stripped(window.data, cut)
            end = cut
            if stripped < 0:
                continue
            try:
                return orjson.loads(memoryview(window.data)[index:stripped]), False, window.base + stripped
            except orjson.JSONDecodeError as error:
                if error.msg == _MORE:
                    return self._refused(at, stripped, error)
                if error.msg != _EARLY:
                    break
        return self._scanned(at)

    def _scanned(self, at: int) -> tuple[Any, bool, int]:
        """Ended by its brackets."""
        window = self._window
        end = window.value_end(at)
        index = window.need(at)
        try:
            value, odd = loads_odd(memoryview(window.data)[index : end - window.base])
        except NotJson:
            return NOT_JSON, True, end
        return value, odd, end

    def _learn(self, index: int) -> None:
        data, signatures = self._window.data, self._signatures
        for number, signature in enumerate(signatures):
            if data.startswith(signature, index):
                if number:  # the one that was met last is looked for first: the others are then not looked for beyond it
                    signatures.insert(0, signatures.pop(number))
                return
        found = _SIGNATURE.match(data, index)
        if found is not None and len(signatures) < _SIGNATURES_MAX:
            signatures.append(found[0])

    def _next(self, index: int) -> int:
        """Where in the window the next signature stands; -1 where none does."""
        data, signatures = self._window.data, self._signatures
        if len(signatures) == 1:
            return data.find(signatures[0], index)
        best = -1
        for signature in signatures:
            found = data.find(signature, index, len(data) if best < 0 else best + len(signature))
            if found >= 0 and (best < 0 or found < best):
                best = found
        return best


def _stripped(data: bytes, cut: int) -> int:
    """The end of the value before a candidate at `cut`: without white space and one comma; -1 where no comma stands there."""
    end = cut - 1
    while end >= 0 and data[end] in _SPACE:
        end -= 1
    if end < 0 or data[end] != 44:
        return -1
    while end > 0 and data[end - 1] in _SPACE:
        end -= 1
    return end


def _trailing(data: memoryview) -> int:
    """How many bytes of white space end the data."""
    count = 0
    while count < len(data) and data[len(data) - 1 - count] in _SPACE:
        count += 1
    return count
