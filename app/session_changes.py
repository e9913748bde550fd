"""What a person changes: plans under a budget, repairs, and the history of both. Every change is a layer; undo moves a cursor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from PySide6.QtCore import QObject, QTimer

from app import jobs
from app.model.edits import Change, History, Layer
from app.model.errors import InspectorError
from app.model.findings import Finding
from app.model.open_call import OpenCall
from app.model.plan import Ranking
from app.model.state import Changed
from app.pipeline.names import FAMILIES, provider_named
from app.session_asks import Asks, Helper
from app.worker import Worker

REST = 150  # ms after the last move of a drag before the plan is really checked


class Changes(Asks):
    """Dragging the budget asks nobody: it looks up a ranking that is here. After a rest the plans are really applied and checked."""

    def __init__(self, parent: QObject | None = None, worker: Callable[[Callable[[Any], None]], Helper] = Worker) -> None:
        super().__init__(parent, worker)
        self._apply_when_checked = False
        self._chose = False  # a person has chosen a strategy in this window
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._commit_all)

    @property
    def busy(self) -> bool:
        return super().busy or self._rest.isActive()

    # -- plans ----------------------------------------------------------------------------------------------------------------------

    def set_budget(self, budget: int | None) -> None:
        """Every move of the drag: one look-up. None parks the budget at now, as if nobody had touched it."""
        self.state = self.state.with_(budget=budget, checked={}, preview=None, written=None)
        self._plan(Changed.PLAN | Changed.CHECKED | Changed.PREVIEW)
        self._rest.start()

    def show_strategy(self, name: str) -> None:
        self._chose = True
        self.state = self.state.with_(shown=name)
        self._plan(Changed.PLAN)
        self._rest.start()

    def set_params(self, name: str, params: dict[str, Any]) -> None:
        """Other parameters for a strategy; it is ranked anew."""
        from app.pipeline.catalogue import strategy_named

        state = self.state
        try:
            params = strategy_named(name).read_params(params)
        except InspectorError as error:
            self.failed.emit(str(error))
            return
        self.state = state.with_(params={**state.params, name: params}, checked={k: v for k, v in state.checked.items() if k != name})
        self._rank()

    def imitate(self, preset: str, params: Mapping[str, Any] | None = None) -> None:
        """A preset takes its family's row and is shown. It goes by its own gates; where nobody has touched the budget yet that is set to
        now, so that what it does is seen."""
        from app.pipeline.catalogue import strategy_named
        from app.presets import PRESETS

        state = self.state
        try:
            read = strategy_named(preset).read_params(params or {})
            family = PRESETS[preset].family
        except (InspectorError, KeyError) as error:
            self.failed.emit(str(error) if isinstance(error, InspectorError) else f"{preset} is a strategy, and no preset")
            return
        self._show_row(family, preset, params={**state.params, preset: read})

    def imitate_no_more(self, family: str) -> None:
        """A family has its row again."""
        if family in self.state.imitated:
            self._show_row(family, family)

    def _show_row(self, family: str, name: str, **more: Any) -> None:
        """Another name in a family's row, ranked and shown."""
        state = self.state
        imitated = {key: preset for key, preset in state.imitated.items() if key != family}
        if name != family:
            imitated[family] = name
        self.state = state.with_(
            imitated=imitated, shown=name, checked={key: held for key, held in state.checked.items() if key != name},
            budget=state.now if state.budget is None and name != family else state.budget, **more,
        )  # fmt: skip
        self._plan(Changed.PLAN | Changed.CHECKED)
        self._rank()

    def _plan(self, what: Changed) -> None:
        from app.pipeline import ghosts

        state = self.state
        ranking = state.rankings.get(state.shown)
        touched = ranking is not None and state.budget is not None
        plan = ranking.plan(state.budget) if ranking is not None and touched else None
        made = ghosts.of_plan(state.view, plan) if plan is not None and state.view is not None else ()
        self._set(what, plan=plan, ghosts=made)

    def _rank(self) -> None:
        if self.state.view is not None and self.state.report is not None:
            names = [self.state.imitated.get(name, name) for name in FAMILIES]
            specs = tuple((name, tuple(self.state.params.get(name, {}).items())) for name in names)
            self._ask(jobs.Rank(self._generation, self._serial, specs))

    def _commit_all(self) -> None:
        """After a rest: every strategy is really applied at this budget and checked, the one shown first."""
        state = self.state
        if state.budget is None or not state.rankings:
            return
        names = [state.shown, *(n for n in state.rankings if n != state.shown)]
        for name in names:
            if name not in state.checked:
                self._ask(jobs.Commit(self._generation, self._serial, name, tuple(state.params.get(name, {}).items()), state.budget))

    def apply_plan(self) -> None:
        """The shown plan becomes one undo step; its exact edits are made first where they are not there yet."""
        state = self.state
        if state.plan is None or state.plan.length == 0:
            return
        checked = state.checked.get(state.shown)
        if checked is None:
            self._apply_when_checked = True
            self._rest.stop()
            self._commit_all()
            return
        self._push(Layer(checked.change.title, ((checked.change,),)))

    def _take_ranked(self, answer: jobs.Ranked) -> None:
        self._waiting.discard("Rank")
        self.state = self.state.with_(rankings=answer.rankings, checked={}, shown=self._shown_first(answer.rankings))
        self._plan(Changed.RANKINGS | Changed.PLAN | Changed.CHECKED)
        if self.state.budget is not None:
            self._rest.start()

    def _shown_first(self, rankings: dict[str, Ranking]) -> str:
        """The strategy to show: where nobody has chosen one and the one of the start can do nothing (a run of one prompt has one exchange,
        which is live), the first that can."""
        shown = rankings.get(self.state.shown)
        if self._chose or self.state.budget is not None or shown is None or shown.after[-1] < shown.before:
            return self.state.shown
        return next((name for name, one in rankings.items() if one.after[-1] < one.before), self.state.shown)

    def _take_committed(self, answer: jobs.Committed) -> None:
        state = self.state
        if answer.budget != state.budget:
            return
        checked = {**state.checked, answer.strategy: answer.checked}
        if len(checked) >= len(state.rankings):
            self._waiting.discard("Commit")
        changes: dict[str, Any] = {"checked": checked}
        if answer.strategy == state.shown and answer.ghosts:
            changes["ghosts"] = answer.ghosts
        self._set(Changed.CHECKED | Changed.PLAN, **changes)
        if self._apply_when_checked and answer.strategy == state.shown:
            self._apply_when_checked = False
            self.apply_plan()

    # -- repairs --------------------------------------------------------------------------------------------------------------------

    def preview_repair(self, level: Literal["safe", "all"] = "safe") -> None:
        """All fixes that the level allows, laid out to be looked at."""
        self._ask(jobs.Try(self._generation, self._serial, level))

    def preview_fix(self, finding: Finding, index: int = 0) -> None:
        self._ask(jobs.Try(self._generation, self._serial, change=finding.fixes[index]))

    def preview_change(self, change: Change) -> None:
        self._ask(jobs.Try(self._generation, self._serial, change=change))

    def preview_result(self, waits: OpenCall, text: str, error: bool, origin: str) -> None:
        """The real result of a call, in a person's words or from elsewhere in the dump (`origin` says which)."""
        from app.pipeline.answer import real_result

        self.preview_change(real_result(waits, text, error, origin, provider_named(self.state.provider)))

    def apply_preview(self) -> None:
        if self.state.preview is not None:
            self._push(self.state.preview.layer)

    def cancel_preview(self) -> None:
        if self.state.preview is not None:
            self._set(Changed.PREVIEW, preview=None)

    def _take_tried(self, answer: jobs.Tried) -> None:
        if "Try" not in self._waiting:  # it was given up
            return
        self._waiting.discard("Try")
        if answer.preview is None:
            self.failed.emit(answer.why)
        else:
            self._set(Changed.PREVIEW, preview=answer.preview)

    # -- history --------------------------------------------------------------------------------------------------------------------

    def _push(self, layer: Layer) -> None:
        self._rewrite(self.state.history.push(layer))

    def undo(self) -> None:
        if self.state.history.can_undo:
            self._rewrite(self.state.history.undo())

    def redo(self) -> None:
        if self.state.history.can_redo:
            self._rewrite(self.state.history.redo())

    def switch_off(self, layer: int) -> None:
        """Takes one layer out of the history; the later ones are applied on what is left, or skipped and reported."""
        history = self.state.history
        layers = tuple(x for i, x in enumerate(history.layers) if i != layer)
        self._rewrite(History(layers, history.cursor - (1 if layer < history.cursor else 0)))

    def _rewrite(self, history: History) -> None:
        self._rest.stop()
        self._apply_when_checked = False
        self._set(
            Changed.HISTORY | Changed.PREVIEW | Changed.PLAN | Changed.CHECKED,
            history=history, preview=None, budget=None, plan=None, ghosts=(), checked={}, written=None,
        )  # fmt: skip
        self._analyse()
