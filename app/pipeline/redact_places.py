"""What a string of a dump goes by, and where the lines of a text are that is no JSON: for redaction, which looks at both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from app.model.source import Source
from app.pipeline.json_strings import Where
from app.pipeline.sensitive import Hit, Pattern, secret_key
from app.pipeline.shape import pieces


class Beside:
    """What a string goes by: the key of its member; in a list of headers or variables (`{"name": "Authorization", "value": …}`, a flat list
    of names and values), what stands before it."""

    def __init__(self) -> None:
        self._depth, self._name = -1, ""

    def key(self, text: str, where: Where) -> str:
        depth, key = len(where.steps), where.key or ""
        before = self._name if self._depth == depth else ""
        in_list = bool(where.steps) and isinstance(where.steps[-1], int)
        names = len(text) <= 64 and (in_list or key.lower() in NAMING)
        self._depth, self._name = (depth, text) if names else (-1, "")
        if before and secret_key(before) and (in_list or key.lower() == "value"):
            return before
        return key


NAMING = frozenset({"name", "key", "variable", "header"})


def secret_number(raw: bytes, key: str) -> bool:
    """Whether a number is a password or a code."""
    return len(raw) >= 4 and raw.isdigit() and secret_key(key)


def in_lines(text: str, hits: Iterable[Hit]) -> Iterator[tuple[int, int, Pattern]]:
    """Hits of a text line by line: what begins a line of it (`> `, `#### `) is the form of the file."""
    for hit in hits:
        at = hit.start
        for line in text[hit.start : hit.end].split("\n"):
            mark = _LINE_MARK.match(line) if at > hit.start else None
            start, end = at + (mark.end() if mark is not None else 0), at + len(line.rstrip("\r"))
            if start < end:
                yield start, end, hit.pattern
            at += len(line) + 1


_LINE_MARK = re.compile(r"[>#*\s-]*(?=\S)")
STRETCH = 1 << 16


def stretches(source: Source) -> Iterator[tuple[str, int, float]]:
    """A text in stretches that end at a blank line, each with the number of its first line and how much of the file that was."""
    lines, size, first, number, done = list[bytes](), 0, 0, 0, 0.0
    for number, (line, done) in enumerate(pieces(source), 1):
        lines.append(line)
        size += len(line)
        if size >= STRETCH and not line.strip():
            yield b"".join(lines).decode("utf-8", "surrogateescape"), first, done
            lines, size, first = [], 0, number
    if lines:
        yield b"".join(lines).decode("utf-8", "surrogateescape"), first, done
