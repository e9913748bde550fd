"""Numbers and places in words."""

from __future__ import annotations

import pytest

from tests.widgets.desk import change
from tests.widgets.states import broken_state, row_of, small_state
from widgets.words import abridged, carried, counted, effects, exchange_and_step, full, short, signed, spelled, titles


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (87_134, "87.1k"),
        (147_104, "147.1k"),
        (999_949, "999.9k"),
        (999_950, "1.0M"),
        (-5_200, "−5.2k"),
    ],
)
def test_short(number: int, words: str) -> None:
    assert short(number) == words


def test_the_others() -> None:
    assert full(147_104) == "147,104"
    assert full(-3) == "−3"
    assert signed(12) == "+12"
    assert signed(0) == "0"
    assert counted(1, "change") == "1 change"
    assert counted(2_000, "entry", "entries") == "2,000 entries"
    assert spelled(1, "cause") == "one cause"
    assert spelled(9, "cause") == "nine causes"
    assert spelled(12, "cause") == "12 causes"


def test_effects() -> None:
    assert effects([change(effect="adds"), change(effect="loses"), change(effect="loses")]) == "1 adds, 2 lose"
    assert effects([]) == ""


def test_titles_and_ids() -> None:
    two = change("Drop the result", "loses")
    assert titles([two, change("Move it home", "exact"), two]) == "2 × Drop the result (loses), Move it home (exact)"
    assert titles([change(f"c{n}") for n in range(5)]).endswith("c2 (loses) and 2 more kinds")
    assert (
        abridged("result toolu_01SsD9GMMdErW6foSwZ5VnN7 and c1", ("toolu_01SsD9GMMdErW6foSwZ5VnN7", "c1")) == "result toolu_01S…VnN7 and c1"
    )


def test_a_place_is_exchange_and_step() -> None:
    state = broken_state()
    assert exchange_and_step(state, row_of(state, "toolu_01A")) == "E31 · r106"
    assert exchange_and_step(state, 0) == ""  # system text
    assert exchange_and_step(state, 10_000_000) == ""


def test_requests_that_carried_a_row() -> None:
    state = small_state()  # steps: c1, answer, c2+c3, c4, answer, answer
    assert state.view is not None
    steps = state.view.groups.steps
    assert carried(state, row_of(state, "c1")) == steps - 1
    assert carried(state, int(state.view.rows[2])) == steps  # the first prompt
    assert carried(state, int(state.view.rows[-1])) == 0
