"""The free cut: what a place parts, the provider's words for it, the seams beside it; by mouse with Alt and by keys."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app import jobs
from app.model.free_cut import FreeCut
from app.model.kinds import Kind
from app.model.state import Changed, State
from tests.widgets import chart_rankings as made
from tests.widgets.states import bot, call, make_state, result, small_state, user
from widgets.budget_chart import BudgetChart
from widgets.chart_cuts import Cuts, beside, said
from widgets.chart_model import ChartModel

ALT, Key = Qt.KeyboardModifier.AltModifier, Qt.Key


class Asked(QObject):
    """A session that writes questions down."""

    answered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[Any, ...]] = []

    def ask(self, *what: Any) -> None:
        self.asked.append(what)

    def titles(self) -> dict[str, str]:
        return {"anthropic": "Anthropic"}

    def tell(self, told: FreeCut) -> None:
        self.answered.emit(jobs.Answered(1, 1, "free_cut", (told.position,), told))


def cuts_of(state: State) -> Cuts:
    model = ChartModel()
    model.refresh(state, Changed.ALL)
    assert model.live is not None
    assert model.axis is not None
    return Cuts(model.live, model.axis.columns)


TALK = [
    user("q1"), bot("x", call("a", "one"), call("b", "two")), user(result("a", "r" * 400), result("b", "s" * 80)), bot("done"),
    user("q2"), bot(call("c", "three")), user(result("c", "t")), bot("done"), user("q3"), bot("end"),
]  # fmt: skip


def test_every_place_between_messages_against_counting_it_out() -> None:
    state = make_state(TALK)
    cuts, view = cuts_of(state), state.view
    assert view is not None
    messages = view.message.tolist()
    starts = [0, *(i for i in range(1, len(messages)) if messages[i] != messages[i - 1]), len(messages)]
    assert cuts.starts.tolist() == starts
    for index, position in enumerate(starts):
        partner = view.links.partner.tolist()
        parted = [r for r in range(position, len(partner)) if 0 <= partner[r] < position]
        cut = cuts.of(index)
        assert (cut.position, cut.orphans) == (position, len(parted))
        assert cut.safe == (not parted)
        assert cuts.at(cut.column) == cut, "the place on the axis leads back"


def test_seams_beside_a_bad_place_and_what_lies_between() -> None:
    state = make_state(TALK)
    cuts, view = cuts_of(state), state.view
    assert view is not None
    assert view.tokens is not None
    assert view.message_overhead is not None
    results = int(np.flatnonzero(view.kind == Kind.TOOL_RESULT)[0])
    cut = cuts.of(int(np.searchsorted(cuts.starts, results)))
    assert said(cut) == "Cutting here orphans 2 results of r1"
    assert cut.before is not None
    assert cut.behind is not None
    assert (cut.before.label, cut.behind.label) == ("E1", "E2")
    first, second = int(view.groups.first[0]), int(view.groups.first[1])
    overhead = view.message_overhead
    assert cut.before.tokens == int(view.tokens[first:results].sum() + overhead[view.message[first] : view.message[results]].sum())
    assert cut.behind.tokens == int(view.tokens[results:second].sum() + overhead[view.message[results] : view.message[second]].sum())
    assert beside(cut).startswith("nearest seams: ◂ E1 keeps ")
    assert " · E2 ▸ drops " in beside(cut)


def test_at_a_seam_it_says_so() -> None:
    cuts = cuts_of(make_state(TALK))
    seam = cuts.of(int(np.searchsorted(cuts.starts, int(cuts.view.groups.first[1]))))
    assert said(seam) == "Cutting here parts no call from its result"
    assert beside(seam).startswith("this is the seam before E2; the next: E3 ▸ drops ")


def test_one_prompt_has_the_seams_of_its_requests() -> None:
    talk = [user("q"), *(m for n in range(6) for m in (bot(call(f"c{n}", "go")), user(result(f"c{n}", "ok"))))]
    cuts = cuts_of(make_state(talk))
    view = cuts.view
    results = np.flatnonzero(view.kind == Kind.TOOL_RESULT)
    cut = cuts.of(int(np.searchsorted(cuts.starts, int(results[2]))))
    assert cut.before is not None
    assert cut.behind is not None
    assert (cut.before.label, cut.behind.label) == ("r3", "r4")


# -- the chart --------------------------------------------------------------------------------------------------------------------


class Desk:
    def __init__(self, qtbot: QtBot, state: State) -> None:
        self.session = Asked()
        self.chart = BudgetChart(self.session)
        qtbot.addWidget(self.chart)
        self.chart.resize(1200, 206)
        self.chart.show()
        self.state = made.shown(made.all_ranked(state), "evict-exchanges", None)
        self.released: list[int] = []
        self.chart.budget_dragged.connect(self._budget)
        self.chart.budget_released.connect(self.released.append)
        self.chart.refresh(self.state, Changed.ALL)
        self.chart.setFocus()
        QApplication.processEvents()

    def _budget(self, budget: int) -> None:
        self.state = made.shown(self.state, "evict-exchanges", budget)
        self.chart.refresh(self.state, Changed.PLAN)

    @property
    def bad(self) -> tuple[Cuts, int]:
        """All places, and the first that parts a pair."""
        cuts = cuts_of(self.state)
        return cuts, int(np.flatnonzero(cuts.crossing[cuts.starts] > 0)[0])


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(qtbot, small_state())


def mouse(widget: QWidget, what: QEvent.Type, x: float, held: bool) -> None:
    at, left, none = QPointF(x, 6), Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    button = none if what == QEvent.Type.MouseMove else left
    QApplication.sendEvent(widget, QMouseEvent(what, at, widget.mapToGlobal(at), button, left if held else none, ALT))


def test_alt_and_the_mouse(qtbot: QtBot, desk: Desk) -> None:
    chart, (cuts, index) = desk.chart, desk.bad
    cut, bins = cuts.of(index), chart.model.bins
    assert bins is not None
    x = bins.x(cut.column)
    mouse(chart.ruler, QEvent.Type.MouseButtonPress, x - 2, True)
    mouse(chart.ruler, QEvent.Type.MouseMove, x, True)
    assert chart.free.cut == cut
    assert chart.free.bad
    assert desk.released == [], "nothing is planned by it"
    qtbot.waitUntil(lambda: desk.session.asked[-1:] == [("free_cut", cut.position)])
    desk.session.tell(FreeCut(cut.position, 1, "tool-result-orphan", "no call", "messages.0.content.0: unexpected `tool_use_id`"))
    assert chart.free.words() == [
        said(cut), "Anthropic would say: messages.0.content.0: unexpected `tool_use_id`", beside(cut),
    ]  # fmt: skip
    assert chart.spoken() == ". ".join(chart.free.words())
    mouse(chart.ruler, QEvent.Type.MouseButtonRelease, x, False)
    assert chart.free.cut is None
    assert len(desk.released) == 1
    assert desk.released[0] in chart.model.savings.ranking.after.tolist(), "let go, it is at a rung"  # type: ignore[union-attr]


def test_the_picture_tells_a_bad_place_from_a_good_one(desk: Desk) -> None:
    chart, (cuts, index) = desk.chart, desk.bad
    chart.free.move(cuts.of(index).column)
    bad = chart.grab().toImage()
    chart.free.move(cuts.column(int(cuts.view.groups.first[1])))
    good = chart.grab().toImage()
    assert not chart.free.bad
    assert bad != good


def test_what_was_said_of_another_place_is_not_shown(desk: Desk) -> None:
    chart, (cuts, index) = desk.chart, desk.bad
    chart.free.move(cuts.of(index).column)
    desk.session.tell(FreeCut(cuts.of(index).position + 1, 1, "x", "y", "z"))
    assert chart.free.words() == [said(cuts.of(index)), beside(cuts.of(index))]
    desk.session.tell(FreeCut(cuts.of(index).position, 0))
    assert chart.free.words()[1] == "no reason found why Anthropic would refuse it"


def test_alt_and_the_arrows_walk_by_messages_and_escape_leaves(desk: Desk) -> None:
    chart = desk.chart
    QTest.keyClick(chart, Key.Key_Right, ALT)
    first = chart.free.cut
    assert first is not None
    QTest.keyClick(chart, Key.Key_Right, ALT)
    second = chart.free.cut
    assert second is not None
    starts = desk.bad[0].starts.tolist()
    assert starts.index(second.position) == starts.index(first.position) + 1
    QTest.keyClick(chart, Key.Key_Left, ALT)
    assert chart.free.cut == first
    QTest.keyClick(chart, Key.Key_Escape)
    assert chart.free.cut is None
    assert desk.released == []
    QTest.keyClick(chart, Key.Key_Right, ALT)
    QTest.keyClick(chart, Key.Key_Return)
    assert chart.free.cut is None
    assert len(desk.released) == 1
