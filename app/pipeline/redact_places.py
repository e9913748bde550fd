"""What a string of a dump goes by, and where the lines of a text are that is no JSON: for redaction, which looks at both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from app.formats._json import NotJson, loads
from app.model.source import Source
from app.pipeline.archived import pieces
from app.pipeline.json_strings import Where, decoded, rewritten
from app.pipeline.sensitive import TOKEN_KEY, Hit, Pattern, secret_key, secret_value
from app.pipeline.sensitive_values import mixed


class Beside:
    """What a string goes by: the key of its member; in a pair of a name and a value (`{"name": "Authorization", "value": …}`, an attribute
    of OpenTelemetry, a flat list of names and values) the name, also where more stands between the two; among cookies "cookie" where it
    looks like one."""

    def __init__(self) -> None:
        self._depth, self._name = -1, ""  # of a flat list
        self._pair: tuple[str | int, ...] = ()
        self._named = ""
        self._held: tuple[tuple[str | int, ...], str] = ((), "")  # a value whose name may come behind it
        self.before = ""  # the value that came before its telling name: it is only known now

    def key(self, text: str, where: Where) -> str:
        self.before = ""
        steps, key = where.steps, where.key or ""
        if steps and isinstance(steps[-1], int):
            return self._listed(text, len(steps), key)
        self._depth = -1
        low = key.lower()
        if low in NAMING:
            self._pair, self._named = tuple(steps[:-1]), text if len(text) <= 100 else ""
            if self._held[0] == self._pair and self._held[1] and telling(text):
                self.before = self._held[1]
        elif low in VALUES:
            here = tuple(steps[:-1])
            at = here[:-1] if here and here[-1] in ("value", "v") and here != self._pair else here
            if at == self._pair and telling(self._named):
                return self._named
            self._held = at, text
        if _of_cookies(where, low) and (mixed(text) or len(text) >= 16):
            return "cookie"
        return key

    def _listed(self, text: str, depth: int, key: str) -> str:
        before = self._name if self._depth == depth else ""
        self._depth, self._name = (depth, text) if len(text) <= 64 else (-1, "")
        return before if before and secret_key(before) else key


def _of_cookies(where: Where, low: str) -> bool:
    """Whether a member is the value of a cookie: one of a list, as archives of HTTP have them, or one by its name."""
    if len(where.keys) < 2 or (where.keys[-1] or "").lower() != "cookies":
        return False
    return low in VALUES if isinstance(where.steps[-2], int) else low not in _ABOUT_COOKIES


def telling(name: str) -> bool:
    """Whether what goes by a name is a secret."""
    return secret_key(name) or TOKEN_KEY.search(name) is not None


NAMING = frozenset({"name", "key", "k", "variable", "header"})
VALUES = frozenset({"value", "v", "stringvalue", "string_value", "val", "default"})
_ABOUT_COOKIES = frozenset({"name", "path", "domain", "expires", "samesite", "comment", "raw"})
_JSON_PAIRS = re.compile(r"\s*[\[{]")


class Inner:
    """A visitor of JSON that stands in a string: the secrets in it that only the name beside them tells."""

    def __init__(self, deep: int = 0) -> None:
        self._beside, self._deep = Beside(), deep
        self.found: list[str] = []

    def text(self, raw: bytes, where: Where) -> bytes | None:
        text = decoded(raw)
        key = self._beside.key(text, where)
        if self._beside.before and secret_value(self._beside.before, text):
            self.found.append(self._beside.before)
        if key and secret_value(text, key):
            self.found.append(text)
        elif self._deep < 3:
            self.found += inner(text, self._deep + 1)
        return None

    def key(self, raw: bytes, where: Where) -> bytes | None:
        return None

    def number(self, raw: bytes, where: Where) -> bytes | None:
        return None


def inner(text: str, deep: int = 0) -> list[str]:
    """Secrets in a string that is JSON itself, by the names beside them."""
    if len(text) < 16 or _JSON_PAIRS.match(text) is None or '"' not in text:
        return []
    data = text.encode("utf-8", "surrogatepass")
    try:
        loads(data)
    except NotJson:
        return []
    visitor = Inner(deep)
    rewritten(data, visitor)
    return visitor.found


def parts(text: str) -> Iterator[str]:
    """What is secret by itself in a header's value or a cookie: the credentials behind the scheme, the values of `name=value` pairs."""
    scheme = _SCHEME.fullmatch(text)
    if scheme is not None:
        yield scheme[1]
    for pair in text.split(";") if "=" in text[:80] else ():
        value = pair.partition("=")[2].strip()
        if len(value) >= 8 and _PLAIN_VALUE.fullmatch(value) and (mixed(value) or len(value) >= 20):
            yield value


_SCHEME = re.compile(r"(?i)(?:bearer|basic|token|apikey|jwt|bot)\s+(\S{8,})")
_PLAIN_VALUE = re.compile(r"[\w.~+/%=:-]+")


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
