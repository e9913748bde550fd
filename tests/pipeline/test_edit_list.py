"""Edits as text: every kind goes there and back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.edits import (
    DELETE,
    After,
    Before,
    Cap,
    Change,
    Drop,
    Edit,
    End,
    HeadOf,
    History,
    Insert,
    Layer,
    Made,
    Move,
    Replace,
    Set,
    SetRequest,
    Stub,
    Words,
)  # fmt: skip
from app.model.kinds import Kind, Role
from app.pipeline.edit_list import highest, read, titles, written

ROWS = st.integers(0, 2**31 - 1)
TEXT = st.text(st.characters(codec=None), max_size=12)
SETS = st.lists(st.integers(0, 200_000), max_size=20).map(lambda rows: np.asarray(rows, np.int32))
VALUES = st.recursive(st.none() | st.booleans() | st.integers(-(2**60), 2**60) | TEXT, lambda v: st.lists(v, max_size=3) | st.dictionaries(
    TEXT, v, max_size=3), max_leaves=5) | st.just(DELETE)  # fmt: skip
PLACES = st.builds(Before, ROWS, st.booleans()) | st.builds(After, ROWS, st.booleans()) | st.builds(HeadOf, ROWS) | st.just(End())
CONTENTS = st.builds(Stub, TEXT) | st.builds(Cap, st.integers(200, 10**6)) | st.builds(Words, TEXT)
MADE = st.builds(Made, st.sampled_from(list(Kind)), st.sampled_from(list(Role)), TEXT, st.integers(-1, 2**31 - 1), st.booleans())
EDITS = st.one_of(
    st.builds(Drop, SETS), st.builds(Replace, SETS, CONTENTS), st.builds(Move, ROWS, PLACES), st.builds(Set, ROWS, TEXT, VALUES),
    st.builds(Insert, PLACES, MADE, st.booleans()), st.builds(SetRequest, TEXT, VALUES),
)  # fmt: skip
EFFECT = st.sampled_from(["exact", "adds", "loses"])
CHANGES = st.builds(Change, TEXT, TEXT, EFFECT, st.lists(EDITS, max_size=4).map(tuple), TEXT, st.integers(-(10**6), 10**6))
LAYERS = st.builds(Layer, TEXT, st.lists(st.lists(CHANGES, max_size=2).map(tuple), max_size=2).map(tuple))
HISTORIES = st.lists(LAYERS, max_size=3).flatmap(lambda layers: st.builds(History, st.just(tuple(layers)), st.integers(0, len(layers))))


def plain(value: Any) -> Any:
    """For comparing: arrays as lists, everything else by its members."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    if isinstance(value, Change | Drop | Replace | Layer | History | Insert | Move | Set | SetRequest):
        return type(value).__name__, {name: plain(held) for name, held in vars(value).items()}
    return value


@settings(max_examples=80, deadline=None)
@given(HISTORIES)
def test_there_and_back(history: History) -> None:
    again = read(json.loads(json.dumps(written(history))))
    assert again is not None
    assert plain(again) == plain(history)


@settings(max_examples=60, deadline=None)
@given(VALUES.filter(lambda v: v is not DELETE))
def test_what_is_no_history_is_none(value: Any) -> None:
    assert read(value) is None


def test_what_was_tampered_with_is_none() -> None:
    good = written(History((Layer("l", ((Change("c", "o", "loses", (Drop(np.asarray([1, 2, 3], np.int32)),)),),)),), 1))
    assert read(good) is not None
    for path, value in ((("cursor",), 7), (("layers", 0, "title"), 3), (("layers", 0, "passes", 0, 0, "effect"), "nice"),
                        (("layers", 0, "passes", 0, 0, "edits", 0, "rows"), [[-1, 5]]),
                        (("layers", 0, "passes", 0, 0, "edits", 0, "do"), "eval")):  # fmt: skip
        bad = json.loads(json.dumps(good))
        part = bad
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = value
        assert read(bad) is None, path


def test_a_million_rows_are_a_few_numbers() -> None:
    rows = np.concatenate([np.arange(0, 600_000), np.arange(700_000, 1_000_000)]).astype(np.int32)
    edits: tuple[Edit, ...] = (Drop(rows),)
    history = History((Layer("plan", ((Change("c", "o", "loses", edits),),)),), 1)
    assert len(json.dumps(written(history))) < 300
    assert highest(history) == 999_999
    assert titles([history, History(history.layers, 0)]) == ["c"]
