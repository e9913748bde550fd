"""The list under a filter: what has rows, what is counted where it is closed, what is open again afterwards."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.model.state import Changed, State
from tests.widgets.filters import filtered
from tests.widgets.listed import make, without_oldest
from tests.widgets.states import broken_state, row_of, small_state
from widgets import exchange_view
from widgets.exchange_layout import Layout
from widgets.exchange_tree import BLOCK, EXCHANGE, STEP, Tree
from widgets.exchange_view import ExchangeView


@pytest.fixture(scope="module")
def state() -> State:
    return broken_state()


TREE: list[Tree] = []


def tree() -> Tree:
    if not TREE:
        view = broken_state().view
        assert view is not None
        TREE.append(Tree(view))
    return TREE[0]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_rows_of_any_mask(data: st.DataObject) -> None:
    """Counted out: each exchange and step with a match has a row where what holds it is open, and nothing else has."""
    made = tree()
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    mask = rng.random(made.count) < data.draw(st.sampled_from([0.0, 0.01, 0.2, 0.9, 1.0]))
    layout = Layout(made, rng.random(made.tops) < 0.7, (rng.random(made.children) < 0.6) & (made.child_step >= 0))
    layout.sift(mask)
    expected: list[tuple[int, int]] = []
    for top in range(made.tops):
        first, end = int(made.top_first[top]), int(made.top_first[top + 1])
        if not mask[first:end].any():
            continue
        expected.append((EXCHANGE, first))
        for child in range(int(made.top_child[top]), int(made.top_child[top + 1])) if layout.open_top[top] else ():
            inside = range(int(made.child_first[child]), int(made.child_first[child + 1]))
            if made.folded[child] or not mask[inside].any():
                continue
            if made.child_step[child] < 0:
                expected += [(BLOCK, at) for at in inside]
            else:
                expected.append((STEP, inside.start))
                expected += [(BLOCK, at) for at in inside if mask[at]] if layout.open_child[child] else []
    found = [layout.entity(row) for row in range(layout.rows)]
    assert [(entity.kind, entity.position) for entity in found] == expected
    assert [layout.row_of_entity(entity) for entity in found] == list(range(layout.rows))
    assert all(layout.is_open(entity.position) for entity in found if entity.kind == BLOCK)
    for row in range(layout.rows):  # closing and opening is told by what comes and goes
        entity = layout.entity(row)
        if layout.opened(entity):
            gone = layout.set_open(entity, False)
            assert layout.set_open(entity, True) == -gone
            assert [layout.entity(at) for at in range(layout.rows)] == found
            break
    layout.sift(None)
    assert layout.shown is None
    assert layout.rows >= len(found)


def words(view: ExchangeView) -> list[str]:
    return [view.rows.data(view.rows.index(row)) for row in range(view.rows.rowCount())]


def put(view: ExchangeView, state: State) -> None:
    view.refresh(state, Changed.FILTER)


def test_only_matches_and_what_holds_them(qtbot: QtBot, state: State) -> None:
    state = state.with_(selected=row_of(state, "u1"))
    view = make(qtbot, state)
    QAbstractItemModelTester(view.rows, QAbstractItemModelTester.FailureReportingMode.Fatal, view)
    assert state.view is not None
    before = words(view)
    put(view, filtered(state, "tool == get_invoice"))
    held = np.flatnonzero(filtered(state, "tool == get_invoice").filter.mask).tolist()  # type: ignore[union-attr]
    blocks = [view.rows.entity(row).position for row in range(view.rows.rowCount()) if view.rows.entity(row).kind == BLOCK]
    assert blocks == held
    assert view.rows.rowCount() == len(held) + 2  # their exchange and their step
    assert view.current_row() == -1  # what was selected is not among them
    put(view, state)
    assert words(view) == before  # as it was open before
    assert view.rows.row_id(view.current_row()) == row_of(state, "u1")


def test_a_filter_that_nothing_matches_says_so(qtbot: QtBot, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    view = make(qtbot, state)
    put(view, filtered(state, "tool == nobody"))
    assert view.rows.rowCount() == 0
    said = view.viewport().grab().toImage()
    monkeypatch.setattr(exchange_view, "NOTHING_MATCHES", "")
    empty = view.viewport().grab().toImage()
    assert said != empty


def test_going_to_what_is_left_out_shows_it_all_the_same(qtbot: QtBot, state: State) -> None:
    view = make(qtbot, state)
    put(view, filtered(state, "tool == get_invoice"))
    rows = view.rows.rowCount()
    assert view.show_row(row_of(state, "u1"))
    assert view.rows.row_id(view.current_row()) == row_of(state, "u1")
    assert view.rows.rowCount() == rows + 3
    assert view.show_row(row_of(state, "t1"))
    assert view.rows.row_id(view.current_row()) == row_of(state, "t1")


def test_hits_in_what_is_closed_are_counted(qtbot: QtBot, state: State) -> None:
    view = make(qtbot, state)
    put(view, filtered(state, "tool == get_invoice", "mark"))
    assert view.rows.rowCount() > 30  # all exchanges are there
    scene, layout = view._painter.scene, view.rows.layout
    assert scene is not None
    assert layout is not None
    assert scene.marking
    counts = {scene.hits_in(view.rows.entity(row)) for row in range(view.rows.rowCount())}
    assert counts == {0, 5}
    assert "5 hits" in view._sentence(view.rows.entity(layout.row_of_top(31)))
    put(view, state)
    assert view._painter.scene is not None
    assert view._painter.scene.hits is None


def test_many_matches_leave_open_what_was_open(qtbot: QtBot, state: State) -> None:
    view = make(qtbot, state)
    put(view, filtered(state, "kind != media"))
    layout = view.rows.layout
    assert layout is not None
    assert not layout.open_top.any()
    put(view, filtered(state, "kind == system"))
    assert view.rows.rowCount() == 2


def test_what_is_open_under_a_filter_stays_so_over_edits(qtbot: QtBot, state: State) -> None:
    view = make(qtbot, state)
    put(view, filtered(state, "kind == call"))
    first = next(row for row in range(view.rows.rowCount()) if view.rows.can_open(row) and view.rows.entity(row).kind == EXCHANGE)
    view.toggle(view.rows.layout.row_of_top(31))  # type: ignore[union-attr]
    assert first >= 0
    later = filtered(without_oldest(state, 3), "kind == call")
    view.refresh(later, Changed.TRANSCRIPT | Changed.FILTER)
    layout = view.rows.layout
    assert layout is not None
    assert not layout.open_top[28]
    assert layout.open_top[29]
    positions = [view.rows.entity(row).position for row in range(view.rows.rowCount()) if view.rows.entity(row).kind == BLOCK]
    mask = later.filter.mask if later.filter else None
    assert mask is not None
    assert all(mask[at] for at in positions)
    view.refresh(later.with_(filter=None), Changed.FILTER)
    assert view.rows.layout is not None
    assert not view.rows.layout.open_top.any()


def test_places_of_hits_at_the_edge(qtbot: QtBot) -> None:
    state = small_state()
    view = make(qtbot, state)
    put(view, filtered(state, "failed", "mark"))
    assert len(view._places().hits) == 1
    put(view, state)
    assert len(view._places().hits) == 0
