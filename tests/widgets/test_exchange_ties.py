"""Lines in the gutter: which pairs, in which lanes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from app.model.state import State
from tests.widgets.states import bot, broken_state, call, finding, ghost_of, make_state, result, row_of, user, with_findings
from widgets.exchange_facts import Facts
from widgets.exchange_layout import Layout
from widgets.exchange_model import ExchangeModel
from widgets.exchange_tree import Tree
from widgets.row_columns import Longest, columns
from widgets.theme import current
from widgets.ties import Tie, paint_ties, ties


def shown(state: State, level: int = 3) -> tuple[ExchangeModel, Facts]:
    assert state.view is not None
    facts = Facts(Tree(state.view), state)
    model = ExchangeModel()
    layout = Layout(facts.tree)
    layout.set_level(level)
    model.set_layout(layout, facts)
    return model, facts


def found(state: State, selected: int = -1, level: int = 3) -> list[Tie]:
    model, facts = shown(state, level)
    return ties(model, facts, 0, model.rowCount(), selected)


def parallel(count: int) -> State:
    return make_state(
        [user("go"), bot(*[call(f"c{n}", "read") for n in range(count)]), user(*[result(f"c{n}", "x") for n in range(count)])]
    )


def test_a_pair_is_tied_from_call_to_result(qtbot: QtBot) -> None:
    assert found(parallel(1)) == [Tie(2, 3, 0, "plain", 1)]


def test_a_call_keeps_the_lane_of_its_number(qtbot: QtBot) -> None:
    assert [(tie.upper, tie.lower, tie.lane) for tie in found(parallel(3))] == [(2, 5, 0), (3, 6, 1), (4, 7, 2)]


def test_twenty_parallel_calls_have_eight_lines_and_chips_for_all(qtbot: QtBot) -> None:
    lanes = [tie.lane for tie in found(parallel(20))]
    assert lanes == [*range(8), *[-1] * 12]


def test_the_selected_pair_has_a_line_whatever_its_number(qtbot: QtBot) -> None:
    made = found(parallel(20), selected=2 + 15)
    assert (made[0].upper, made[0].lane, made[0].style) == (17, 0, "selected")
    assert sum(tie.lane >= 0 for tie in made) == 8


def test_closed_steps_have_no_lines(qtbot: QtBot) -> None:
    assert found(parallel(3), level=2) == []


def test_a_late_result_is_tied_over_what_stands_between(qtbot: QtBot) -> None:
    state = make_state([user("a"), bot(call("a", "read")), user("b"), bot(call("b", "read")), user(result("b", "x"), result("a", "late"))])
    made = {(tie.style, tie.lane) for tie in found(state)}
    assert made == {("late", 2), ("plain", 0)}  # number 1 both; the late one keeps clear of the signs of exchanges


def test_a_result_that_a_repair_would_insert_is_tied_to_its_call(qtbot: QtBot) -> None:
    state = broken_state()
    model, facts = shown(state)
    model.set_ghosts([ghost_of(state, "t3")])
    assert model.layout is not None
    at = model.layout.row_of(row_of(state, "t3"))
    for row in (at, at + 3):  # from either end
        made = ties(model, facts, row, row, -1)
        assert [(tie.upper, tie.lower, tie.lane, tie.style) for tie in made] == [(at, at + 3, 2, "made")]


def repeated() -> State:
    """One call three times, in three exchanges."""
    state = make_state([m for n in range(3) for m in (user(f"ask {n}"), bot(call(f"k{n}", "read", path="a")), user(result(f"k{n}", "x")))])
    rows = [row_of(state, f"k{n}") for n in range(3)]
    again = [replace(finding(state, "call-repeated", rows[n], "again", "note"), related=rows[n - 1]) for n in (1, 2)]
    return with_findings(state, again)


def test_a_selected_call_is_tied_to_those_that_it_repeats(qtbot: QtBot) -> None:
    state = repeated()
    model, facts = shown(state)
    assert model.layout is not None
    first, second, third = (model.layout.row_of(row_of(state, f"k{n}")) for n in range(3))
    styles = {(tie.upper, tie.lower): tie.style for tie in ties(model, facts, 0, model.rowCount(), second)}
    assert styles[first, second] == styles[second, third] == "again"
    assert styles[second, second + 1] == "selected"
    assert all(tie.style == "plain" for tie in ties(model, facts, 0, model.rowCount(), -1))


@pytest.mark.parametrize("top", [0, -50, -200])
def test_lines_run_to_the_edge_where_a_partner_is_out_of_view(qtbot: QtBot, top: int) -> None:
    theme = current()
    at = columns(theme, 600, Longest(("E1", "r1"), "99,999", "99 req"))
    image = QImage(600, 120, QImage.Format.Format_RGB32)
    image.fill(theme.paper)
    with QPainter(image) as painter:
        paint_ties(painter, [Tie(1, 12, 0, "plain", 1)], theme, at, top, 120, lambda position: 1.0)
    x = at.lanes - 4
    column = [image.pixelColor(x, y) != theme.paper for y in range(120)]
    begins = max(0, top + at.height + at.height // 2)
    assert column.index(True) in (begins - 1, begins)
    assert column[-1] == (top + 12.5 * at.height > 120)
