"""Export: where to, what changes, a refusal while errors remain; afterwards the proof, to copy."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.model.edits import Change
from app.model.state import Changed, State, Written
from app.session import Session
from widgets import theme
from widgets.buttons import Choice, PickList, button
from widgets.change_places import where
from widgets.labels import Elided, Glyph, TwoLines, Word, plain
from widgets.verdict import summary
from widgets.visible import line, visible
from widgets.words import counted, full

MOST = 200  # changes listed
_WIRE_TIP = "a request of another wire replays the session against another API"


class ExportDialog(QDialog):
    """Facts: `export_wanted(path, allow_broken, wire)`, `open_wanted(path)`: look at what was written, `report_wanted(report, removed)`:
    what is to lie beside it, once it is there. The wire is "" for the dump's own format."""

    export_wanted = Signal(str, bool, str)
    open_wanted = Signal(str)
    report_wanted = Signal(str, str)

    def __init__(self, session: Session, parent: QWidget | None = None, incident: str = "") -> None:
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle("Export")
        self._session, self._incident = session, incident
        self.review: Callable[[], str] | None = None  # the summary for a review, where somebody makes one
        self._under_way = False
        self.path = QLineEdit(default_path(session.state.path, incident))
        self.path.setObjectName("exportDialog.path")
        self.path.setAccessibleName("Where to write it")
        self.path.textChanged.connect(self._offer)
        self._browse = button("Choose…", "exportDialog.browse", "Choose where to write it")
        self._browse.clicked.connect(self._choose)
        self._wires = dict(session.wires())
        self.wire = next(iter(self._wires))
        self.wires = PickList("exportDialog.wire", "Written as", self._choices)
        self.wires.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._where = Elided()
        self._where.setObjectName("exportDialog.where")
        self.changes = QPlainTextEdit(changes_text(session.state))
        self.changes.setObjectName("exportDialog.changes")
        self.changes.setAccessibleName("What changes")
        self.changes.setReadOnly(True)
        self.changes.setTabChangesFocus(True)
        self.changes.setProperty("framed", "true")
        self.changes.setFont(theme.current().mono)
        self._glyph = Glyph(16)
        self._refusal = TwoLines()
        self._refusal.setObjectName("exportDialog.refusal")
        self.broken = QCheckBox("Write it all the same")
        self.broken.setObjectName("exportDialog.broken")
        self.broken.setAccessibleName("Write it although errors remain")
        self.broken.toggled.connect(self._offer)
        self.report = _tick("A report beside it", "report", "what was done, row by row and why, tokens and verdicts before and after")
        self.removed = _tick("What is removed beside it", "removed", "every removed body by its digest, so that nothing is lost for good")
        self.write = button("Export", "exportDialog.write", "Export", "primary")
        self.write.setDefault(True)
        self.write.clicked.connect(self._write)
        self.in_place = button("Over the file itself…", "exportDialog.inPlace", "Repair in place, after a numbered backup", "link")
        self.in_place.hide()  # shown by who can do it
        self._cancel = button("Cancel", "exportDialog.cancel", "Cancel")
        self._cancel.clicked.connect(self.reject)  # while it is written: that is stopped, and the dialog stays
        self._pages = QStackedWidget()
        self.proof = _Proof(self)
        self._pages.addWidget(self._question())
        self._pages.addWidget(self.proof)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)
        self.resize(theme.measure(620, 400))
        self._offer()
        self.path.setFocus()

    def _question(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(6)
        column.addWidget(_heading("Where to"))
        row = QHBoxLayout()
        row.addWidget(self.path, 1)
        row.addWidget(self._browse)
        column.addLayout(row)
        column.addWidget(self._where)
        row = QHBoxLayout()
        row.setSpacing(18)
        row.addWidget(self.report)
        row.addWidget(self.removed)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(_heading("Written as"))
        column.addWidget(self.wires)
        column.addWidget(_heading("What changes"))
        column.addWidget(self.changes, 1)
        row = QHBoxLayout()
        row.addWidget(self._glyph)
        row.addWidget(self._refusal, 1)
        row.addWidget(self.broken)
        column.addLayout(row)
        row = QHBoxLayout()
        row.addWidget(self.in_place)
        row.addStretch(1)
        row.addWidget(self._cancel)
        row.addWidget(self.write)
        column.addLayout(row)
        return page

    # -- what it says -------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> None:
        """Turns to the proof when it is there."""
        if self._under_way and changed & Changed.PROGRESS and state.progress is not None and state.progress.fraction is not None:
            share = f"{state.progress.fraction:.0%}".replace("%", " %")
            self._say("reading", f"Writing, then reading it again and checking it… {share}")
        if changed & Changed.FINDINGS and not self._under_way and self._pages.currentWidget() is not self.proof:
            self._offer()  # a repair that was just made is judged a moment later
        if self._under_way and state.written is not None and changed & (Changed.HISTORY | Changed.PROGRESS):
            self._under_way = False
            self.proof.put(state.written)
            self._pages.setCurrentWidget(self.proof)
            self.proof.copy.setFocus()
            written = Path(state.written.path)
            report = str(written.with_name(f"{written.stem}.report.md")) if self.report.isChecked() else ""
            removed = str(written.with_name(f"{written.stem}.removed.jsonl")) if self._keeps_removed else ""
            if report or removed:
                self.report_wanted.emit(report, removed)

    @property
    def _keeps_removed(self) -> bool:
        return self.removed.isEnabled() and self.removed.isChecked()

    def reject(self) -> None:
        """Esc and Cancel: what is being written is given up; else the dialog is."""
        if self._under_way:
            self._session.stop_writing()
            self.fail("Stopped: nothing was written.")
            return
        super().reject()

    def fail(self, text: str) -> None:
        """Nothing was written, and why."""
        self._under_way = False
        self._offer()
        self._say("error", text)

    def _offer(self) -> None:
        state, now = self._session.state, theme.current()
        path = self.path.text().strip()
        problem = path_problem(path, state.path)
        self.wires.say(self._wires[self.wire], _WIRE_TIP)
        self.changes.setPlainText(changes_text(state, self.wire))
        self._where.setText(problem or where_words(path, self.wire))
        self._where.look(now.error if problem else now.ink_soft)
        self.removed.setEnabled(any(change.effect == "loses" for layer in state.history.active for change in layer.changes))
        errors = summary(state.report).errors if state.report else 0
        self.broken.setVisible(errors > 0 or bool(self.wire))
        if self.wire:
            self._say("note", "It is judged for the other provider once it is written, and refused while errors would remain.")
            errors = 0
        elif errors:
            words = f"Refused while {counted(errors, 'error')} would remain: {title_of(self._session)} would answer with its own refusal."
            self._say("error", words)
        elif state.report is not None:
            self._say("clear", f"No reason found why {title_of(self._session)} would refuse it: {counted(state.report.rules, 'rule')}.")
        self.write.setEnabled(not problem and not self._under_way and (errors == 0 or self.broken.isChecked()))

    def _say(self, name: str, text: str) -> None:
        now = theme.current()
        self._glyph.show_icon(name, now.error if name == "error" else now.green, name)
        self._refusal.setText(text)

    def _choices(self) -> list[Choice]:
        return [
            Choice(words, partial(self.write_as, name), name == self.wire, name=f"exportDialog.wire.{name or 'own'}")
            for name, words in self._wires.items()
        ]

    def write_as(self, wire: str) -> None:
        """Another wire, and the name of a file that goes with it."""
        old, self.wire = self.wire, wire
        state = self._session.state
        if self.path.text() == default_path(state.path, self._incident, old):
            self.path.setText(default_path(state.path, self._incident, wire))
        self._offer()

    # -- acts -----------------------------------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, "Export to", self.path.text(), options=QFileDialog.Option.DontConfirmOverwrite)
        if path:
            self.path.setText(path)

    def _write(self) -> None:
        self._under_way = True
        self.write.setEnabled(False)
        self._say("reading", "Writing, then reading it again and checking it…")
        self.export_wanted.emit(self.path.text().strip(), self.broken.isChecked(), self.wire)


class _Proof(QWidget):
    """What was written and what reading it again gave, with a button that copies it."""

    def __init__(self, dialog: ExportDialog) -> None:
        super().__init__()
        self._path, self._dialog = "", dialog
        self._glyph = Glyph(20)
        self._title = Elided("Written, read again, checked.")
        self.text = QPlainTextEdit()
        self.text.setObjectName("exportDialog.proof")
        self.text.setAccessibleName("Proof of the export")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("framed", "true")
        self.copy = button("Copy summary for the review", "exportDialog.copy", "Copy summary for the review", "primary")
        self.copy.clicked.connect(self._copy)
        self._look = button("Open what was written", "exportDialog.open", "Open what was written")
        self._look.clicked.connect(self._open)
        close = button("Close", "exportDialog.close", "Close")
        close.clicked.connect(dialog.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        row = QHBoxLayout()
        row.addWidget(self._glyph)
        row.addWidget(self._title, 1)
        column.addLayout(row)
        column.addWidget(self.text, 1)
        row = QHBoxLayout()
        row.addWidget(self._look)
        row.addStretch(1)
        row.addWidget(self.copy)
        row.addWidget(close)
        column.addLayout(row)

    def put(self, written: Written) -> None:
        now = theme.current()
        good = written.verdict == "accept"
        self._path = written.path
        self._title.look(now.ink, now.ui_bold)
        self._title.setText("Written, read again, checked." if good else "Written and read again; errors remain, as you allowed.")
        self._glyph.show_icon("clear" if good else "warning", now.green if good else now.warning, "done")
        notes = "".join(f"\n· {f'{at}: ' if at else ''}{what}" for at, what in written.notes[:MOST])
        self.text.setPlainText(visible(written.summary + ("\n" + notes if notes else "")))

    def add(self, words: str) -> None:
        """One more line behind the proof."""
        self.text.appendPlainText(visible(words))

    def _open(self) -> None:
        self._dialog.open_wanted.emit(self._path)
        self._dialog.accept()

    def _copy(self) -> None:
        review = self._dialog.review
        QGuiApplication.clipboard().setText(review() if review is not None else self.text.toPlainText())
        self.copy.setText("Copied")


def _tick(text: str, name: str, tip: str) -> QCheckBox:
    made = QCheckBox(text)
    made.setObjectName(f"exportDialog.{name}")
    made.setAccessibleName(text)
    made.setToolTip(plain(tip))
    return made


def _heading(text: str) -> Word:
    now = theme.current()
    made = Word(text)
    made.look(now.ink, now.ui_bold)
    return made


def title_of(session: Session) -> str:
    provider = session.state.provider
    return session.titles().get(provider, provider)


def beside(path: str, incident: str = "") -> Path:
    """Where what is made of a file goes: beside it; the bundled incident lies in the program's own folder, so to the person's documents."""
    source = Path(path or "pasted.json")
    if not incident or source.absolute().parent != Path(incident).absolute().parent:
        return source
    places = QStandardPaths.StandardLocation
    found = (Path(QStandardPaths.writableLocation(place)) for place in (places.DocumentsLocation, places.HomeLocation))
    return next((folder for folder in found if folder.is_dir()), Path.home()) / source.name


def default_path(path: str, incident: str = "", wire: str = "") -> str:
    """`dump.json` as `dump.repaired.json` beside it, as another wire `dump.gemini.json`; a number where that is there already."""
    source = beside(path, incident)
    ending, word = (".json", wire) if wire else (source.suffix or ".json", "repaired")
    made, number = source.with_name(f"{source.stem}.{word}{ending}"), 2
    while made.exists():
        made, number = source.with_name(f"{source.stem}.{word}-{number}{ending}"), number + 1
    return str(made)


def path_problem(path: str, source: str) -> str:
    """Why nothing can be written there, "" where it can."""
    if not path:
        return "Name a file to write to."
    target = Path(path).absolute()
    if source and _same_file(target, Path(source).absolute()):
        return "That is the file that is open; it is never written over. Choose another name."
    if target.is_dir():
        return "That is a folder. Name a file in it."
    if not target.parent.is_dir():
        return f"There is no folder {line(str(target.parent), 120)}."
    return "" if os.access(target.parent, os.W_OK) else f"Nothing may be written into {line(str(target.parent), 120)}."


def _same_file(path: Path, source: Path) -> bool:
    try:
        return path == source or path.samefile(source)
    except OSError:
        return False


def where_words(path: str, wire: str = "") -> str:
    if Path(path).exists():
        return "A file of this name is there; it is replaced in one step when the new one is complete."
    if wire:
        return "A new file, a request that can be sent to another API. The file that is open stays untouched."
    return "A new file, in the format that came in. The file that is open stays untouched."


def _where(state: State, change: Change) -> str:
    place = where(state, change)
    return f"  ({place})" if place else ""


def changes_text(state: State, wire: str = "") -> str:
    """The changes in force, one a line: effect, title, tokens."""
    if wire:
        said = "Written anew from what would be sent now, your changes included."
        return f"{said}\nWhat the other wire has no counterpart for is left out; the proof lists it."
    layers = state.history.active
    changes = [change for layer in layers for change in layer.changes]
    shown = "" if state.plan is None or state.budget is None else f"The plan that is shown ({state.shown}) is not applied, and not written."
    if not changes:
        return f"Nothing: the file is written with the same bytes.\n{shown}".rstrip()
    lines = [f"{change.effect:<6} {line(change.title, 200)}{_where(state, change)}" for change in changes[:MOST]]
    if len(changes) > MOST:
        lines.append(f"… and {full(len(changes) - MOST)} more")
    lines.append("")
    lines.append("Every record that no change touches is written with the same bytes.")
    lines += [shown] if shown else []
    return "\n".join(lines)
