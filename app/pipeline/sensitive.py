# ruff: noqa: E501  # one pattern stands as it is looked for
"""What looks like a secret or like personal data in a text: the hits of the table of patterns (app/pipeline/sensitive_patterns.py), of a
person's own words, and by the name of the member that holds it. A text is looked at as it stands, with its escapes undone, and, where a key
may be broken over lines, with the lines put together.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from app.pipeline.needles import Needles
from app.pipeline.sensitive_patterns import NO_NAME, NOBODY, PATTERNS, Pattern
from app.pipeline.sensitive_values import TELLING, given, luhn, mixed, quoted
from app.pipeline.unescaped import Unescaped, fold, folded, stepped, unescaped

__all__ = ["AGAIN", "BY_KEY", "OWN", "PATTERNS", "UNREAD", "USER", "Finder", "Hit", "Pattern", "luhn", "secret_key", "users"]

SHORT, MOST = 80, 200_000
SECRET_KEY: Final = re.compile(
    r"(?i)(?:^|[_.\- ]|(?<=[a-z])(?=[A-Z]))(?:passwords?|passwd|passwort|passphrase|passcode|pwd|secrets?|api[_-]?keys?|(?:access|auth|refresh|bearer|"
    r"session|id|csrf|xsrf|security|private|deploy|vault|x-api|x-auth|push|device)[_-]?token|(?:client[_-]?)?secret|"
    r"(?:private|secret|access|account|encryption|signing|shared|subscription|master|auth)[_-]?key(?:[_-]id)?|x-[a-z-]{2,30}-key|credentials?|"
    r"(?:proxy-)?authorization|cookies?|set-cookie|otp|totp|cvv|cvc|pin[_-]?code|connection[_-]?string)(?:[_-](?:used|value|raw|plain|header))?$|^pass$|_pass$|^pin$"
)
TOKEN_KEY: Final = re.compile(r"(?i)(?:^|[_.\- ])(?:token|jwt|auth|bearer)$")
PERSONAL_KEY: Final = re.compile(
    r"(?i)^(?:e[_-]?mail(?:[_-]?address)?|phone(?:[_-]?number)?|mobile|telephone|first[_-]?name|last[_-]?name|full[_-]?name|surname|given[_-]?name|"
    r"family[_-]?name|birth[_-]?date|date[_-]?of[_-]?birth|dob|street(?:[_-]?address)?|home[_-]?address|ssn|iban|passport(?:[_-]?number)?|"
    r"account[_-]?(?:uuid|email)|organization[_-]?(?:uuid|name)|user[_-]?name|user[_-]?email)$"
)
HOME: Final = re.compile(
    rb"(?:(?:(?<![\w.~-])|(?<=\\[nrt]))/(?:(?:var|export|usr|private|mnt/[a-z]|[a-z])/)?(?:home|[Uu]sers)/|[A-Za-z]:(?:\\{1,8}|/)Users(?:\\{1,8}|/)|"
    rb"(?i:%2F)(?:home|Users)(?i:%2F))"
    rb"((?:[A-Za-z0-9]|[\xc3-\xf4][\x80-\xbf]+)(?:[A-Za-z0-9._-]|[\xc3-\xf4][\x80-\xbf]+){1,31}(?: [A-Z][a-z]{1,20}(?=\\|/))?)(?=[/\\\"'\s:;,)$%@]|$)"
)
LIKELY_NAME: Final = re.compile(r"[^\W\d_][\w. -]{2,40}")


@dataclass(frozen=True)
class Hit:
    """A stretch of a text that is sensitive."""

    start: int
    end: int
    pattern: Pattern


USER = Pattern("user name in a path", "personal", "USER", re.compile(""), ())
OWN = Pattern("own word", "own word", "WORD", re.compile(""), ())
BY_KEY = {
    "secret": Pattern("value of a telling name", "secret", "SECRET", re.compile(""), ()),
    "personal": Pattern("value of a telling name", "personal", "PERSON", re.compile(""), ()),
}
UNREAD = Pattern("line that cannot be read", "not searched", "LINE", re.compile(""), ())
AGAIN = Pattern("found elsewhere in the dump", "secret", "SECRET", re.compile(""), ())


class Finder:
    """Finds hits in texts. `words`: exact words with the pattern that they count for, case of letters aside; the name of a user,
    and a password that is a plain word, are only found as a whole word."""

    def __init__(self, words: dict[str, Pattern]) -> None:
        self._words = sorted(((fold(word), pattern) for word, pattern in words.items() if word.strip()), key=lambda one: -len(one[0]))
        self._clean: set[tuple[str, str]] = set()  # short texts in which nothing is: types, roles and names come again and again

    def hits(self, text: str, key: str = "") -> list[Hit]:
        """The hits of a text, none over another, in their order; the one that begins first and goes furthest wins."""
        if len(text) < 2 or (text, key) in self._clean:
            return []
        found = [_whole(text, hit) for hit in self._found(text, key)] if "\\" in text else list(self._found(text, key))
        if not found and len(text) <= SHORT and len(self._clean) < MOST:
            self._clean.add((text, key))
        if len(found) < 2:
            return found
        found.sort(key=lambda hit: (hit.start, hit.pattern.kind != "secret", -hit.end))
        kept: list[Hit] = []
        for hit in found:
            if not kept or hit.start >= kept[-1].end:
                kept.append(hit)
            elif hit.end > kept[-1].end:  # one begins in another and goes further: both go, as one
                kept[-1] = Hit(kept[-1].start, hit.end, kept[-1].pattern)
        return kept

    def _found(self, text: str, key: str) -> Iterator[Hit]:
        by_key = _by_key(text, key) if key else None
        if by_key is not None:
            yield Hit(0, len(text), by_key)
            return
        yield from self._plain(text, Unescaped(text))
        other = unescaped(text)
        if other is not None:
            yield from self._plain(other.text, other)

    def _plain(self, text: str, way: Unescaped) -> Iterator[Hit]:
        """`way`: back to where it stands."""
        small = _small(text)
        lines = "\n" in text
        for pattern, needles in _needles().found(text, small):
            for start, end in pattern.spans(text, small, needles):
                yield Hit(*way.span(start, end), pattern)
            if lines and pattern.wraps:
                for start, end in broken(text, small, pattern, needles):
                    yield Hit(*way.span(start, end), pattern)
        if self._words:
            other = folded(text)
            for word, pattern in self._words:
                at = other.text.find(word)
                while at >= 0:
                    end = at + len(word)
                    alone = pattern is USER or (pattern is not OWN and word.isalpha())  # a plain word is none inside of another
                    if not alone or not (_beside(other.text, at - 1) or _beside(other.text, end)):
                        start, last = other.span(at, end)
                        yield Hit(*way.span(start, last), pattern)
                    at = other.text.find(word, end)


def _small(text: str) -> str:
    """In small letters, and as long."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(low if len(low := c.lower()) == 1 else c for c in text)


