"""The head of a block's text for a list: read when a row is looked at, cleaned, and kept for a while.

Text in a dump is hostile: it is cut before anything else is done with it, and what cannot be seen is spelled out (widgets/visible.py).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Any, NamedTuple, Protocol

import orjson

from app.model.block import Block
from app.model.kinds import Kind
from widgets.visible import line

HEAD = 300  # characters of a text that a row may show
KEPT = 4096  # heads that are remembered
BUDGET = 0.004  # seconds of reading that one repaint may take

# members of a call's arguments that say most of it, in this order
_TELLING = ("command", "cmd", "file_path", "path", "filename", "query", "pattern", "sql", "url", "code", "prompt", "description", "id")


class Head(NamedTuple):
    """What a row knows of a block. `lines` of its whole text; `gist`: of a call the argument that says most."""

    text: str
    lines: int
    name: str | None = None
    call_id: str | None = None
    error: bool = False
    media: str = ""  # type and size of its first image or document, and how many more
    gist: str = ""
    digest: int = 0  # of a call, of all its arguments: equal texts, equal numbers (within this process)
    unread: bool = False  # not read yet: there was no time in this repaint
    failed: bool = False


UNREAD = Head("", 0, unread=True)


class Reader(Protocol):
    def block(self, row: int) -> Block: ...
    def original(self, row: int) -> Block | None: ...


class BlockHeads:
    """Heads by row, the last few thousand. Within one repaint only so much time goes into reading: see `begin`."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._kept: OrderedDict[int, Head] = OrderedDict()
        self._left: float | None = None
        self._originals = False
        self.starved = False  # whether a head was asked for and put off

    def forget(self) -> None:
        self._kept.clear()

    def read_originals(self, on: bool) -> None:
        """Reads blocks as the file has them, from now on."""
        self._originals = on
        self.forget()

    def begin(self, seconds: float | None = BUDGET) -> None:
        """Starts a repaint: after `seconds` of it, what has not been read is put off. None: all is read."""
        self._left = seconds
        self.starved = False

    def end(self) -> None:
        """Whatever is asked for from now on is read."""
        self._left, self.starved = None, False

    def head(self, row: int) -> Head:
        found = self._kept.get(row)
        if found is not None:
            self._kept.move_to_end(row)
            return found
        if self._left is not None and self._left <= 0:
            self.starved = True
            return UNREAD
        started = time.perf_counter()
        try:
            block = self._reader.original(row) if self._originals else None
            found = _head(block or self._reader.block(row))
        except Exception as error:  # whatever a damaged file does to a reader: a repaint that raises takes the program down
            found = Head(line(f"cannot be read: {error}", HEAD), 0, failed=True)
        if self._left is not None:
            self._left -= time.perf_counter() - started
        self._kept[row] = found
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found


def _head(block: Block) -> Head:
    first = next((text for text in block.texts if text and not text.isspace()), "")
    lines = sum(text.count("\n") + (not text.endswith("\n")) for text in block.texts if text)
    called = block.kind == Kind.TOOL_CALL
    name = line(block.name, 80) if block.name is not None else None
    call_id = line(block.call_id, 60) if block.call_id is not None else None
    return Head(line(first, HEAD), lines, name, call_id, block.error, _media(block), _gist(block) if called else "",
                hash(block.texts) if called else 0)  # fmt: skip


def _media(block: Block) -> str:
    if not block.media:
        return ""
    first = block.media[0]
    size = f" {first.width:,}×{first.height:,}" if first.width and first.height else ""
    return line(first.mime, 60) + size + (f" and {len(block.media) - 1} more" if len(block.media) > 1 else "")


def _gist(block: Block) -> str:
    """The argument of a call that says most of it, else its arguments as they stand."""
    text = block.texts[0] if block.texts else ""
    value: Any = None
    if len(text) <= 100_000:
        try:
            value = orjson.loads(text)
        except ValueError:
            return line(text, HEAD)
    if not isinstance(value, dict):
        return line(text, HEAD)
    words = {key: item for key, item in value.items() if isinstance(item, str) and item.strip()}
    for key in _TELLING:
        if key in words:
            return line(words[key], HEAD)
    if len(value) == 1 and words:
        return line(next(iter(words.values())), HEAD)
    return "" if not value else line(text, HEAD)
