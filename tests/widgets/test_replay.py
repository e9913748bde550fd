"""The replay and its scrubber in a window on a real session, by keys and mouse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.model.replay import Compaction, Replay, Run, Setup, Sweep, seen_at
from app.model.reproduce import Reproduced
from app.model.tokens import Recorded
from app.session import Session
from app.settings import Store
from tests.inline import Inline
from tests.pipeline.test_replay import steps
from widgets.main_window import MainWindow
from widgets.replay_panel import ReplayPanel
from widgets.replay_table import DONE, RUNS, Table, done_cells, run_cells

_Key = Qt.Key


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    path = tmp_path / "steps.json"
    path.write_text(json.dumps(steps(5)))
    session = Session(worker=Inline)
    session._count_exactly = False
    session.use_counter("chars/4")
    made = MainWindow(session, Store(tmp_path / "settings"))
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    session.open(str(path))
    qtbot.waitUntil(lambda: bool(session.state.rankings) and session.state.totals is not None and not session.busy, timeout=20_000)
    made.chart.load()
    yield made
    session._watch.stop()
    made._leave = True
    made.close()


def opened(qtbot: QtBot, window: MainWindow) -> ReplayPanel:
    """The tab with the figures of the session replayed in a window of 500 tokens."""
    window.acts["view.focus_replay"].trigger()
    panel = window.replays.panel
    assert panel is not None
    for name, text in {"window": "500", "room": "0", "trigger": "400", "target": "250"}.items():
        field = panel.form.fields[name]
        field.selectAll()
        qtbot.keyClicks(field, text)
    qtbot.mouseClick(panel.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.replay is not None and not window.session.asking("replay"), timeout=20_000)
    return panel


def cells(panel: ReplayPanel, row: int) -> list[str]:
    return [cell.text for cell in panel.runs.cells[row]]


def test_the_panel_is_made_when_its_tab_is_looked_at(window: MainWindow) -> None:
    assert window.replays.panel is None
    window.tabs.setCurrentWidget(window.replays.page)
    panel = window.replays.panel
    assert panel is not None
    assert panel.form.fields["window"].text() == "200,000"  # by the model's name
    assert panel.form.fields["read"].text() == "0.1"


def test_each_strategy_gets_its_figures(qtbot: QtBot, window: MainWindow) -> None:
    panel = opened(qtbot, window)
    names = [cell[0].text for cell in panel.runs.cells]
    assert names[:3] == ["as it was", "evict-exchanges", "evict-steps"]
    assert len(names) == 8
    assert cells(panel, 2)[:6] == ["evict-steps", "110 %", "1", "-", "1.07 ×", "∘"]
    assert cells(panel, 0)[5] == "✕ now full"
    assert window.store.value.replay == '{"room": "0", "trigger": "400", "target": "250"}'
    assert panel.runs.data(panel.runs.index(2, 1), Qt.ItemDataRole.AccessibleTextRole).startswith("Cost 110 %. ")


def test_enter_opens_a_strategy_with_its_compactions_checked_and_other_targets(qtbot: QtBot, window: MainWindow) -> None:
    panel = opened(qtbot, window)
    panel.table.selectRow(2)
    qtbot.keyClick(panel.table, _Key.Key_Return)
    assert panel.pages.currentIndex() == 1
    qtbot.waitUntil(lambda: not window.session.asking("replay-one"), timeout=20_000)
    assert panel.title.text() == "evict-steps: 1 compaction; 110 % of the cost without compaction"
    (row,) = panel.done.cells
    assert [cell.text for cell in row] == ["r5", "457 → 235", "1.07 ×", "E1 · r1", "13", "105", "4 dropped", "✓"]
    assert panel.others.text().startswith("Cost of the same down to  380: ")
    qtbot.keyClick(panel.compactions, _Key.Key_Down)
    qtbot.keyClick(panel.compactions, _Key.Key_Return)
    view = window.session.state.view
    assert view is not None
    assert window.session.state.selected == int(view.rows[1])
    qtbot.keyClick(panel.compactions, _Key.Key_Escape)
    assert panel.pages.currentIndex() == 0


def test_what_does_not_go_together_is_said_and_nothing_is_asked(qtbot: QtBot, window: MainWindow) -> None:
    panel = opened(qtbot, window)
    panel.form.fields["trigger"].setText("600")
    qtbot.mouseClick(panel.start, Qt.MouseButton.LeftButton)
    assert panel.said.text() == "a trigger of 600 lies over the 500 tokens that fit; it would never be reached in time"
    panel.form.fields["window"].setText("")
    qtbot.mouseClick(panel.start, Qt.MouseButton.LeftButton)
    assert panel.said.text().startswith("set the model's window")
    assert not window.session.asking("replay")


def test_the_scrubber_greys_what_the_request_did_not_carry(qtbot: QtBot, window: MainWindow) -> None:
    session, chart = window.session, window.chart.chart
    assert chart is not None
    view = session.state.view
    assert view is not None
    session.select(int(view.rows[3]))  # the call of the second step
    window.acts["go.seen"].trigger()
    assert session.state.seen is not None
    assert session.state.seen.column == 1
    assert session.state.seen.mask.tolist() == [True] * 3 + [False] * 8
    assert window.status.changes.text() == "seen at r2: 3 of 11 blocks, 115 tokens · S ends it"
    scene = window.list._painter.scene
    assert scene is not None
    assert scene.seen is not None
    assert scene.seen.tolist() == [0, 1, 2]
    chart.setFocus()
    qtbot.keyClick(chart, _Key.Key_Right)
    assert session.state.seen.column == 2
    assert chart.pointed.held == 2
    session.select(int(view.rows[0]))  # a selection elsewhere leaves it where it is
    assert chart.pointed.cursor == 2
    assert window.list.rows.data(window.list.rows.index(0, 0), Qt.ItemDataRole.AccessibleTextRole)
    qtbot.keyClick(chart, _Key.Key_Escape)
    assert session.state.seen is None
    assert window.replays.column == -1
    assert scene.seen is None


def test_under_an_open_strategy_what_it_took_is_not_seen(qtbot: QtBot, window: MainWindow) -> None:
    panel = opened(qtbot, window)
    panel.table.selectRow(2)
    qtbot.keyClick(panel.table, _Key.Key_Return)
    qtbot.waitUntil(lambda: not window.session.asking("replay-one"), timeout=20_000)
    window.session.select(-1)
    window.acts["go.seen"].trigger()
    seen = window.session.state.seen
    assert seen is not None
    assert seen.strategy == "evict-steps"
    assert seen.mask.tolist() == [True, *[False] * 4, *[True] * 6]
    panel.close_one()
    seen = window.session.state.seen
    assert seen is not None
    assert seen.mask.all()


def test_the_tables_keep_qt_s_rules(window: MainWindow) -> None:
    view = window.session.state.view
    assert view is not None
    sent = np.asarray([10, 20, 30])
    plain = Run("none", "none", sent, np.asarray([0, 10, 20]), checked=True)
    done = Compaction(1, 30, 12, 3, 10, 5, 2, 1, 0, 1, 15, 2)
    run = Run("a", "a", np.asarray([10, 12, -1]), np.asarray([0, 10, 0]), (done,), 2, "window")
    failed = Run("b", "b", sent, sent, failed="no such tool")
    replay = Replay(Setup(40, 0, 25, 15), np.arange(3), plain, (run, failed))
    runs, compactions = Table(RUNS), Table(DONE)
    testers = [QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal) for model in (runs, compactions)]
    for count in (1, 3, 3, 2, 0):
        runs.put([run_cells(replay, one, str) for one in (plain, run, failed)[:count]])
        compactions.put([done_cells(replay, done, str, str)] * count)
    said = run_cells(replay, run, lambda column: f"r{column + 1}")
    assert [cell.text for cell in said][1:6] == ["62 %*", "1", "-", "1.20 ×", "✕ r3 full"]
    assert run_cells(replay, failed, str)[5].tip == "no such tool"
    assert [cell.text for cell in done_cells(replay, done, str, str)] == ["1", "30 → 12", "1.20 ×", "3", "10", "2", "1 dropped", "✕ 2 new"]
    assert len(testers) == 2
    assert Sweep(1, 0.5, 2, None, True).ended
    assert seen_at(view, 0).blocks == 1


def test_what_reproduces_a_recorded_request_is_said_and_gone_to(qtbot: QtBot, window: MainWindow) -> None:
    panel = opened(qtbot, window)
    qtbot.waitUntil(lambda: not window.session.asking("reproduce"), timeout=20_000)
    assert panel.pair.isHidden()  # one request: nothing to compare it with
    view = window.session.state.view
    assert view is not None
    row = int(view.rows[5])
    panel._pairs = [Reproduced("r1", "r2", -1, 1, 0, 0), Reproduced("r2", "r3", row, 4, 0, 0, ("evict-steps after 2 of 8 actions",))]
    panel._show_pairs()
    assert panel.pair.text() == "r3: evict-steps after 2 of 8 actions reproduces it (1 of 2)"
    qtbot.mouseClick(panel.pair, Qt.MouseButton.LeftButton)
    assert window.session.state.selected == row


def test_a_lost_cache_is_marked_at_its_request(window: MainWindow) -> None:
    chart, state = window.chart.chart, window.session.state
    assert chart is not None
    told = ([9_000, 9_500, 9_900, 9_900, 9_900], [0, 9_000, 0, 9_000, 9_000], [0] * 5, [0] * 5)
    usage = [np.asarray(column, np.int64) for column in told]
    chart.model.recorded = Recorded(*usage)
    chart.edge.lay_out()
    (mark,) = [mark for spot in chart.edge.spots for mark in spot.marks if mark.kind == "cache-lost"]
    assert (mark.column, state.view.groups.step_label(mark.column)) == (2, "r3")
    assert mark.text.startswith("the cache was lost: 0 tokens read from it, 9,000 at the request before; ")
    assert not chart.grab().isNull()


def test_leaving_a_field_as_it_was_is_no_edit(qtbot: QtBot, window: MainWindow) -> None:
    panel = opened(qtbot, window)
    said = panel.said.text()
    field = panel.form.fields["room"]
    field.setFocus()
    qtbot.keyClick(field, _Key.Key_Tab)
    assert panel.said.text() == said
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "7")
    qtbot.keyClick(field, _Key.Key_Tab)
    assert panel.said.text().startswith("these figures go by what was entered before")


def test_the_table_leaves_out_its_least_columns_where_it_is_narrow(qtbot: QtBot, window: MainWindow) -> None:
    table = opened(qtbot, window).table
    assert table.horizontalHeader().length() <= table.viewport().width()
    assert not table.horizontalScrollBar().isVisible()
    assert not any(table.isColumnHidden(column) for column in range(6))
    tip = table.model().data(table.model().index(2, 0), Qt.ItemDataRole.ToolTipRole)
    assert "Again: " in tip
    assert "Sent: " in tip


def test_the_words_of_the_held_request_stand_clear_of_the_budget_line() -> None:
    from widgets.chart_tags import held_y

    assert held_y(14, 60) == 3
    for budget_y in range(60):
        top = held_y(14, budget_y)
        assert not top <= budget_y <= top + 14


def test_the_plan_goes_by_the_same_known_window(window: MainWindow) -> None:
    edit = window.plan.windows.lineEdit()
    assert edit is not None
    assert edit.text() == "window 200k"
    assert window.session.state.budget is None  # offered, not taken
    assert window.plan.take.isVisibleTo(window.plan)
