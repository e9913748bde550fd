"""A text on screen and the way back: nothing hidden, nothing slow, and what is copied is what the dump has."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets import hidden
from widgets.laid_text import PARAGRAPH, TURN, Bytes, Text, lay

BIG = 12_000_000
ODD = st.text(alphabet=st.sampled_from("ab \n\t\u202e\u200b\u00a0\x1b[31m😀\U000e0041\U000e0062\r\ud800"), max_size=400)


def quick(act: Callable[[], object], limit: float = 0.1) -> None:
    """CPU time, the better of two runs: the machine may be busy with something else."""
    spent = []
    for _ in range(2):
        start = time.process_time()
        act()
        spent.append(time.process_time() - start)
    assert min(spent) < limit


@given(ODD, st.booleans(), st.sampled_from(["colours", "text", "none"]), st.booleans(), st.integers(3, 60))
def test_every_place_on_screen_is_a_place_in_the_text(text: str, marks: bool, codes: str, escapes: bool, width: int) -> None:
    laid = lay(text, 0, marks, codes, escapes, width)  # type: ignore[arg-type]
    assert laid.original(0, len(laid.text)) == text
    covered = sorted(p for piece in laid.pieces for p in range(piece.start + 1, piece.start + piece.taken))
    for place in sorted(set(range(len(text))) - set(covered)):
        assert laid.place(laid.at(place)) == place or laid.pieces  # what has no width on screen shares its place
    places = [laid.place(at) for at in range(len(laid.text) + 1)]
    assert places == sorted(places)
    plain = [piece for piece in laid.pieces if piece.kind == "hidden"]
    assert all(laid.text[piece.at] == "‹" and laid.text[piece.at + piece.length - 1] == "›" for piece in plain)
    if marks:
        assert not set("\u202e\u200b\u00a0\r\ud800\U000e0041") & set(laid.text)
    assert not set("\x1b\r\ud800") & set(laid.text)


def test_a_long_line_is_broken_and_copied_whole() -> None:
    laid = lay("x" * 5_000)
    assert laid.text == f"{'x' * PARAGRAPH}{TURN}\n{'x' * PARAGRAPH}{TURN}\n{'x' * 1_000}"
    assert laid.original(1_990, 2_020) == "x" * 28


@pytest.mark.parametrize("text", ["x" * BIG, "a b\n" * (BIG // 4), "\u202e" * BIG])
def test_a_window_on_12_mb_costs_what_a_window_costs(text: str) -> None:
    whole, raw = Text(text), Bytes(text.encode())
    quick(lambda: whole.lay(5_000_000, 5_024_000), 0.15)
    quick(lambda: raw.lay(5_000_000, 5_024_000), 0.15)


def test_names_are_told() -> None:
    assert hidden.name("\u202e") == "U+202E RIGHT-TO-LEFT OVERRIDE: it turns the order of what stands around it"
    assert hidden.name("\u200b") == "U+200B ZERO WIDTH SPACE: it has no width"
    assert hidden.name("\u00a0") == "U+00A0 NO-BREAK SPACE: it looks like a plain space"
    assert hidden.name("\x1b") == "U+001B ESCAPE"
    assert hidden.name("\U000e0041") == "U+E0041 TAG LATIN CAPITAL LETTER A: a tag, never seen by a reader"
    assert lay("go\U000e0068\U000e0069").text == "go‹tags: hi›"


def test_what_belongs_to_an_emoji_stays() -> None:
    family = "👩\u200d💻 ❤\ufe0f"
    assert lay(family).text == family
    assert lay("pay\u200dpal").text == "pay‹U+200D›pal"


def test_colours_are_words_colours_and_hide_nothing() -> None:
    text = "\x1b[1;31mFAIL\x1b[0m ok \x1b[8;37;47mconcealed\x1b[0m\x1b]8;;https://evil.example\x07link\x1b]8;;\x07"
    laid = lay(text, codes="colours")
    assert laid.text == "FAIL ok concealedlink"
    assert [(laid.text[t.at : t.at + t.length], t.colour) for t in laid.tints] == [("FAIL", "red"), ("concealed", "white")]
    assert lay(text, codes="none").tints == ()
    assert lay("\x1b[31mred", codes="text").text == "‹ESC›[31mred"
    assert lay("\x1b[38;5;2mg\x1b[38;2;1;2;3mt\x1b[39mn", codes="colours").tints[0].colour == "green"


def test_left_as_they_are_they_act_no_more_than_must_be() -> None:
    assert lay("a\u202e\u200bb\x07\u2028", marks=False).text == "a\u202e\u200bb‹BEL›‹U+2028›"


@given(st.binary(max_size=80), st.integers(0, 90), st.integers(0, 90))
def test_bytes_are_all_there_and_characters_whole(data: bytes, start: int, end: int) -> None:
    whole = Bytes(data)
    laid = whole.lay(min(start, end), max(start, end))
    assert laid.source.encode("utf-8", "surrogateescape") == data[laid.start : whole.offset(laid, len(laid.text))]
    assert whole.on_screen(laid, laid.start) == 0


def test_bytes_that_are_no_text_and_escapes_are_seen() -> None:
    laid = Bytes(b'{"a":"\xff \\u202e"}').lay(0, 99)
    assert laid.text == '{"a":"\\xff \\u202e"}'
    assert [piece.kind for piece in laid.pieces] == ["byte", "escape"]
