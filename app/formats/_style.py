"""How a file writes its JSON: indentation, separators, escapes. What an edit adds is written in the style of what stands around it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.formats._json import compact, has_surrogate
from app.formats._scan import Array, Object

_ESCAPED: Final = re.compile(rb"\\u(?!00[0-7])[0-9a-fA-F]{4}")


@dataclass(frozen=True)
class Style:
    """`colon` and `comma`: what stands between key and value and between neighbours on one line. `unit`: one step of indentation,
    "" where containers stand on one line. `newline`: how lines end. `ascii`: other characters are written as escapes."""

    colon: str = ": "
    comma: str = ", "
    unit: str = ""
    newline: str = "\n"
    ascii: bool = False

    def with_ascii(self, ascii: bool) -> Style:
        return self if ascii == self.ascii else replace(self, ascii=ascii)

    def dumps(self, value: Any, level: str = "") -> bytes:
        """A value in this style; `level` is the indentation of the line that it begins in."""
        if self.unit:
            text = json.dumps(value, ensure_ascii=self.ascii, indent=self.unit, separators=(",", self.colon))
            if "\n" in text:
                text = text.replace("\n", self.newline + level)
        elif self.ascii or self.comma != "," or self.colon != ":":
            text = json.dumps(value, ensure_ascii=self.ascii, separators=(self.comma, self.colon))
        else:
            text = compact(value)
        return _encoded(text, value)

    def text(self, text: str) -> bytes:
        """A string in this style."""
        return _encoded(json.dumps(text, ensure_ascii=self.ascii), text)

    def object(self, members: Sequence[tuple[str, bytes]], level: str = "") -> bytes:
        """An object of members that are encoded already."""
        colon = self.colon.encode()
        return self._container(b"{", [self.text(key) + colon + value for key, value in members], b"}", level)

    def array(self, items: Sequence[bytes], level: str = "") -> bytes:
        """An array of elements that are encoded already."""
        return self._container(b"[", items, b"]", level)

    def _container(self, opening: bytes, items: Sequence[bytes], closing: bytes, level: str) -> bytes:
        if not self.unit or not items:
            return opening + self.comma.encode().join(items) + closing
        outer = (self.newline + level).encode()
        inner = outer + self.unit.encode()
        return opening + inner + (b"," + inner).join(items) + outer + closing


def _encoded(text: str, value: Any) -> bytes:
    """UTF-8; unpaired surrogates, which have none, are written as escapes."""
    if has_surrogate(text):
        text = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text.encode()


def level_of(data: bytes, pos: int) -> str | None:
    """The indentation of the line in which `pos` stands; None where something other than white space stands before it."""
    start = max(data.rfind(b"\n", 0, pos), data.rfind(b"\r", 0, pos)) + 1
    if start == 0:
        return None
    before = data[start:pos]
    return before.decode("ascii") if not before.strip(b" \t") else None


def line_level(data: bytes, pos: int) -> str:
    """The indentation of the line in which `pos` stands, whatever else stands in it; "" for the first line of `data`."""
    start = max(data.rfind(b"\n", 0, pos), data.rfind(b"\r", 0, pos)) + 1
    end = start
    while start and end < pos and data[end] in b" \t":
        end += 1
    return data[start:end].decode("ascii")


def style_of(data: bytes, container: Object | Array, fallback: Style) -> Style:
    """The style of a container with something in it; what it does not show is taken from `fallback`."""
    style = fallback
    if isinstance(container, Object):
        if not container.members:
            return style
        first = container.members[0]
        style = replace(style, colon=_space(data[first.key_end : first.start], style.colon))
        at, spans = first.key_start, [(m.key_start, m.end) for m in container.members]
    else:
        if not container.spans:
            return style
        at, spans = container.spans[0][0], container.spans
    lead = data[container.start + 1 : at]
    if b"\n" in lead or b"\r" in lead:
        inner = level_of(data, at) or ""
        outer = level_of(data, container.end - 1)
        newline = "\r\n" if b"\r\n" in lead else "\n" if b"\n" in lead else "\r"
        unit = inner[len(outer) :] if outer is not None and inner.startswith(outer) and len(inner) > len(outer) else style.unit
        return replace(style, unit=unit or "  ", newline=newline, comma=", ")
    if len(spans) > 1:
        gap = data[spans[0][1] : spans[1][0]]
        if b"\n" not in gap and b"\r" not in gap:
            style = replace(style, comma=_space(gap, style.comma), unit="")
    elif isinstance(container, Object):
        style = replace(style, unit="", comma="," if style.colon == ":" else style.comma)
    return style


def _space(gap: bytes, otherwise: str) -> str:
    """A separator as it stands there, white space in it included; hand-wrapped ones are not copied."""
    return otherwise if b"\n" in gap or b"\r" in gap or not gap.isascii() else gap.decode("ascii")


def escapes(data: bytes) -> bool | None:
    """Whether characters beyond ASCII are written as escapes in `data`; None where it has none."""
    if not data.isascii():
        return False
    return True if _ESCAPED.search(data) else None
