"""A stretch of a text laid out for the screen, and the way back: which character of the text stands at a place on it.

Nothing on screen acts: hidden characters become words (widgets/hidden.py), colour codes of terminals become plain tints or are left out,
lines that would take seconds to lay out are broken. What is copied is the text itself (`Laid.original`), not what is seen of it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

from widgets import hidden

MOST = 40_000  # characters on screen from which on a stretch ends at the next made-up word
PARAGRAPH = 2_000  # longer lines are broken for the screen: laying out one of a megabyte takes seconds
TURN = "↩"
Codes = Literal["colours", "text", "none"]

# ECMA-48: control sequences, operating system commands, and the other two-character escapes
CODES = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\\\)|[@-Z\\\\^_])")
_SGR = re.compile("\x1b\\[([0-9;:]*)m")
TAGS = "[\U000e0020-\U000e007e]{2,200}"  # they spell a text that nobody sees
ESCAPES = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[\"\\/bfnrt])")


class Piece(NamedTuple):
    """A word on screen that stands for something else: where it stands there, and which characters of the text it is for.
    `kind`: hidden, turn (a break of ours), codes, byte (no UTF-8), escape (as JSON spells a character), plain."""

    at: int
    length: int
    start: int
    taken: int
    kind: str


class Tint(NamedTuple):
    at: int
    length: int
    colour: str  # name of a colour of a terminal


@dataclass(frozen=True, eq=False)
class Laid:
    """`text` as it is put on screen; `source` the characters that it stands for, beginning at `start` of the whole."""

    text: str
    source: str
    start: int = 0
    pieces: tuple[Piece, ...] = ()
    tints: tuple[Tint, ...] = ()

    @cached_property
    def ats(self) -> list[int]:
        return [piece.at for piece in self.pieces]

    @cached_property
    def _starts(self) -> list[int]:
        return [piece.start for piece in self.pieces]

    def place(self, at: int) -> int:
        """The character of `source` that stands at a place on screen."""
        index = bisect_right(self.ats, at) - 1
        if index < 0:
            return at
        piece = self.pieces[index]
        if at < piece.at + piece.length:
            return piece.start
        return piece.start + piece.taken + at - piece.at - piece.length

    def at(self, place: int) -> int:
        """Where on screen a character of `source` stands."""
        index = bisect_right(self._starts, place) - 1
        if index < 0:
            return place
        piece = self.pieces[index]
        if place < piece.start + piece.taken:
            return piece.at
        return piece.at + piece.length + place - piece.start - piece.taken

    def piece(self, at: int) -> Piece | None:
        """The made-up word at a place on screen."""
        index = bisect_right(self.ats, at) - 1
        piece = self.pieces[index] if index >= 0 else None
        return piece if piece is not None and at < piece.at + piece.length else None

    def original(self, at: int, end: int) -> str:
        """What stands between two places on screen, as the text has it."""
        return self.source[self.place(at) : self.place(end)]


def lay(source: str, start: int = 0, marks: bool = True, codes: Codes = "text", escapes: bool = False, width: int = PARAGRAPH) -> Laid:
    """`marks`: whether what cannot be seen is spelled out (what would act always is). `codes`: what becomes of terminals' codes.
    `escapes`: whether JSON's escapes are pointed out. `width`: characters of the longest line."""
    out: list[str] = []
    pieces: list[Piece] = []
    tints: list[Tint] = []
    colour, colour_at = "", 0
    at = end = 0
    for found in _finder(marks, codes, escapes).finditer(source):
        before, word = source[end : found.start()], found.group()
        out.append(before)
        at += len(before)
        if word[0] == "\x1b" and len(word) > 1:
            shown, kind = "", "codes"
            new = _colour(word, colour) if codes == "colours" else ""
            if new != colour:
                if colour and at > colour_at:
                    tints.append(Tint(colour_at, at - colour_at, colour))
                colour, colour_at = new, at
        elif word == "\r\n":
            shown, kind = "\n", "plain"
        elif word[0] == "\\":
            shown, kind = word, "escape"
        elif escapes and "\udc80" <= word <= "\udcff":
            shown, kind = f"\\x{ord(word) - 0xDC00:02x}", "byte"
        elif len(word) > 1:
            shown, kind = f"‹tags: {hidden.smuggled(word)}›", "hidden"
        else:
            shown, kind = hidden.word(word), "hidden"
        pieces.append(Piece(at, len(shown), found.start(), len(word), kind))
        out.append(shown)
        at += len(shown)
        end = found.end()
        if at > MOST:  # of what is mostly hidden, less is looked at at a time
            source = source[:end]
            break
    out.append(source[end:])
    text = "".join(out)
    if colour and len(text) > colour_at:
        tints.append(Tint(colour_at, len(text) - colour_at, colour))
    return _broken(Laid(text, source, start, tuple(pieces), tuple(tints)), width)


def _finder(marks: bool, codes: Codes, escapes: bool) -> re.Pattern[str]:
    key = (marks, codes != "text", escapes)
    found = _FINDERS.get(key)
    if found is None:
        parts = ["\r\n", TAGS, *([CODES.pattern] if key[1] else []), *([ESCAPES.pattern] if escapes else [])]
        found = _FINDERS[key] = re.compile("|".join([*parts, (hidden.HIDDEN if marks else hidden.ACTING).pattern]))
    return found


_FINDERS: dict[tuple[bool, bool, bool], re.Pattern[str]] = {}
_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


