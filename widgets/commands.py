"""What each action does, by its id in the table of actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from app.model.edits import Change
from app.model.errors import InspectorError
from app.model.state import Changed, State
from widgets import help_dialogs, row_copy, walk
from widgets.actions import TABLE
from widgets.blink import Blink
from widgets.compare_desk import CompareDesk
from widgets.error_desk import ErrorDesk
from widgets.export_dialog import ExportDialog
from widgets.findings_panel import together
from widgets.imitate_dialog import ImitateDialog
from widgets.open_as_dialog import OpenAsDialog
from widgets.pin_desk import PinDesk
from widgets.reach import Reach
from widgets.real_result_dialog import RealResultDialog
from widgets.report_desk import ReportDesk
from widgets.requests_desk import RequestsDesk
from widgets.sessions_dialog import SessionsDialog
from widgets.share_desk import ShareDesk
from widgets.summary_desk import SummaryDesk
from widgets.transcript_dialog import TranscriptDialog

if TYPE_CHECKING:
    from widgets.main_window import MainWindow


class Commands:
    """`run(id)` does it. Every id of the table has its act here; a missing one is an error at start."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._session = window, window.session
        self._apply_when_previewed = False
        self._unparsed = -1
        self.export_dialog: ExportDialog | None = None
        self.errors = ErrorDesk(window)
        self.reports = ReportDesk(window)
        self.pins = PinDesk(window)
        self.summary = SummaryDesk(window)
        self.reach = Reach(window)
        self.blink = Blink(window)
        self.share = ShareDesk(window)
        self.compares = CompareDesk(window)
        self.requests = RequestsDesk(window)
        self._acts = self._table()
        missing = [row.id for row in TABLE if row.id not in self._acts]
        assert not missing, missing

    def run(self, name: str) -> None:
        self._acts[name]()

    def _table(self) -> dict[str, Callable[[], object]]:
        window, session = self._window, self._session
        acts: dict[str, Callable[[], object]] = {
            "file.open": self._open,
            "file.open_as": self._open_as,
            "file.paste": self._paste,
            "file.incident": lambda: window.open(window.incident),
            "file.reload": lambda: window.ask_to_leave("Read the file again", session.reload),
            "file.cancel": session.cancel,
            "file.seek": self._seek,
            "file.follow": lambda: session.follow(not session.state.following),
            "file.export": self._export,
            "file.report": self.reports.save,
            "file.quit": window.close,
            "edit.undo": session.undo,
            "edit.redo": session.redo,
            "finding.preview": partial(self._preview, "all"),
            "finding.preview_safe": partial(self._preview, "safe"),
            "finding.fix": self._fix_selected,
            "finding.error": self.errors.open,
            "finding.real_result": self._real_result,
            "finding.fix_all": self._fix_all,
            "finding.apply": session.apply_preview,
            "finding.cancel": session.cancel_preview,
            "edit.find": window.bar.focus_find,
            "edit.find_next": partial(window.filters.step, False),
            "edit.find_previous": partial(window.filters.step, True),
            "edit.find_first": window.filters.first,
            "edit.filter_only": window.filters.toggle_way,
            "edit.filter_clear": window.filters.clear,
            "edit.find_id": window.filters.find_id,
            "edit.find_block": window.viewer.pages.open_find,
            "edit.copy_text": self._copy_text,
            "edit.copy_pointer": self._copy_pointer,
            "edit.copy_json": lambda: self.copy("json", session.state.selected),
            "edit.copy_line": lambda: self.copy("line", session.state.selected),
            "go.next_finding": lambda: window.show_row(walk.finding(session.state)),
            "go.previous_finding": lambda: window.show_row(walk.finding(session.state, True)),
            "go.next_exchange": lambda: window.show_row(walk.exchange(session.state)),
            "go.previous_exchange": lambda: window.show_row(walk.exchange(session.state, True)),
            "go.partner": self._partner,
            "go.other": lambda: window.show_row(walk.other(session.state)),
            "go.refusal": self._refusal,
            "go.unparsed": self._next_unparsed,
            "go.transcript": self._transcript,
            "view.mode_complete": lambda: session.judge_mode("complete"),
            "view.mode_prefix": lambda: session.judge_mode("prefix"),
            "view.as_is": self.blink.begin,
            "view.combs": window.chart.toggle_combs,
            "go.requests": self.requests.open,
            "view.before_after": self.compares.open_before_after,
            "file.compare": self.compares.open_compare,
            "view.focus_chart": window.chart.setFocus,
            "view.focus_list": window.list.setFocus,
            "view.focus_plan": lambda: self._tab(window.plan),
            "view.focus_findings": lambda: self._tab(window.findings),
            "view.focus_changes": lambda: self._tab(window.changes),
            "view.focus_costs": lambda: self._tab(window.costs),
            "view.focus_replay": window.replays.show,
            "go.seen": window.replays.toggle,
            "view.focus_block": window.viewer.setFocus,
            "view.focus_next": lambda: self._region(1),
            "view.focus_previous": lambda: self._region(-1),
            "plan.budget": self._type_budget,
            "plan.half": lambda: session.set_budget(session.state.now // 2),
            "plan.reset": lambda: session.set_budget(None),
            "plan.apply": session.apply_plan,
            "plan.lost": self._lost,
            "plan.imitate": self._imitate,
            "plan.pin": self._pin,
            "plan.pin_step": partial(self.pins.pin_selected, "step"),
            "plan.pin_block": partial(self.pins.pin_selected, "block"),
            "plan.pin_tool": partial(self.pins.pin_selected, "tool"),
            "plan.protect": self.pins.protect,
            "plan.pins": self.pins.open,
            "plan.summary": self.summary.open,
            "file.keep_pins": self.pins.keep,
            "help.rule": self._rule,
            "help.about": lambda: help_dialogs.about_window(window).show(),
        }
        acts |= {f"view.level{n}": partial(window.list.set_level, n) for n in (1, 2, 3)}
        acts |= self.reach.acts() | self.share.acts()
        acts |= {f"plan.strategy_{n}": partial(self._strategy, n) for n in range(1, 8)}
        return acts

    # -- files --------------------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        state = self._session.state
        folder = str(Path(state.path).parent) if state.path else ""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Open a dump", folder, "Dumps (*.json *.jsonl *.ndjson *.txt *.log);;All files (*)"
        )
        if path:
            self._window.open(path)

    def _paste(self) -> None:
        data = QGuiApplication.clipboard().mimeData()
        urls = [url.toLocalFile() for url in data.urls() if url.isLocalFile()] if data is not None else []
        text = data.text() if data is not None and data.hasText() else ""
        if urls:
            self._window.open(urls[0])
        elif text.strip() and self._session.is_error(text):
            self.errors.show(text)
        elif text.strip():
            self._window.paste(text.encode("utf-8", "surrogatepass"))
        else:
            self._window.fail("The clipboard holds no text: copy a request body or a whole dump first")

    def _open_as(self) -> None:
        session = self._session
        dump = session.state.dump
        dialog = OpenAsDialog(session.formats(), session.tried, dump.format if dump is not None else "", self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(self._window.open_as)
        dialog.open()

    def _imitate(self) -> None:
        session = self._session
        dialog = ImitateDialog(session, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(session.imitate)
        dialog.family_wanted.connect(session.imitate_no_more)
        dialog.open()
        self._tab(self._window.plan)

    def _transcript(self) -> None:
        """A dump of several transcripts has a chooser; it is filled in while it is open."""
        session = self._session
        dialog = TranscriptDialog(session.state, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(session.choose)
        dialog.wanted.connect(session.survey)
        session.changed.connect(dialog.refresh)
        session.survey()
        dialog.open()

    def _seek(self) -> None:
        session = self._session
        dialog = SessionsDialog(session.state, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.opened.connect(self._window.open)
        dialog.wanted.connect(session.seek)
        session.changed.connect(dialog.refresh)
        session.seek()
        dialog.open()

    def _export(self) -> None:
        dialog = ExportDialog(self._session, self._window, self._window.incident)
        dialog.export_wanted.connect(self._session.export)
        dialog.report_wanted.connect(self.reports.write)
        dialog.open_wanted.connect(self._window.open)
        dialog.finished.connect(self._export_done)
        self.share.dress(dialog)
        self.export_dialog = dialog
        dialog.open()

    def _export_done(self) -> None:
        if self.export_dialog is not None:
            self.export_dialog.deleteLater()
        self.export_dialog = None

    # -- repairs --------------------------------------------------------------------------------------------------------------------

    def _preview(self, level: Literal["safe", "all"]) -> None:
        self._window.status.say("working out the repair…")
        self._session.preview_repair(level)

    def fix(self, change: Change) -> None:
        """Applies a change through its preview: one path for what is looked at first and what is not."""
        self._apply_when_previewed = True
        self._session.preview_change(change)

    def _fix_selected(self) -> None:
        state = self._session.state
        found = [f for f in state.report.findings if f.row == state.selected and f.fixes] if state.report else []
        if found:
            self.fix(together((found[0],)))

    def _real_result(self) -> None:
        waits = self._session.open_call(self._session.state.selected)
        if waits is None:
            self._window.fail("This call has its result")
            return
        dialog = RealResultDialog(self._session, waits, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(partial(self._session.preview_result, waits))
        dialog.open()

    def _fix_all(self) -> None:
        self._apply_when_previewed = True
        self._preview("all")

    def previewed(self, state: State) -> None:
        """A preview came in, or went; one that was asked for in order to be applied is."""
        if state.preview is not None and self._apply_when_previewed:
            self._apply_when_previewed = False
            QTimer.singleShot(0, self._window, self._session.apply_preview)

    def failed(self) -> None:
        """What was asked for did not come about."""
        self._apply_when_previewed = False
        self._window.status.refresh(self._session.state, Changed.HISTORY)

    # -- places -------------------------------------------------------------------------------------------------------------------

    def _copy_text(self) -> None:
        viewer = self._window.viewer
        cursor = viewer.body.textCursor()
        if viewer.body.hasFocus() and cursor.hasSelection():
            viewer.body.copy()
            return
        self.copy("text", self._session.state.selected)

    def _copy_pointer(self) -> None:
        self.copy("pointer", self._session.state.selected)

    def copy(self, kind: str, row: int) -> None:
        """Puts a row on the clipboard as text, json, pointer, line or raw record (row_copy.py)."""
        try:
            text, said = row_copy.copied(self._session, kind, row)
        except InspectorError as error:
            self._window.fail(str(error))
            return
        if not text and kind != "text":
            said = row_copy.nothing(self._session, kind, row)
        else:
            QGuiApplication.clipboard().setText(text)
        self._window.status.say(said)

    def _partner(self) -> None:
        row = walk.partner(self._session.state)
        self._window.show_row(row)
        if row < 0:
            self._window.status.say("nothing is tied to this block: no call or result of the same id stands where it belongs")

    def _refusal(self) -> None:
        state = self._session.state
        if state.transcript is not None and state.transcript.refusals:
            after = state.transcript.refusals[-1].after
            self._window.show_row(after if after >= 0 else int(state.transcript.order[0]))

    def _next_unparsed(self) -> None:
        records = self._session.unparsed()
        if records:
            self._unparsed = next((record for record in records if record > self._unparsed), records[0])
            self._window.viewer.show_record(self._unparsed)
            self._window.status.say(f"unparsed record {records.index(self._unparsed) + 1} of {len(records)}")

    def _tab(self, panel: QWidget) -> None:
        self._window.tabs.setCurrentWidget(panel)
        panel.setFocus()

    def _type_budget(self) -> None:
        self._window.tabs.setCurrentWidget(self._window.plan)
        self._window.plan.focus_budget()

    def _region(self, step: int) -> None:
        """Round the regions; a region is where the focus is in it or in one of its children."""
        regions = [region for region in self._window.regions if region.isVisible()]
        if not regions:
            return
        focus = self._window.focusWidget()
        here = next((i for i, region in enumerate(regions) if focus is not None and (region is focus or region.isAncestorOf(focus))), -1)
        target = regions[(here + step) % len(regions) if here >= 0 else 0]
        inner = self._window.tabs.currentWidget() if target is self._window.tabs else target
        if inner is self._window.bar:
            self._window.bar.transcripts.setFocus()
        elif inner is not None:
            inner.setFocus()

    # -- plans --------------------------------------------------------------------------------------------------------------------

    def _strategy(self, number: int) -> None:
        names = list(self._session.state.rankings)
        if number <= len(names):
            self._session.show_strategy(names[number - 1])

    def _pin(self) -> None:
        state = self._session.state
        position = state.view.at(state.selected) if state.view is not None else -1
        exchange = int(state.view.groups.exchange[position]) if state.view is not None and position >= 0 else -1
        if exchange >= 0:
            self._session.pin(exchange, exchange not in state.pinned)

    def _lost(self) -> None:
        self._window.tabs.setCurrentWidget(self._window.plan)
        self._window.plan.show_lost()

    def pin_exchanges(self, exchanges: list[int]) -> None:
        """Several at once, with one analysis for all of them."""
        view, pins = self._session.state.view, self._session.pins
        if view is None:
            return
        for exchange in exchanges:
            pins = pins.with_row("exchange", int(view.rows[view.groups.first[exchange]]), True)
        self._session.set_pins(pins)

    def _rule(self) -> None:
        finding = self._window.viewer.finding.finding
        report = self._session.state.report
        rule = finding.rule if finding else report.findings[0].rule if report and report.findings else ""
        if rule:
            help_dialogs.rule_window(self._window, rule, self._session.rule_help(rule)).show()
