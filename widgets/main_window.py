"""The window: fixed regions, two splitters, no docks. Only this module connects what panels report to what the session is asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QMainWindow, QStackedWidget, QTabWidget, QWidget

from app.model.state import Changed, State
from app.session import Session
from app.settings import Store
from widgets import icon, tab_order
from widgets.actions import MENUS, TABLE, Actions
from widgets.arrangement import LEAST, Arrangement, column, first_size
from widgets.block_viewer import BlockViewer
from widgets.changes_panel import ChangesPanel
from widgets.chart_host import ChartHost
from widgets.commands import Commands
from widgets.context_acts import FINDING_ACTS, ROW_ACTS, offer
from widgets.drops import taken
from widgets.empty_view import EmptyView
from widgets.exchange_view import ExchangeView
from widgets.filter_desk import FilterDesk
from widgets.findings_panel import FindingsPanel
from widgets.first_window import PROGRAM
from widgets.labels import Hairline, in_menu
from widgets.later import Later
from widgets.plan_panel import PlanPanel
from widgets.replay_desk import ReplayDesk
from widgets.status_line import StatusLine
from widgets.top_bar import TopBar
from widgets.verdict_strip import VerdictStrip
from widgets.visible import line
from widgets.words import counted, full


class Panel(Protocol):
    def refresh(self, state: State, changed: Changed) -> None: ...


class MainWindow(QMainWindow):
    """All regions, wired. `incident` is the path of the broken session that comes with the program. Not `at_once`: whoever makes it goes
    through `steps`, between which other windows can be used."""

    closed_well = Signal()

    def __init__(self, session: Session, store: Store, incident: str = "", at_once: bool = True) -> None:
        super().__init__()
        self.session, self.store, self.incident = session, store, incident
        self.setObjectName("mainWindow")
        self.setWindowTitle(PROGRAM)
        self.setWindowIcon(icon.icon("app"))
        self.setAcceptDrops(True)
        self.acts = Actions(self)
        self._report_seen: object = None
        self._listing = False  # the selection comes from the list, which needs not to be told
        self._leave = False
        self.steps: Iterator[None] = self._make()
        if at_once:
            deque(self.steps, 0)

    def _make(self) -> Iterator[None]:
        yield from self._make_regions()
        yield from self._lay_out()
        yield
        self.commands = Commands(self)
        self._make_menus()
        self._connect()
        for field in self.findChildren(QLineEdit):
            field.setAcceptDrops(False)  # a file that is dropped on a field is to be opened, its path is no text for it
        self._restore()
        self.refresh(self.session.state, Changed.ALL)

    # -- regions ------------------------------------------------------------------------------------------------------------------

    def _make_regions(self) -> Iterator[None]:
        session, actions = self.session, self.acts
        self.bar = TopBar(session, actions, self)
        self.strip = VerdictStrip(session, actions, self)
        self.empty = EmptyView(actions, self)
        self.chart = ChartHost(session)
        yield
        self.list = ExchangeView(session)
        yield
        self.plan = PlanPanel(session)
        self.findings = FindingsPanel(session)
        self.changes = ChangesPanel(session, actions)
        self.costs = Later(self._make_costs)
        yield
        self.viewer = BlockViewer(session)
        self.status = StatusLine(session, self)
        self.filters = FilterDesk(self)
        self.replays = ReplayDesk(self)
        self.list.offered = tuple(actions[name] for name in ROW_ACTS)
        offer(self.findings.list, [actions[name] for name in FINDING_ACTS])
        self.panels: tuple[Panel, ...] = (
            self.bar, self.filters, self.strip, self.chart, self.list, self.plan, self.findings, self.changes, self.costs, self.viewer,
            self.status, self.replays,
        )  # fmt: skip

    def _make_costs(self) -> QWidget:
        from widgets.costs_panel import CostsPanel

        made = CostsPanel(self.session)
        made.row_wanted.connect(self.show_row)
        return made

    def _lay_out(self) -> Iterator[None]:
        self.tabs = QTabWidget()
        self.tabs.setObjectName("rightTabs")
        self.tabs.setAccessibleName("Plan, findings, changes and costs")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setExpanding(False)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setAccessibleName("Plan, findings, changes and costs")
        for panel, words in ((self.plan, "Plan"), (self.findings, "Findings"), (self.changes, "Changes"), (self.costs, "Costs")):
            self.tabs.addTab(panel, words)
        self.replays.attach(self.tabs)
        self.setMinimumSize(LEAST)
        self.arrangement = Arrangement(self.store, self.chart, self.list, self.tabs, self.viewer)
        self.body, self.column = self.arrangement.body, self.arrangement.column
        yield
        work = QWidget()
        below = column(work)
        below.addWidget(self.chart)
        below.addWidget(Hairline())
        below.addWidget(self.body, 1)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(work)
        self._status_rule = Hairline()
        yield
        centre = QWidget()
        below = column(centre)
        self._strip_rule = Hairline()
        self._strip_rule.hide()  # until the strip says something
        for band in (self.bar, Hairline(), self.filters.place, self.strip, self._strip_rule):
            below.addWidget(band)
        below.addWidget(self.pages, 1)
        below.addWidget(self._status_rule)
        below.addWidget(self.status)
        self.setCentralWidget(centre)
        self.regions: tuple[QWidget, ...] = (self.chart, self.list, self.tabs, self.viewer, self.bar)

    def _make_menus(self) -> None:
        bar = self.menuBar()
        bar.setNativeMenuBar(QGuiApplication.platformName() == "cocoa")
        menus = {name: bar.addMenu(f"&{name}") for name in MENUS}
        for row in TABLE:
            if row.menu not in menus:
                parent, _, name = row.menu.partition("/")
                menus[row.menu] = menus[parent].addMenu(name)
            if row.rule:
                menus[row.menu].addSeparator()
            menus[row.menu].addAction(self.acts[row.id])
            self.addAction(self.acts[row.id])
            if row.id == "file.incident":
                self.recent_menu = menus["File"].addMenu("Open rece&nt")
                self.recent_menu.aboutToShow.connect(self._fill_recent)
        for name, menu in menus.items():
            menu.setObjectName(f"menu.{name}")
            menu.setToolTipsVisible(False)

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for number, path in enumerate(self.store.value.recent, 1):
            action = self.recent_menu.addAction(in_menu(line(path, 120)))
            action.setObjectName(f"file.recent_{number}")
            action.triggered.connect(partial(self.open, path))
        self.recent_menu.setEnabled(bool(self.store.value.recent))

    # -- wiring -------------------------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        session = self.session
        session.changed.connect(self.refresh)
        session.coming.connect(lambda state, parts: parts.extend((self.chart.ahead(state), self.list.ahead(state))))
        session.failed.connect(self.fail)
        session.told.connect(self.commands.errors.told)
        for action in self.acts:
            action.triggered.connect(partial(self.commands.run, action.objectName()))
        self.bar.chosen.connect(session.choose)
        self.bar.judge.connect(session.judge_for)
        self.bar.counter.connect(self._use_counter)
        self.strip.shown.connect(self._strip_rule.setVisible)
        self.strip.went.connect(self.show_row)
        self.strip.fix_preview.connect(session.preview_fix)
        self.empty.file_wanted.connect(self.open)
        self.chart.budget_dragged.connect(self._drag)
        self.chart.budget_released.connect(session.set_budget)
        self.chart.request_clicked.connect(self.show_row)
        self.chart.strategy_clicked.connect(session.show_strategy)
        self.chart.span_chosen.connect(self.filters.span)
        self.list.row_selected.connect(self._select_from_list)
        self.list.pin_requested.connect(session.pin)
        self.list.pin_wanted.connect(self.commands.pins.pin)
        self.list.copy_requested.connect(self.commands.copy)
        self.list.id_wanted.connect(self.filters.find_id)
        self.plan.budget_dragged.connect(session.set_budget)
        self.plan.window_set.connect(self.chart.set_window)
        self.plan.strategy_chosen.connect(session.show_strategy)
        self.plan.params_changed.connect(session.set_params)
        self.plan.apply_requested.connect(session.apply_plan)
        self.plan.summary_requested.connect(self.commands.summary.open)
        self.plan.pins_requested.connect(self.commands.pins.open)
        self.plan.aside_answered.connect(session.use_aside)
        self.plan.row_wanted.connect(self.show_row)
        self.plan.pins_wanted.connect(self.commands.pin_exchanges)
        self.plan.imitate_requested.connect(lambda: self.commands.run("plan.imitate"))
        self.findings.row_wanted.connect(self.show_row)
        self.findings.preview_wanted.connect(session.preview_change)
        self.findings.fix_wanted.connect(self.commands.fix)
        self.changes.row_wanted.connect(self.show_row)
        self.changes.layer_off.connect(session.switch_off)
        self.viewer.fix_preview.connect(session.preview_fix)
        self.viewer.id_wanted.connect(self.filters.find_id)
        self.viewer.real_result_wanted.connect(partial(self.commands.run, "finding.real_result"))
        self.status.unparsed.connect(self.acts["go.unparsed"].trigger)
        self.status.pointer.connect(self.acts["edit.copy_pointer"].trigger)

    def refresh(self, state: State, changed: Changed) -> None:
        """Another state: every panel that something of it is new for."""
        there = state.dump is not None or state.progress is not None
        for part in (self.status, self._status_rule):
            part.setVisible(there)
        for panel in self.panels:
            panel.refresh(state, changed)
        if there != bool(self.pages.currentIndex()):
            self.pages.setCurrentIndex(1 if there else 0)
            (self.list if there else self.empty).setFocus()
        self.acts.refresh(state)
        if changed & Changed.SELECTION and state.selected >= 0 and not self._listing:
            self.list.show_row(state.selected)
        if changed & (Changed.FINDINGS | Changed.HISTORY | Changed.DUMP):
            self._show_tabs(state)
        if changed & Changed.DUMP:
            self._show_title(state)
        if changed & Changed.PREVIEW:
            self.commands.previewed(state)
        dialog = self.commands.export_dialog
        if dialog is not None:
            dialog.refresh(state, changed)
        self.commands.errors.refresh(state, changed)
        self.commands.blink.refresh(state, changed)
        self.commands.share.refresh(state, changed)
        self.commands.compares.refresh(state, changed)
        self.commands.requests.refresh(state, changed)

    def _show_tabs(self, state: State) -> None:
        """Counts on the tabs; where a dump was opened, the one in front that it calls for."""
        for panel, words in ((self.findings, "Findings"), (self.changes, "Changes")):
            index, text = self.tabs.indexOf(panel), f"{words}  {full(panel.count)}" if panel.count else words
            if text != self.tabs.tabText(index):  # Qt lays all tabs out again, the same text or not
                self.tabs.setTabText(index, text)
        if state.report is not None and self._report_seen is not state.dump:
            self._report_seen = state.dump
            self.tabs.setCurrentWidget(self.findings if state.report.verdict == "reject" else self.plan)

    def _show_title(self, state: State) -> None:
        name = state.path.replace("\\", "/").rsplit("/", 1)[-1]
        self.setWindowTitle(f"{line(name, 80)} — {PROGRAM}" if name else PROGRAM)
        if state.dump is not None and state.dump.source.path is not None and state.dump.complete:
            self.store.remember(str(state.dump.source.path.absolute()))

    # -- intents ------------------------------------------------------------------------------------------------------------------

    def show_row(self, row: int) -> None:
        """Selects a row and brings it on screen, wherever it was asked for."""
        if row >= 0:
            self.session.select(row)
            self.list.show_row(row)

    def show_finding(self, row: int, rule: str) -> None:
        """The same, with the finding of a rule in front in its block."""
        self.show_row(row)
        self.viewer.finding.bring(rule)

    def open_as(self, path: str, format: str) -> None:
        """Opens a file as a format by name; "" is what was given last."""
        act = partial(self.session.open, path, format) if path else partial(self.session.open_as, format)
        self.ask_to_leave(f"Open it as {format}", act)

    def open(self, path: str) -> None:
        """Opens a file; where changes would be lost, asks first."""
        self.ask_to_leave(f"Open {line(path, 80)}", partial(self._open, path))

    def paste(self, data: bytes) -> None:
        self.ask_to_leave("Open what was pasted", partial(self.session.paste, data, "pasted"))

    def _open(self, path: str) -> None:
        self.fail("")
        self.session.open(path)

    def ask_to_leave(self, words: str, act: Callable[[], object]) -> None:
        """Acts at once where nothing would be lost, else after a yes in the strip."""
        lost = unexported(self.session.state)
        if lost:
            self.strip.ask(f"{counted(lost, 'change')} not exported would be lost.", words, act)
        else:
            act()

    def fail(self, text: str) -> None:
        """One line where it is seen, never a box in the way."""
        self.strip.fail(text)
        self.empty.fail(text)
        self.commands.failed()
        if self.commands.export_dialog is not None and text:
            self.commands.export_dialog.fail(text)

    def _drag(self, budget: int) -> None:
        """The table of plans is what a drag is looked at with."""
        if self.session.state.budget is None:
            self.tabs.setCurrentWidget(self.plan)
        self.session.set_budget(budget)

    def _use_counter(self, name: str) -> None:
        self.store.change(counter=name)
        self.session.use_counter(name)

    def _select_from_list(self, row: int) -> None:
        self._listing = True
        self.session.select(row)
        self._listing = False

    # -- drops and the end --------------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        taken(event)

    def dropEvent(self, event: QDropEvent) -> None:
        what = taken(event)
        if what is None:
            return
        # the window of the file manager waits for the drop to end
        act = partial(self.open, what) if isinstance(what, str) else partial(self.paste, what)
        QTimer.singleShot(0, self, act)

    def closeEvent(self, event: QCloseEvent) -> None:
        lost = unexported(self.session.state)
        if lost and not self._leave:
            event.ignore()
            self.strip.ask(f"{counted(lost, 'change')} not exported would be lost.", "Close all the same", self._close_anyway)
            return
        self._keep()
        self.closed_well.emit()
        self.session.close()
        self.store.close()
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc that nobody else wanted: the filter goes."""
        if event.key() != Qt.Key.Key_Escape or not self.filters.escape():
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab goes through the regions in their order."""
        order = tab_order.between(self.bar, self.bar.field, self.filters.place)
        for region in (self.strip, self.empty, self.chart, self.list, self.tabs, self.viewer, self.status):
            order += tab_order.stops(region)
        return tab_order.go(order, next)

    def _close_anyway(self) -> None:
        self._leave = True
        self.close()

    # -- geometry -----------------------------------------------------------------------------------------------------------------

    def _restore(self) -> None:
        kept = self.store.value
        self.resize(first_size())
        if kept.geometry:
            self.restoreGeometry(QByteArray(kept.geometry))
        self._arrange()
        self.commands.reach.look.check()
        self.empty.show_recent(kept.recent)
        self.empty.offer(self.store.offer)

    def _keep(self) -> None:
        self.arrangement.keep()
        self.store.change(geometry=bytes(self.saveGeometry().data()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        selected = self.session.state.selected
        if self.arrangement.fit(self.size()) and selected >= 0:
            self.list.show_row(selected)


def unexported(state: State) -> int:
    """Changes in force that were not exported."""
    return 0 if state.history.cursor == state.exported_cursor else sum(len(layer.changes) for layer in state.history.active)
