"""Repair in place: over the file itself, after a numbered backup; then the commands to go back and to go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.model.evidence import InPlace
from app.model.state import Changed
from app.session import Session
from widgets import theme
from widgets.buttons import button
from widgets.command_rows import CommandRows
from widgets.export_dialog import changes_text, title_of
from widgets.labels import Elided
from widgets.verdict import summary
from widgets.visible import line
from widgets.words import counted
from widgets.work_dialog import WorkDialog, heading

SENTENCE = (
    "Your changes are written over the file that is open. What stands there now is kept beside it first and never written over; what is "
    "written is read again and checked."
)


class InPlaceDialog(WorkDialog):
    """Fact: `written(InPlace)`: it is written, and what is open is no longer what is on disk."""

    written = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "inPlace", "Repair in place", SENTENCE, parent)
        state, now = session.state, theme.current()
        self._result: InPlace | None = None
        self.review: Callable[[], str] | None = None  # the summary for a review, where somebody makes one
        self.summary = ""
        name = Path(state.path).name
        self.top.addWidget(heading(line(name, 90)))
        folder = line(str(Path(state.path).absolute().parent), 200)
        self._where = Elided(f"The backup: the same name and .bak-1, or the next number that is free, in {folder}")
        self._where.look(now.ink_soft)
        self.top.addWidget(self._where)
        self._heading = heading("What changes")
        self.body.addWidget(self._heading)
        self.body.addWidget(self.text, 1)
        self.show_text(changes_text(state), "What changes")
        self._commands = CommandRows()
        self.body.addLayout(self._commands)
        self.broken = QCheckBox("Write it although errors remain")
        self.broken.setObjectName("inPlace.broken")
        self.broken.toggled.connect(self._offer)
        self.body.addWidget(self.broken)
        self.write = button("Write over the file", "inPlace.write", "Write over the file, after a backup", "primary")
        self.write.setDefault(True)
        self.write.clicked.connect(self._write)
        self.copy = button("Copy summary for the review", "inPlace.copy", "Copy summary for the review", "primary")
        self.copy.clicked.connect(self._copy)
        self.copy.hide()
        self.go_back = button("Go back…", "inPlace.goBack", "Put the backup in the file's place again (also in the menu File)")
        self.go_back.hide()
        self.add_left(self.go_back)
        self.add_right(self.copy)
        self.add_right(self.write)
        self.resize(theme.measure(680, 420))
        self._offer()
        self.close_button.setFocus()

    def _look(self, state: object, changed: Changed) -> None:
        super()._look(state, changed)
        if self._result is None and not self.busy and changed & (Changed.FINDINGS | Changed.HISTORY | Changed.DUMP):
            self.show_text(changes_text(self._session.state), "What changes")
            self._offer()  # a repair that was just made is judged a moment later

    def _offer(self) -> None:
        state = self._session.state
        errors = summary(state.report).errors if state.report is not None else 0
        self.broken.setVisible(errors > 0)
        problem = ""
        if state.following:
            problem = "The file is being followed: something writes to it. Stop following it (Ctrl+L) and end that program first."
        elif state.changed_on_disk:
            problem = "The file has changed since it was read. Read it again (F5) first."
        elif errors and not self.broken.isChecked():
            problem = f"Refused while {counted(errors, 'error')} would remain: {title_of(self._session)} would answer with its own refusal."
        if problem:
            self.say("error", problem)
        elif state.report is not None:
            rules = counted(state.report.rules, "rule")
            left = f"{counted(errors, 'error')} remain, as you allow." if errors else f"No reason found to refuse it: {rules}."
            self.say("warning" if errors else "clear", left)
        self.write.setEnabled(not problem and not self.busy)

    def _write(self) -> None:
        self.write.setEnabled(False)
        self.about_to_write()
        self.begin("in_place", self._session.layers(), self.broken.isChecked())
        self.stop.hide()  # it is one act: what is begun is ended

    def about_to_write(self) -> None:
        self._result = None

    def failed_with(self, text: str) -> None:
        super().failed_with(text)
        self.write.setEnabled(True)

    def finished_with(self, about: str, answer: Any) -> None:
        self._result = answer
        self.summary = "\n".join(([self.review(), ""] if self.review is not None else []) + [in_words(answer)])
        self.write.hide()
        self.broken.hide()
        self._where.hide()  # what came of it is said below
        self._heading.setText("What was done")
        self.show_text(f"{answer.written.summary}\nBackup: {answer.backup}", "Proof", mono=False)
        self._commands.put("Go back with", "inPlace.back", answer.back)
        if answer.resume:
            self._commands.put("Resume with", "inPlace.resume", answer.resume)
        self.say("clear", "Written over the file, read again, checked. The file is read anew now.")
        self.copy.show()
        self.go_back.show()
        self.copy.setFocus()
        self.written.emit(answer)

    def _copy(self) -> None:
        if self._result is not None:
            self.copied(self.summary, self.copy)


def in_words(result: InPlace) -> str:
    """What was done, to be pasted into a review."""
    lines = [result.written.summary, f"Backup: {result.backup}", f"Go back with: {result.back}"]
    return "\n".join(lines + ([f"Resume with: {result.resume}"] if result.resume else []))
