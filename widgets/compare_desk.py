"""Before and after, and two dumps: one window of each at most; what they ask is handed to the session, and the answers back."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog

from app.model.edits import Layer
from app.model.state import Changed, State
from widgets.actions import whole
from widgets.compare_dialog import CompareDialog

if TYPE_CHECKING:
    from widgets.main_window import MainWindow

NEEDS = Changed.DUMP | Changed.TRANSCRIPT | Changed.PREVIEW | Changed.PLAN | Changed.CHECKED
FILES = "Dumps (*.json *.jsonl *.ndjson *.txt *.log);;All files (*)"
WORKING = "Working out what the plan would change…"


class CompareDesk:
    """`dialogs`: those that are open, by what they are about."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._session = window, window.session
        self.dialogs: dict[str, CompareDialog] = {}
        self._path, self._index = "", -1
        self._connected = False

    # -- opening ----------------------------------------------------------------------------------------------------------------------

    def open_before_after(self) -> None:
        """What changes, and what is planned or previewed, make of the transcript."""
        self._dialog("before_after")
        self._ask_before_after(self._session.state)

    def open_compare(self) -> None:
        """The open transcript beside another dump, which is asked for."""
        state = self._session.state
        folder = str(Path(state.path).parent) if state.path else ""
        path, _ = QFileDialog.getOpenFileName(self._window, "Compare with…", folder, FILES)
        if path:
            self.compare(path)

    def compare(self, path: str, index: int = -1) -> None:
        """`index`: which transcript of it; -1 the one that a window would open."""
        if not whole(self._session.state):
            self._window.fail("Open a dump first, and compare it when it was read to its end")
            return
        self._path, self._index = path, index
        self._dialog("compare").show_waiting(f"Reading {Path(path).name} and comparing…")
        self._session.ask("compare", path, index)

    def compare_requests(self, number: int) -> None:
        """A request of a log beside the one before it."""
        self._dialog("compare_requests").show_waiting("Comparing…")
        self._session.ask("compare_requests", number)

    def _dialog(self, about: str) -> CompareDialog:
        if not self._connected:
            self._session.answered.connect(self._answered)
            self._session.heard.connect(self._heard)
            self._connected = True
        dialog = self.dialogs.get(about)
        if dialog is None:
            dialog = self.dialogs[about] = CompareDialog(about, self._window)
            dialog.words_wanted.connect(lambda lines: self._session.ask("compared_words", about, lines))
            dialog.texts_wanted.connect(lambda line: self._session.ask("compared_texts", about, line))
            dialog.place_wanted.connect(partial(self._go_to, about))
            dialog.other_wanted.connect(lambda index: self.compare(self._path, index))
            dialog.left.connect(partial(self._left, about))
            dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        dialog.table.setFocus()
        return dialog

    def _left(self, about: str) -> None:
        self._session.ask_no_more(about)
        dialog = self.dialogs.pop(about, None)
        if dialog is not None:
            dialog.deleteLater()

    # -- asking and being answered --------------------------------------------------------------------------------------------------

    def _ask_before_after(self, state: State) -> None:
        layers = pending(state)
        dialog = self.dialogs["before_after"]
        if layers is None:
            dialog.show_waiting(WORKING)
        else:
            self._session.ask("before_after", layers)

    def refresh(self, state: State, changed: Changed) -> None:
        """Another order or plan: what is shown is worked out anew."""
        if not self.dialogs or not changed & NEEDS:
            return
        if state.dump is None or state.report is None:
            return
        if "before_after" in self.dialogs:
            self._ask_before_after(state)
        if "compare" in self.dialogs and changed & (Changed.TRANSCRIPT | Changed.DUMP):
            self._session.ask("compare", self._path, self._index)

    def _heard(self, heard: Any) -> None:
        dialog = self.dialogs.get(heard.about)
        if dialog is not None:
            words = f"Reading {Path(self._path).name} and comparing…" if heard.about == "compare" else "Comparing…"
            dialog.show_waiting(words, heard.fraction)

    def _answered(self, answer: Any) -> None:
        about = answer.what[0] if answer.about in ("compared_words", "compared_texts") else answer.about
        dialog = self.dialogs.get(about) if isinstance(about, str) else None
        if dialog is None or not answer.done:
            return
        if answer.about == "compared_words":
            dialog.take_words(answer.answer)
        elif answer.about == "compared_texts":
            if not answer.error:
                dialog.show_texts(answer.what[1], *answer.answer)
        elif answer.error:
            dialog.show_failure(answer.error)
        elif answer.about == "compare":
            dialog.show_found(*answer.answer)
        elif answer.about in ("before_after", "compare_requests"):
            dialog.show_found(answer.answer)

    def _go_to(self, about: str, line: int) -> None:
        """The block of a line in the list; of one that is not there any more, or only in the second, the nearest that is."""
        dialog, view = self.dialogs[about], self._session.state.view
        found = dialog.table.lines.found
        if found is None or view is None:
            return
        rows = found.rows_a if about != "compare_requests" or found.rows_b[line] < 0 else found.rows_b
        if about == "before_after" and found.rows_a[line] < 0 and view.at(int(found.rows_b[line])) >= 0:
            self._window.show_row(int(found.rows_b[line]))
            return
        near = sorted(range(max(0, line - 400), min(len(found), line + 400)), key=lambda at: (abs(at - line), at > line))
        row = next((int(rows[at]) for at in near if rows[at] >= 0 and view.at(int(rows[at])) >= 0), -1)
        self._window.show_row(row)
        self._window.activateWindow()

    def retint(self) -> None:
        for dialog in self.dialogs.values():
            dialog.retint()


def pending(state: State) -> tuple[Layer, ...] | None:
    """What a preview, else the plan shown, would add to the changes in force; None while that is worked out."""
    if state.preview is not None:
        return (state.preview.layer,)
    if state.plan is None or state.plan.length == 0:
        return ()
    checked = state.checked.get(state.shown)
    return (Layer(checked.change.title, ((checked.change,),)),) if checked is not None else None
