"""What is looked for in an open file, and what is written of it. Nothing here changes the transcript."""

from __future__ import annotations

import os
from typing import Any

from PySide6.QtCore import Signal

from app import jobs
from app.model.edits import History, Layer
from app.model.errors import InspectorError
from app.model.replay import Seen
from app.model.state import Changed, Progress
from app.session_changes import Changes


class Questions(Changes):
    """`told(jobs.Told)` answers `explain`, `answered(jobs.Answered)` `ask`; `heard(jobs.Heard)`: how far."""

    told = Signal(object)  # jobs.Told
    answered = Signal(object)  # jobs.Answered
    heard = Signal(object)  # jobs.Heard

    def select(self, row: int) -> None:
        if row != self.state.selected:
            self._set(Changed.SELECTION, selected=row)

    def look_at(self, seen: Seen | None) -> None:
        """Shows what the model saw at a request; None: all of it again."""
        if seen is not self.state.seen:
            self._set(Changed.SEEN, seen=seen)

    def export(self, path: str, allow_broken: bool = False, wire: str = "") -> None:
        """Writes the dump with the changes of every transcript, or as another `wire` what this one would send; never over the source."""
        state = self.state
        judge = (state.provider, state.model, state.mode)
        self._ask(jobs.Save(self._generation, os.fspath(path), self.layers(), *judge, allow_broken, wire, state.chosen))
        self._set(Changed.PROGRESS, progress=Progress("writing", None))

    def write_text(self, path: str, text: str) -> str:
        """Writes a text to a file, never over the source; why it was not, "" where it was."""
        from app.pipeline import atomic

        source = self.state.dump.source if self.state.dump is not None else None
        try:
            atomic.write(atomic.target_of(path, source), [text.encode("utf-8", "surrogatepass")])
        except InspectorError as error:
            return str(error)
        return ""

    def save_report(self, path: str, removed: str = "") -> None:
        """Has a report written, and what the changes removed; the answer comes by `answered` (`report`). "": not wanted."""
        self.ask("report", path, removed, self.layers(), self.state.written)

    def stop_writing(self) -> None:
        """Gives up an export: the target stays what it was."""
        if "Save" in self._waiting:
            self._tell(jobs.Cancel(self._generation))
            self._waiting.discard("Save")
            self._set(Changed.PROGRESS, progress=None)
            if self.state.tokens is not None and not self.state.tokens.exact.all():
                self._ask(jobs.Count(self._generation, self.state.counter))

    def layers(self) -> dict[int, tuple[Layer, ...]]:
        """The active changes of every transcript that has any, by index."""
        return {i: h.active for i, h in {**self._histories, self.state.chosen: self.state.history}.items() if h.active}

    def edit_lists(self) -> dict[int, History]:
        """What was done to each transcript, undone steps too, by index; only where something was."""
        return {i: h for i, h in {**self._histories, self.state.chosen: self.state.history}.items() if h.layers}

    def take_up(self, histories: dict[int, History]) -> None:
        """Histories by index of the transcript, laid over the file as it was opened, in place of what was done so far."""
        chosen = self.state.chosen
        self._histories = {index: history for index, history in histories.items() if index != chosen}
        self._rewrite(histories.get(chosen, History()))

    def explain(self, text: str) -> None:
        """Looks for what an error text of a provider speaks of; the answer comes by `told`."""
        if text.strip() and self.state.view is not None and self.state.report is not None:
            self._ask(jobs.Explain(self._generation, self._serial, text))

    def ask(self, about: str, *what: Any) -> None:
        """Asks a question by name (app/questions/); `what` is plain data. The answer comes by `answered`, in parts where it takes long;
        none comes once another order is analysed or a newer question of that name is asked: ask again when the transcript is new."""
        if self.state.view is None or self.state.report is None:
            return
        self._tickets += 1
        self._newest[about] = self._tickets
        self._waiting.add(f"Ask {about}")
        self._tell(jobs.Ask(self._generation, self._serial, about, what, self._tickets))

    def ask_no_more(self, about: str) -> None:
        """Nobody waits for the answer any more."""
        if self.asking(about):
            self._tickets += 1
            self._waiting.discard(f"Ask {about}")
            self._tell(jobs.Ask(self._generation, self._serial, about, (), self._tickets, on=False))

    def asking(self, about: str) -> bool:
        """Whether an answer is still to come."""
        return f"Ask {about}" in self._waiting

    # -- answers --------------------------------------------------------------------------------------------------------------------

    def _take_saved(self, answer: jobs.Saved) -> None:
        self._waiting.discard("Save")
        self._set(
            Changed.HISTORY | Changed.PROGRESS, written=answer.written, exported_cursor=self.state.history.cursor, progress=None
        )  # fmt: skip

    def _take_answered(self, answer: jobs.Answered) -> None:
        if self._awaited(answer):
            if answer.done or answer.error:
                self._waiting.discard(f"Ask {answer.about}")
            self.answered.emit(answer)

    def _take_heard(self, answer: jobs.Heard) -> None:
        if self._awaited(answer):
            self.heard.emit(answer)

    def _awaited(self, answer: jobs.Answered | jobs.Heard) -> bool:
        """Whether it answers the newest question of its name: an older answer may be on its way when that is asked."""
        return self.asking(answer.about) and answer.ticket in (0, self._newest.get(answer.about, 0))

    def _take_told(self, answer: jobs.Told) -> None:
        if "Explain" not in self._waiting:  # it was given up
            return
        self._waiting.discard("Explain")
        self.told.emit(answer)
