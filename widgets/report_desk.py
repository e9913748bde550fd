"""Where reports are asked for: beside an export or alone. The helper process writes them; what became of it is said in the status line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog

from widgets.export_dialog import beside
from widgets.visible import line

if TYPE_CHECKING:
    from widgets.main_window import MainWindow

KINDS = "Markdown, to read (*.md);;JSON, for programs (*.json)"


class ReportDesk:
    """`save` asks for a name, `write` has one."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._session = window, window.session
        self._session.answered.connect(self._answered)

    def save(self) -> None:
        source = beside(self._session.state.path, self._window.incident)
        path, _ = QFileDialog.getSaveFileName(self._window, "Save a report", str(source.with_name(f"{source.stem}.report.md")), KINDS)
        if path:
            self.write(path)

    def write(self, path: str, removed: str = "") -> None:
        """A report at `path`, what the changes removed at `removed`; "" where one is not wanted."""
        if path or removed:
            self._window.status.say("writing the report…")
            self._session.save_report(path, removed)

    def _answered(self, answer: Any) -> None:
        if answer.about != "report":
            return
        dialog = self._window.commands.export_dialog
        if answer.error:
            self._window.fail(answer.error)
        elif answer.done:
            names = " and ".join(line(Path(name).name, 80) for name in answer.answer)
            self._window.status.say(f"written: {names}")
        if dialog is not None:
            dialog.proof.add(answer.error or "Beside it: " + ", ".join(answer.answer))
