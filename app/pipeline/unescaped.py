"""A text as it reads once every escape in it is undone, with the way back: JSON's escapes at any depth of strings within strings (RFC 8259
7), percent-encoding (RFC 3986 2.1) however often, control sequences of terminals (ECMA-48 5.4) and characters of no width. What is looked
for is looked for in it; what is found is a stretch of the text as it stands, never half of an escape.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

_BACK: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", '"': '"', "/": "/", "'": "'"}
_JSON: Final = re.compile(r"\\+(?:[nrtbf\"/']|u[dD][89abAB][0-9a-fA-F]{2}\\+u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4})")
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
class _Map:
    """Where the units of one step stand: unit k is [at[k], to[k]) in the text that was made and [start[k], end[k]) in the one before."""

    at: list[int]
    to: list[int]
    start: list[int]
    end: list[int]

    def first(self, place: int) -> int:
        """Where the character at a place begins in the text before."""
        k = bisect_right(self.at, place) - 1
        if k < 0:
            return place
        return self.start[k] if place < self.to[k] else self.end[k] + place - self.to[k]

    def last(self, place: int) -> int:
        """Where it ends there."""
        k = bisect_right(self.at, place) - 1
        if k < 0:
            return place + 1
        return self.end[k] if place < self.to[k] else self.end[k] + place - self.to[k] + 1


@dataclass(frozen=True, eq=False)
class Unescaped:
    """`text`: all escapes undone; `steps`: the way back, the last step last."""

    text: str
    steps: tuple[_Map, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of `text` stands."""
        last = end - 1
        for step in reversed(self.steps):
            start, last = step.first(start), step.last(last) - 1
        return start, last + 1


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
    now = Unescaped(text)
    for find, make, needles in _STEPS:
        if any(needle in now.text for needle in needles) if needles else not now.text.isascii() or "\x1b" in now.text:
            now = stepped(now, find, make)
    return None if now.text == text else now


def folded(text: str) -> Unescaped:
    """A text without case, accents by themselves (Unicode 3.13, default caseless matching)."""
    small = text.lower()
    if len(small) == len(text) and (text.isascii() or all(_FOLDS[ord(c)] == c.lower() for c in set(text))):
        return Unescaped(small)
    small = text.translate(_FOLDS)
    if len(small) == len(text):
        return Unescaped(small)
    longer = re.compile("[" + "".join(re.escape(c) for c in set(text) if len(fold(c)) > 1) + "]")
    return Unescaped(small, stepped(Unescaped(text), longer, fold).steps)


def fold(text: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


class _Folds(dict[int, str]):
    """Each character with its case folded, made when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = made = fold(chr(code))
        return made


_FOLDS: Final = _Folds()


def stepped(now: Unescaped, find: re.Pattern[str], make: Callable[[str], str]) -> Unescaped:
    """One more step: what is found is replaced by what is made of it."""
    text, parts, made = now.text, list[str](), dict[str, str]()
    at, to, starts, ends = list[int](), list[int](), list[int](), list[int]()
    done = length = 0
    for found in find.finditer(text):
        start, end = found.span()
        old = found[0]
        new = made.get(old)
        if new is None:
            new = made[old] = make(old)
        parts += (text[done:start], new)
        length += start - done
        at.append(length)
        length += len(new)
        to.append(length)
        starts.append(start)
        ends.append(end)
        done = end
    if not parts:
        return now
    parts.append(text[done:])
    return Unescaped("".join(parts), (*now.steps, _Map(at, to, starts, ends)))


def template(text: str) -> list[str | None]:
    """What a mark has to keep of a text so that it is as long at every depth: None where a letter may stand."""
    kept: list[str | None] = [character if character in '"\\' or character < " " else None for character in text]
    for found in re.finditer(r"(\\+)(?:u([0-9a-fA-F]{4})|([nrtbf/']))", text):
        kept[found.end(1)] = text[found.end(1)]
        if found[2]:
            kept[found.end(1) + 1 : found.end()] = "0058"
    return kept
