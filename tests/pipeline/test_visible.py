"""Nothing of a dump acts on a terminal or hides in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pipeline.visible import visible, width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, naïve 日本 text", "plain, naïve 日本 text"),
        ("\x1b[31mred\x07", "␛[31mred␇"),
        ("a\nb\tc\r", "a⏎b→c␍"),
        ("pay \u202e0001", "pay <U+202E>0001"),
        ("a\u200bb", "a<U+200B>b"),
        ("tag \U000e0041", "tag <U+E0041>"),
        ("half \ud83d", "half <U+D83D>"),
        ("\x7f\x9b", "␡<U+009B>"),
        ("❤\ufe0f 👩\u200d💻", "❤\ufe0f 👩\u200d💻"),
        ("a\ufe0f\u200d", "a<U+FE0F><U+200D>"),
    ],
)
def test_hidden_characters_are_made_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_what_is_shown_holds_no_control_character_and_encodes(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert not any(c < " " or "\x7f" <= c < "\xa0" or "\u202a" <= c <= "\u202e" for c in shown)


def test_width_is_that_of_a_terminal() -> None:
    assert [width(text) for text in ("abc", "日本", "e\u0301")] == [3, 4, 1]
