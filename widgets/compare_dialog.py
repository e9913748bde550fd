"""A window on what differs: exchange by exchange, each line with its words before and after; beside the transcript."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QSplitter, QVBoxLayout, QWidget

from app.model.compared import Compared, What
from widgets import compare_words, theme
from widgets.block_body import BlockBody
from widgets.block_text import Shown
from widgets.buttons import Choice, PickList, button
from widgets.compared_table import ComparedTable
from widgets.labels import Elided, Hairline
from widgets.visible import line as one_line
from widgets.word_diff import diff_of

CHOOSE = "Select a line: its words before and after are shown here."
TITLES = {"before_after": "Before and after", "compare": "Two dumps compared", "compare_requests": "Two requests compared"}


class CompareDialog(QDialog):
    """`about`: before_after, compare or compare_requests. Facts: `words_wanted(lines)`, `texts_wanted(line)`, `place_wanted(line)`,
    `left()`: stop it; `other_wanted(index)`: another transcript of the second dump."""

    words_wanted = Signal(tuple)
    texts_wanted = Signal(int)
    place_wanted = Signal(int)
    other_wanted = Signal(int)
    left = Signal()

    def __init__(self, about: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.about = about
        self.setObjectName(f"{about}Dialog")
        self.setWindowTitle(TITLES[about])
        self.setModal(False)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._sides = (Elided(), Elided())
        self._said, self._aside = Elided(), Elided()
        self._said.setObjectName("compared.said")
        self._aside.setObjectName("compared.aside")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress")
        self.table = ComparedTable()
        self.table.lines.two = about != "before_after"
        self.body = BlockBody()
        self.body.setObjectName("compared.words")
        self.body.setAccessibleName("Words before and after")
        self.transcripts: tuple[tuple[str, str], ...] = ()
        self._index = 0
        self.other = PickList("compared.other", "Transcript of the second", self._others)
        self.stays = button("Also what stays", "compared.all", "Show blocks that stay as they are, too")
        self.stays.setCheckable(True)
        self.stays.toggled.connect(self._show_all)
        self.before = button("◂ Change", "compared.previous", "The change before (P)")
        self.next = button("Change ▸", "compared.next", "The next change (N)")
        self.go = button("Go to it", "compared.go", "Go to this block in the list (Enter)", "primary")
        self._close = button("Close", "compared.close", "Close")
        for made in (self.stays, self.before, self.next, self.go):
            made.setToolTip(made.accessibleName())
        self._lay_out()
        self._connect()
        self.resize(theme.measure(1080, 720))
        self.show_waiting("")
        self.retint()

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setContentsMargins(16, 12, 16, 8)
        words.setSpacing(2)
        for label in (self._said, self._aside, *self._sides):
            words.addWidget(label)
        words.addWidget(self._bar)
        self._parts = QSplitter(Qt.Orientation.Vertical)
        self._parts.addWidget(self.table)
        text = QWidget()
        row = QHBoxLayout(text)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.body)
        row.addWidget(self.body.whole_bar)
        self._parts.addWidget(text)
        self._parts.setStretchFactor(0, 3)
        self._parts.setStretchFactor(1, 2)
        self._parts.setChildrenCollapsible(False)
        acts = QHBoxLayout()
        acts.setContentsMargins(12, 8, 12, 10)
        acts.setSpacing(6)
        for part in (self.before, self.next, self.stays, self.other):
            acts.addWidget(part)
        acts.addStretch(1)
        acts.addWidget(self._close)
        acts.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(words)
        column.addWidget(Hairline())
        column.addWidget(self._parts, 1)
        column.addWidget(Hairline())
        column.addLayout(acts)

    def _connect(self) -> None:
        self.table.wanted.connect(self.words_wanted)
        self.table.current.connect(self._selected)
        self.table.opened.connect(self.place_wanted)
        self.before.clicked.connect(lambda: self.table.step(-1))
        self.next.clicked.connect(lambda: self.table.step(1))
        self.go.clicked.connect(self._go)
        self._close.clicked.connect(self.close)

    # -- what is shown --------------------------------------------------------------------------------------------------------------

    def show_waiting(self, words: str, fraction: float | None = None) -> None:
        """It is being worked out."""
        self._said.setText(words)
        self._aside.setText("")
        for label in self._sides:
            label.hide()
        self._bar.setVisible(bool(words))
        self._bar.setRange(0, 0 if fraction is None else 100)
        self._bar.setValue(round(100 * (fraction or 0)))
        self._offer()

    def show_failure(self, words: str) -> None:
        self.table.lines.put(None)
        self.show_waiting("")
        self._said.setText(words)

    def show_found(self, found: Compared, transcripts: tuple[tuple[str, str], ...] = (), index: int = 0) -> None:
        """What was found; the first change is selected, and where the same was shown before the place in it is kept."""
        self._bar.hide()
        two = self.table.lines.two
        said, aside = compare_words.compared(found) if two else compare_words.before_after(found)
        self._said.setText(said)
        self._aside.setText(aside)
        self._aside.setVisible(bool(aside))
        for mark, label, side in zip("AB", self._sides, found.sides, strict=True):
            label.setVisible(two)
            label.setText(f"{mark}  {compare_words.side(side)}")
        self.transcripts, self._index = transcripts, index
        self.other.setVisible(len(transcripts) > 1)
        if len(transcripts) > 1:
            self.other.say(f"B: {one_line(transcripts[index][0], 40)}")
        row = self.table.current_row()
        self.table.lines.put(found)
        self.table.settle()
        self.body.put(Shown(""), CHOOSE)
        if 0 <= row < len(self.table.lines.rows):
            self.table.set_current(row)
        else:
            self.table.step(1)
        self._offer()

    def take_words(self, words: object) -> None:
        if isinstance(words, dict):
            self.table.lines.take(words)

    def show_texts(self, line: int, before: tuple[str, ...] | None, after: tuple[str, ...] | None) -> None:
        """The words of the line that is selected, before and after."""
        if line != self.table.line:
            return
        found = self.table.lines.found
        what = What(int(found.what[line])) if found is not None else What.SAME
        if what == What.SAME or before == after:
            text = "\n".join(before or after or ())
            self.body.put(diff_of((text,), (text,), what.word) if len(text) > 200_000 else Shown(text), "(empty)")
        else:
            self.body.put(diff_of(before or (), after, what.word), CHOOSE)

    def _selected(self, line: int) -> None:
        self._offer()
        if line >= 0:
            self.texts_wanted.emit(line)
        else:
            self.body.put(Shown(""), CHOOSE)

    def _offer(self) -> None:
        found = self.table.lines.found
        differs = found is not None and not found.same
        for made in (self.before, self.next):
            made.setEnabled(differs)
        self.stays.setEnabled(found is not None)
        self.go.setEnabled(self.table.line >= 0)
        self.other.setVisible(len(self.transcripts) > 1)

    def _show_all(self, on: bool) -> None:
        line = self.table.line
        self.table.lines.show_all(on)
        self.table.settle()
        row = next((at for at, row in enumerate(self.table.lines.rows) if row.line == line), -1) if line >= 0 else -1
        if row >= 0:
            self.table.go(row)

    def _go(self) -> None:
        if self.table.line >= 0:
            self.place_wanted.emit(self.table.line)

    def _others(self) -> list[Choice]:
        return [
            Choice(
                one_line(f"{name}  {title}", 80), lambda index=index: self.other_wanted.emit(index),  # type: ignore[misc]
                index == self._index, name=f"compared.other_{index + 1}",
            )
            for index, (name, title) in enumerate(self.transcripts)
        ]  # fmt: skip

    def retint(self) -> None:
        now = theme.current()
        self._said.look(now.ink, now.ui_bold)
        for label in (self._aside, *self._sides):
            label.look(now.ink_soft)
        self.table.fit()
        self.table.viewport().update()
        self.body.setFont(now.mono)
        self.body.tint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_N, Qt.Key.Key_P) and not event.modifiers():
            self.table.step(1 if event.key() == Qt.Key.Key_N else -1)
        else:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        self.left.emit()
        super().done(result)
