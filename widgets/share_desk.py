"""What may leave the room, and the repair in place: the dialogs of the window that do it. Each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.model.findings import Finding, Report
from app.model.state import Changed, State
from app.model.transcript import Transcript

if TYPE_CHECKING:
    from widgets.export_dialog import ExportDialog
    from widgets.main_window import MainWindow
    from widgets.work_dialog import WorkDialog


class ShareDesk:
    """`acts()`: what each of its actions does, by id. `dialog`: the one that is open, None where none is."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._session = window, window.session
        self._opened: tuple[Transcript, str, Report] | None = None  # what was found before all changes, and for whom
        self._said = ("", "")  # a file that was repaired in place, and the summary of that
        self.dialog: WorkDialog | None = None

    def acts(self) -> dict[str, Callable[[], object]]:
        return {
            "file.bug_report": self._bug_report,
            "file.shape": self._shape,
            "file.redact": self._redact,
            "file.in_place": self._in_place,
            "file.go_back": self._go_back,
            "edit.copy_summary": self._copy_summary,
        }

    def refresh(self, state: State, changed: Changed) -> None:
        """Keeps what was found before all changes."""
        if changed & Changed.FINDINGS and state.report is not None and state.base is not None and not state.history.active:
            self._opened = state.base, state.provider, state.report

    def finding(self) -> Finding | None:
        """The finding that is meant: the one in front, else one of the selected row, else the first."""
        state, shown = self._session.state, self._window.viewer.finding.finding
        if state.report is None or not state.report.findings:
            return None
        if shown is not None:
            return shown
        return next((f for f in state.report.findings if f.row == state.selected), state.report.findings[0])

    def summary(self) -> str:
        """The summary for the review."""
        from widgets.review_summary import review_summary

        state = self._session.state
        if self._said[0] == state.path and not state.history.layers:
            return self._said[1]
        held = self._opened
        same = held is not None and held[0] is state.base and held[1] == state.provider
        title = self._session.titles().get(state.provider, state.provider)
        return review_summary(state, held[2] if held is not None and same else None, title)

    # -- acts -----------------------------------------------------------------------------------------------------------------------

    def _bug_report(self) -> None:
        from widgets.bug_report_dialog import BugReportDialog

        finding = self.finding()
        if finding is None:
            self._window.fail("Nothing to report: no finding here")
            return
        self._show(BugReportDialog(self._session, finding, self._window, self._window.incident))

    def _shape(self) -> None:
        from widgets.share_dialogs import ShapeDialog

        dialog = ShapeDialog(self._session, self._window, self._window.incident)
        dialog.open_wanted.connect(self._window.open)
        self._show(dialog)

    def _redact(self) -> None:
        from widgets.share_dialogs import RedactDialog

        dialog = RedactDialog(self._session, self._window, self._window.incident)
        dialog.open_wanted.connect(self._window.open)
        self._show(dialog)

    def _in_place(self) -> None:
        from widgets.in_place_dialog import InPlaceDialog

        dialog = InPlaceDialog(self._session, self._window)
        dialog.review = self.summary
        dialog.written.connect(lambda _: self._written(dialog.summary))
        dialog.go_back.clicked.connect(self._go_back)
        self._show(dialog, modal=True)

    def _written(self, summary: str) -> None:
        """What is open is read again; its summary stays to be copied as long as nothing else is changed."""
        self._said = self._session.state.path, summary
        self._session.reload()

    def _go_back(self) -> None:
        """Nothing is asked: the dialog says what would be lost, what is replaced is kept, and the window stays free."""
        from widgets.go_back_dialog import GoBackDialog
        from widgets.main_window import unexported

        dialog = GoBackDialog(self._session, lambda: unexported(self._session.state), self._window)
        dialog.went.connect(lambda _: self._session.reload())
        self._show(dialog)

    def _show(self, dialog: WorkDialog, modal: bool = False) -> None:
        """One at a time; only what must not be changed meanwhile holds the window."""
        if self.dialog is not None:
            self.dialog.reject()
        self.dialog = dialog
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(lambda _: self._closed(dialog))
        dialog.open() if modal else dialog.show()

    def _closed(self, dialog: WorkDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None

    def _copy_summary(self) -> None:
        QGuiApplication.clipboard().setText(self.summary())
        self._window.status.say("summary for the review copied")

    def dress(self, dialog: ExportDialog) -> None:
        """The summary that an export's proof copies is the one for the review; a way to write over the file instead, where one can."""
        dialog.review = self.summary
        dialog.in_place.setVisible(self._window.acts["file.in_place"].isEnabled())
        dialog.in_place.clicked.connect(dialog.reject)
        dialog.in_place.clicked.connect(self._in_place)
