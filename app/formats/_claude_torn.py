"""Lines of a Claude Code session that are no JSON since two writes ran into each other: what can be read of them is read.

A write that was cut off leaves a part of a record without the end of its line, and the next record follows on the same line; two processes
that append at once leave two whole records on one (anthropics/claude-code#52387, #49876: a run of NUL bytes in front of a record).
"""

from __future__ import annotations

import re
from typing import Any, Final

from app.formats._json import NotJson, loads

_CUT: Final = re.compile(rb'(?<=\})[ \t]*(?=\{)|(?=\{"parentUuid":)')  # behind a record, or where this program begins one
MOST_CUTS: Final = 32
MOST_BYTES: Final = 1 << 26  # that are tried of one line


def pieces_of(line: bytes) -> list[tuple[bytes, Any]]:
    """A line in pieces, each with the record that it is, None where it is none; one piece where nothing of it can be read.

    The pieces put together are the line. A piece that is a record has a `type`, so that a part of a value is not taken for one.
    """
    cuts = [found.end() for _, found in zip(range(MOST_CUTS), _CUT.finditer(line), strict=False) if found.end()]
    ends = [*cuts, len(line)]
    pieces: list[tuple[bytes, Any]] = []
    start, torn, left = 0, 0, MOST_BYTES
    while start < len(line):
        value, end = None, start
        for end in [cut for cut in ends if cut > start]:
            left -= end - start
            if left < 0:
                return [(line, None)]
            value = _record(line[start:end])
            if value is not None:
                break
        if value is None:  # no record begins here: go on with the next place where one may
            start = next((cut for cut in ends if cut > start), len(line))
            continue
        if torn < start:
            pieces.append((line[torn:start], None))
        pieces.append((line[start:end], value))
        start = torn = end
    if torn < len(line):
        if pieces and not line[torn:].strip():
            last, value = pieces[-1]
            pieces[-1] = (last + line[torn:], value)
        else:
            pieces.append((line[torn:], None))
    return pieces


def _record(piece: bytes) -> dict[str, Any] | None:
    if not piece.lstrip().startswith(b"{"):
        return None
    try:
        value = loads(piece)
    except NotJson:
        return None
    return value if isinstance(value, dict) and isinstance(value.get("type"), str) else None
