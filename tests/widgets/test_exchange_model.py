"""The model under Qt's own tester: every toggle, level, reset and ghost is told as it must be told."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.model.kinds import Kind
from app.model.state import Ghost, State
from tests.widgets.states import broken_state, huge_state, row_of
from widgets.exchange_facts import Facts
from widgets.exchange_layout import Layout
from widgets.exchange_model import ExchangeModel
from widgets.exchange_tree import BLOCK, EXCHANGE, GHOST, STEP, Entity, Tree


def model_of(state: State) -> ExchangeModel:
    assert state.view is not None
    model = ExchangeModel()
    model.sentence = str
    tree = Tree(state.view)
    model.set_layout(Layout(tree), Facts(tree, state))
    return model


@pytest.fixture
def model(qtbot: QtBot) -> ExchangeModel:
    return model_of(broken_state())


def test_toggles_levels_ghosts_and_resets_hold_under_the_tester(model: ExchangeModel) -> None:
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    state = broken_state()
    assert state.view is not None
    view, rng = state.view, np.random.default_rng(11)
    calls = np.flatnonzero(view.kind == Kind.TOOL_CALL)
    for _ in range(400):
        act = int(rng.integers(10))
        if act < 6:
            entity = model.entity(int(rng.integers(model.rowCount())))
            model.set_open(entity, bool(rng.integers(2)))
        elif act < 8:
            call = int(calls[rng.integers(len(calls))])
            ghosts = [Ghost(int(rng.integers(len(view) + 1)), Kind.TEXT, "made", 4) for _ in range(int(rng.integers(4)))]
            model.set_ghosts([*ghosts, Ghost(call + 1, Kind.TOOL_RESULT, "made", 4, call)] if rng.integers(2) else ghosts)
        elif act == 8:
            model.set_level(int(rng.integers(1, 4)))
        else:
            model.set_layout(Layout(Tree(view)), model.facts)
        assert model.rowCount() == (model.layout.rows if model.layout else 0)
    model.set_layout(None, None)
    assert model.rowCount() == 0
    del tester


def test_opening_tells_of_the_rows_right_behind(model: ExchangeModel) -> None:
    told: list[tuple[int, int]] = []
    model.rowsInserted.connect(lambda parent, first, last: told.append((first, last)))
    model.rowsRemoved.connect(lambda parent, first, last: told.append((first, last)))
    row = model.layout.row_of_top(31) if model.layout else -1
    assert model.set_open(model.entity(row), True) == 3
    assert model.set_open(model.entity(row), True) == 0
    assert model.set_open(model.entity(row), False) == -3
    assert told == [(row + 1, row + 3), (row + 1, row + 3)]


def test_ghosts_that_only_move_are_told_by_one_signal(model: ExchangeModel) -> None:
    changed: list[tuple[int, int]] = []
    moved: list[str] = []
    assert model.layout is not None
    first = int(model.layout.tree.top_first[5])
    model.set_ghosts([Ghost(first, Kind.TEXT, "a summary", 40), Ghost(first, Kind.TEXT, "understood", 9)])
    rows = model.rowCount()
    model.dataChanged.connect(lambda a, b, roles: changed.append((a.row(), b.row())))
    for signal in (model.rowsInserted, model.rowsRemoved, model.modelReset, model.layoutChanged):
        signal.connect(lambda *told: moved.append("rows"))
    first = int(model.layout.tree.top_first[7])
    model.set_ghosts([Ghost(first, Kind.TEXT, "a summary", 40), Ghost(first, Kind.TEXT, "understood", 9)])
    assert (changed, moved, model.rowCount()) == ([(0, rows - 1)], [], rows)
    at = model.layout.row_of_top(7)
    assert [model.entity(r).kind for r in (at - 2, at - 1, at)] == [GHOST, GHOST, EXCHANGE]


def test_index_and_data_are_those_of_a_flat_list(model: ExchangeModel) -> None:
    index = model.index(3, 0)
    assert (index.isValid(), index.parent().isValid(), model.rowCount(index), model.columnCount(index)) == (True, False, 0, 0)
    for row, column, parent in ((-1, 0, QModelIndex()), (0, 1, QModelIndex()), (model.rowCount(), 0, QModelIndex()), (0, 0, index)):
        assert not model.index(row, column, parent).isValid()
    assert model.data(index, Qt.ItemDataRole.AccessibleTextRole) == str(model.entity(3))
    assert model.data(index, Qt.ItemDataRole.DisplayRole) == f"exchange at {model.entity(3).position}"
    assert model.data(index, Qt.ItemDataRole.DecorationRole) is None
    assert model.data(QModelIndex()) is None


def test_rows_speak_for_rows_of_the_table(model: ExchangeModel) -> None:
    state = broken_state()
    model.set_level(3)
    assert model.layout is not None
    assert state.view is not None
    wanted = row_of(state, "t2")
    row = model.layout.row_of(state.view.at(wanted))
    assert (model.entity(row).kind, model.row_id(row)) == (BLOCK, wanted)
    step = model.parent_row(row)
    assert (model.entity(step).kind, model.row_id(step)) == (STEP, wanted - 2)
    exchange = model.parent_row(step)
    assert (model.entity(exchange).kind, model.row_id(exchange), model.parent_row(exchange)) == (EXCHANGE, 211, exchange)
    assert [model.exchange_of(r) for r in (row, step, exchange, 0, -1, 10**6)] == [30, 30, 30, -1, -1, -1]
    assert (model.row_id(-1), model.row_id(model.rowCount())) == (-1, -1)
    call = state.view.at(row_of(state, "t3"))
    model.set_ghosts([Ghost(call + 3, Kind.TOOL_RESULT, "made", 21, call)])
    assert model.row_id(model.layout.row_of_ghost(0)) == row_of(state, "t3")


def test_what_is_not_there_opens_nothing(model: ExchangeModel) -> None:
    assert model.set_open(Entity(BLOCK, 0, 0, 0, 1), True) == 0
    assert [model.can_open(r) for r in (-1, model.rowCount())] == [False, False]
    assert not model.opened(-1)
    refused = model.layout.row_of_top(33) if model.layout else -1
    assert not model.can_open(refused)  # a prompt and nothing else


def test_at_scale_the_tester_holds_too(qtbot: QtBot) -> None:
    model = model_of(huge_state(3_000))
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_level(3)
    rng = np.random.default_rng(3)
    for _ in range(60):
        row = int(rng.integers(model.rowCount()))
        model.set_open(model.entity(row), not model.opened(row))
    del tester
