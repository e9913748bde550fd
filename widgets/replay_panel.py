"""The replay: what each strategy would have cost over the whole session, and the compactions of one of them.

Two pages: the strategies, and one of them. Figures come in strategy by strategy; what is chosen is replayed once more with every
compaction really checked, and then at other targets.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from app.model.carry import last_said
from app.model.errors import InspectorError
from app.model.replay import WHY, Replay, Run, Setup, Sweep
from app.model.reproduce import Reproduced
from app.model.state import Changed, State
from app.session import Session
from widgets import theme
from widgets.buttons import button
from widgets.labels import Elided, paper, plain
from widgets.replay_form import Form
from widgets.replay_table import DONE, RUNS, Table, TableView, done_cells, run_cells
from widgets.visible import line, visible
from widgets.words import counted, exchange_and_step, short

SHORT = (
    "To free the least is not the cheapest: each rewrite sends anew, at the price of a cache write, all that stands behind the first "
    "change. What is freed beyond the deficit buys requests until the next one."
)


class ReplayPanel(QWidget):
    """Facts: `row_wanted(row)`; `chosen(run or None)`: whose requests the scrubber shows; `remember(text)`: what the form holds."""

    row_wanted = Signal(int)
    chosen = Signal(object)
    remember = Signal(str)
    count = 0

    def __init__(self, session: Session, remembered: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("replayPanel")
        self.setAccessibleName("Replay")
        self._session, self._state = session, session.state
        self.setup: Setup | None = None
        self.replay: Replay | None = None
        self._runs: list[Run] = []
        self.run: Run | None = None
        self._sweeps: list[Sweep] = []
        self._pairs: list[Reproduced] = []
        self._window = 0
        self.form = Form(remembered)
        self.form.changed.connect(self._changed)
        self.pages = QStackedWidget()
        self.pages.addWidget(self._make_strategies())
        self.pages.addWidget(self._make_one())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.pages)
        session.answered.connect(self._answered)
        session.heard.connect(self._heard)
        self.retint()
        self.refresh(session.state, Changed.ALL)

    # -- pages --------------------------------------------------------------------------------------------------------------------

    def _make_strategies(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.form)
        self.start = button("Replay", "replay.start", "Replay the session under each strategy", "primary")
        self.start.clicked.connect(self.begin)
        self.stop = button("Cancel", "replay.stop", "Cancel the replay")
        self.stop.clicked.connect(self.cancel)
        self.presets = QCheckBox("Presets too")
        self.presets.setObjectName("replay.presets")
        self.presets.setToolTip("every preset that imitates a real system's compaction, beside the strategies of the plan")
        self.bar = QProgressBar()
        self.bar.setObjectName("replay.progress")
        self.bar.setAccessibleName("Progress of the replay")
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.said = Elided()
        self.said.setObjectName("replay.said")
        self.form.beside((self.start, self.stop), (self.presets, self.form.anew))
        row = QHBoxLayout()
        row.setContentsMargins(10, 0, 8, 3)
        row.addWidget(self.said)
        column.addLayout(row)
        column.addWidget(self.bar)
        self.runs = Table(RUNS)
        self.table = TableView(self.runs, "replay.runs", "What each strategy costs over the session; Enter opens one")
        self.table.blank = "Replays the session request by request under each strategy: how often each would compact, and what that costs."
        self.table.activated.connect(self._open)
        self.table.doubleClicked.connect(self._open)
        column.addWidget(self.table, 1)
        self.pair = button("", "replay.pair", "What turns one recorded request into the next; goes to the first change", "link")
        self.pair.clicked.connect(self._go_pair)
        self.pair.hide()
        column.addWidget(self.pair)
        return page

    def _make_one(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.back = button("‹ Strategies", "replay.back", "Back to the strategies", "link")
        self.back.clicked.connect(self.close_one)
        self.title = Elided()
        self.title.setObjectName("replay.title")
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(self.back)
        row.addWidget(self.title, 1)
        column.addLayout(row)
        self.done = Table(DONE)
        self.compactions = TableView(self.done, "replay.compactions", "The compactions; Enter goes to the first place that changed")
        self.compactions.activated.connect(self._go)
        self.compactions.clicked.connect(self._go)
        column.addWidget(self.compactions, 1)
        self.others = QLabel()
        self.others.setObjectName("replay.others")
        self.why = QLabel(SHORT)
        self.why.setToolTip(plain(WHY))
        self.why.setObjectName("replay.why")
        for label in (self.others, self.why):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setContentsMargins(8, 3, 8, 3)
            column.addWidget(label)
        return page

    # -- asking -------------------------------------------------------------------------------------------------------------------

    def specs(self) -> tuple[str, ...]:
        """What is replayed: the rows of the plan table as they are set there; with a tick, every preset beside them."""
        rows = [ranking.spec for ranking in self._state.rankings.values()]
        known = {spec.partition(":")[0] for spec in rows}
        more = [fact.name for fact in self._session.presets() if fact.name not in known] if self.presets.isChecked() else []
        return (*rows, *more)

    def begin(self) -> None:
        """Replays everything anew."""
        try:
            self.setup = self.form.setup()
        except InspectorError as error:
            self._say(str(error), bad=True)
            return
        if not self._state.rankings:
            self._say("the strategies are still being ranked; try again in a moment")
            return
        self.remember.emit(self.form.remembered)
        self._forget()
        self._busy(True)
        self._say("")
        self._session.ask("replay", self.setup, self.specs())
        self._session.ask("reproduce")

    def cancel(self) -> None:
        """What is there stays; nothing more comes."""
        self._session.ask_no_more("replay")
        self._busy(False)
        self._say(f"stopped after {counted(len(self._runs), 'strategy', 'strategies')}")

    def _forget(self) -> None:
        self.replay, self._runs, self._sweeps, self._pairs = None, [], [], []
        self.pair.hide()
        self._choose(None)
        self.runs.put([])
        self.pages.setCurrentIndex(0)

    def _choose(self, run: Run | None) -> None:
        if run is not self.run:
            self.run = run
            self.chosen.emit(run)

    def _busy(self, on: bool) -> None:
        held = self.start.hasFocus() or self.stop.hasFocus()
        self.start.setVisible(not on)
        self.stop.setVisible(on)
        if held:  # the button that had the keyboard is gone
            (self.stop if on else self.table if self._runs else self.start).setFocus()
        self.bar.setRange(0, 0 if on else 1)
        self.bar.setVisible(on)

    def _say(self, text: str, bad: bool = False) -> None:
        self.said.setText(visible(text))
        self.said.look(theme.current().error if bad else theme.current().ink_soft)

    def _changed(self) -> None:
        """What is shown went by other figures."""
        if self.replay is not None:
            self._say("these figures go by what was entered before; replay anew")

    # -- answers --------------------------------------------------------------------------------------------------------------------

    def _answered(self, answer: Any) -> None:
        if answer.about == "replay" and self.setup is not None and answer.what[0] == self.setup:
            self._take(answer)
        elif answer.about == "reproduce" and isinstance(answer.answer, Reproduced):
            self._pairs.append(answer.answer)
            self._show_pairs()
        elif answer.about == "replay-one" and self.setup is not None and answer.what[0] == self.setup:
            self._take_one(answer)

    def _show_pairs(self) -> None:
        """Requests of the dump that something compacted: the first that something here reproduces leads."""
        first = sorted(self._pairs, key=lambda pair: not pair.by)[0]
        by = f"{first.by[0]} reproduces it" if first.by else "nothing here reproduces it"
        self.pair.setText(line(f"{first.after}: {by}" + (f" (1 of {len(self._pairs)})" if len(self._pairs) > 1 else ""), 120))
        self.pair.setToolTip(plain("\n".join(pair.words for pair in self._pairs[:8])))
        self.pair.setVisible(True)

    def _go_pair(self) -> None:
        row = sorted(self._pairs, key=lambda pair: not pair.by)[0].row if self._pairs else -1
        view = self._state.view
        if view is not None and view.at(row) >= 0:
            self.row_wanted.emit(row)

    def _take(self, answer: Any) -> None:
        if answer.error:
            self._busy(False)
            self._say(answer.error, bad=True)
            return
        if isinstance(answer.answer, Run):
            self._runs.append(answer.answer)
        elif isinstance(answer.answer, Replay):
            self.replay = answer.answer
            if answer.done:
                self._runs = list(self.replay.runs)
                self._busy(False)
                walls = f"; {counted(self.replay.walls, 'recorded compaction')} stand" if self.replay.walls else ""
                prices = self.replay.setup.prices.source
                requests = len(self.replay.columns)
                last = last_said(requests, self.replay.unsent)
                calm = f"No request is over {short(self.replay.setup.trigger)}: nothing is compacted" if self.replay.calm else ""
                self._say(f"{calm or 'Enter opens one'} · {counted(requests, 'request')}{last}{walls} · prices: {prices}")
        self._show_runs()

    def _heard(self, heard: Any) -> None:
        if heard.about == "replay" and heard.fraction is not None and self.bar.isVisible():
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(1000 * heard.fraction))

    def _take_one(self, answer: Any) -> None:
        if answer.error:
            self.title.setText(visible(answer.error))
            return
        if isinstance(answer.answer, Run):
            run = answer.answer
            self._runs = [run if run.spec == one.spec else one for one in self._runs]
            self._choose(run)
            self._show_runs()
        elif isinstance(answer.answer, Sweep):
            self._sweeps.append(answer.answer)
        self._show_one()

    # -- showing --------------------------------------------------------------------------------------------------------------------

    def label(self, column: int) -> str:
        """`r12`, `now`."""
        view = self._state.view
        return view.groups.step_label(column) if view is not None and column < view.groups.steps else "now"

    def place(self, row: int) -> str:
        """Where a row stands, in words; a summary of an earlier compaction is in no file."""
        view = self._state.view
        at = view.at(row) if view is not None else -1
        if view is None or at < 0:
            return "an earlier summary"
        return exchange_and_step(self._state, row) or "before the first prompt"

    def _known(self) -> Replay | None:
        """What is there so far."""
        found = self.replay
        return Replay(found.setup, found.columns, found.none, tuple(self._runs), found.walls, found.unsent) if found is not None else None

    def _show_runs(self) -> None:
        known = self._known()
        if known is not None:
            self.runs.put([run_cells(known, run, self.label) for run in (known.none, *known.runs)])

    def _open(self, index: QModelIndex) -> None:
        """One strategy: its compactions, checked."""
        row = index.row() - 1
        if 0 <= row < len(self._runs) and self.setup is not None and not self._session.asking("replay"):
            self._sweeps = []
            self._choose(self._runs[row])
            self.pages.setCurrentIndex(1)
            self.compactions.setFocus()
            self._show_one()
            self._session.ask("replay-one", self.setup, self._runs[row].spec)

    def close_one(self) -> None:
        """Back to all of them."""
        self._session.ask_no_more("replay-one")
        self.pages.setCurrentIndex(0)
        self._choose(None)
        self.table.setFocus()

    def _show_one(self) -> None:
        known, run = self._known(), self.run
        if known is None or run is None:
            return
        between = f", {run.gap:.1f} requests apart" if run.gap is not None else ""
        cost = f"{round(100 * known.share(run))} % of the cost without compaction"
        self.title.setText(f"{run.spec}: {counted(len(run.compactions), 'compaction')}{between}; {cost}")
        self.done.put([done_cells(known, one, self.label, self.place) for one in run.compactions])
        said = [f"{short(one.target)}: {round(100 * one.cost)} %{'' if one.ended else '*'}" for one in self._sweeps]
        self.others.setText("Cost of the same down to  " + "  ·  ".join(said) if said else "")
        self.others.setVisible(bool(said))
        self.why.setVisible(bool(run.compactions))

    def _go(self, index: QModelIndex) -> None:
        run = self.run
        if run is not None and 0 <= index.row() < len(run.compactions):
            row = run.compactions[index.row()].row
            view = self._state.view
            if view is not None and view.at(row) >= 0:
                self.row_wanted.emit(row)

    # -- the window's ---------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> None:
        """Another transcript, or another judge: what was replayed is of the one before."""
        self._state = state
        if changed & (Changed.DUMP | Changed.TARGET):
            self.form.judge(state, self._window)
        if changed & (Changed.DUMP | Changed.TRANSCRIPT):
            busy = not self.start.isVisibleTo(self)
            self._forget()
            self._busy(False)
            self._say("the transcript is another one; replay anew" if busy else "")
        self.start.setEnabled(state.view is not None)

    def set_window(self, window: int, room: int) -> None:
        """The model's window as a person set it for the chart."""
        self._window = window
        self.form.judge(self._state, window)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.pages.currentIndex() == 1:
            self.close_one()
            return
        super().keyPressEvent(event)

    def retint(self) -> None:
        now = theme.current()
        paper(self, now.paper)
        self.form.retint()
        for table in (self.table, self.compactions):
            table.retint()
        self.title.look(now.ink)
        self.said.look(now.ink_soft)
        for label in (self.others, self.why):
            label.setFont(now.small)

