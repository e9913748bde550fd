"""Tokens to pixels, labels apart, the lens."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.chart_scale import Lens, Rungs, Scale, apart, make_scale


def test_top_is_the_largest_mark_that_is_not_far() -> None:
    assert make_scale(138, 100_000, [200_000]).top == 210_001
    assert make_scale(138, 100_000, [260_000, 120_000]).top == 126_001
    assert make_scale(138, 0, []).top >= 1


def test_what_is_not_in_the_dump_lies_below_zero() -> None:
    scale = make_scale(138, 100_000, [], 2_600)
    assert (scale.below, scale.zero) == (4, 134)
    assert scale.y(0) == 134
    assert scale.y(scale.top) == 0
    assert make_scale(138, 5_000, [], 20_000).below == 18


@given(st.integers(20, 400), st.integers(1, 10**9), st.integers(0, 18), st.floats(0, 1))
def test_there_and_back(height: int, top: int, below: int, part: float) -> None:
    scale = Scale(height, top, below if below < height - 1 else 0)
    assert scale.tokens(scale.y(part * top)) == pytest.approx(part * top, abs=1e-6 * top)


def test_a_dragged_budget_is_as_round_as_a_pixel_is_coarse() -> None:
    scale = Scale(150, 200_000)  # 1,333 tokens a pixel
    assert scale.rounded(60_127) == 60_000
    assert scale.rounded(-5) == 0
    assert scale.rounded(10**9) == 200_000
    assert Scale(100, 90).rounded(41.3) == 41


def test_ticks_are_round_and_apart() -> None:
    assert Scale(138, 210_000).ticks() == [0, 50_000, 100_000, 150_000, 200_000]
    assert Scale(138, 3).ticks() == [0, 1, 2, 3]


def test_labels_keep_apart_and_the_heavy_one_stays() -> None:
    placed = apart([50, 52, 53, 54], 16, 0, 200, [1, 1000, 1, 1])
    assert placed[1] == pytest.approx(52, abs=0.5)
    assert [b - a for a, b in pairwise(placed)] == pytest.approx([16, 16, 16])


@given(st.lists(st.floats(-50, 250), min_size=1, max_size=7))
def test_labels_never_collide_and_stay_inside(wanted: list[float]) -> None:
    placed = apart(wanted, 16, 0, 150)
    assert min(placed) >= 0
    assert max(placed) <= 150 + 1e-9
    assert all(b - a >= 16 - 1e-9 for a, b in pairwise(placed))


def test_labels_with_room_stay_where_they_want_to_be() -> None:
    assert apart([10, 40, 90], 16, 0, 150) == [10, 40, 90]


lens = Lens(60_000, 147_000, 9_000, 90, 20, 130)


@given(st.floats(9_000, 147_000))
def test_the_lens_there_and_back(tokens: float) -> None:
    assert lens.tokens(lens.y(tokens)) == pytest.approx(tokens, rel=1e-6)


def test_the_lens_spreads_what_is_near_the_budget_and_keeps_its_ends() -> None:
    assert (lens.y(147_000), lens.y(60_000), lens.y(9_000)) == (20, 90, 130)
    near = lens.y(60_000) - lens.y(62_000)
    plain = 2_000 / 87_000 * 70
    assert near > 3 * plain


def test_every_rung_is_on_the_comb() -> None:
    rungs = np.array([147_000, 146_000, 100_000, 69_400, 59_970, 12_000, 9_000])
    comb = lens.comb(Rungs(rungs), 20, 130)
    assert comb.sum() == 7
    assert comb[0] >= 1
    assert comb[-1] >= 1
    rows = np.flatnonzero(comb) + 20
    for rung in rungs.tolist():
        assert min(abs(rows - lens.y(rung))) <= 1


def test_rungs_around_a_size() -> None:
    rungs = Rungs(np.array([147, 100, 60, 9]))
    assert (rungs.least, rungs.most) == (9, 147)
    assert (rungs.above(60), rungs.within(60)) == (100, 60)
    assert (rungs.above(61), rungs.within(59)) == (100, 9)
    assert (rungs.above(147), rungs.within(8)) == (None, None)


def test_a_budget_at_an_end_has_a_comb_on_one_side() -> None:
    flat = Lens(147_000, 147_000, 9_000, 20, 20, 130)
    assert flat.y(147_000) == 20
    assert flat.comb(Rungs(np.array([147_000, 9_000])), 20, 130).sum() == 2
