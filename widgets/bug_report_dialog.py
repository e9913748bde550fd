"""Copy as a bug report: the smallest transcript that still fails like a finding, contents replaced, to the clipboard or a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QCheckBox, QFileDialog, QPushButton, QWidget

from app.model.evidence import Minimal
from app.model.findings import Finding
from app.session import Session
from widgets import theme
from widgets.buttons import button
from widgets.export_dialog import beside
from widgets.visible import line
from widgets.words import counted, full
from widgets.work_dialog import WorkDialog, heading


def sentence(renamed: bool) -> str:
    """What becomes of the dump, and what of it stays. `renamed`: the tools get other names too."""
    gone, kept = ("ids and tools are renamed", "models") if renamed else ("ids are renamed", "models and tools")
    return (
        f"The smallest transcript that still fails the same rule. Contents become fillers of equal length, {gone}; names of members and "
        f"{kept}, roles, times and counts stay. Read it before it leaves."
    ).replace("members and models and", "members, models and")


class BugReportDialog(WorkDialog):
    """Begins at once; `finding` is the one that is reported."""

    def __init__(self, session: Session, finding: Finding, parent: QWidget | None = None, incident: str = "") -> None:
        super().__init__(session, "bugReport", "Copy as a bug report", sentence(False), parent)
        self._finding, self._incident = finding, incident
        self._made: Minimal | None = None
        self.top.addWidget(heading(f"{finding.rule}  {line(finding.at, 80)}"))
        self.rename = QCheckBox("Replace the names of tools too")
        self.rename.setObjectName("bugReport.rename")
        self.rename.setToolTip("A name of a tool can tell what a company does; without it the report is harder to read")
        self.rename.toggled.connect(self._start)
        self.top.addWidget(self.rename)
        self.body.addWidget(self.text, 1)
        self._save = button("Save the report…", "bugReport.save", "Save the report as Markdown")
        self._save.clicked.connect(self._save_report)
        self._alone = button("Save the transcript…", "bugReport.saveTranscript", "Save the small transcript by itself")
        self._alone.clicked.connect(self._save_transcript)
        self.copy = button("Copy", "bugReport.copy", "Copy the report", "primary")
        self.copy.setDefault(True)
        self.copy.clicked.connect(self._copy)
        self.add_left(self._alone)
        self.add_left(self._save)
        self.add_right(self.copy)
        self.resize(theme.measure(760, 560))
        self._start()

    @property
    def _ready(self) -> tuple[QPushButton, ...]:
        return (self.copy, self._save, self._alone)

    def _start(self) -> None:
        self._made = None
        self.explain(sentence(self.rename.isChecked()))
        for made in self._ready:
            made.setEnabled(False)
        self.copy.setText("Copy")
        self.show_text("", "The report")
        self.text.setPlaceholderText("Leaving out what is not needed…")
        self.begin("bug_report", self._finding.rule, self._finding.row, not self.rename.isChecked())

    def finished_with(self, about: str, answer: Any) -> None:
        self._made = answer
        self.show_text(answer.markdown, "The report")
        said = f"{counted(answer.blocks_before, 'block')} became {full(answer.blocks)}; it was checked {counted(answer.checks, 'time')}."
        if not answer.whole:
            said += " Time was up: it may be smaller still."
        self.say("clear", said)
        for made in self._ready:
            made.setEnabled(True)
        self.copy.setFocus()

    def failed_with(self, text: str) -> None:
        super().failed_with(text)
        self.text.setPlaceholderText("No report was made.")

    def give_up(self) -> None:
        super().give_up()
        self.text.setPlaceholderText("No report was made.")

    def _copy(self) -> None:
        if self._made is not None:
            self.copied(self._made.markdown, self.copy)

    def _save_report(self) -> None:
        if self._made is not None:
            self._write(f"{self._finding.rule}.md", self._made.markdown, "Save the report")

    def _save_transcript(self) -> None:
        if self._made is not None:
            self._write(f"{self._finding.rule}{self._made.suffix}", self._made.text, "Save the transcript")

    def _write(self, name: str, text: str, title: str) -> None:
        source = beside(self._session.state.path, self._incident)
        path, _ = QFileDialog.getSaveFileName(self, title, str(source.with_name(name)))
        if not path:
            return
        problem = self._session.write_text(path, text)
        self.say("error" if problem else "clear", problem or f"Written: {line(Path(path).name, 80)}")
