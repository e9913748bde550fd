"""The plan panel: budget, table, parameters, apply."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.model.edits import Change
from app.model.errors import InspectorError
from app.model.plan import Checked
from app.model.state import Changed, State
from app.model.tokens import Calibration
from app.strategies import STRATEGIES
from tests.widgets import chart_rankings as made
from tests.widgets.states import broken_state, huge_state, small_state
from widgets import plan_params, theme
from widgets.plan_panel import ROOMS, PlanPanel
from widgets.plan_rows import PLACES, Shares, rows
from widgets.plan_table import _KEPT, AFTER, CACHE, FITS, FREED, KEEPS, NAME, SENT

Key = Qt.Key


class Driven:
    """A panel whose wishes come back as states, as a session gives them."""

    def __init__(self, qtbot: Any, state: State) -> None:
        self.state = made.all_ranked(state) if state.view is not None and not state.rankings else state
        self.panel = PlanPanel()
        qtbot.addWidget(self.panel)
        self.panel.resize(568, 242)
        self.panel.show()
        qtbot.waitExposed(self.panel)
        self.said: list[tuple[Any, ...]] = []
        self.panel.budget_dragged.connect(self._budget)
        self.panel.strategy_chosen.connect(self._chosen)
        self.panel.params_changed.connect(lambda name, params: self.said.append(("params", name, params)))
        self.panel.apply_requested.connect(lambda: self.said.append(("apply",)))
        self.panel.window_set.connect(lambda window, room: self.said.append(("window", window, room)) if self.panel._own else None)
        self.panel.refresh(self.state, Changed.ALL)

    def _budget(self, budget: int) -> None:
        self.said.append(("budget", budget))
        self.show(self.state.shown, budget)

    def _chosen(self, name: str) -> None:
        self.said.append(("chosen", name))
        self.show(name, self.state.budget)

    def show(self, name: str, budget: int | None) -> None:
        self.put(made.shown(self.state, name, budget), Changed.PLAN | Changed.CHECKED)

    def put(self, state: State, changed: Changed = Changed.ALL) -> None:
        self.state = state
        self.panel.refresh(state, changed)

    def cell(self, row: int, column: int, role: Qt.ItemDataRole = Qt.ItemDataRole.DisplayRole) -> Any:
        strategies = self.panel.table.strategies
        return strategies.data(strategies.index(row, column), role)


def checked(state: State, name: str, new: int = 0, verdict: Any = "accept", after: int | None = None, prefix: int = 41) -> State:
    plan = state.rankings[name].plan(state.budget)
    change = Change(name, f"strategy:{name}", "loses", (), note="58 of 88 exchanges")
    found = Checked(change, (), plan.after if after is None else after, verdict, new, prefix, None)
    return state.with_(checked={**state.checked, name: found})


# -- the table --------------------------------------------------------------------------------------------------------------------


def test_seven_strategies_in_their_order_and_the_shown_one_marked(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    assert [it.cell(i, NAME) for i in range(7)] == list(it.state.rankings)
    assert [it.cell(i, 0) for i in range(7)] == ["●"] + ["○"] * 6
    assert it.panel.table.currentIndex().row() == 0
    assert [it.panel.table.strategies.rows[i].breaks_pairs for i in range(7)] == [False] * 6 + [True]
    assert [it.panel.table.strategies.headerData(i, Qt.Orientation.Horizontal) for i in range(9)] == list(PLACES)


def test_parked_it_says_what_each_could_reach_and_nothing_else(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    least = int(it.state.rankings["cap-tool-results"].rungs[-1])
    assert it.cell(3, AFTER) == f"≥ {least / 1000:.1f}k"
    assert [it.cell(0, c) for c in (FITS, FREED, CACHE, SENT)] == ["", "", "", ""]
    assert it.cell(0, KEEPS) == "all 38 exchanges"
    assert it.panel.apply.text() == "Apply"
    assert not it.panel.apply.isEnabled()
    assert it.panel.spin.value() == it.state.now
    assert it.panel.fixed.text() == "= now"


def test_a_strategy_that_fits_and_one_that_runs_dry(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 20_000)
    plan = it.state.plan
    assert plan is not None
    assert plan.deficit is not None
    assert it.cell(0, FITS) == "✓"
    assert it.cell(0, AFTER) == f"{plan.after / 1000:.2f}k"
    assert it.cell(0, FREED) == f"{plan.freed / plan.deficit:.2f} ×"
    assert it.cell(0, KEEPS) == f"{plan.keeps} of 38 exchanges"
    assert it.cell(0, SENT) == "∘"
    cap = it.state.rankings["cap-tool-results"].plan(20_000)
    assert it.cell(3, FITS) == "✕"
    assert it.cell(3, AFTER).startswith("≈")
    assert it.cell(3, FREED) == "dry"
    tip = it.cell(3, FITS, Qt.ItemDataRole.ToolTipRole)
    assert f"does not fit, {cap.after - 20_000:,} too many; can go down to {cap.after:,}" in tip
    assert it.cell(5, FREED) == "0"
    assert it.cell(6, SENT) == "?"  # it breaks pairs: nothing holds by construction


def test_where_nothing_has_to_be_freed_nothing_is_said_to_be(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", it.state.now + 5)
    assert (it.cell(0, FITS), it.cell(0, FREED), it.cell(0, CACHE), it.cell(0, SENT)) == ("✓", "", "100 %", "")
    assert not it.panel.apply.isEnabled()


def test_a_real_check_takes_the_place_of_what_holds_by_construction(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 30_000)
    state = checked(it.state, "evict-exchanges", prefix=it.state.now // 50)
    state = checked(state, "drop-oldest-messages", new=2, verdict="reject")
    state = checked(state, "evict-steps", verdict="reject")
    state = checked(state, "cap-tool-results", after=29_990)
    it.put(state, Changed.CHECKED)
    assert [it.cell(i, SENT) for i in (0, 1, 2, 6)] == ["✓", "✕ still", "∘", "✕ 2"]
    assert it.cell(0, CACHE) == "2 %"
    assert it.cell(0, KEEPS, Qt.ItemDataRole.ToolTipRole) == "keeps 58 of 88 exchanges"
    assert (it.cell(3, AFTER), it.cell(3, FITS)) == ("29.99k", "✓")


def test_arrow_keys_choose_the_strategy(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.panel.table.setFocus()
    QTest.keyClick(it.panel.table, Key.Key_Down)
    QTest.keyClick(it.panel.table, Key.Key_Down)
    QTest.keyClick(it.panel.table, Key.Key_Up)
    assert it.said == [("chosen", "evict-steps"), ("chosen", "stub-tool-results"), ("chosen", "evict-steps")]
    assert [it.cell(i, 0) for i in range(3)] == ["○", "●", "○"]
    it.said.clear()
    it.show("summarize-prefix", 30_000)  # shown from elsewhere: nothing is asked for
    assert it.panel.table.currentIndex().row() == 4
    assert it.said == []


def test_a_click_chooses_too(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    table = it.panel.table
    at = table.visualRect(table.strategies.index(4, KEEPS)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert it.said == [("chosen", "summarize-prefix")]


def test_a_row_is_spoken_whole(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 30_000)
    plan = it.state.plan
    assert plan is not None
    said = it.cell(0, NAME, Qt.ItemDataRole.AccessibleTextRole)
    assert said.startswith(f"evict-exchanges, shown, fits, after {plan.after:,} tokens, freed {plan.freed / plan.deficit:.2f} × needed")  # type: ignore[operator]
    assert "not checked yet" in said
    assert it.cell(6, NAME, Qt.ItemDataRole.AccessibleTextRole).startswith("drop-oldest-messages, breaks pairs, ")


def test_cache_is_the_share_before_the_first_change(qtbot: Any) -> None:
    """Tools and system text, then whole messages, overhead included."""
    state = made.all_ranked(small_state())
    view = state.view
    assert view is not None
    assert view.tokens is not None
    for ranking in state.rankings.values():
        changed = np.minimum(ranking.actions.drop_at, ranking.actions.replace_at)
        order = np.array([np.flatnonzero(changed < n).min(initial=len(view)) if n else -1 for n in range(len(ranking.after))])
        ranking.first = order.astype(np.int32)
    for ranking in state.rankings.values():
        plan = ranking.plan(None)
        if not plan.length:
            continue
        first = plan.first
        message = int(view.message[first])
        before = [p for p in range(len(view)) if view.message[p] < message]
        tokens = int(view.tokens[before].sum()) + 3 * message
        assert Shares().kept(view, plan) == pytest.approx(tokens / plan.before)


def test_a_drag_at_a_hundred_thousand_blocks_changes_seven_rows(qtbot: Any) -> None:
    state = made.all_ranked(huge_state(100_000))
    it = Driven(qtbot, state)
    resets: list[int] = []
    it.panel.table.strategies.modelReset.connect(lambda: resets.append(1))
    for part in (0.9, 0.5, 0.2):
        it.show("evict-exchanges", int(state.now * part))
        assert it.cell(0, KEEPS).endswith("exchanges")
    assert resets == []


def test_a_narrow_table_keeps_what_stays_and_all_rows_are_reached(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 30_000)
    table = it.panel.table

    def hidden(width: int) -> list[int]:
        table.setFixedSize(width, 80)
        QApplication.processEvents()
        return [column for column in range(9) if table.isColumnHidden(column)]

    assert hidden(800) == []
    whole = sum(table.columnWidth(c) for c in range(9) if c != KEEPS) + table.fontMetrics().horizontalAdvance(_KEPT) + 8
    bar = table.verticalScrollBar().sizeHint().width()
    assert hidden(whole + bar + 2) == []
    assert hidden(whole + bar - 10) == [CACHE]
    assert table.columnWidth(KEEPS) >= table.fontMetrics().horizontalAdvance(_KEPT)
    assert hidden(whole + bar - 80) == [FREED, CACHE]
    assert hidden(whole + bar + 2) == []
    last = table.strategies.index(6, NAME)
    table.scrollTo(last)
    assert table.viewport().rect().contains(table.visualRect(last).center())


# -- the budget -------------------------------------------------------------------------------------------------------------------


def test_a_typed_budget_is_said_when_it_is_entered(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.panel.focus_budget()
    QTest.keyClicks(it.panel.spin, "45000")
    assert it.said == []
    QTest.keyClick(it.panel.spin, Key.Key_Return)
    assert it.said == [("budget", 45_000)]
    assert it.panel.spin.text() == "45,000"
    assert it.panel.fixed.text() == "whole request"
    QTest.keyClick(it.panel.spin, Key.Key_Down)
    assert it.said[-1] == ("budget", 45_000 - round(it.state.now / 100))


@pytest.mark.parametrize(("typed", "meant"), [("20k", 20_000), ("22.1K", 22_100), ("1.5M", 1_500_000), ("45,000", 45_000)])
def test_a_budget_may_be_typed_short(qtbot: Any, typed: str, meant: int) -> None:
    it = Driven(qtbot, broken_state())
    it.panel.focus_budget()
    QTest.keyClicks(it.panel.spin, typed)
    QTest.keyClick(it.panel.spin, Key.Key_Return)
    assert it.said == [("budget", meant)]
    assert it.panel.spin.text() == f"{meant:,}"
    assert it.panel.spin.refused == ""


@pytest.mark.parametrize("typed", ["-5", "20kk", "1,5k", "many", "1e5", "20 apples", "9999999999999"])
def test_what_is_no_budget_is_refused_where_it_stands(qtbot: Any, typed: str) -> None:
    it = Driven(qtbot, broken_state())
    spin, before = it.panel.spin, it.panel.spin.value()
    it.panel.focus_budget()
    QTest.keyClicks(spin, typed)
    QTest.keyClick(spin, Key.Key_Return)
    assert it.said == []
    assert (spin.lineEdit().text(), spin.value()) == (typed, before)
    assert theme.current().error.name() in spin.styleSheet()
    assert "is no budget" in spin.toolTip()
    spin.selectAll()
    QTest.keyClicks(spin, "30k")
    assert spin.styleSheet() == ""
    QTest.keyClick(spin, Key.Key_Return)
    assert it.said == [("budget", 30_000)]
    assert "is no budget" not in spin.toolTip()


def test_a_budget_from_elsewhere_is_shown_and_not_said_again(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 33_000)
    assert it.panel.spin.text() == "33,000"
    assert it.said == []


def test_the_window_is_typed_or_chosen_and_offers_itself(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state().with_(calibration=Calibration(1.1, 2_600, 9)))
    panel = it.panel
    assert panel.take.isVisible()  # the window that the model's name tells
    panel.windows.setCurrentIndex(1)
    panel.windows.setCurrentIndex(2)
    assert it.said[-1] == ("window", 200_000, 16_000)
    assert panel.take.text() == "= 181.4k"
    panel.rooms.setCurrentIndex(ROOMS.index(8_000))
    assert it.said[-1] == ("window", 200_000, 8_000)
    edit = panel.windows.lineEdit()
    assert edit is not None
    edit.selectAll()
    QTest.keyClicks(edit, "60k")
    QTest.keyClick(edit, Key.Key_Return)
    assert it.said[-1] == ("window", 60_000, 8_000)
    assert edit.text() == "window 60k"
    QTest.mouseClick(panel.take, Qt.MouseButton.LeftButton)
    assert it.said[-1] == ("budget", 60_000 - 8_000 - 2_600)


# -- parameters, pins, apply --------------------------------------------------------------------------------------------------------


def test_parameters_of_the_shown_one_are_edited_in_one_line(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    assert not it.panel.params.isEnabled()  # evict-exchanges has none
    it.show("stub-tool-results", 30_000)
    edit = it.panel.params
    assert edit.isEnabled()
    assert edit.text().startswith("keep_last=2, text=[tool result removed")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "keep_last=5, text=gone, ask again")
    assert it.said == []
    QTest.keyClick(edit, Key.Key_Return)
    assert it.said == [("params", "stub-tool-results", {"keep_last": 5, "text": "gone, ask again"})]
    QTest.keyClick(edit, Key.Key_Return)
    assert len(it.said) == 1


def test_a_wrong_parameter_says_what_is_wrong_and_asks_for_nothing(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("stub-tool-results", 30_000)
    edit = it.panel.params
    edit.selectAll()
    QTest.keyClicks(edit, "keep_last=two")
    QTest.keyClick(edit, Key.Key_Return)
    assert it.said == []
    assert it.panel.pins.text() == "keep_last must be a whole number, not 'two'"
    assert edit.accessibleDescription() == it.panel.pins.text()
    it.show("evict-steps", 30_000)
    it.show("stub-tool-results", 30_000)
    assert edit.accessibleDescription() == ""


@pytest.mark.parametrize("line", ["keep_last=-1", "abc", "foo=1", "text=", "text=  ", "keep_last="])
def test_nothing_is_applied_while_the_parameters_will_not_do(qtbot: Any, line: str) -> None:
    it = Driven(qtbot, broken_state())
    it.show("stub-tool-results", 30_000)
    edit, pinned = it.panel.params, it.panel.pins.text()
    assert it.panel.apply.isEnabled()
    edit.selectAll()
    QTest.keyClicks(edit, line)
    assert not it.panel.apply.isEnabled()
    assert it.panel.pins.text() == edit.accessibleDescription() != pinned
    QTest.keyClick(edit, Key.Key_Return)
    assert it.said == []
    edit.selectAll()
    QTest.keyClicks(edit, "keep_last=2")
    assert it.panel.apply.isEnabled()
    assert (it.panel.pins.text(), edit.accessibleDescription()) == (pinned, "")


def test_what_the_field_takes_is_what_the_strategy_takes() -> None:
    for strategy in STRATEGIES.values():
        now = strategy.read_params({})
        for key, value in now.items():
            for text in ("-1", "0", "199", "200", "", " ", "keep", "drop", "x") if isinstance(value, str) else ("-1", "0", "199", "200"):
                meant: Any = text if isinstance(value, str) else int(text)
                try:
                    taken: Any = strategy.read_params({**now, key: meant.strip() if isinstance(meant, str) else meant})[key]
                except InspectorError:
                    taken = None
                try:
                    found: Any = plan_params.read(f"{key}={text}", now, strategy.name)[key]
                except plan_params.ParamsError:
                    found = None
                assert found == taken, (strategy.name, key, text)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("keep_last=7", {"keep_last": 7, "text": "t"}),
        ("text=a, b=c, keep_last=1", {"keep_last": 1, "text": "a, b=c"}),
        ("text=", {"keep_last": 2, "text": ""}),
        ("keep_last = 1,000 , text = two\\nlines \\\\ x", {"keep_last": 1000, "text": "two\nlines \\ x"}),
        ("", {"keep_last": 2, "text": "t"}),
    ],
)
def test_a_line_is_read(line: str, found: dict[str, Any]) -> None:
    assert plan_params.read(line, {"keep_last": 2, "text": "t"}) == found


@pytest.mark.parametrize("line", ["7", "keep=7", "keep_last=", "keep_last=1.5", "junk, keep_last=1"])
def test_a_line_that_says_nothing_known_is_an_error(line: str) -> None:
    with pytest.raises(plan_params.ParamsError):
        plan_params.read(line, {"keep_last": 2})


@pytest.mark.parametrize("text", ["", "plain", "a, b", "back\\slash", "two\nlines", "ends with \\n", "x=1, keep=2"])
def test_what_is_written_is_read_again(text: str) -> None:
    params = {"keep_last": 3, "text": text}
    assert plan_params.read(plan_params.line_of(params), params) == params


def test_pins_are_named(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    assert it.panel.pins.text() == "none pinned"
    it.put(it.state.with_(pinned=frozenset({3, 30})))
    assert it.panel.pins.text() == "pinned E4, E31"


def test_apply_says_how_much_and_is_off_while_a_repair_is_looked_at(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 30_000)
    plan = it.state.plan
    assert plan is not None
    assert it.panel.apply.text() == f"Apply −{plan.freed / 1000:.1f}k, 1 step"
    QTest.mouseClick(it.panel.apply, Qt.MouseButton.LeftButton)
    assert it.said == [("apply",)]
    it.put(it.state.with_(preview=object()), Changed.PREVIEW)
    assert not it.panel.apply.isEnabled()


def test_before_strategies_are_ranked_it_says_so(qtbot: Any) -> None:
    it = Driven(qtbot, State())
    assert it.panel.table.strategies.rowCount() == 0
    state = broken_state()
    it.put(state)
    assert it.panel.waiting.isVisible()
    assert it.panel.waiting.text() == "Strategies are being ranked…"
    it.put(made.all_ranked(state), Changed.RANKINGS | Changed.PLAN)
    assert not it.panel.waiting.isVisible()
    assert it.panel.table.strategies.rowCount() == 7


def test_every_control_is_named(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    for widget in it.panel.findChildren(QWidget):
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.isVisible() and widget.objectName() not in ("", "qt_spinbox_lineedit"):
            interface = QAccessible.queryAccessibleInterface(widget)
            assert interface.text(QAccessible.Text.Name), widget.objectName()


def test_rows_are_made_without_a_widget() -> None:
    state = made.shown(made.all_ranked(broken_state()), "evict-exchanges", 30_000)
    found = rows(state, Shares())
    assert [row.name for row in found] == list(state.rankings)
    assert all(len(row.cells) == len(row.tones) == len(row.tips) == len(PLACES) for row in found)


def test_losses_that_do_not_fit_are_rounded_and_never_cut() -> None:
    from widgets.plan_table import _figure

    assert [_figure(said) for said in ("2,013 rules", "1,234,567")] == ["2.0k !", "1.2M"]


def test_it_is_painted_in_both_themes(qtbot: Any, qapp: QApplication) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 30_000)
    try:
        for name in ("dark", "light"):
            theme.apply(qapp, name)  # type: ignore[arg-type]
            it.panel.retint()
            QApplication.processEvents()
            index = it.panel.table.strategies.index(0, KEEPS)
            picture = it.panel.table.viewport().grab().toImage()
            box = it.panel.table.visualRect(index)
            assert picture.pixelColor(box.right() - 2, box.center().y()).name() == theme.current().selection.name()
    finally:
        theme.apply(qapp, "light")


def test_what_is_kept_is_said_in_fewer_words_where_there_is_little_room() -> None:
    from widgets.plan_table import _brief

    for words, room, said in (
        ("7 of 16 exchanges", 13, "7 of 16 exch."), ("7 of 16 exchanges", 8, "7 of 16"), ("prompts, 36 of 67 steps", 10, "36 of 67"),
        ("27 of 52 steps whole", 14, "27 of 52 whole"), ("7 of 16 + summary", 14, "7 of 16 + sum."),
        ("7 of 16 + summary", 12, "7 of 16"), ("no steps with reasoning", 9, "none"),
        ("13,874 of 27,750 exchanges", 15, "13.9k of 27.8k"), ("72 of 133 messages", 14, "72 of 133 msgs"),
    ):  # fmt: skip
        assert _brief(words, lambda text, room=room: len(text) <= room) == said
