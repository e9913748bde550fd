"""A text as it reads once every escape in it is undone, with the way back: JSON's escapes at any depth of strings within strings (RFC 8259
7), percent-encoding (RFC 3986 2.1) however often, control sequences of terminals (ECMA-48 5.4) and characters of no width. What is looked
for is looked for in it; what is found is a stretch of the text as it stands, never half of an escape.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

_BACK: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", '"': '"', "/": "/", "'": "'"}
_JSON: Final = re.compile(r"\\+(?:u[dD][89abAB][0-9a-fA-F]{2}\\+u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[nrtbf\"/'])")
_PERCENT: Final = re.compile(
    r"%(?:25)*(?:[0-7][0-9A-Fa-f]|[CcDd][0-9A-Fa-f]%(?:25)*[89ABab][0-9A-Fa-f]|[Ee][0-9A-Fa-f](?:%(?:25)*[89ABab][0-9A-Fa-f]){2}|"
    r"[Ff][0-7](?:%(?:25)*[89ABab][0-9A-Fa-f]){3})"
)
_UNSEEN: Final = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]{0,200}(?:\x07|\x1b\\\\)|"
    "[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]"
)
_HEX4: Final = re.compile("[0-9a-fA-F]{4}")


def _json(text: str) -> str:
    codes = _HEX4.findall(text) if "u" in text[:-1] else []
    if not codes:
        return _BACK[text[-1]]
    return "".join(chr(int(code, 16)) for code in codes).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _percent(text: str) -> str:
    return unquote(re.sub("%(?:25)+", "%", text) if len(text) > 3 else text)


_STEPS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str], tuple[str, ...]], ...]] = (
    (_JSON, _json, ("\\",)),
    (_PERCENT, _percent, ("%",)),
    (_UNSEEN, lambda text: "", ()),
)


@dataclass(frozen=True, eq=False)
class Unescaped:
    """`text`: all escapes undone; `starts`, `ends`: for each of its characters the stretch of the text as it stands; `units`: stretches of
    that which are one escape each."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of `text` stands."""
        return self.starts[start], self.ends[end - 1]


def plainly(text: str) -> str:
    """A text with all escapes undone."""
    for find, make, needles in _STEPS:
        if not needles or any(needle in text for needle in needles):
            text = find.sub(lambda found, make=make: make(found[0]), text)  # type: ignore[misc]
    return text


def unescaped(text: str) -> Unescaped | None:
    """None where there is no escape in a text."""
    if "\\" not in text and "%" not in text and (text.isascii() and "\x1b" not in text):
        return None
    now = Unescaped(text, range(len(text)), range(1, len(text) + 1))
    for find, make, _ in _STEPS:
        now = _step(now, find, make)
    return None if now.text == text else now


def folded(text: str) -> Unescaped:
    """A text without case, accents by themselves (Unicode 3.13, default caseless matching)."""
    now = Unescaped(text, range(len(text)), range(1, len(text) + 1))
    return _step(now, _FOLDS, fold)


_FOLDS: Final = re.compile("[A-Z\u0080-\U0010ffff]")


def fold(text: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


def _step(now: Unescaped, find: re.Pattern[str], make: Callable[[str], str]) -> Unescaped:
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for found in find.finditer(now.text):
        start, end = found.span()
        new = make(found[0])
        parts += (now.text[done:start], new)
        starts += now.starts[done:start]
        ends += now.ends[done:start]
        starts += [now.starts[start]] * len(new)
        ends += [now.ends[end - 1]] * len(new)
        done = end
    if not parts:
        return now
    return Unescaped("".join([*parts, now.text[done:]]), [*starts, *now.starts[done:]], [*ends, *now.ends[done:]])


def template(text: str) -> list[str | None]:
    """What a mark has to keep of a text so that it is as long at every depth: None where a letter may stand."""
    kept: list[str | None] = [character if character in '"\\' or character < " " else None for character in text]
    for found in re.finditer(r"(\\+)(?:u([0-9a-fA-F]{4})|([nrtbf/']))", text):
        kept[found.end(1)] = text[found.end(1)]
        if found[2]:
            kept[found.end(1) + 1 : found.end()] = "0058"
    return kept
