"""Asks what the plans lose, once they are really applied and checked, and tells the table and the panel below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.model.lost import Lost
from app.model.state import Changed, State
from widgets.lost_panel import LostPanel

if TYPE_CHECKING:
    from widgets.plan_panel import PlanPanel

ABOUT = "lost"


class LostDesk:
    """`found`: by strategy, for the budget as it stands. Nothing is asked during a drag: only where every plan was checked."""

    def __init__(self, plan: PlanPanel) -> None:
        self._plan, self._session = plan, plan.session
        self.panel = LostPanel()
        self.panel.row_wanted.connect(plan.row_wanted)
        self.panel.pins_wanted.connect(plan.pins_wanted)
        self.panel.opened.connect(plan.table.make_room)
        self.found: dict[str, Lost] = {}
        self._asked: tuple[Any, ...] = ()
        self._heard: float | None = None
        self._error = ""
        self._session.answered.connect(self._take)
        self._session.heard.connect(self._hear)

    def refresh(self, state: State, changed: Changed) -> None:
        key = (id(state.transcript), state.budget, state.pins, tuple((name, repr(r.params)) for name, r in state.rankings.items()))
        if key != self._asked and self._asked:
            self._asked, self.found, self._error = (), {}, ""
            self._session.ask_no_more(ABOUT)
            self._plan.table.lost(state, self.found)
        if not self._asked and state.rankings and state.budget is not None and all(name in state.checked for name in state.rankings):
            self._asked = key
            names = sorted(state.rankings, key=lambda name: name != state.shown)  # what is looked at is known first
            specs = tuple((name, tuple(state.rankings[name].params.items())) for name in names)
            self._session.ask(ABOUT, state.budget, specs)
        self._show(state)

    def _take(self, answer: Any) -> None:
        if answer.about != ABOUT or not self._asked or answer.what[0] != self._asked[1]:
            return
        for one in answer.answer if isinstance(answer.answer, tuple) else (answer.answer,):
            if isinstance(one, Lost):
                self.found[one.strategy] = one
        self._heard, self._error = None, answer.error
        self._show(self._session.state)
        self._plan.table.lost(self._session.state, self.found)

    def _hear(self, heard: Any) -> None:
        if heard.about == ABOUT and not self.found:
            self._heard = heard.fraction
            self._show(self._session.state)

    def _show(self, state: State) -> None:
        there = state.budget is not None and state.view is not None and bool(state.rankings)
        self.panel.setVisible(there)
        if not there:
            return
        found = self.found.get(state.shown)
        part = f", {self._heard:.0%}" if self._heard is not None else ""
        waiting = f"What is lost is not known: {self._error}" if self._error else f"What is lost: looked for{part}…"
        self.panel.put(state, found, waiting if self._asked else "What is lost: as soon as the plans are checked")

    def retint(self) -> None:
        self.panel.retint()
