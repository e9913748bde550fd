"""An error text out of its wrappings: JSON in JSON, a Python traceback, a log line, a terminal's colours all "
"become the same plain words."""

from __future__ import annotations

import html
import re
from typing import Final

LIMIT: Final = 400_000  # characters that are looked at; a pasted log may be longer than any error
DEPTH: Final = 8  # JSON strings in JSON strings

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_UNICODE = re.compile(r"\\+u([0-9a-fA-F]{4})")
_BLANK = re.compile(r"\\+[nrt](?![a-z])|\\+[nrt](?=[a-z]{2,} )")
_QUOTE = re.compile(r"""\\+(["'/`])""")
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{1,5}|#x[0-9a-fA-F]{1,4});")
_CURLY = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "´": "'", " ": " ", "​": ""})
_STATUS = re.compile(r"(?:error code|status(?:[ _]?code)?|http(?:/\d(?:\.\d)?)?|api error|\"code\"|'code')\W{0,4}(\d{3})\b", re.I)


def plain(text: str) -> str:
    """The words of an error text on one line: escapes of any depth resolved, colours and line breaks gone, typographic quotes plain.

    Nothing is parsed, so that a body that was cut off reads like a whole one.
    """
    text = _COLOUR.sub("", text[:LIMIT])
    for _ in range(DEPTH):
        before = text
        text = _UNICODE.sub(lambda found: _character(found[1]), text)
        text = _QUOTE.sub(r"\1", _BLANK.sub(" ", text))
        if text == before:
            break
    if _ENTITY.search(text):
        text = html.unescape(text)
    return " ".join(text.translate(_CURLY).split())


def status(text: str) -> int | None:
    """The HTTP status that a text names, where it says that it is one."""
    found = _STATUS.search(text)
    number = int(found[1]) if found else 0
    return number if 400 <= number < 600 else None


def _character(code: str) -> str:
    number = int(code, 16)
    return " " if 0xD800 <= number < 0xE000 or number < 32 else chr(number)
