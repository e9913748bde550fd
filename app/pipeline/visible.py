"""Characters that act on a terminal or hide in a text, made visible: control characters, escapes, bidirectional marks, tags,
zero-width characters, unpaired surrogates."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# A variation selector and a joiner belong to the emoji before them; anywhere else they hide something.
_HIDDEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?:(?<=[\x00-\x7f\ufe0f\u200d])|(?<![\\s\\S]))[\ufe0f\u200d]"
)
_PICTURES: Final = {"\n": "⏎", "\t": "→", "\r": "␍"}


def visible(text: str) -> str:
    """The text with each hidden character replaced by a sign: `⏎` for a line's end, `→` for a tab, `␛` for escape, `<U+202E>`."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    char = found.group()
    if char in _PICTURES:
        return _PICTURES[char]
    if char < " ":
        return chr(0x2400 + ord(char))
    return "␡" if char == "\x7f" else f"<U+{ord(char):04X}>"


def width(text: str) -> int:
    """Columns that a text takes in a terminal: two for wide characters, none for those that stand on the one before."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
