"""Go back to a backup: what a repair in place wrote over, put in the file's place again, after a backup of what stands there now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.model.backups import Backup, Backups, WentBack
from app.session import Session
from widgets import theme
from widgets.buttons import button
from widgets.command_rows import CommandRows
from widgets.lines import Line, LineList
from widgets.visible import line
from widgets.words import counted, full
from widgets.work_dialog import WorkDialog, heading

SENTENCE = (
    "A backup's bytes take the place of the file that is open. What stands there now is kept beside it first, under the next number; no "
    "backup is taken away."
)
NONE = "There is no backup beside this file. Repair in place (File) makes one before it writes."


class GoBackDialog(WorkDialog):
    """Fact: `went(WentBack)`: what is open is no longer what is on disk. `unexported()`: changes that the window would lose by it."""

    went = Signal(object)

    def __init__(self, session: Session, unexported: Callable[[], int], parent: QWidget | None = None) -> None:
        super().__init__(session, "goBack", "Go back to a backup", SENTENCE, parent)
        self._unexported = unexported
        self.top.addWidget(heading(line(Path(session.state.path).name, 90)))
        self.list = LineList("goBack.list", "Backups of this file, the newest first")
        self.list.setProperty("framed", "true")
        self.list.current.connect(self._offer)
        self.list.opened.connect(lambda _: self._go())
        self.body.addWidget(self.list, 1)
        self.text.hide()
        self.body.addWidget(self.text, 1)
        self._commands = CommandRows()
        self.body.addLayout(self._commands)
        self.go = button("Go back", "goBack.go", "Put this backup in the file's place", "primary")
        self.go.setEnabled(False)
        self.go.setDefault(True)
        self.go.clicked.connect(self._go)
        self.add_right(self.go)
        self.resize(theme.measure(640, 320))
        self.begin("backups")

    def finished_with(self, about: str, answer: Any) -> None:
        if isinstance(answer, Backups):
            self._show(answer)
        elif isinstance(answer, WentBack):
            self._done(answer)

    def failed_with(self, text: str) -> None:
        super().failed_with(text)
        self._offer_again()

    # -- which ------------------------------------------------------------------------------------------------------------------------

    def _show(self, found: Backups) -> None:
        other = [one for one in found.found if not one.same]
        self.list.put([_line(one) for one in found.found], other[0] if other else None)
        if not found.found:
            self.say("note", NONE)
        elif not other:
            self.say("note", "The file holds what its backup holds: there is nothing to go back to.")
        else:
            self._offer(other[0])
            self.list.setFocus()

    def _offer(self, backup: Backup | None) -> None:
        problem = ""
        if self._session.state.following:
            problem = "The file is being followed: something writes to it. Stop following it (Ctrl+L) and end that program first."
        elif isinstance(backup, Backup) and backup.same:
            problem = "This is what the file holds now."
        can = isinstance(backup, Backup) and not problem
        self.go.setEnabled(can and not self.busy)
        if problem:
            self.say("note", problem)
        elif can and (lost := self._unexported()):
            self.say("warning", f"{counted(lost, 'change')} not exported will be lost: the file is read anew.")
        elif can:
            self.say("note", "")

    def _offer_again(self) -> None:
        here = self.list.line
        self.go.setEnabled(here is not None and isinstance(here.value, Backup) and not here.value.same)

    # -- the act ----------------------------------------------------------------------------------------------------------------------

    def _go(self) -> None:
        here = self.list.line
        if self.go.isEnabled() and here is not None and isinstance(here.value, Backup):
            self.go.setEnabled(False)
            self.begin("go_back", here.value.number)
            self.stop.hide()  # it is one act: what is begun is ended

    def _done(self, done: WentBack) -> None:
        self.list.hide()
        self.go.hide()
        self.text.show()
        self.show_text(in_words(done), "What was done", mono=False)
        if done.back:
            self._commands.put("Undo with", "goBack.back", done.back)
        if done.resume:
            self._commands.put("Resume with", "goBack.resume", done.resume)
        self.say("clear", f"Back to {line(Path(done.backup).name, 80)}. The file is read anew now.")
        self.close_button.setFocus()
        self.went.emit(done)


def _line(one: Backup) -> Line:
    when = datetime.fromtimestamp(one.written).strftime("%Y-%m-%d %H:%M:%S")
    return Line(
        line(Path(one.path).name, 200), f"{full(one.size)} bytes, last written {when}", "as the file is now" if one.same else "",
        dim=one.same, value=one,
    )  # fmt: skip


def in_words(done: WentBack) -> str:
    """What was done, to be pasted into a review."""
    kept = f"What stood there is kept: {done.kept}" if done.kept else "Nothing stood there."
    return f"{done.path}: {full(done.size)} bytes, those of {done.backup} again.\n{kept}"
