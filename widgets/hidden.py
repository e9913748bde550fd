"""Characters that a reader does not see, by their names: what stands in a tooltip over the word that was made up for one.

Which they are: controls, what turns the order of a line around (Unicode Standard Annex 9, explicit formatting characters), zero-width ones,
spaces that look like the plain one, and the tag characters of block E0000, with which text can be smuggled past a reader.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# A joiner or a variation selector that stands behind an emoji belongs to it; anywhere else they hide something.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200c\u200e\u200f\u2028-\u202f"
    "\u205f-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffc\ufffe\uffff\ud800-\udfff\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]|(?:(?<=[\x00-\u1fff])|(?<![\\s\\S]))[\u200d\ufe0f]"
)
# These are spelled out always: they would act on the page, or cannot be laid out at all.
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufdd0-\ufdef\ufffc\ufffe\uffff\ud800-\udfff]")

_SHORT = {
    0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0B: "VT", 0x0C: "FF", 0x0D: "CR", 0x1B: "ESC", 0x7F: "DEL", 0xA0: "NBSP", 0xAD: "SHY",
    0xFEFF: "BOM",
}  # fmt: skip
_CONTROLS = {
    0x00: "NULL", 0x07: "BELL", 0x08: "BACKSPACE", 0x0B: "LINE TABULATION", 0x0C: "FORM FEED", 0x0D: "CARRIAGE RETURN", 0x1B: "ESCAPE",
    0x7F: "DELETE", 0x85: "NEXT LINE",
}  # fmt: skip
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_THIN = frozenset("\u200b\u200c\u200d\u2060\ufeff")


@cache
def word(char: str) -> str:
    """`‹U+202E›`: what is shown in place of a hidden character."""
    code = ord(char)
    return f"‹{_SHORT.get(code) or f'U+{code:04X}'}›"


def name(char: str) -> str:
    """`U+202E RIGHT-TO-LEFT OVERRIDE: turns the order of what follows around`."""
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return f"U+{code:04X}, half of a pair that the other half is missing of"
    known = _CONTROLS.get(code) or unicodedata.name(char, "")
    if not known:
        kind = unicodedata.category(char)
        known = {"Cc": "a control character", "Cs": "half of a pair that the other half is missing of", "Cn": "no character"}.get(kind, "")
    told = f"U+{code:04X} {known}".strip()
    if char in _TURNS:
        return f"{told}: it turns the order of what stands around it"
    if char in _THIN:
        return f"{told}: it has no width"
    if 0xE0000 <= code <= 0xE007F:
        return f"{told}: a tag, never seen by a reader"
    if unicodedata.category(char) == "Zs":
        return f"{told}: it looks like a plain space"
    return told


def smuggled(text: str) -> str:
    """What tag characters spell: `ignore all` for a run of those that stand for these letters; "" where there are none."""
    return "".join(chr(ord(char) - 0xE0000) for char in text if 0xE0020 <= ord(char) <= 0xE007E)
