"""Characters that cannot be seen, or that turn the order of a line around, made visible: `\\u202e` is shown as `‹U+202E›`.

A dump is hostile input: what is read on screen must be what a provider would get. Line feeds and tabs stay; so does the variation
selector that ordinary emoji carry.
"""

from __future__ import annotations

import re
from functools import cache

_NAMES = {0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0B: "VT", 0x0C: "FF", 0x0D: "CR", 0x1B: "ESC", 0x7F: "DEL", 0xAD: "SHY", 0xFEFF: "BOM"}

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

Span = tuple[int, int]


def visible(text: str) -> str:
    """The text with every hidden character spelled out."""
    return marked(text)[0]


def marked(text: str) -> tuple[str, list[Span]]:
    """The same and where the made-up words stand in it (start, length), so that they can be told from such words in the dump."""
    text = text.replace("\r\n", "\n")
    if _HIDDEN.search(text) is None:
        return text, []
    out: list[str] = []
    spans: list[Span] = []
    end = at = 0
    for match in _HIDDEN.finditer(text):
        before = text[end : match.start()]
        word = _word(match.group())
        out += (before, word)
        at += len(before)
        spans.append((at, len(word)))
        at += len(word)
        end = match.end()
    out.append(text[end:])
    return "".join(out), spans


@cache
def _word(char: str) -> str:
    code = ord(char)
    return f"‹{_NAMES.get(code) or f'U+{code:04X}'}›"


def line(text: str, length: int) -> str:
    """One line of at most about `length` characters: cut first, then blanks run together, hidden characters spelled out."""
    return visible(" ".join(text[: 4 * length].split()))[:length]
