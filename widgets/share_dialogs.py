"""The file without its contents, and the file without secrets: where to, what goes, the proof."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.model.evidence import Searched
from app.session import Session
from widgets import theme
from widgets.buttons import button
from widgets.export_dialog import beside, path_problem
from widgets.found_model import FoundModel, FoundTable
from widgets.labels import Elided
from widgets.visible import line
from widgets.words import counted, full
from widgets.work_dialog import WorkDialog, heading


class ShareDialog(WorkDialog):
    """Asks where to write a file, writes it, shows the proof. Fact: `open_wanted(path)`: look at what was written."""

    open_wanted = Signal(str)

    def __init__(self, session: Session, name: str, title: str, sentence: str, word: str, parent: QWidget | None, incident: str) -> None:
        super().__init__(session, name, title, sentence, parent)
        self._proof = ""
        self.path = QLineEdit(free_path(session.state.path, word, incident))
        self.path.setObjectName(f"{name}.path")
        self.path.setAccessibleName("Where to write it")
        self.path.textChanged.connect(self.offer)
        browse = button("Choose…", f"{name}.browse", "Choose where to write it")
        browse.clicked.connect(self._choose)
        self._where = Elided()
        self.top.addWidget(heading("Where to"))
        row = QHBoxLayout()
        row.addWidget(self.path, 1)
        row.addWidget(browse)
        self.top.addLayout(row)
        self.top.addWidget(self._where)
        self._browse = browse
        self.text.hide()
        self.write = button("Write", f"{name}.write", "Write it", "primary")
        self.write.setDefault(True)
        self.write.clicked.connect(self._write)
        self.copy = button("Copy the summary", f"{name}.copy", "Copy the summary", "primary")
        self.copy.clicked.connect(lambda: self.copied(self._proof, self.copy))
        self.copy.hide()
        self.look = button("Open what was written", f"{name}.open", "Open what was written")
        self.look.clicked.connect(self._open)
        self.look.hide()
        self.add_left(self.look)
        self.add_right(self.copy)
        self.add_right(self.write)

    # -- for who inherits -----------------------------------------------------------------------------------------------------------

    def ready(self) -> bool:
        """Whether it could be written now, the path aside."""
        return True

    def ask_to_write(self, path: str) -> None:
        raise NotImplementedError

    def choices(self) -> tuple[QWidget, ...]:
        """What can no longer be changed once it is written."""
        return ()

    # -- what it says ---------------------------------------------------------------------------------------------------------------

    def offer(self) -> None:
        state, now = self._session.state, theme.current()
        path = self.path.text().strip()
        problem = path_problem(path, state.path)
        edited = "Your changes are not in it: it is the file as it was opened. " if state.history.active else ""
        there = "A file of this name is there; it is replaced in one step." if Path(path).exists() else "A new file."
        self._where.setText(problem or f"{edited}{there} The file that is open stays untouched.")
        self._where.look(now.error if problem else now.ink_soft)
        self.write.setEnabled(not problem and not self.busy and self.ready())

    def _choose(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, "Write to", self.path.text(), options=QFileDialog.Option.DontConfirmOverwrite)
        if path:
            self.path.setText(path)

    def _write(self) -> None:
        self.ask_to_write(self.path.text().strip())
        self.offer()

    def show_proof(self, summary: str) -> None:
        """It is written: nothing is left to choose."""
        self._proof = summary
        self.show_text(summary, "Proof", mono=False)
        self.text.show()
        for one in (*self.choices(), self.path, self._browse):
            one.setEnabled(False)
        self.write.hide()
        self.copy.show()
        self.look.show()
        self.say("clear", "Written, read again, judged the same.")
        self.copy.setFocus()

    def failed_with(self, text: str) -> None:
        super().failed_with(text)
        self.offer()

    def give_up(self) -> None:
        super().give_up()
        self.offer()

    def _open(self) -> None:
        self.open_wanted.emit(self.path.text().strip())
        self.accept()


class ShapeDialog(ShareDialog):
    """Export the shape only."""

    def __init__(self, session: Session, parent: QWidget | None = None, incident: str = "") -> None:
        sentence = (
            "Every text, argument and result becomes a filler of an equal number of characters; ids are renamed consistently. "
            "Structure, sizes and findings "
            "stay the same, which is proved before anything is written."
        )
        super().__init__(session, "shapeDialog", "Export the shape only", sentence, "shape", parent, incident)
        self.rename = QCheckBox("Replace the names of tools too")
        self.rename.setObjectName("shapeDialog.rename")
        self._kept = Elided()
        self._kept.look(theme.current().ink_soft)
        self.rename.setToolTip("A name of a tool can tell what a company does; without it the file is harder to read")
        self.rename.toggled.connect(self._tell_kept)
        self._tell_kept()
        self.body.addWidget(self.rename)
        self.body.addWidget(self._kept)
        self.body.addWidget(self.text, 1)
        self.body.addStretch(0)
        self.text.setMinimumHeight(96)
        self.resize(theme.measure(640, 300))
        self.offer()

    def _tell_kept(self) -> None:
        tools = "" if self.rename.isChecked() else " and tools"
        self._kept.setText(f"Kept: names of members{tools}, types, roles, models, times, counts of tokens.")

    def choices(self) -> tuple[QWidget, ...]:
        return (self.rename,)

    def ask_to_write(self, path: str) -> None:
        self.begin("shape", path, not self.rename.isChecked())

    def finished_with(self, about: str, answer: Any) -> None:
        self.show_proof(answer.summary)


class RedactDialog(ShareDialog):
    """Export redacted: what was found, each with a box; words of one's own."""

    def __init__(self, session: Session, parent: QWidget | None = None, incident: str = "") -> None:
        sentence = (
            "What is ticked is replaced by a mark of as many characters, the same thing everywhere by the same mark; the rest stays. "
            "Patterns find what they know: look through the result before it leaves."
        )
        super().__init__(session, "redactDialog", "Export redacted", sentence, "redacted", parent, incident)
        self._own: tuple[str, ...] = ()
        self._searched: Searched | None = None
        self.model = FoundModel(self)
        self.model.dataChanged.connect(self._tell)
        self.table = FoundTable(self.model)
        self._dress_table()
        self.word = QLineEdit()
        self.word.setObjectName("redactDialog.word")
        self.word.setAccessibleName("A word of your own that goes too")
        self.word.setPlaceholderText("A name, a customer, a host: a word of your own that goes too")
        self.word.returnPressed.connect(self._add)
        self._add_button = button("Add the word", "redactDialog.add", "Look for this word too")
        self._add_button.clicked.connect(self._add)
        self._all = button("Tick all", "redactDialog.all", "Everything goes", "link")
        self._all.clicked.connect(lambda: self.model.tick_all(True))
        self._none = button("Tick none", "redactDialog.none", "Everything stays", "link")
        self._none.clicked.connect(lambda: self.model.tick_all(False))
        self._lay_out_found()
        self.resize(theme.measure(920, 560))
        self._search()

    def _dress_table(self) -> None:
        table = self.table
        table.setObjectName("redactDialog.found")
        table.setAccessibleName("What was found; Space ticks a row on or off")
        table.setProperty("framed", "true")
        table.fit(theme.current().ui.pixelSize())

    def _lay_out_found(self) -> None:
        row = QHBoxLayout()
        row.addWidget(heading("What was found"))
        row.addStretch(1)
        row.addWidget(self._all)
        row.addWidget(self._none)
        self.body.addLayout(row)
        self.body.addWidget(self.table, 1)
        row = QHBoxLayout()
        row.addWidget(self.word, 1)
        row.addWidget(self._add_button)
        self.body.addLayout(row)
        proof = QVBoxLayout()
        self.text.setMaximumHeight(110)
        proof.addWidget(self.text)
        self.body.addLayout(proof)

    # -- searching ------------------------------------------------------------------------------------------------------------------

    def _search(self) -> None:
        self.begin("sensitive", self._own)
        self.offer()

    def _add(self) -> None:
        word = self.word.text().strip()
        if word and word.lower() not in map(str.lower, self._own):
            self._own = (*self._own, word)
            self.word.clear()
            self._search()

    def ready(self) -> bool:
        return self._searched is not None

    def choices(self) -> tuple[QWidget, ...]:
        return (self.table, self.word, self._add_button, self._all, self._none)

    def ask_to_write(self, path: str) -> None:
        self.begin("redact", path, self._own, self.model.kept())

    def finished_with(self, about: str, answer: Any) -> None:
        if about == "redact":
            self.show_proof(answer.summary)
            return
        self._searched = answer
        self.model.put(answer.found)
        if self.model.rowCount():
            self.table.selectRow(0)
            self.table.setFocus()
        self._tell()

    def _tell(self) -> None:
        """How it stands: what goes, what stays, what was not found."""
        found = self._searched
        if found is None or self.busy:
            return
        missing = found.missing
        going = [one for one in found.found if one.number not in set(self.model.kept())]
        unsearched = sum(one.kind == "not searched" for one in found.found) - sum(one.kind == "not searched" for one in going)
        many = f"{full(len(going))} of {counted(len(found.found), 'thing')}"
        said = f"{many} {'goes' if len(going) == 1 else 'go'}, at {counted(sum(one.count for one in going), 'place')}."
        if not found.found:
            said = f"Nothing was found by {counted(found.patterns, 'pattern')} in {counted(found.strings, 'text')}."
        if missing:
            said += f" Not found: {', '.join(line(word, 30) for word in missing[:4])}."
        if unsearched:
            said += f" {counted(unsearched, 'thing')} that can't be searched {'stays' if unsearched == 1 else 'stay'} in, as you allow."
        self.say("warning" if unsearched or missing else "note" if going else "clear", said)
        self.offer()


def free_path(path: str, word: str, incident: str = "") -> str:
    """`dump.json` as `dump.shape.json` beside it; a number where that is there already."""
    source = beside(path, incident)
    ending = source.suffix if source.suffix in (".json", ".jsonl", ".ndjson", ".log", ".txt", ".md") else ".json"
    made, number = source.with_name(f"{source.stem}.{word}{ending}"), 2
    while made.exists():
        made, number = source.with_name(f"{source.stem}.{word}-{number}{ending}"), number + 1
    return str(made)
