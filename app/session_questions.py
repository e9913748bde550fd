"""What is looked for in an open file, and what is written of it. Nothing here changes the transcript."""

from __future__ import annotations

import os

from PySide6.QtCore import Signal

from app import jobs
from app.model.errors import InspectorError
from app.model.state import Changed, Progress
from app.session_changes import Changes


class Questions(Changes):
    """`found(jobs.Found)` answers `find`, `told(jobs.Told)` answers `explain`."""

    found = Signal(object)  # jobs.Found
    told = Signal(object)  # jobs.Told

    def select(self, row: int) -> None:
        if row != self.state.selected:
            self._set(Changed.SELECTION, selected=row)

    def export(self, path: str, allow_broken: bool = False, wire: str = "") -> None:
        """Writes the dump with the changes of every transcript, or as another `wire` what this one would send; never over the source."""
        state = self.state
        layers = {i: h.active for i, h in {**self._histories, state.chosen: state.history}.items() if h.active}
        judge = (state.provider, state.model, state.mode)
        self._ask(jobs.Save(self._generation, os.fspath(path), layers, *judge, allow_broken, wire, state.chosen))
        self._set(Changed.PROGRESS, progress=Progress("writing", None, cancel=False))

    def save_report(self, path: str) -> None:
        from app.pipeline.report import save

        try:
            save(self.state, path)
        except InspectorError as error:
            self.failed.emit(str(error))

    def explain(self, text: str) -> None:
        """Looks for what an error text of a provider speaks of; the answer comes by `told`."""
        if text.strip() and self.state.view is not None and self.state.report is not None:
            self._ask(jobs.Explain(self._generation, self._serial, text))

    def find(self, text: str, backwards: bool = False) -> None:
        """Looks for a text from the selected row on; the answer comes by `found`."""
        if text and self.state.view is not None:
            self._ask(jobs.Find(self._generation, self._serial, text, self.state.selected, backwards))

    # -- answers --------------------------------------------------------------------------------------------------------------------

    def _take_saved(self, answer: jobs.Saved) -> None:
        self._waiting.discard("Save")
        self._set(
            Changed.HISTORY | Changed.PROGRESS, written=answer.written, exported_cursor=self.state.history.cursor, progress=None
        )  # fmt: skip

    def _take_told(self, answer: jobs.Told) -> None:
        self._waiting.discard("Explain")
        self.told.emit(answer)

    def _take_found(self, answer: jobs.Found) -> None:
        self._waiting.discard("Find")
        self.found.emit(answer)
        if answer.row >= 0:
            self.select(answer.row)
