"""What two sequences have in common: in order, nothing made up, either way round, and as much as there is where that is cheap to know."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.align import Run, align

FEW = st.lists(st.integers(0, 5), max_size=40)


@given(FEW, FEW)
def test_runs_rise_and_are_equal(a: list[int], b: list[int]) -> None:
    end_a = end_b = 0
    for run in align(a, b):
        assert run.length > 0
        assert run.a >= end_a
        assert run.b >= end_b
        end_a, end_b = run.a + run.length, run.b + run.length
        assert a[run.a : end_a] == b[run.b : end_b]


@given(FEW, FEW)
def test_swapping_the_sides_swaps_the_answer(a: list[int], b: list[int]) -> None:
    assert [Run(run.b, run.a, run.length) for run in align(b, a)] == align(a, b)


@given(st.lists(st.integers(0, 5), max_size=5), st.lists(st.integers(0, 5), max_size=5))
def test_short_ones_have_all_that_they_can(a: list[int], b: list[int]) -> None:
    assert sum(run.length for run in align(a, b)) == _longest(a, b)


def _longest(a: list[int], b: list[int]) -> int:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return table[len(a)][len(b)]


@given(st.lists(st.integers(-999, 999), max_size=60, unique=True), st.lists(st.booleans(), min_size=60, max_size=60))
def test_what_was_dropped_is_what_is_missing(a: list[int], stay: list[bool]) -> None:
    kept = [x for x, stays in zip(a, stay, strict=False) if stays]
    assert sum(run.length for run in align(a, kept)) == len(kept)


@pytest.mark.parametrize("kinds", [1, 3, 5_000, 10**9])
def test_long_ones_take_no_square_of_time(kinds: int) -> None:
    draw = random.Random(4)
    a = [draw.randrange(kinds) for _ in range(20_000)]
    b = list(a)
    for _ in range(100):
        del b[draw.randrange(len(b))]
    start = time.process_time()
    found = align(a, b)
    align(a, [draw.randrange(kinds) for _ in range(20_000)])
    assert time.process_time() - start < 2
    assert sum(run.length for run in found) >= 19_850
