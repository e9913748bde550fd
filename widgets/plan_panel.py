"""The plan: budget, room for the answer, what each strategy would do, the parameters of the shown one, Apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale, QMargins, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from app.model.prices import window_of
from app.model.state import Changed, State
from widgets import pin_words, plan_params, theme
from widgets.budget_field import Budget
from widgets.buttons import button
from widgets.chart_keys import budget_of
from widgets.chart_words import approx, round_
from widgets.flow import Flow, together
from widgets.labels import Elided, Word, plain
from widgets.pick import Pick
from widgets.pins_aside import Aside
from widgets.plan_table import PlanTable
from widgets.words import counted, full, short

if TYPE_CHECKING:
    from widgets.lost_desk import LostDesk

ROOMS = (0, 4_000, 8_000, 16_000, 32_000, 64_000)
WINDOWS = (0, 128_000, 200_000, 400_000, 1_000_000)
_MOST = 1_000_000_000
WHOLE = "whole request"


class PlanPanel(QWidget):
    """Says upward what a person wants; see the signals. `window_set`: the model's window and the room for its answer (0: none)."""

    budget_dragged = Signal(int)
    strategy_chosen = Signal(str)
    params_changed = Signal(str, dict)
    apply_requested = Signal()
    window_set = Signal(int, int)
    imitate_requested = Signal()
    pins_requested = Signal()
    summary_requested = Signal()
    aside_answered = Signal(bool)  # the pins beside the dump: taken or left
    row_wanted = Signal(int)
    pins_wanted = Signal(object)  # exchanges, by index

    def __init__(self, session: Any = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._state = State()
        self.setObjectName("planPanel")
        self.setAccessibleName("Plan")
        self._make_budget()
        self._make_foot()
        self.table = PlanTable()
        self.table.chosen.connect(self.strategy_chosen)
        self._losses: LostDesk | None = None  # what the plans lose; made where one was checked
        self.waiting = Elided("")
        self.waiting.setObjectName("planWaiting")
        self.waiting.setIndent(10)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(3)
        self.aside = Aside()
        self.aside.answered.connect(self.aside_answered)
        for part, stretch in ((self._head, 0), (self.waiting, 0), (self.aside, 0), (self.table, 1), (self._foot, 0)):
            column.addWidget(part, stretch)
        self.retint()
        self.refresh(self._state, Changed.ALL)

    def _make_budget(self) -> None:
        self.spin = Budget()
        self.spin.setObjectName("budgetSpin")
        self.spin.setAccessibleName("Budget in tokens, the whole next request")
        self.spin.setLocale(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
        self.spin.setGroupSeparatorShown(True)
        self.spin.setRange(0, _MOST)
        self.spin.setKeyboardTracking(False)
        self.spin.valueChanged.connect(self._spun)
        self.fixed = Elided("")
        self.fixed.setObjectName("budgetFixed")
        self.fixed.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)  # in a flow nothing is as wide as it likes
        self.windows = _pick("windowPick", "Model window in tokens", WINDOWS, "window not set", "window {}")
        self.windows.setEditable(True)
        self.windows.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.windows.setToolTip(plain("the model's window in tokens: by its name where that tells, else as you know it; choose or type"))
        self.rooms = _pick("roomPick", "Room for the answer in tokens", ROOMS, "answer 0", "answer {}")
        self.rooms.setCurrentIndex(ROOMS.index(16_000))
        self.rooms.setToolTip(plain("what the window must leave free for the model's answer"))
        self.take = button("= …", "windowBudget", "Take the window less the answer's room as the budget", "link")
        self.take.clicked.connect(self._take_window)
        self.windows.currentIndexChanged.connect(self._window_changed)
        edit = self.windows.lineEdit()
        assert edit is not None
        edit.editingFinished.connect(self._window_typed)
        edit.setCursorPosition(0)
        self.rooms.currentIndexChanged.connect(self._say_window)
        self._window, self._own = 0, False  # whether a person has set it
        self._head = QWidget()
        line = Flow(self._head, margins=QMargins(10, 0, 8, 0))
        for part in (together(Word("Budget"), self.spin, self.fixed), self.windows, self.rooms, self.take):
            line.addWidget(part)

    def _make_foot(self) -> None:
        self.params = QLineEdit()
        self.params.setObjectName("strategyParams")
        self.params.setAccessibleName("Parameters of the shown strategy")
        self.params.setToolTip("Parameters of the shown strategy as name=value; Return ranks it anew")
        self.params.editingFinished.connect(self._params_typed)
        self.params.textEdited.connect(lambda _: self._judge_params())
        self._wrong = ""  # what is wrong with the parameters as they are typed
        self.pins = button("", "planPins", "Pins and protection", "link")
        self.pins.clicked.connect(self.pins_requested)
        self.summary = button("Summary…", "planSummary", "Write the summary", "link")
        self.summary.setToolTip(plain("what stands in place of all before the seam: yours, or a skeleton made from the transcript"))
        self.summary.clicked.connect(self.summary_requested)
        self.summary.hide()
        self.imitate = button("Imitate…", "imitatePreset", "Imitate a real system's compaction", "link")
        self.imitate.setToolTip(plain("what a real system's compaction would do here: it takes its family's row"))
        self.imitate.clicked.connect(self.imitate_requested)
        self.apply = button("Apply", "applyPlan", "Apply the plan", "primary")
        self.apply.clicked.connect(self.apply_requested)
        self._foot = QWidget()
        line = _line(self._foot)
        line.addWidget(self.params, 100)
        line.addStretch(1)  # of the width where there are no parameters
        line.addWidget(self.pins)
        line.addWidget(self.summary)
        line.addWidget(self.imitate)
        line.addWidget(self.apply)

    # -- what is shown ------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> None:
        """Shows a state; a move of the drag costs seven rows of text."""
        news = Changed.DUMP | Changed.TRANSCRIPT | Changed.TOKENS | Changed.RANKINGS | Changed.PLAN | Changed.CHECKED | Changed.PREVIEW
        if not changed & news:
            return
        old, self._state = self._state, state
        if not self._own and (changed & Changed.DUMP or old.model != state.model):
            self._offer_window(window_of(state.model) or 0)
        self._show_budget(state)
        self.table.refresh(state)
        self._show_waiting(state)
        if changed & (Changed.RANKINGS | Changed.DUMP) or old.shown != state.shown:
            self._show_params(state, old.shown != state.shown)
        if changed & (Changed.RANKINGS | Changed.TRANSCRIPT | Changed.DUMP) or old.pins is not state.pins:
            self._show_pins(state)
        self.aside.show_pins(state.aside)
        if self.summary.isHidden() != (state.shown != "summarize-prefix"):
            self.summary.setVisible(state.shown == "summarize-prefix")
        self._show_apply(state)
        self.imitate.setEnabled(bool(state.rankings))
        self._show_lost(state, changed)

    def _show_lost(self, state: State, changed: Changed) -> None:
        if self._losses is None and state.checked and self.session is not None:
            from widgets.lost_desk import LostDesk

            self._losses = LostDesk(self)
            layout = self.layout()
            assert isinstance(layout, QVBoxLayout)
            layout.insertWidget(layout.indexOf(self._foot), self._losses.panel, 1)
        if self._losses is not None:
            self._losses.refresh(state, changed)

    def show_lost(self) -> None:
        """Opens the list of what the shown plan loses."""
        if self._losses is not None and not self._losses.panel.isHidden():
            self._losses.panel.toggle()

    def focus_budget(self) -> None:
        """The keyboard goes to the budget's field, all of it selected."""
        self.spin.setFocus()
        self.spin.selectAll()

    def _show_budget(self, state: State) -> None:
        value = state.now if state.budget is None else state.budget
        if value != self.spin.value():
            self.spin.blockSignals(True)
            self.spin.setValue(value)
            self.spin.blockSignals(False)
        self.spin.setSingleStep(max(1, round(state.now / 100)))
        self.spin.setEnabled(state.view is not None)
        said = "= now" if state.budget is None else WHOLE
        if state.view is None:
            said = ""
        self.fixed.setText(said)
        tip = f"now {full(state.now)} tokens: system text, tools and overhead included"
        self.spin.say(f"{tip}\n{full(value)} wanted")
        self._show_take()

    def _show_waiting(self, state: State) -> None:
        there = state.view is not None and not state.rankings
        self.waiting.setVisible(there)
        if there:
            whole = state.dump is not None and state.dump.complete
            self.waiting.setText("Strategies are being ranked…" if whole else "Strategies are ranked as soon as the whole file is read.")

    def _show_params(self, state: State, another: bool) -> None:
        ranking = state.rankings.get(state.shown)
        params = ranking.params if ranking is not None else {}
        self.params.setEnabled(bool(params))
        self.params.setVisible(bool(params))
        if another or not self.params.hasFocus() or not self.params.isModified():
            self.params.setText(plan_params.line_of(params) if ranking is not None else "")
            self.params.setCursorPosition(0)
        self._judge_params()

    def _show_pins(self, state: State) -> None:
        view = state.view
        labels = [view.groups.label(index) for index in sorted(state.pinned) if index < view.groups.exchanges] if view is not None else []
        self.pins.setText(self._wrong or pin_words.summary(state))
        self.pins.setEnabled(view is not None)
        self.pins.setToolTip(plain(self._wrong or "what every plan leaves alone: click for all of it, and for what is worth protecting"))
        named = f"{counted(len(labels), 'exchange')} pinned: {', '.join(labels[:40])}"
        self.pins.setAccessibleDescription(named if labels else "Ctrl+I pins the selected exchange: no strategy touches it")

    def _show_apply(self, state: State) -> None:
        plan, checked = state.plan, state.checked.get(state.shown)
        able = plan is not None and plan.length > 0 and state.preview is None and state.dump is not None and state.dump.complete
        words = "Apply"
        if plan is not None and plan.length > 0:
            freed = plan.before - checked.tokens_after if checked is not None else plan.freed
            near = approx(plan) if checked is None else ""
            words = f"Apply {near}{short(-freed)}, 1 step"
        if self.apply.text() != words:
            self.apply.setText(words)
            self.apply.setAccessibleName(words)
        able = able and not self._wrong
        self.apply.setEnabled(able)
        self.apply.setToolTip(
            plain("does what the plan shows, as one step that can be undone" if able else self._wrong or "there is nothing to apply")
        )

    # -- what a person does -------------------------------------------------------------------------------------------------------

    def _spun(self, value: int) -> None:
        self.budget_dragged.emit(value)

    def _params_typed(self) -> None:
        """Enter, or the focus goes: a line that says something new is a fact."""
        ranking = self._state.rankings.get(self._state.shown)
        if ranking is None or not self.params.isModified():
            return
        found = self._judge_params()
        if found is None:
            return
        self.params.setModified(False)
        if found != ranking.params:
            self.apply.setEnabled(False)  # until it is ranked anew
            self.params_changed.emit(self._state.shown, found)
        else:
            self.params.setText(plan_params.line_of(found))

    def _judge_params(self) -> dict[str, Any] | None:
        """The parameters as they are typed; None where they will not do: that is said, and nothing is applied meanwhile."""
        ranking = self._state.rankings.get(self._state.shown)
        found: dict[str, Any] | None = {}
        words = ""
        if ranking is not None and self.params.isModified():
            try:
                found = plan_params.read(self.params.text(), ranking.params, ranking.strategy)
            except plan_params.ParamsError as error:
                found, words = None, str(error)
        self._params_error(words)
        return found

    def _params_error(self, words: str) -> None:
        changed, self._wrong = words != self._wrong, words
        if words != self.params.accessibleDescription():
            self.params.setAccessibleDescription(words)
            self.params.setToolTip(plain(words))
            palette = self.palette()
            if words:
                palette.setColor(self.params.foregroundRole(), theme.current().error)
            self.params.setPalette(palette)
        if changed:
            self._show_pins(self._state)
            self._show_apply(self._state)

    def _window_changed(self, *_: object) -> None:
        index = self.windows.currentIndex()
        if 0 <= index < len(WINDOWS):
            self._window, self._own = WINDOWS[index], True
        edit = self.windows.lineEdit()
        assert edit is not None
        edit.setCursorPosition(0)
        self._say_window()

    def _window_typed(self) -> None:
        edit = self.windows.lineEdit()
        assert edit is not None
        if edit.text() == self.windows.itemText(self.windows.currentIndex()) or not edit.isModified():
            return
        found = budget_of(edit.text().lower().replace("window", ""))
        if found is not None:
            self._window, self._own = found, True
            self._say_window()
        edit.setText(f"window {round_(self._window)}" if self._window else "window not set")
        edit.setModified(False)

    def _offer_window(self, known: int) -> None:
        """The window that the model's name tells, until a person sets one: the same as a replay goes by. Nothing is taken for it."""
        if known == self._window:
            return
        self._window = known
        self.windows.blockSignals(True)
        self.windows.setCurrentIndex(WINDOWS.index(known) if known in WINDOWS else -1)
        self.windows.blockSignals(False)
        edit = self.windows.lineEdit()
        assert edit is not None
        edit.setText(f"window {round_(known)}" if known else "window not set")
        edit.setCursorPosition(0)
        self._say_window()

    @property
    def room(self) -> int:
        """Tokens that the answer may need."""
        return ROOMS[max(0, self.rooms.currentIndex())]

    def _say_window(self, *_: object) -> None:
        self._show_take()
        self.window_set.emit(self._window, self.room)

    def _fits_window(self) -> int:
        absent = self._state.calibration.offset if self._state.calibration is not None else 0
        return max(0, self._window - self.room - max(0, absent))

    def _show_take(self) -> None:
        there = self._window > 0 and self._state.view is not None
        self.take.setVisible(there)
        if there:
            found = self._fits_window()
            self.take.setText(f"= {round_(found)}")
            self.take.setToolTip(plain(f"set the budget to {full(found)}: the window less the answer and what is not in the dump"))

    def _take_window(self) -> None:
        self.budget_dragged.emit(self._fits_window())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What the budget counts is said where there is room for it beside the fields."""
        super().resizeEvent(event)
        fields = sum(part.width() for part in (self.spin, self.windows, self.rooms)) + self.take.sizeHint().width()
        words = self.fixed.metrics.horizontalAdvance("Budget") + self.fixed.width()
        self.fixed.setVisible(self.width() >= fields + words + 60)

    def retint(self) -> None:
        """Another theme is in force, or another size of the text."""
        for field, wide in ((self.spin, 90), (self.windows, 132), (self.rooms, 100)):
            field.setFixedWidth(theme.scaled(wide))
        self.fixed.setFixedWidth(self.fixed.metrics.horizontalAdvance(WHOLE) + 8)
        self.table.retint()
        if self._losses is not None:
            self._losses.retint()


def _line(widget: QWidget) -> QHBoxLayout:
    line = QHBoxLayout(widget)
    line.setContentsMargins(10, 0, 8, 0)
    line.setSpacing(6)
    return line


def _pick(name: str, accessible: str, values: tuple[int, ...], none: str, form: str) -> QComboBox:
    """A pick-list of numbers of tokens."""
    made = Pick()
    made.setObjectName(name)
    made.setAccessibleName(accessible)
    for value in values:
        made.addItem(form.format(round_(value)) if value else none, value)
    return made
