"""Costs: made when it is looked at, sorted by any column, by blocks or by tools, with a jump and a copy."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app import jobs
from app.model.costs import BlockCost, Costs, Note, ToolCost
from app.model.state import Changed, State
from app.model.view import Totals
from tests.widgets.desk import DeskSession
from tests.widgets.states import row_of, small_state
from widgets.costs_panel import CostsPanel
from widgets.later import Later

Key = Qt.Key


def costs_of(state: State, exact: bool = True) -> Costs:
    a, b, c = (row_of(state, name) for name in ("c1", "c2", "c3"))
    blocks = (
        BlockCost(b, "tool result", "search\u202e_invoices", "open", 900, 4, 3600, 0.6, (Note("oversized", "9,000 characters"),)),
        BlockCost(a, "tool call", "read_file", "data/ledger.json", 300, 5, 1500, 0.25),
        BlockCost(c, "prompt", "", "and who has not paid?", 90, 6, 540, 0.09),
    )
    tools = (ToolCost("search_invoices", 1, 900, 3600, 0.6, 1), ToolCost("read_file", 4, 1300, 2000, 0.3, 0))
    return Costs(blocks, tools, 12, 6, 6000, 360, 1400, "chars/4", exact, {"oversized": 1}, 2, 2)


def told(session: DeskSession, costs: Costs | None, error: str = "") -> None:
    session.asked = [one for one in session.asked if one[0] != "costs"]
    session.answered.emit(jobs.Answered(1, 1, "costs", (), costs, True, error))


@pytest.fixture
def session() -> DeskSession:
    state = small_state()
    from tests.widgets.desk import report

    return DeskSession(state.with_(report=report(), totals=state.totals or Totals(1, 0, "chars/4", True)))


@pytest.fixture
def panel(qtbot: QtBot, session: DeskSession) -> CostsPanel:
    made = CostsPanel(session)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.resize(568, 240)
    made.show()
    assert session.asking("costs")
    told(session, costs_of(session.state))
    assert made._rows is not None
    QAbstractItemModelTester(made._rows, QAbstractItemModelTester.FailureReportingMode.Fatal)
    return made


def cells(panel: CostsPanel, column: int) -> list[str]:
    assert panel._rows is not None
    return [panel._rows.data(panel._rows.index(row, column)) for row in range(panel._rows.rowCount())]


def test_the_dearest_first(panel: CostsPanel) -> None:
    assert panel.said.text() == "6.0k tokens carried by 6 requests; the dearest 3 of 12 blocks"
    assert cells(panel, 0) == ["◀ search‹U+202E›_invoices open", "▶ read_file data/ledger.json", "■ and who has not paid?"]
    assert cells(panel, 4) == ["3.6k", "1.5k", "540"]
    assert cells(panel, 5) == ["60.0%", "25.0%", "9.0%"]
    assert cells(panel, 6) == ["oversized", "", ""]
    assert panel.note.text() == "oversized result: 9,000 characters"


def test_sorted_by_a_click_and_by_keyboard(qtbot: QtBot, panel: CostsPanel) -> None:
    header = panel.table.horizontalHeader()
    assert panel._rows is not None
    at = header.sectionPosition(3) + 10
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=header.rect().center().__class__(at, header.height() // 2))
    assert cells(panel, 3) == ["6", "5", "4"]
    assert panel._rows.headerData(3, Qt.Orientation.Horizontal) == "Req. ▾"
    panel.sort_by(3)
    assert cells(panel, 3) == ["4", "5", "6"]
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Key.Key_F2)
    assert cells(panel, 4) == ["3.6k", "1.5k", "540"]


def test_a_jump_by_keys(qtbot: QtBot, panel: CostsPanel, session: DeskSession) -> None:
    rows: list[int] = []
    panel.row_wanted.connect(rows.append)
    panel.table.setFocus()
    qtbot.waitUntil(panel.table.hasFocus)
    qtbot.keyClick(panel.table, Key.Key_Down)
    assert rows == [row_of(session.state, "c1")]
    qtbot.keyClick(panel.table, Key.Key_Return)
    assert rows == [row_of(session.state, "c1")] * 2
    assert panel.note.text() == "E1 · r1 · 300 tok × 5 requests = 1.5k"


def test_tools(qtbot: QtBot, panel: CostsPanel) -> None:
    button = panel.findChild(QWidget, "costsPanel.tools")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert cells(panel, 0) == ["search_invoices", "read_file"]
    assert cells(panel, 1) == ["1", "4"]
    panel.sort_by(1)
    assert cells(panel, 0) == ["read_file", "search_invoices"]
    assert panel.jump.text() == "Show its blocks"
    panel.show_page("Blocks")
    panel.show_page("Tools")
    assert cells(panel, 0) == ["read_file", "search_invoices"], "each page keeps its order"


def test_copy(qtbot: QtBot, panel: CostsPanel) -> None:
    panel.table.setFocus()
    qtbot.waitUntil(panel.table.hasFocus)
    qtbot.keyClick(panel.table, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0] == "What\tWhere\tTokens\tReq.\tCarried\tShare\tNote"
    assert lines[2] == "▶ read_file data/ledger.json\tr1\t300\t5\t1.5k\t25.0%\t"
    assert len(lines) == 4


def test_asked_again_where_something_is_new_and_only_when_seen(panel: CostsPanel, session: DeskSession) -> None:
    state = session.state
    panel.refresh(state, Changed.TOKENS)
    assert not session.asking("costs")
    assert state.totals is not None
    fresh = state.with_(totals=replace(state.totals, exact=not state.totals.exact))
    session.state = fresh
    panel.hide()
    panel.refresh(fresh, Changed.TOKENS)
    assert not session.asking("costs")
    panel.show()
    assert session.asking("costs")
    assert panel._costs is not None, "what was known is shown until then"
    told(session, costs_of(fresh, exact=False))
    assert panel.said.text().startswith("≈ 6.0k")
    told(session, None, "the file has changed")
    assert panel.said.text().startswith("≈ 6.0k")
    session.state = State()
    panel.refresh(State(), Changed.ALL)
    assert cells(panel, 0) == []


def test_made_when_it_is_seen(qtbot: QtBot) -> None:
    made: list[QLabel] = []

    class Panel(QLabel):
        def refresh(self, state: State, changed: Changed) -> None:
            self.setText("refreshed")

        def retint(self) -> None:
            self.setText("retinted")

    def make() -> QWidget:
        made.append(Panel("new"))
        return made[0]

    later = Later(make)
    qtbot.addWidget(later)
    later.refresh(State(), Changed.ALL)
    later.retint()
    assert not made
    later.show()
    assert [one.text() for one in made] == ["new"]
    later.refresh(State(), Changed.ALL)
    assert made[0].text() == "refreshed"
    later.retint()
    assert made[0].text() == "retinted"
    later.hide()
    later.show()
    assert len(made) == 1
