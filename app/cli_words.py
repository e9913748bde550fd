"""What the command line prints: JSON Lines, or plain aligned text in which nothing of a dump can act on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from app.model.errors import InspectorError
from app.pipeline.visible import visible, width


class Output:
    """Standard output as bytes. A reader that goes away (`| head`), or was never there (`>&-`), ends the writing and not the work: the
    status stays true. What cannot be written for another reason (a full disk) is an InspectorError, once."""

    def __init__(self) -> None:
        self._stream = getattr(sys.stdout, "buffer", None)
        self._closed = sys.stdout is None

    def text(self, line: str = "") -> None:
        """One line in the encoding of the terminal; what that cannot show is escaped."""
        self._write((line + "\n").encode(getattr(sys.stdout, "encoding", None) or "utf-8", "backslashreplace"))

    def json(self, value: Any) -> None:
        """One line of JSON in UTF-8; unpaired surrogates are escaped."""
        self._write(dumps(value) + b"\n")

    def _write(self, data: bytes) -> None:
        if self._closed:
            return
        try:
            if self._stream is None:  # standard output was replaced by one of text
                sys.stdout.write(data.decode("utf-8", "replace"))
                sys.stdout.flush()
            else:
                self._stream.write(data)
                self._stream.flush()
        except BrokenPipeError:
            self._closed = True
            hush()
        except (OSError, ValueError) as error:  # ValueError: it was closed by whoever calls us
            self._closed = True
            hush()
            reason = getattr(error, "strerror", None) or error
            raise InspectorError(f"standard output: {reason}; what was to be said is not all there, write it elsewhere") from None


def hush(stream: int = 1) -> None:
    """Nobody reads standard output (2: standard error) any more: the flush at exit must not complain either."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, (sys.stdout if stream == 1 else sys.stderr).fileno())
        os.close(null)
    except (OSError, ValueError, AttributeError):
        pass


def fill_streams() -> None:
    """Where a standard stream is closed, nothing takes its number: a file opened later must not be written to by what prints."""
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free


def dumps(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except (TypeError, ValueError, RecursionError):
        import json

        return json.dumps(value, separators=(",", ":")).encode()


def note(line: str) -> None:
    """One line on standard error; nowhere where that is closed."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(" ".join(visible(part) for part in line.splitlines()) + "\n")
        sys.stderr.flush()
    except UnicodeEncodeError:
        sys.stderr.write(line.encode("ascii", "backslashreplace").decode() + "\n")
    except (OSError, ValueError):
        hush(2)


def table(rows: Iterable[Sequence[str]], right: Sequence[int] = (), indent: str = "  ") -> list[str]:
    """Rows as aligned columns, two spaces apart; columns in `right` are set flush right. Hidden characters are made visible."""
    cells = [[visible(cell) for cell in row] for row in rows]
    widths = [max((width(row[i]) for row in cells if i < len(row)), default=0) for i in range(max(map(len, cells), default=0))]
    lines = []
    for row in cells:
        parts = []
        for i, cell in enumerate(row):
            gap = " " * (widths[i] - width(cell))
            parts.append(gap + cell if i in right else cell + gap)
        lines.append((indent + "  ".join(parts)).rstrip())
    return lines


def wrapped(text: str, indent: str, first: str | None = None, columns: int = 118) -> list[str]:
    """Words in lines of at most `columns`; a longer word stands alone."""
    lines: list[str] = []
    line = indent if first is None else first
    empty = True
    for word in visible(" ".join(text.split())).split(" "):
        if not empty and width(line) + 1 + width(word) > columns:
            lines.append(line)
            line, empty = indent, True
        line += word if empty else " " + word
        empty = False
    return [*lines, line]


def count(number: int, one: str, many: str = "") -> str:
    """`1 error`, `1,204 errors`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
