"""Where the requests of a log are looked at: one that is chosen is gone to, in its conversation, where it was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.model.state import Changed, State
from widgets.requests_dialog import RequestsDialog

if TYPE_CHECKING:
    from widgets.main_window import MainWindow


class RequestsDesk:
    def __init__(self, window: MainWindow) -> None:
        self._window, self._session = window, window.session
        self._wanted: tuple[int, int] | None = None  # conversation and row that are gone to when they are there

    def open(self) -> None:
        dialog = RequestsDialog(self._session.state.dump, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self.go_to)
        dialog.compared.connect(self._window.commands.compares.compare_requests)
        dialog.open()

    def go_to(self, number: int) -> None:
        """The last block that a request carried."""
        state = self._session.state
        if state.dump is None:
            return
        one = state.dump.requests[number]
        order = state.dump.transcripts[one.transcript].order
        row = int(order[max(0, min(one.rows, len(order)) - 1)]) if len(order) else -1
        self._wanted = (one.transcript, row)
        if state.chosen == one.transcript:
            self._arrive(state)
        else:
            self._session.choose(one.transcript)

    def refresh(self, state: State, changed: Changed) -> None:
        if self._wanted is not None and changed & Changed.TRANSCRIPT and state.chosen == self._wanted[0] and state.report is not None:
            self._arrive(state)

    def _arrive(self, state: State) -> None:
        assert self._wanted is not None
        (_, row), self._wanted = self._wanted, None
        if state.view is not None and state.view.at(row) >= 0:
            self._window.show_row(row)
