"""JSON with something else around it, or pretty-printed documents one after another: both are read as if each stood on its line.

A log line before a body, a command with `--data`, words around a block of code: what is no JSON becomes spaces. `jq .` over a session log:
the line ends inside each document become spaces. No byte moves, so that what is copied of the text on its way out is what stood there.
"""

from __future__ import annotations

import json
import re
from typing import Final

MOST: Final = 1 << 28  # bytes of a text that is looked through
SEAM: Final = re.compile(rb"\n[\]}](?:[ \t]*\r?\n)+[\[{]")  # a document ends at the left edge, and another one begins there
_OPENS: Final = re.compile(r"[\[{]")
_TRIES: Final = 2_000  # brackets that are tried
_READ: Final = 8  # times that a text is read in vain
_DEEP: Final = 1_000  # brackets
_LEAST: Final = 24  # characters of a document that is worth a look
_ENDS: Final = bytes.maketrans(b"\r\n", b"  ")


def unfolded(data: bytes) -> bytes | None:
    """Documents that are laid out over many lines and follow one another, each on one line; None where this is not that. As long as
    what was given."""
    if len(data) > MOST or not SEAM.search(data):
        return None
    out, start = [], 0
    for seam in SEAM.finditer(data):
        end = seam.start() + 2  # behind the closing bracket
        out += [data[start:end].translate(_ENDS), data[end : seam.end() - 1]]
        start = seam.end() - 1
    last = data[start:]
    body = last.rstrip()
    out += [body.translate(_ENDS), last[len(body) :]]
    return b"".join(out)


def may_be_folded(head: bytes) -> bool:
    """Whether a file that begins like this may be documents over many lines: a bracket alone on the first line."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*[\[{][ \t]*\r?\n", head) is not None


def dug_out(data: bytes) -> bytes | None:
    """The JSON documents of a text, all else being spaces; None where there is none. As long as what was given. Where there are several,
    each is laid out on one line."""
    if len(data) > MOST:
        return None
    text = data.decode("latin-1")  # a character a byte; what JSON is made of is ASCII
    found: list[tuple[int, int, frozenset[str]]] = []
    decode, at, tries, spent = json.JSONDecoder(strict=False).raw_decode, 0, 0, 0
    while tries < _TRIES and spent < _READ * len(text) and (opens := _OPENS.search(text, at)):
        tries += 1
        start = opens.start()
        try:
            value, at = decode(text, start)
        except json.JSONDecodeError as error:
            spent += error.pos - start
            at = start + 1
            continue
        except RecursionError:  # deeper than any dump
            at = start + _DEEP
            continue
        if at - start >= _LEAST:
            found.append((start, at, frozenset(value) if isinstance(value, dict) else frozenset()))
            tries = 0
    if not found:
        return None
    longest = max(found, key=lambda one: one[1] - one[0])
    lines = sum(1 for line in data.splitlines() if line.strip())
    if 2 * len(found) < lines:  # not one in each line: what is unlike the longest is no matter
        found = [one for one in found if one is longest or 2 * len(one[2] & longest[2]) > len(longest[2])]
    out = bytearray(re.sub(rb"[^\r\n]", b" ", data) if len(found) > 1 else re.sub(rb"[^\n]", b" ", data))
    for start, end, _ in found:
        out[start:end] = data[start:end].translate(_ENDS) if len(found) > 1 else data[start:end]
    return bytes(out)
