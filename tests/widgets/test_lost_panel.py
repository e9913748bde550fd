"""What the shown plan loses: asked once the plans are checked, shown below the table, jumped to, pinned in one step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.model.lost import Lost, LostItem, Superseded
from app.model.state import State
from app.session import Session
from tests.inline import Inline
from tests.losing import body
from tests.losing_cases import CASES
from tests.widgets.states import broken_state, row_of, small_state
from widgets.lost_panel import LostPanel
from widgets.plan_panel import PlanPanel
from widgets.plan_table import LOST, NAME

Key = Qt.Key


def item(state: State, kind: Any = "identifier", words: str = "cus_8812f", stated: str = "c3", *used: str) -> LostItem:
    rows = tuple(row_of(state, one) for one in used)
    by: Any = "person" if kind == "constraint" else "result"
    return LostItem(kind, words, row_of(state, stated), by, rows, len(rows), f"why {words} counts")


@pytest.fixture
def state() -> State:
    return small_state()


@pytest.fixture
def panel(qtbot: QtBot, state: State) -> LostPanel:
    made = LostPanel()
    qtbot.addWidget(made)
    made.resize(568, 260)
    made.show()
    rule = item(state, "constraint", "never\u202ecc <b>sales</b>", "c1")
    found = Lost(
        "evict-exchanges", 100, (rule, item(state, "identifier", "cus_8812f", "c3", "c4")),
        {"constraint": 1, "identifier": 3}, (Superseded(row_of(state, "c2"), row_of(state, "c4"), 1200, True),), 1, 1200,
    )  # fmt: skip
    made.put(state, found)
    QAbstractItemModelTester(made.list.lines, QAbstractItemModelTester.FailureReportingMode.Fatal)
    return made


def titles(panel: LostPanel) -> list[str]:
    return [line.title for line in panel.list.lines.lines]


def test_one_line_sums_up(panel: LostPanel) -> None:
    assert panel.said.text() == "Lost: 1 constraint, 3 identifiers · 1 result superseded, which costs nothing"
    assert panel.list.isHidden()
    assert panel.pin_all.text() == "Pin all 2"
    assert not panel.pin.isVisible()
    assert panel.fold.accessibleName() == "Show what is lost"


def test_the_list_by_keyboard(qtbot: QtBot, panel: LostPanel, state: State) -> None:
    rows: list[int] = []
    panel.row_wanted.connect(rows.append)
    panel.fold.setFocus()
    qtbot.keyClick(panel.fold, Key.Key_Space)
    assert panel.list.isVisible()
    assert titles(panel) == ["never‹U+202E›cc <b>sales</b>", "cus_8812f", "2 more that matter less are not listed", "1 result superseded"]
    assert panel.list.lines.lines[0].spoken == "never‹U+202E›cc <b>sales</b>, constraint, why never‹U+202E›cc <b>sales</b> counts, E1 · r1"
    qtbot.waitUntil(panel.list.hasFocus)
    qtbot.keyClick(panel.list, Key.Key_Down)
    assert rows[-1] == row_of(state, "c3")
    assert panel.list.lines.lines[1].detail == "stated by a result, used in r4"
    assert panel.where.isVisible()
    qtbot.mouseClick(panel.where, Qt.MouseButton.LeftButton)
    assert rows[-1] == row_of(state, "c4")
    panel._state = state.with_(selected=row_of(state, "c4"))
    qtbot.mouseClick(panel.where, Qt.MouseButton.LeftButton)
    assert rows[-1] == row_of(state, "c3"), "round and back to its source"
    panel.list.selectRow(3)
    qtbot.keyClick(panel.list, Key.Key_Right)
    assert titles(panel)[-1] == "made again in E2 · r4"
    assert panel.list.lines.lines[-1].detail == "and said the same"
    qtbot.keyClick(panel.list, Key.Key_Down)
    qtbot.keyClick(panel.list, Key.Key_Return)
    assert rows[-1] == row_of(state, "c2")
    qtbot.mouseClick(panel.fold, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert panel.list.isHidden()


def test_pin_the_selected_one_or_all(qtbot: QtBot, panel: LostPanel, state: State) -> None:
    wanted: list[list[int]] = []
    panel.pins_wanted.connect(wanted.append)
    panel.open()
    assert panel.pin.text() == "Pin E1"
    qtbot.mouseClick(panel.pin, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(panel.pin_all, Qt.MouseButton.LeftButton)
    assert wanted == [[0], [0, 1]]
    found = panel._lost
    panel.put(state.with_(pinned=frozenset({0, 1})), found)
    assert not panel.pin_all.isVisible()


def test_what_is_not_known_says_why(panel: LostPanel, state: State) -> None:
    panel.put(state, None, "What is lost: looked for, 40%…")
    assert panel.said.text() == "What is lost: looked for, 40%…"
    assert titles(panel) == []
    panel.put(state, Lost("x", 1))
    assert panel.said.text() == "Lost: nothing that a kept prompt, call or answer rests on"
    panel.retint()


# -- with a session -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    path = tmp_path / "found.json"
    path.write_bytes(body(next(one for one in CASES if one.name == "found by a search").script))
    made = Session(worker=Inline)
    made._count_exactly = False
    made.use_counter("chars/4")
    made.open(str(path))
    qtbot.waitUntil(lambda: made.state.report is not None and not made.busy and bool(made.state.rankings), timeout=20_000)
    yield made
    made.close()
    made._watch.stop()
    made.deleteLater()


@pytest.fixture
def plan(qtbot: QtBot, session: Session) -> PlanPanel:
    made = PlanPanel(session)
    qtbot.addWidget(made)
    made.resize(568, 420)
    made.show()
    session.changed.connect(made.refresh)
    made.refresh(session.state, session_all())
    return made


def session_all() -> Any:
    from app.model.state import Changed

    return Changed.ALL


def settled(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy, timeout=20_000)


def test_nothing_is_made_before_a_plan_was_checked(plan: PlanPanel) -> None:
    assert plan._losses is None


def test_asked_when_checked_and_told_in_table_and_panel(qtbot: QtBot, session: Session, plan: PlanPanel) -> None:
    session.set_budget(60)
    settled(qtbot, session)
    desk = plan._losses
    assert desk is not None
    assert set(desk.found) == set(session.state.rankings)
    assert desk.panel.said.text() == "Lost: 1 constraint, 2 identifiers, 2 numbers"
    strategies = plan.table.strategies
    first = next(i for i, row in enumerate(strategies.rows) if row.name == "evict-exchanges")
    assert strategies.rows[first].cells[LOST] == "1 rule"
    spoken = strategies.data(strategies.index(first, NAME), Qt.ItemDataRole.AccessibleTextRole)
    assert "loses 1 constraint, 2 identifiers, 2 numbers" in spoken
    plan.show_lost()
    assert desk.panel.list.lines.lines[0].mark == "constraint"
    session.set_budget(61)  # a drag: nothing old is told of the new budget
    assert strategies.rows[first].cells[LOST] == ""
    assert desk.panel.said.text().startswith("What is lost: ")
    settled(qtbot, session)
    assert strategies.rows[first].cells[LOST] == "1 rule"
    session.set_budget(None)
    assert not desk.panel.isVisible()


def test_plans_that_were_checked_are_not_made_again(
    qtbot: QtBot, session: Session, plan: PlanPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    from app.pipeline import plan as plans

    real = plans.make
    monkeypatch.setattr(plans, "make", lambda dump, view, spec, *more: made.append(spec[0][0]) or real(dump, view, spec, *more))
    session.set_budget(60)
    settled(qtbot, session)
    assert sorted(made) == sorted(session.state.rankings), "once each, to be checked"
    session.ask("lost", 60, (("evict-exchanges", ()),))
    settled(qtbot, session)
    assert len(made) == len(session.state.rankings) + 1


def test_pinned_it_is_lost_no_more(qtbot: QtBot, session: Session, plan: PlanPanel) -> None:
    session.set_budget(60)
    settled(qtbot, session)
    desk = plan._losses
    assert desk is not None
    plan.pins_wanted.connect(lambda wanted: [session.pin(one) for one in wanted])
    qtbot.mouseClick(desk.panel.pin_all, Qt.MouseButton.LeftButton)
    settled(qtbot, session)
    assert session.state.pinned == {0, 1}
    session.set_budget(60)
    settled(qtbot, session)
    assert desk.found["evict-exchanges"].total == 0


def test_a_failure_is_one_line(qtbot: QtBot, session: Session, plan: PlanPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.model.errors import InspectorError

    def fail(*_: Any) -> Any:
        raise InspectorError("the file has changed")

    monkeypatch.setattr("app.questions.lost.answer", fail)
    session.set_budget(60)
    settled(qtbot, session)
    assert plan._losses is not None
    assert plan._losses.panel.said.text() == "What is lost is not known: the file has changed"


def test_the_broken_state_is_no_trouble(qtbot: QtBot) -> None:
    made = PlanPanel()
    qtbot.addWidget(made)
    made.refresh(broken_state(), session_all())
    made.show_lost()
    assert made._losses is None
