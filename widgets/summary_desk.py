"""Where a summary is written: one dialog at most; its text becomes a parameter of the strategy, its cost is asked of the helper process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.model.state import Changed, State

if TYPE_CHECKING:
    from widgets.main_window import MainWindow
    from widgets.summary_dialog import SummaryDialog

NAME = "summarize-prefix"
QUESTION = "summary"


class SummaryDesk:
    """`dialog` is None while it is closed."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._session = window, window.session
        self.dialog: SummaryDialog | None = None
        self._before = ""  # the strategy that was shown before, until a text is used
        self._session.answered.connect(self._answered)
        self._session.changed.connect(self.refresh)

    def open(self) -> None:
        """The dialog; the strategy that it belongs to is shown while it is open, and stays so where a text was used."""
        if self.dialog is None:
            self._before = self._session.state.shown
        if NAME not in self._session.state.rankings:
            self._session.imitate_no_more(NAME)
        elif self._session.state.shown != NAME:
            self._session.show_strategy(NAME)
        dialog = self.dialog or self._made()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        dialog.text.setFocus()

    def _made(self) -> SummaryDialog:
        from widgets.summary_dialog import SummaryDialog

        dialog = self.dialog = SummaryDialog(self._session.state, self._window)
        dialog.used.connect(self._use)
        dialog.asked.connect(self._ask)
        dialog.seam_moved.connect(self._session.set_budget)
        dialog.finished.connect(self._done)
        self._ask(dialog.text.toPlainText() if dialog.own else "")
        return dialog

    def _done(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
        self.dialog = None
        before, self._before = self._before, ""
        state = self._session.state
        if before and state.shown == NAME and before != NAME and before in state.rankings:
            self._session.show_strategy(before)

    def _params(self) -> dict[str, Any]:
        state = self._session.state
        ranking = state.rankings.get(NAME)
        return dict(state.params.get(NAME) or (ranking.params if ranking is not None else {}))

    def _use(self, text: str) -> None:
        self._before = ""
        self._session.set_params(NAME, {**self._params(), "text": text})

    def _ask(self, text: str) -> None:
        others = tuple((key, value) for key, value in self._params().items() if key != "text")
        self._session.ask(QUESTION, text, self._session.state.budget, others)

    def refresh(self, state: State, changed: Changed) -> None:
        if self.dialog is not None:
            self.dialog.refresh(state, changed)

    def _answered(self, answer: Any) -> None:
        if answer.about == QUESTION and self.dialog is not None and not answer.error:
            self.dialog.show_told(answer.answer, answer.what[0])
