"""The chart under mouse, keys and a screen reader."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QFontMetricsF, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.model.edits import History, Layer
from app.model.state import Changed, State
from app.model.transcript import Wall
from tests.widgets import chart_mouse as mouse
from tests.widgets import chart_rankings as made
from tests.widgets.states import bot, broken_state, call, huge_state, make_state, one_prompt_state, result, row_of, small_state, user
from widgets import theme
from widgets.budget_chart import BudgetChart

Key = Qt.Key


class Driven:
    """A chart whose budgets come back as states, as a session gives them."""

    def __init__(self, qtbot: Any, state: State, width: int = 1200, height: int = 206) -> None:
        self.state = made.all_ranked(state) if state.view is not None and not state.rankings else state
        self.chart = BudgetChart()
        qtbot.addWidget(self.chart)
        self.chart.resize(width, height)
        self.chart.show()
        qtbot.waitExposed(self.chart)
        self.dragged: list[int] = []
        self.released: list[int] = []
        self.clicked: list[int] = []
        self.chart.budget_dragged.connect(self._budget)
        self.chart.budget_released.connect(self.released.append)
        self.chart.request_clicked.connect(self._select)
        self.chart.view.scene().minDragTime = 0
        self.chart.refresh(self.state, Changed.ALL)
        self.chart.setFocus()
        QApplication.processEvents()

    def _budget(self, budget: int) -> None:
        self.dragged.append(budget)
        self.show(self.state.shown, budget)

    def _select(self, row: int) -> None:
        self.clicked.append(row)
        self.put(self.state.with_(selected=row), Changed.SELECTION)

    def show(self, name: str, budget: int | None) -> None:
        self.put(made.shown(self.state, name, budget), Changed.PLAN | Changed.CHECKED)

    def put(self, state: State, changed: Changed = Changed.ALL) -> None:
        self.state = state
        self.chart.refresh(state, changed)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.chart, key, modifiers)

    def type(self, text: str) -> None:
        QTest.keyClicks(self.chart, text)

    @property
    def port(self) -> Any:
        return self.chart.view.viewport()

    def y(self, tokens: int) -> float:
        return self.chart.scale.y(tokens)

    @property
    def labels(self) -> dict[str, str]:
        return {label.kind: label.text for label in self.chart.margin.labels}


@pytest.fixture(autouse=True)
def every_move() -> Iterator[None]:
    """pyqtgraph leaves out moves that come faster than a hand; tests are faster."""
    before = pg.getConfigOption("mouseRateLimit")
    pg.setConfigOption("mouseRateLimit", -1)
    yield
    pg.setConfigOption("mouseRateLimit", before)


# -- parked -----------------------------------------------------------------------------------------------------------------------


def test_opened_nothing_is_shown_as_dropped(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    chart = it.chart
    assert chart.line.value() == it.state.now
    assert not chart.model.gone().any()
    assert chart.model.fill()[-1].sum() == it.state.now
    assert chart.model.plan is None
    assert it.labels == {"now": f"now {it.state.now / 1000:.1f}k", "tag": "budget ⇕", "hint": "drag down: nothing taken yet"}
    assert (it.dragged, it.released) == ([], [])
    assert chart.spoken() == f"budget parked at now, {it.state.now:,} tokens, nothing is dropped"


def test_without_a_transcript_it_is_an_empty_frame(qtbot: Any) -> None:
    it = Driven(qtbot, State())
    for key in (Key.Key_Up, Key.Key_Down, Key.Key_Left, Key.Key_Home, Key.Key_End, Key.Key_K, Key.Key_W, Key.Key_5, Key.Key_Escape):
        it.key(key)
    mouse.click(it.port, 100, 50)
    mouse.drag(it.port, (100, 50), (100, 90))
    it.chart.grab()
    assert (it.dragged, it.clicked) == ([], [])
    assert it.chart.spoken() == "no transcript"


# -- the line ----------------------------------------------------------------------------------------------------------------------


def test_dragging_the_line_says_every_budget_and_the_last_one_when_it_is_let_go(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    start, half = it.y(it.state.now), it.y(it.state.now // 2)
    mouse.drag(it.port, (300, start), (320, half))
    assert len(it.dragged) >= 8
    assert it.dragged == sorted(it.dragged, reverse=True)
    assert it.dragged[-1] == pytest.approx(it.state.now / 2, abs=2 * it.chart.scale.per_pixel)
    assert it.dragged[-1] % 100 == 0  # as round as a pixel is coarse
    assert it.released == [it.dragged[-1]]
    assert it.chart.line.value() == it.state.budget
    assert it.state.plan is not None
    assert it.state.plan.reached
    assert it.labels["after"].endswith("fits")


def test_the_line_can_be_taken_five_pixels_beside_it(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    start = it.y(it.state.now)
    mouse.drag(it.port, (300, start + 4), (300, start + 40))
    assert it.dragged
    it.dragged.clear()
    mouse.drag(it.port, (300, it.y(it.state.now) + 2), (300, it.y(it.state.now) + 20))  # the line is elsewhere now
    assert it.dragged == []


def test_escape_puts_a_dragged_line_back(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 50_000)
    y = it.y(50_000)
    mouse.press(it.port, 300, y)
    for i in range(1, 20):
        mouse.move(it.port, 300, y + i)
    assert it.state.budget != 50_000
    it.key(Key.Key_Escape)
    assert it.state.budget == 50_000
    assert it.released == [50_000]
    mouse.move(it.port, 300, y + 40)
    mouse.release(it.port, 300, y + 40)
    assert it.state.budget == 50_000
    assert it.released == [50_000]
    mouse.drag(it.port, (300, y), (300, y + 30))  # and it can be taken up again
    assert it.state.budget != 50_000


def test_the_line_stops_at_nothing_and_at_the_top(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    mouse.drag(it.port, (300, it.y(it.state.now)), (300, 2000))
    assert it.dragged[-1] == 0
    mouse.drag(it.port, (300, it.y(0)), (300, -500))
    assert it.dragged[-1] == it.chart.scale.top


def test_a_click_on_the_line_goes_to_no_request(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    mouse.click(it.port, 300, it.y(it.state.now))
    assert it.clicked == []


# -- the margin -------------------------------------------------------------------------------------------------------------------


def test_dragging_the_tag_moves_the_budget_by_as_much(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 40_000)
    margin = it.chart.margin
    tag = next(label for label in margin.labels if label.kind == "tag")
    x, y = margin.tag_box(tag).center().x(), margin.tag_box(tag).center().y()
    mouse.drag(margin, (x, y), (x, y - 20))
    assert it.dragged[-1] == pytest.approx(40_000 + 20 * it.chart.scale.per_pixel, abs=2 * it.chart.scale.per_pixel)
    assert it.released == [it.dragged[-1]]
    mouse.drag(margin, (x, 3), (x, 40))  # no tag there
    assert it.released == [it.dragged[-1]]


def test_words_are_not_cut_at_the_edge(qtbot: Any) -> None:
    """The longest that a label may say fits the margin."""
    it = Driven(qtbot, broken_state())
    look = theme.current()
    widest = QFontMetricsF(look.ui_bold).horizontalAdvance("after ≈888.8k does not fit")
    assert it.chart.margin.width() - 46 >= widest
    assert it.chart.margin.width() - 46 >= QFontMetricsF(look.ui_bold).horizontalAdvance("budget 88,888,888 ⇕") + 14
    assert it.chart.margin.width() - 46 >= QFontMetricsF(look.ui).horizontalAdvance("888.8k too many; runs dry")


@pytest.mark.parametrize("height", [132, 206])
def test_labels_never_touch(qtbot: Any, height: int) -> None:
    it = Driven(qtbot, broken_state(), height=height)
    for strategy in ("evict-exchanges", "cap-tool-results", "drop-reasoning"):
        for part in (0.005, 0.02, 0.3, 0.6, 0.9, 0.97, 0.999):
            it.show(strategy, int(it.state.now * part))
            labels = it.chart.margin.labels
            assert {"tag", "now", "after"} <= {label.kind for label in labels}
            heights = [label.y for label in labels]
            assert all(b - a >= 16 for a, b in pairwise(heights)), (strategy, part)
            assert heights[0] >= 8
            assert heights[-1] <= it.chart.margin.height() - 8


def test_deficit_overshoot_and_dryness_in_words(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    ranking = it.state.rankings["evict-exchanges"]
    it.show("evict-exchanges", ranking.before - 10)
    first = ranking.before - int(ranking.after[1])
    assert it.labels["deficit"] == "deficit 10" if "deficit" in it.labels else True
    assert it.labels["freed"] == f"freed {first / 10:.2f} × needed"
    it.show("cap-tool-results", 2_000)
    assert it.labels["after"].startswith("after ≈")
    assert it.labels["after"].endswith("does not fit")
    assert it.labels["freed"].endswith("too many; runs dry")
    it.show("evict-exchanges", it.state.now + 1_000)
    assert it.labels["hint"] == "fits as it is"


def test_the_tag_stays_on_its_line_where_there_is_room(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    for part in (0.2, 0.4, 0.6, 0.8, 0.9, 0.95):
        it.show("evict-exchanges", int(it.state.now * part))
        tag = next(label for label in it.chart.margin.labels if label.kind == "tag")
        assert tag.y == pytest.approx(tag.at, abs=1.5)


def test_tips_are_exact(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 40_000)
    margin, plan = it.chart.margin, it.state.plan
    assert plan is not None
    after = next(label for label in margin.labels if label.kind == "after")
    tip = margin.tip(margin.tag_box(after).center().toPoint())
    assert tip == f"budget 40,000, deficit {plan.deficit:,}\nafter {plan.after:,}, freed {plan.freed:,}"


# -- the cut handle ---------------------------------------------------------------------------------------------------------------


def test_the_handle_goes_from_seam_to_seam_and_writes_the_budget_of_that_rung(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    ruler, ranking = it.chart.ruler, it.state.rankings["evict-exchanges"]
    box = ruler.handle_box()
    assert box is not None
    mouse.drag(ruler, (box.center().x(), 6), (ruler.width() * 0.6, 6), (ruler.width() * 0.3, 6))
    rungs = set(ranking.after.tolist())
    assert len(it.dragged) > 5
    assert set(it.dragged) <= rungs
    assert it.released == [it.dragged[-1]]
    assert it.chart.model.cut is not None
    bins = it.chart.model.bins
    assert bins is not None
    assert bins.x(it.chart.model.cut) == pytest.approx(ruler.width() * 0.3, abs=ruler.width() / 12)
    assert it.state.plan is not None
    assert it.state.plan.after == it.state.budget


def test_only_strategies_that_take_a_prefix_have_a_handle(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("stub-tool-results", 30_000)
    assert it.chart.ruler.handle_box() is None
    assert it.chart.model.touched() is not None
    it.show("evict-steps", 30_000)
    assert it.chart.ruler.handle_box() is not None
    assert it.chart.model.touched() is None


# -- keys ---------------------------------------------------------------------------------------------------------------------------


def test_up_and_down_go_from_rung_to_rung(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    rungs = it.state.rankings["evict-exchanges"].rungs.tolist()
    for n in (1, 2, 3):
        it.key(Key.Key_Down)
        assert it.state.budget == rungs[n]
        assert it.state.plan is not None
        assert it.state.plan.length == n
    it.key(Key.Key_Up)
    assert it.state.budget == rungs[2]
    it.show("evict-exchanges", rungs[2] + 1)  # between two rungs
    it.key(Key.Key_Down)
    assert it.state.budget == rungs[3]
    it.show("evict-exchanges", rungs[2] + 1)
    it.key(Key.Key_Up)
    assert it.state.budget == rungs[1]
    assert it.released[-1] == rungs[1]


def test_shift_moves_by_a_hundredth_and_stops_at_the_ends(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    now = it.state.now
    it.key(Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert it.state.budget == now - round(now / 100)
    it.key(Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    it.key(Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert it.state.budget == now
    it.show("evict-exchanges", 5)
    it.key(Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert it.state.budget == 0


def test_home_takes_nothing_and_end_all_that_can_be_taken(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.key(Key.Key_End)
    assert it.state.plan is not None
    assert it.state.budget == it.state.plan.after == it.state.rankings["evict-exchanges"].rungs[-1]
    it.key(Key.Key_Home)
    assert it.state.budget == it.state.now
    assert it.state.plan.length == 0


@pytest.mark.parametrize(
    ("typed", "budget"), [("45000", 45_000), ("45k", 45_000), ("12.5k", 12_500), ("45,000", 45_000), ("1m", 1_000_000)]
)
def test_digits_type_a_budget(qtbot: Any, typed: str, budget: int) -> None:
    it = Driven(qtbot, broken_state())
    it.type(typed)
    assert it.dragged == []
    assert it.labels["tag"] == f"budget {typed}▏↵"
    it.key(Key.Key_Return)
    assert it.dragged == it.released == [budget]
    assert it.labels["tag"] == f"budget {budget:,} ⇕"


def test_typing_can_be_mended_and_given_up(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.type("459")
    it.key(Key.Key_Backspace)
    assert it.labels["tag"] == "budget 45▏↵"
    it.key(Key.Key_Escape)
    assert it.labels["tag"] == "budget ⇕"
    it.key(Key.Key_Return)
    assert it.dragged == []
    it.type("4")
    it.chart.clearFocus()
    assert it.labels["tag"] == "budget ⇕"


def test_keys_of_the_chart_are_its_own_while_it_has_the_focus(qtbot: Any) -> None:
    """Digits open levels of the list and Ctrl+arrows walk its exchanges elsewhere in the window."""
    it = Driven(qtbot, broken_state())

    def overrides(key: Qt.Key, text: str = "", modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers, text)
        event.ignore()
        QApplication.sendEvent(it.chart, event)
        return event.isAccepted()

    control = Qt.KeyboardModifier.ControlModifier
    assert overrides(Key.Key_1, "1")
    assert overrides(Key.Key_K, "k")
    assert overrides(Key.Key_Left, modifiers=control)
    assert not overrides(Key.Key_1, "1", control)
    assert not overrides(Key.Key_Z, "\x1a", control)
    assert not overrides(Key.Key_Return, "\r")  # applies a preview, unless a budget is being typed
    it.type("4")
    assert overrides(Key.Key_Return, "\r")
    assert overrides(Key.Key_Escape)


def test_left_and_right_walk_the_requests(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    view, axis = it.state.view, it.chart.model.axis
    assert view is not None
    assert axis is not None
    it.key(Key.Key_Left)
    assert it.chart.pointed.cursor == axis.columns - 2
    assert it.clicked == [int(view.rows[view.groups.step_first[-1]])]
    assert it.chart.legend.readout.startswith(f"r{view.groups.steps} · E38 · sent ")
    it.key(Key.Key_Right)
    assert it.clicked[-1] == int(view.rows[-1])
    it.key(Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert it.chart.pointed.cursor == int(axis.exchange_column[-1])
    it.key(Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert it.chart.pointed.cursor == int(axis.exchange_column[-2])
    it.key(Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert it.chart.pointed.cursor == int(axis.exchange_column[-1])
    it.key(Key.Key_Escape)
    assert it.chart.pointed.cursor == -1
    assert it.chart.legend.readout == ""


def test_k_shows_every_kind(qtbot: Any) -> None:
    it = Driven(qtbot, small_state())
    two = [words for words, _ in it.chart.legend.entries()]
    it.key(Key.Key_K)
    every = [words for words, _ in it.chart.legend.entries()]
    assert two[:2] == ["tool results", "everything else"]
    assert every[:5] == ["tool results", "tool calls", "reasoning", "text", "user"]
    it.key(Key.Key_K)
    assert [words for words, _ in it.chart.legend.entries()] == two


def test_w_goes_to_the_window_less_the_answer(qtbot: Any) -> None:
    it = Driven(qtbot, made.with_recorded(broken_state()))
    it.key(Key.Key_W)
    assert it.dragged == []
    it.chart.set_window(60_000, 16_000)
    it.key(Key.Key_W)
    assert it.dragged == [60_000 - 16_000 - 2_600]
    it.chart.set_window(0, 16_000)
    it.key(Key.Key_W)
    assert len(it.dragged) == 1


# -- requests -----------------------------------------------------------------------------------------------------------------------


def test_a_click_goes_to_the_request_under_it(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    view, bins = it.state.view, it.chart.model.bins
    assert view is not None
    assert bins is not None
    mouse.click(it.port, bins.x(50.5), 30)
    assert it.clicked == [int(view.rows[view.groups.step_first[50]])]
    assert it.chart.pointed.cursor == 50


def test_hover_names_all_that_is_known_of_a_request(qtbot: Any) -> None:
    it = Driven(qtbot, made.with_recorded(broken_state()))
    it.show("evict-exchanges", it.state.now // 2)
    model, view = it.chart.model, it.state.view
    assert view is not None
    assert model.base is not None
    assert model.axis is not None
    bins = model.bins
    assert bins is not None
    column = 90
    mouse.hover(it.port, bins.x(column + 0.5), 20)
    assert it.chart.pointed.hover == column
    lines = model.describe(column)
    exchange = view.groups.label(int(view.groups.step_exchange[column]))
    recorded = model.recorded
    assert recorded is not None
    share = round(100 * recorded.cache_read[column] / recorded.input[column])
    assert lines[0] == f"r{column + 1} · {exchange}"
    assert lines[1] == f"sent {model.base.sizes[column]:,} tokens"
    assert lines[2] == "under the plan 811"  # nothing but the system text is left before the cut
    assert lines[3] == f"recorded {recorded.input[column]:,}, {share} % of it from the cache"
    assert lines[4].startswith("new in it ")
    QApplication.sendEvent(it.chart.view, QEvent(QEvent.Type.Leave))
    assert it.chart.pointed.hover == -1


def test_where_the_outline_passed_the_budget_first_is_told_from_the_cut(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", it.state.now // 2)
    base, cut = it.chart.model.base, it.chart.model.cut
    assert base is not None
    passed = it.chart.pointed.passed
    assert base.sizes[passed] > it.state.now // 2 >= base.sizes[passed - 1]
    assert passed != cut
    it.show("evict-exchanges", None)
    assert it.chart.pointed.passed == -1


def test_findings_and_refusals_stand_at_the_edge_and_lead_to_their_row(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    edge, model = it.chart.edge, it.chart.model
    kinds = {spot.marks[0].kind for spot in edge.spots}
    assert kinds == {"error", "refusal"}
    orphan = row_of(it.state, "toolu_01A")
    spot = next(s for s in edge.spots if s.marks[0].row == orphan)
    assert spot.marks[0].text == "2 errors here: tool-result-orphan"
    assert spot.marks[0].column == model.column(orphan)
    mouse.click(edge, spot.x, 7)
    assert it.clicked == [orphan]
    refused = next(mark for s in edge.spots for mark in s.marks if mark.kind == "refusal")
    assert refused.text.startswith("refused 400 when sent 4 times: messages.0.content.0")
    xs = [s.x for s in edge.spots]
    assert all(b - a >= 11 for a, b in pairwise(xs))


# -- states of a session ------------------------------------------------------------------------------------------------------------


def test_the_outline_stays_as_opened_when_changes_take_something_out(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    opened = it.chart.model.base
    assert opened is not None
    before = opened.sizes.copy()
    edited = without_exchanges(it.state, 9)
    it.put(edited)
    model = it.chart.model
    assert model.base is not None
    assert model.base.sizes.tolist() == before.tolist()
    assert model.fill()[-1].sum() == edited.now < before[-1]
    axis = model.axis
    assert axis is not None
    gone = int(axis.exchange_column[9])
    assert model.gone()[:gone].all()
    assert not model.gone()[gone:].any()
    assert (model.exchange(3), model.exchange(9)) == ("", "E1")  # numbered as the list does now
    assert model.row(3) == -1
    mouse.click(it.port, 10, 60)
    assert it.clicked == []
    it.put(it.state.with_(view=before_view(it), transcript=it.state.base, totals=broken_state().totals, history=it.state.history.undo()))
    assert not it.chart.model.gone().any()


def before_view(it: Driven) -> Any:
    return broken_state().view


def without_exchanges(state: State, count: int) -> State:
    """The state after a change that dropped the first exchanges."""
    from app.pipeline import count as counting
    from app.pipeline.view import make_view
    from app.providers import PROVIDERS

    view, tokens = state.view, state.tokens
    assert view is not None
    assert tokens is not None
    cut = int(view.groups.first[count])
    head = int((view.groups.exchange < 0).sum())
    transcript = view.transcript.with_(order=np.r_[view.rows[:head], view.rows[cut:]])
    after = make_view(transcript, tokens, PROVIDERS["anthropic"])
    history = History().push(Layer("evict-exchanges", ()))
    totals = counting.totals(after, tokens, PROVIDERS["anthropic"])
    return state.with_(transcript=transcript, view=after, totals=totals, history=history, rankings={}, budget=None, plan=None)


def test_new_counts_move_the_curves(qtbot: Any) -> None:
    it = Driven(qtbot, small_state())
    state = it.state
    assert state.tokens is not None
    assert state.view is not None
    assert state.totals is not None
    state.tokens.own *= 2
    state.view.tokens = state.tokens.own[state.view.rows]
    total = int(state.tokens.own.sum()) + 3 * (int(state.view.message.max()) + 1)
    state.totals.total = total
    it.put(state, Changed.TOKENS)
    assert it.chart.model.fill()[-1].sum() == total
    assert it.chart.line.value() == total
    assert it.chart.scale.top > total


def test_a_compaction_wall_ends_the_curve_and_nothing_before_it_is_taken(qtbot: Any) -> None:
    messages = []
    for n in range(12):
        messages += [user(f"part {n}"), bot("words " * 50, call(f"c{n}", "ls")), user(result(f"c{n}", "r" * 900)), bot("done")]
    plain = make_state(messages)
    assert plain.view is not None
    wall = int(plain.view.groups.first[6])
    it = Driven(qtbot, State())
    state = make_state(messages, start=wall, walls=(Wall(wall, 0, 185_000, 60_000),))
    assert state.view is not None
    assert state.view.tokens is not None
    sent = int(state.view.tokens[wall:].sum()) + 3 * 24
    assert state.totals is not None
    state.totals.total = sent
    it.put(state)
    model = it.chart.model
    assert model.axis is not None
    assert model.base is not None
    assert model.axis.walls[0][0] == 12
    assert model.base.sizes[11] > model.base.sizes[12]
    assert model.fill()[-1].sum() == sent
    it.chart.grab()


def test_a_big_budget_is_shown_though_it_is_over_the_top(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", it.state.now * 2)
    assert it.chart.scale.top > it.state.now * 2
    it.show("evict-exchanges", it.state.now * 50)
    assert it.chart.scale.top < it.state.now * 3
    assert it.chart.line.value() == it.chart.scale.top
    assert it.labels["tag"] == f"budget {it.state.now * 50:,} ⇕"


def test_a_screen_reader_meets_a_slider(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 40_000)
    found = QAccessible.queryAccessibleInterface(it.chart)
    assert found.role() == QAccessible.Role.Slider
    assert found.text(QAccessible.Text.Name) == "Budget"
    plan = it.state.plan
    assert plan is not None
    said = f"budget 40,000 tokens, after {plan.after:,}, fits, drops {plan.length} exchanges"
    assert found.text(QAccessible.Text.Value) == said
    value = found.valueInterface()
    assert (value.currentValue(), value.minimumValue(), value.maximumValue()) == (40_000, 0, it.state.now)
    value.setCurrentValue(30_000)
    assert it.dragged == it.released == [30_000]


def test_spoken_words_say_what_is_only_shortened(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("stub-tool-results", 40_000)
    assert it.state.plan is not None
    assert it.chart.spoken().endswith(f"fits, stubs {it.state.plan.length} tool results")


def test_every_part_has_the_size_of_the_plot(qtbot: Any) -> None:
    it = Driven(qtbot, one_prompt_state(), width=900)
    assert it.chart.edge.width() == it.chart.ruler.width() == it.chart.view.width() == it.chart.model.width
    assert it.chart.scale.height == it.chart.view.height()
    it.chart.resize(700, 180)
    QApplication.processEvents()
    assert it.chart.edge.width() == it.chart.model.width
    assert it.chart.model.bins is not None
    assert it.chart.model.bins.width == it.chart.model.width


@pytest.mark.parametrize("name", ["light", "dark"])
def test_colours_follow_the_theme(qtbot: Any, qapp: QApplication, name: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 30_000)
    try:
        theme.apply(qapp, name)
        QApplication.processEvents()
        picture = it.chart.grab().toImage()
        x = it.chart.view.x() + it.chart.view.width() - 3
        y = it.chart.view.y() + int(it.y(30_000))
        assert picture.pixelColor(x, y).name() == theme.current().blue.name()
        assert picture.pixelColor(2, 100).name() == theme.current().paper.name()
    finally:
        theme.apply(qapp, "light")


def test_a_hundred_thousand_blocks_are_dragged(qtbot: Any) -> None:
    it = Driven(qtbot, huge_state(100_000))
    mouse.drag(it.port, (300, it.y(it.state.now)), (300, it.y(it.state.now // 2)))
    assert it.state.plan is not None
    assert it.chart.model.fill()[-1].sum() == it.state.plan.after


def test_a_look_up_that_takes_long_is_made_after_the_key(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("widgets.budget_chart.LATER", 10)
    it = Driven(qtbot, broken_state())
    qtbot.waitUntil(lambda: it.chart.model.ready)
    it.show("evict-steps", 30_000)
    assert not it.chart.model.ready
    assert it.chart.model.fill()[-1].sum() == it.state.now
    qtbot.waitUntil(lambda: it.chart.model.ready)
    assert it.state.plan is not None
    assert it.chart.model.fill()[-1].sum() == it.state.plan.after


def recounted(state: State, factor: float) -> State:
    """The state with other counts of the same rows."""
    assert state.tokens is not None
    assert state.view is not None
    assert state.totals is not None
    own = (state.tokens.own * factor).astype(np.int32)
    state.tokens.own[:] = own
    state.view.tokens = own[state.view.rows]
    state.totals.total = int(own.sum()) + 3 * (int(state.view.message.max()) + 1)
    return state


def test_counts_that_come_in_during_a_drag_wait_for_its_end(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    top = it.chart.scale.top
    y = it.y(it.state.now)
    mouse.press(it.port, 300, y)
    for i in range(1, 12):
        mouse.move(it.port, 300, y + i)
    it.put(recounted(it.state, 1.5), Changed.TOKENS)
    assert it.chart.scale.top == top  # the scale does not move under the hand
    mouse.move(it.port, 300, y + 20)
    assert it.chart.scale.top == top
    mouse.release(it.port, 300, y + 20)
    assert it.chart.scale.top > it.state.now > top


def test_new_counts_keep_the_look_up_where_the_bins_stay(qtbot: Any) -> None:
    it = Driven(qtbot, broken_state())
    it.show("evict-exchanges", 30_000)
    lookup = it.chart.model._lookup
    before = it.chart.model.fill()[-1].sum()
    it.put(recounted(it.state, 2), Changed.TOKENS)
    assert it.chart.model._lookup is lookup
    assert it.chart.model.fill()[-1].sum() - before == it.state.now - broken_state().now


def test_a_resize_that_takes_long_waits_for_the_hand_to_rest(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    it = Driven(qtbot, broken_state())
    monkeypatch.setattr("widgets.budget_chart.LATER", 10)
    width = it.chart.model.width
    it.chart._sized.setInterval(60_000)
    it.chart.resize(800, 206)
    QApplication.processEvents()
    assert it.chart.model.width == width
    it.chart._sized.start(0)
    qtbot.waitUntil(lambda: it.chart.model.width == it.chart.view.width())


def test_each_transcript_of_a_dump_keeps_its_own_outline(qtbot: Any) -> None:
    """One is edited, another is looked at, then the first again: its outline is still as opened."""
    it = Driven(qtbot, broken_state())
    base = it.chart.model.base
    assert base is not None
    opened = base.sizes.tolist()
    edited = without_exchanges(it.state, 9)
    it.put(edited)
    other = small_state()
    it.put(other.with_(dump=edited.dump, chosen=1))
    assert it.chart.model.base is not None
    assert len(it.chart.model.base.sizes) == 7
    it.put(edited)
    assert it.chart.model.base is not None
    assert it.chart.model.base.sizes.tolist() == opened
    assert it.chart.model.gone().any()