def _beside(text: str, at: int) -> bool:
    """Whether a letter or digit stands there, so that what is beside it is only a part of a word."""
    return 0 <= at < len(text) and text[at].isalnum()


_WRAP: Final = re.compile(r"(?<=[A-Za-z0-9_+/=.-])[ \t]*\\?\r?\n[ \t>|#]*(?=[A-Za-z0-9_+/=.-])")
_RUN: Final = re.compile(r"(?:[\w\"']{0,30}\s?[=:]\s{0,2}[\"']?)?[A-Za-z0-9_+/=.-]+[ \t]*\\?\r?\n[ \t>|#]*[A-Za-z0-9_+/=.-]")
WINDOW = 2000  # characters in which a key ends that begins with them


def broken(text: str, small: str, pattern: Pattern, needles: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Keys that a line end goes through, line by line: a terminal or an editor has broken them. What is on the next line only belongs to
    one where it looks like more of it."""
    where = small if pattern.fold else text
    for needle in needles:
        at = where.find(needle)
        while at >= 0:
            if _RUN.match(text, at):
                yield from _joined(text, pattern, at)
            at = where.find(needle, at + 1)


def _joined(text: str, pattern: Pattern, at: int) -> Iterator[tuple[int, int]]:
    first = max(0, at - 1)  # what stands before it is looked at too
    joined = stepped(Unescaped(text[first : first + WINDOW]), _WRAP, lambda found: "")
    if not joined.steps:
        return
    seams = joined.steps[0].at
    for start, end in pattern.spans(joined.text, _small(joined.text)):
        if start > at - first + 40:
            return
        ends = [start, *seams[bisect_right(seams, start) : bisect_left(seams, end)], end]
        for number, (one, two) in enumerate(pairwise(ends)):
            if number and not (pattern.wraps == "exact" or _more(joined.text[one:two])):
                break
            if len(ends) > 2:
                here, there = joined.span(one, two)
                yield first + here, first + there


@cache
def _needles() -> Needles:
    return Needles(PATTERNS)


def _more(piece: str) -> bool:
    """Whether a piece of a line is no word of a language."""
    letters = re.sub(r"[^A-Za-z]", "", piece)
    return (any(c.isdigit() for c in piece) and len(letters) > 0) or re.search(r"[a-z][A-Z]", piece) is not None


_ESCAPE: Final = re.compile(r"\\+(?:u[0-9a-fA-F]{4}|[nrtbf/'])")


def _whole(text: str, hit: Hit) -> Hit:
    """A hit that begins and ends at no half of an escape."""
    start, end = hit.start, hit.end
    if text[max(0, start - 5) : start].count("\\"):
        for found in _ESCAPE.finditer(text, max(0, start - 12), start + 6):
            if found.start() < start < found.end() < end:
                start = found.end()
    if "\\" in text[max(start, end - 5) : end]:
        for found in _ESCAPE.finditer(text, max(start, end - 12), end + 6):
            if found.start() < end < found.end():
                end = found.end()
    return Hit(start, end, hit.pattern)


def secret_key(key: str) -> bool:
    """Whether a member of this name holds a secret."""
    return SECRET_KEY.search(key) is not None


def secret_value(text: str, key: str) -> bool:
    """Whether a text is a secret by the name that it goes by."""
    found = _by_key(text, key)
    return found is not None and found.kind == "secret"


def _by_key(text: str, key: str) -> Pattern | None:
    if len(text) > 4000:
        return None
    if secret_key(key) and len(text) >= 4 and _told(text):
        return BY_KEY["secret"]
    if TOKEN_KEY.search(key) and 16 <= len(text) <= 400 and mixed(text) and not any(c in " /.:" for c in text[:40]) and given(text):
        return BY_KEY["secret"]
    if PERSONAL_KEY.match(key) and 2 <= len(text) <= 200 and text.lower() not in NOBODY and "\n" not in text:
        return BY_KEY["personal"]
    return None


def _told(text: str) -> bool:
    """Whether what a member of such a name holds is a secret, and no word about one."""
    value = text.strip()
    alone = " " not in value and given(value) and TELLING.fullmatch(value) is None
    return alone or quoted(value) or re.match(
        r"(?i)(?:bearer|basic|token|digest|apikey|jwt|negotiate|oauth|bot|hawk|aws4-hmac-sha256)\s+[^<$\s{%]{6,}|[\w.%-]{1,64}=[^;<$\s{%]+(?:;|$)", text
    ) is not None


def users(chunks: Sequence[bytes]) -> list[str]:
    """Names of persons, as the paths of home folders tell them, the first seen first."""
    found: dict[str, None] = {}
    for chunk in chunks:
        for match in HOME.finditer(chunk):
            name = match[1].decode("utf-8", "replace").rstrip(".")
            if name.lower() not in NOBODY and LIKELY_NAME.fullmatch(name) and not NO_NAME.search(name):
                found.setdefault(name)
    return list(found)[:200]
