"""A text before and after: lines, words, and bounds whatever is compared."""

from __future__ import annotations

import pytest

from tests.widgets.test_laid_text import BIG, quick
from widgets.word_diff import diff_of


def test_what_goes_and_what_comes() -> None:
    shown = diff_of(("a\nb\nc",), ("a\nB\nc",), "since the file was opened")
    assert [tag for tag, _ in shown.tags] == ["said", "same", "gone", "new", "same"]
    assert shown.text.split("\n")[1:] == ["  a", "− b", "+ B", "  c"]
    assert [tag for tag, _ in diff_of(("x",), None, "t").tags] == ["said", "gone"]
    assert diff_of(("x",), ("x",), "t").text.endswith("The words are the same.")


def test_words_within_a_line() -> None:
    shown = diff_of(("the quick brown fox\nstays",), ("the slow brown fox\nstays",), "t")
    assert [(shown.text[at : at + length], tag) for at, length, tag in shown.words] == [("quick", "gone"), ("slow", "new")]


def test_far_into_a_long_line_what_is_the_same_is_left_out() -> None:
    shown = diff_of(("x " * 4_000 + "old end",), ("x " * 4_000 + "new end",), "t")
    assert "… 7,880 characters the same …" in shown.text
    assert [(shown.text[at : at + length], tag) for at, length, tag in shown.words] == [("old", "gone"), ("new", "new")]


def test_runs_that_are_the_same_are_shortened() -> None:
    lines = [f"line {n}" for n in range(40)]
    shown = diff_of(("\n".join(lines),), ("\n".join([*lines[:20], "LINE", *lines[21:]]),), "t")
    assert "  … 17 lines the same" in shown.text
    assert [tag for tag, _ in shown.tags].count("same") == 6


def test_hidden_characters_are_spelled_out() -> None:
    assert "− a‹U+202E›b" in diff_of(("a\u202eb",), ("ab",), "t").text


@pytest.mark.parametrize(("old", "new"), [("x" * BIG, "other"), ("a b\n" * (BIG // 4), "a c\n" * (BIG // 4)), ("\u202e" * BIG, "")])
def test_12_mb_are_compared_within_bounds(old: str, new: str) -> None:
    quick(lambda: diff_of((old,), (new,), "t"), 0.6)
