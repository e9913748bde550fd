"""The summary: what stands in place of all before the seam. Typed or pasted, or the skeleton that is made from the transcript."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.model.state import Changed, State
from app.model.summary import SummaryText
from widgets import theme
from widgets.buttons import button
from widgets.labels import Elided, TwoLines, Word, plain
from widgets.words import counted, short

NAME = "summarize-prefix"
REST = 200  # ms after the last key, or the last move of the seam
MOST = 200_000  # characters that a summary may have
NEWS = Changed.DUMP | Changed.TRANSCRIPT | Changed.PLAN | Changed.RANKINGS


class SummaryDialog(QDialog):
    """Facts: `used(text)`: this is the summary, "" the skeleton; `asked(text)`: what would that cost here? `seam_moved(budget)`: the seam
    one place on, as the budget of that size."""

    used = Signal(str)
    seam_moved = Signal(int)
    asked = Signal(str)

    def __init__(self, state: State, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("summaryDialog")
        self.setWindowTitle("Summary")
        self._state = state
        self.own = False  # the text is a person's; else the skeleton
        self._putting = False
        self._in_use = ""
        now = theme.current()
        self.seam = Elided()
        self.seam.setObjectName("summaryDialog.seam")
        self.seam.look(now.ink, now.ui_bold)
        self.earlier = self._mover("◂", "earlier", "The seam one place earlier: less is summed up (Alt+Up)", "Alt+Up", 1)
        self.later = self._mover("▸", "later", "The seam one place later: more is summed up (Alt+Down)", "Alt+Down", -1)
        self.told = TwoLines()
        self.told.setText(
            "A pair of plain messages: yours with this text, marked as made from the transcript, and a short answer. It never becomes "
            "system text."
        )
        self.text = QPlainTextEdit()
        self.text.setObjectName("summaryDialog.text")
        self.text.setAccessibleName("The summary's text")
        self.text.setPlaceholderText("Drag the budget down first: nothing is summed up yet. Or type or paste a summary.")
        self.text.setTabChangesFocus(True)
        self.text.setProperty("framed", "true")
        self.text.setFont(now.mono)
        self.text.textChanged.connect(self._typed)
        self.count = Word("")
        self.count.setObjectName("summaryDialog.count")
        self.kind = Word("")
        self.kind.setObjectName("summaryDialog.kind")
        self.reset = button("Back to the skeleton", "summaryDialog.reset", "Back to the skeleton that is made from the transcript")
        self.reset.setToolTip(plain("questions, calls by name with their ids, and counts; it follows the seam"))
        self.reset.clicked.connect(self._reset)
        self.use = button("Use this text", "summaryDialog.use", "Use this text as the summary (Ctrl+Return)", "primary")
        self.use.clicked.connect(self._use)
        close = button("Close", "summaryDialog.close", "Close")
        close.clicked.connect(self.close)
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._ask)
        self._lay_out(close)
        self.resize(theme.measure(600, 420))
        self._take_up(state)
        self.refresh(state, NEWS)
        self._ask()

    def _lay_out(self, close: QPushButton) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(6)
        row = QHBoxLayout()
        row.addWidget(self.seam, 1)
        row.addWidget(self.earlier)
        row.addWidget(self.later)
        column.addLayout(row)
        column.addWidget(self.told)
        column.addWidget(self.text, 1)
        row = QHBoxLayout()
        row.addWidget(self.kind)
        row.addStretch(1)
        row.addWidget(self.count)
        column.addLayout(row)
        row = QHBoxLayout()
        row.addWidget(self.reset)
        row.addStretch(1)
        row.addWidget(close)
        row.addWidget(self.use)
        column.addLayout(row)

    def _mover(self, sign: str, name: str, words: str, key: str, up: int) -> QPushButton:
        made = button(sign, f"summaryDialog.{name}", words)
        made.setToolTip(plain(words))
        made.setShortcut(QKeySequence(key))
        made.clicked.connect(lambda: self._move(up))
        return made

    # -- what is shown ------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> None:
        """The seam has moved, or another text is in use."""
        if not changed & NEWS:
            return
        self._state = state
        in_use = self._text_in_use(state)
        if in_use != self._in_use and in_use != self._own_text():
            self._take_up(state)
        self._in_use = in_use
        self._show_seam(state)
        self._offer()
        if not self.own:
            self._rest.start()  # the skeleton follows the seam

    def _take_up(self, state: State) -> None:
        """The text that is in use."""
        self._in_use = self._text_in_use(state)
        self.own = bool(self._in_use)
        self._put(self._in_use)

    def _text_in_use(self, state: State) -> str:
        ranking = state.rankings.get(NAME)
        params = state.params.get(NAME) or (ranking.params if ranking is not None else {})
        return str(params.get("text", ""))

    def _own_text(self) -> str:
        return self.text.toPlainText() if self.own else ""

    def _show_seam(self, state: State) -> None:
        ranking, view = state.rankings.get(NAME), state.view
        plan = ranking.plan(state.budget) if ranking is not None and state.budget is not None else None
        for mover, up in ((self.earlier, 1), (self.later, -1)):
            mover.setEnabled(self._next(up) is not None)
        if plan is None or view is None or not plan.length:
            self.seam.setText("Nothing is summed up yet: drag the budget, or the cut under the chart")
            return
        at = min(plan.seam, len(view) - 1)
        exchange, step = int(view.groups.exchange[at]), int(view.groups.step[at])
        first = exchange >= 0 and at == int(view.groups.first[exchange])
        inside = "" if first or step < 0 else f" · {view.groups.step_label(step)}"
        self.seam.setText(f"In place of all before {view.groups.label(exchange)}{inside}: {short(plan.before)} become {short(plan.after)}")

    def show_told(self, told: SummaryText, text: str) -> None:
        """What the text costs; the skeleton's own words, where that is asked about."""
        if text != self._own_text():
            return
        if not self.own:
            self._put(told.text)
        self.count.setText(f"{counted(told.tokens, 'token')}, {told.pair:,} as a pair")

    def _put(self, text: str) -> None:
        if text != self.text.toPlainText():
            self._putting = True
            self.text.setPlainText(text)
            self._putting = False
        self._offer()

    def _offer(self) -> None:
        own = self._own_text()
        said = "a skeleton; type to write your own"
        if self.own:
            said = "in use" if own == self._in_use else "not in use yet"
        if len(own) > MOST:
            said = f"over {counted(MOST, 'character')}: shorten it"
        self.kind.setText(said)
        self.reset.setEnabled(self.own)
        self.use.setEnabled(own != self._in_use and len(own) <= MOST)

    def _next(self, up: int) -> int | None:
        """The size that the strategy reaches with its seam one place earlier (`up` 1) or later (-1); None where there is none."""
        ranking, state = self._state.rankings.get(NAME), self._state
        if ranking is None or state.view is None:
            return None
        size = state.now if state.budget is None else ranking.plan(state.budget).after
        rungs = ranking.rungs[::-1]  # from small to large
        at = int(rungs.searchsorted(size, "right" if up > 0 else "left")) - (0 if up > 0 else 1)
        return int(rungs[at]) if 0 <= at < len(rungs) else None

    # -- what a person does -------------------------------------------------------------------------------------------------------

    def _typed(self) -> None:
        if self._putting:
            return
        self.own = bool(self.text.toPlainText().strip())
        self.count.setText("…")
        self._offer()
        self._rest.start()

    def _reset(self) -> None:
        self.own = False
        self.count.setText("…")
        self._offer()
        if self._in_use:
            self.used.emit("")
        self._ask()

    def _move(self, up: int) -> None:
        size = self._next(up)
        if size is not None:
            self.seam_moved.emit(size)

    def _ask(self) -> None:
        self.asked.emit(self._own_text())

    def _use(self) -> None:
        if self.use.isEnabled():
            self.used.emit(self._own_text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._use()
            return
        super().keyPressEvent(event)
