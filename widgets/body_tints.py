"""Which words of a text are tinted and how, and what a made-up word is called."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import NamedTuple

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from widgets import hidden, theme
from widgets.block_text import Shown
from widgets.laid_text import Laid, Piece

MARKS = 400  # stretches of one sort that are tinted at most, in one line or in view


class Stretch(NamedTuple):
    """Characters on screen, the colour of the words, and what lies under them."""

    at: int
    length: int
    words: QColor
    paper: QColor | None


class Tints(QSyntaxHighlighter):
    """Made-up words and colours of a terminal: part of how a line is laid out. (As selections they cost a pass over it each.)"""

    def __init__(self, document: QTextDocument, laid: Callable[[], Laid], shown: Callable[[], Shown], units: Callable[[int], int]) -> None:
        super().__init__(document)
        self._laid, self._shown, self._units = laid, shown, units

    def highlightBlock(self, text: str) -> None:
        now, laid, shown = theme.current(), self._laid(), self._shown()
        if shown.tags:
            return
        begin = self.currentBlock().position()
        end = begin + len(text) + 1
        for at, length, words, paper in _stretches(laid, shown, now, begin, end, self._units):
            form = QTextCharFormat()
            form.setForeground(words)
            if paper is not None:
                form.setBackground(paper)
            start = self._units(at) - begin
            self.setFormat(start, self._units(at + length) - begin - start, form)


def _stretches(laid: Laid, shown: Shown, now: theme.Theme, begin: int, end: int, units: Callable[[int], int]) -> Iterator[Stretch]:
    """What is tinted between two places of the document; those are counted in UTF-16, and never fewer than characters."""
    index = bisect_left(laid.tints, begin, key=lambda tint: units(tint.at + tint.length))
    for tint in laid.tints[index : index + MARKS]:
        if units(tint.at) >= end:
            break
        yield Stretch(tint.at, tint.length, terminal(now, tint.colour), None)
    index = bisect_left(laid.pieces, begin, key=lambda piece: units(piece.at + piece.length))
    for piece in laid.pieces[index : index + MARKS]:
        if units(piece.at) >= end:
            break
        if piece.kind == "escape":
            yield Stretch(piece.at, piece.length, now.tool_call, None)
        elif piece.length and piece.kind != "plain":
            yield Stretch(piece.at, 1 if piece.kind == "turn" else piece.length, now.warning, now.warning_paper)
    for start, length in shown.spans[:MARKS]:
        if begin <= units(start) < end:
            yield Stretch(start, length, now.warning, now.warning_paper)


def differences(shown: Shown, seen: tuple[int, int]) -> list[Stretch]:
    """Lines and words of a difference that are in view."""
    return _difference(shown, theme.current(), seen) if shown.tags else []


def _difference(shown: Shown, now: theme.Theme, seen: tuple[int, int]) -> list[Stretch]:
    colours = {"gone": (now.error, now.error_paper), "new": (now.green, now.green_paper), "said": (now.ink_soft, now.paper_alt)}
    marks, at = [], 0
    for tag, text in shown.tags:
        if tag in colours and at <= seen[1] and at + len(text) >= seen[0]:
            marks.append(Stretch(at, len(text), *colours[tag]))
        at += len(text) + 1
    words = {"gone": (now.paper, now.error), "new": (now.paper, now.green)}
    return marks[:MARKS] + [
        Stretch(start, length, *words[tag]) for start, length, tag in shown.words if start <= seen[1] and start + length >= seen[0]
    ][:MARKS]  # fmt: skip


def terminal(now: theme.Theme, colour: str) -> QColor:
    """A terminal's colour as one of the theme's, so that it can be read on its paper."""
    names = {"black": "ink", "red": "error", "green": "green", "yellow": "warning", "blue": "blue", "magenta": "media", "cyan": "tool_call",
             "white": "ink_soft"}  # fmt: skip
    found: QColor = getattr(now, names.get(colour, "ink"))
    return found


def named(piece: Piece, text: str) -> str:
    """What a made-up word stands for."""
    source = text[piece.start : piece.start + piece.taken]
    if piece.kind == "turn":
        return "The line goes on: it was broken for the screen"
    if piece.kind == "byte":
        return f"A byte that is no UTF-8: 0x{ord(source) - 0xDC00:02X}"
    if piece.kind == "escape":
        return f"{source} stands for {hidden.name(_meant(source))}"
    if piece.kind != "hidden":
        return ""
    if len(source) > 1:
        return f"{len(source):,} tag characters, U+E0020 to U+E007E: nobody sees them, and a model may read them.\n" + (
            f"They spell: {hidden.smuggled(source)}"
        )
    return hidden.name(source)


def _meant(escape: str) -> str:
    """The character that an escape of JSON stands for."""
    if escape[1] == "u":
        return chr(int(escape[2:], 16))
    return {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}.get(escape[1], escape[1])
