"""Hidden characters are spelled out, and where they stand is known."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.visible import line, marked, visible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain\n\ttext", "plain\n\ttext"),
        ("a\u202eb", "a‹U+202E›b"),
        ("\u2066x\u2069", "‹U+2066›x‹U+2069›"),
        ("\x1b[31mred\x07", "‹ESC›[31mred‹BEL›"),
        ("zero\u200bwidth\ufeff", "zero‹U+200B›width‹BOM›"),
        ("\U000e0041\U000e007f", "‹U+E0041›‹U+E007F›"),
        ("half \ud83d pair", "half ‹U+D83D› pair"),
        ("one\r\ntwo\rthree", "one\ntwo‹CR›three"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("\x00", "‹NUL›"),
        ("\u2028", "‹U+2028›"),
    ],
)
def test_what_is_seen(text: str, seen: str) -> None:
    assert visible(text) == seen


@given(st.text())
def test_nothing_hidden_is_left(text: str) -> None:
    shown, spans = marked(text)
    for char in shown:
        hidden = unicodedata.category(char) in ("Cc", "Cs") or unicodedata.bidirectional(char) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI")
        assert not hidden or char in "\n\t"
    for start, length in spans:
        assert shown[start] == "‹"
        assert shown[start + length - 1] == "›"


@given(st.text())
def test_what_is_not_hidden_stays(text: str) -> None:
    shown, spans = marked(text)
    kept, end = [], 0
    for start, length in spans:
        kept.append(shown[end:start])
        end = start + length
    kept.append(shown[end:])
    rest = iter(text)
    assert all(any(char == other for other in rest) for char in "".join(kept))


def test_a_line_is_one_line_and_short() -> None:
    assert line("a\n  b\tc", 80) == "a b c"
    assert len(line("x" * 10_000_000, 80)) == 80