def _colour(code: str, before: str) -> str:
    """The colour in force behind a code. Only the colour of the words is taken: a ground in the same colour, or "conceal", hides them."""
    found = _SGR.fullmatch(code)
    if found is None:
        return before
    colour, numbers = before, found[1].replace(":", ";").split(";")
    at = 0
    while at < len(numbers):
        number = int(numbers[at]) if numbers[at] and len(numbers[at]) < 4 else 0
        if number in (0, 39):
            colour = ""
        elif 30 <= number <= 37 or 90 <= number <= 97:
            colour = _COLOURS[number % 10]
        elif number in (38, 48, 58):  # a colour by its number, or by red, green and blue
            kind = numbers[at + 1] if at + 1 < len(numbers) else ""
            if number == 38:
                index = int(numbers[at + 2]) if kind == "5" and at + 2 < len(numbers) and numbers[at + 2].isdecimal() else -1
                colour = _COLOURS[index % 8] if 0 <= index < 16 else "cyan"
            at += 2 if kind == "5" else 4
        at += 1
    return colour


def _broken(laid: Laid, width: int) -> Laid:
    """Lines that are too long are broken, each break marked; what stood behind it moves on."""
    text = laid.text
    if len(text) <= width or max(map(len, text.split("\n"))) <= width:
        return laid
    out: list[str] = []
    turns: list[int] = []  # where a break went in, in the old text
    start = 0
    for line in text.split("\n"):
        at, parts = 0, []
        while len(line) - at > width:
            cut = at + width
            index = bisect_left(laid.ats, start + cut) - 1
            word = laid.pieces[index] if index >= 0 else None
            if word is not None and word.at + word.length > start + cut:  # not through a word that was made up
                cut = word.at - start if word.at - start > at else word.at + word.length - start
            if cut >= len(line):
                break
            parts.append(line[at:cut])
            turns.append(start + cut)
            at = cut
        out.append(f"{TURN}\n".join([*parts, line[at:]]))
        start += len(line) + 1
    grown = len(TURN) + 1

    def moved(at: int) -> int:
        return at + bisect_right(turns, at) * grown

    pieces = [piece._replace(at=moved(piece.at)) for piece in laid.pieces]
    pieces += [Piece(turn + number * grown, grown, laid.place(turn), 0, "turn") for number, turn in enumerate(turns)]
    tints = tuple(Tint(moved(t.at), moved(t.at + t.length - 1) + 1 - moved(t.at), t.colour) for t in laid.tints)
    return Laid("\n".join(out), laid.source, laid.start, tuple(sorted(pieces, key=lambda p: (p.at, p.start))), tints)


# -- what is looked at through a window ---------------------------------------------------------------------------------------------


class Whole(Protocol):
    """A text of any length, laid out a stretch at a time. Places are in its own unit: characters, or bytes."""

    unit: str

    @property
    def size(self) -> int: ...
    def lay(self, start: int, end: int) -> Laid: ...
    def offset(self, laid: Laid, at: int) -> int:
        """The place in the whole of a place on screen."""
        ...

    def on_screen(self, laid: Laid, offset: int) -> int: ...
    def copy(self, start: int, end: int) -> str: ...
    def slice_for_search(self, start: int, end: int) -> str | bytes: ...


class Text:
    """Characters of a block."""

    unit = "character"

    def __init__(self, text: str, marks: bool = True, codes: Codes = "colours") -> None:
        self._text, self._marks, self._codes = text, marks, codes

    @property
    def size(self) -> int:
        return len(self._text)

    def lay(self, start: int, end: int) -> Laid:
        return lay(self._text[start:end], start, self._marks, self._codes)

    def offset(self, laid: Laid, at: int) -> int:
        return laid.start + laid.place(at)

    def on_screen(self, laid: Laid, offset: int) -> int:
        return laid.at(offset - laid.start)

    def copy(self, start: int, end: int) -> str:
        return self._text[start:end]

    def slice_for_search(self, start: int, end: int) -> str:
        return self._text[start:end]


class Bytes:
    """The bytes of a record: what is no UTF-8 is shown as `\\xNN`, and JSON's escapes are pointed out."""

    unit = "byte"
    width = 480  # characters of a line: an offset stands beside each

    def __init__(self, data: bytes, marks: bool = True, offset: int = 0) -> None:
        self.data, self._marks, self.first = data, marks, offset

    @property
    def size(self) -> int:
        return len(self.data)

    def lay(self, start: int, end: int) -> Laid:
        start, end = self._whole_character(start), self._whole_character(end)
        return lay(self.data[start:end].decode("utf-8", "surrogateescape"), start, self._marks, "text", True, self.width)

    def _whole_character(self, at: int) -> int:
        """A place not within a character: at most three bytes on."""
        if not 0 < at < len(self.data):
            return max(0, min(at, len(self.data)))
        for ahead in range(4):
            if at + ahead >= len(self.data) or self.data[at + ahead] & 0xC0 != 0x80:
                return at + ahead
        return at

    def offset(self, laid: Laid, at: int) -> int:
        return laid.start + len(laid.source[: laid.place(at)].encode("utf-8", "surrogateescape"))

    def on_screen(self, laid: Laid, offset: int) -> int:
        return laid.at(len(self.data[laid.start : offset].decode("utf-8", "surrogateescape")))

    def copy(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "backslashreplace")

    def slice_for_search(self, start: int, end: int) -> bytes:
        return self.data[start:end]
