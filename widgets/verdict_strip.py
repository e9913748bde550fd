"""The strip that says at once whether a provider would refuse what is open: glyph, one sentence, one cause, what can be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QRect, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QProgressBar, QVBoxLayout, QWidget

from app.model.findings import Finding
from app.model.state import Changed, State
from app.session import Session
from widgets import theme
from widgets.actions import Actions
from widgets.buttons import ActionButton, button
from widgets.labels import Elided, Glyph, in_menu
from widgets.verdict import Verdict, verdict
from widgets.visible import line, visible

HEIGHT = 44
FAILED = 15_000  # milliseconds after which a message about something that failed goes by itself
READ = 6_000  # the same where a new report has come since: it can still be read
NARROW = 1060  # below, the other ways are left to the findings, and the sentence has the room
NEEDS = (
    Changed.DUMP | Changed.TRANSCRIPT | Changed.FINDINGS | Changed.HISTORY | Changed.PREVIEW | Changed.PROGRESS | Changed.TARGET
    | Changed.TOKENS
)  # fmt: skip

# what the buttons say here; elsewhere an action has the words of the table
WORDS = {
    "go.next_finding": "Go to it", "go.refusal": "Go to it", "finding.error": "Paste its error…", "finding.preview": "Preview repair…",
    "finding.apply": "Apply", "finding.cancel": "Cancel", "file.cancel": "Cancel", "file.reload": "Read again",
    "file.report": "Save a report…", "view.mode_complete": "Judge as sent now",
}  # fmt: skip


class VerdictStrip(QWidget):
    """`went(row)`: Go to it. `shown(bool)`: whether there is anything to say. `fix_preview(finding, index)`: one of the other ways."""

    went = Signal(int)
    shown = Signal(bool)
    fix_preview = Signal(object, int)

    def __init__(self, session: Session, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("verdictStrip")
        self.setFixedHeight(theme.scaled(HEIGHT))
        self._session, self._actions, self._state = session, actions, session.state
        self._said: Verdict | None = None
        self._as_is: Verdict | None = None  # while a key is held
        self._failure = ""
        self._fading = QTimer(self)
        self._fading.setSingleShot(True)
        self._fading.timeout.connect(lambda: self.fail(""))
        self._seen: tuple[object, ...] = ()
        self._report: object = None
        self._glyph = Glyph(18)
        self._title, self._detail = Elided(), Elided()
        self._title.setObjectName("verdictStrip.title")
        self._detail.setObjectName("verdictStrip.detail")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(160)
        self._bar.setAccessibleName("Progress")
        self._ways = button("Other ways ▾", "verdictStrip.ways", "Other ways to mend it")
        self._ways.clicked.connect(self._open_ways)
        self._yes = button("", "verdictStrip.yes", "Go on", "primary")
        self._yes.clicked.connect(self._agree)
        self._dismiss = button("Close", "verdictStrip.dismiss", "Close this message")
        self._dismiss.clicked.connect(self._refuse)
        self._question: tuple[str, str, Callable[[], object], str] | None = None
        self._refused: Callable[[], object] | None = None
        self._goto = button("Go to it", "verdictStrip.goto", "Go to what the verdict is about")
        self._goto.clicked.connect(self._go)
        self._buttons: dict[str, ActionButton] = {}
        self._lay_out()
        self._show()

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(0)
        words.setContentsMargins(0, 3, 0, 4)
        words.addWidget(self._title)
        words.addWidget(self._detail)
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 0, 10, 0)
        row.setSpacing(8)
        row.addWidget(self._glyph)
        row.addLayout(words, 1)
        row.addWidget(self._bar)
        row.addWidget(self._goto)
        for name in WORDS:
            primary = name in ("finding.preview", "finding.apply")
            made = ActionButton(
                self._actions[name], WORDS[name], "primary" if primary else "", with_key=name in ("go.next_finding", "finding.apply")
            )
            made.setObjectName(f"verdictStrip.{name}")
            self._buttons[name] = made
            row.addWidget(made)
        for extra in (self._ways, self._yes, self._dismiss):
            row.addWidget(extra)

    # -- what it says -------------------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The sentence, whole."""
        return self._title.text()

    @property
    def detail(self) -> str:
        return self._detail.text()

    @property
    def asking(self) -> bool:
        """Whether a question stands here, unanswered."""
        return self._question is not None

    def refresh(self, state: State, changed: Changed) -> None:
        if not changed & NEEDS:
            return
        seen = (state.path, state.history, state.preview)
        same = len(self._seen) == 3 and seen[0] == self._seen[0] and all(a is b for a, b in zip(seen[1:], self._seen[1:], strict=True))
        went_on = not same and bool(self._failure or self._question)
        if went_on:  # another file, a step or a preview: the message is of the past
            self._failure, self._question = "", None
            self._fading.stop()
        elif self._failure and state.report is not None and state.report is not self._report:
            self._fading.start(min(READ, max(0, self._fading.remainingTime())))
        self._seen, self._report, self._state = seen, state.report, state
        said = verdict(state, self._session.titles(), self._session.line_of)
        if said != self._said or went_on:
            self._said = said
            self._show()

    def show_as_is(self, state: State | None, judged: bool = True) -> None:
        """The verdict on the file as it is, while a key is held; None: on what is open again. `judged`: by the same judge as now."""
        self._as_is = None
        if state is not None:
            found = verdict(state, self._session.titles(), self._session.line_of) if judged else None
            words = found.title if found is not None else "it was judged for another provider then"
            tone = found or Verdict("plain", "note", "")
            self._as_is = replace(tone, title=f"As the file is: {words}", actions=(), ways=(), row=-1)
        self._show()

    def fail(self, text: str) -> None:
        """One line that something did not work; "" takes it away. It goes when the person goes on, or after a while."""
        self._failure, self._question = text, None
        self._fading.start(FAILED) if text else self._fading.stop()
        self._show()

    def ask(self, text: str, yes: str, act: Callable[[], object], no: str = "Stay", refused: Callable[[], object] | None = None) -> None:
        """A question in the strip, not a box: `act` where the person agrees, `refused` where it is said that not, nothing without a
        word."""
        self._failure, self._question, self._refused = "", (text, yes, act, no), refused
        self._fading.stop()
        self._show()
        self._yes.setFocus()

    def _agree(self) -> None:
        question, self._question = self._question, None
        self._show()
        if question is not None:
            question[2]()

    def _refuse(self) -> None:
        refused = self._refused if self._question is not None else None
        self.fail("")
        if refused is not None:
            refused()

    def _show(self) -> None:
        said = self._as_is or self._said
        if self._as_is is not None:
            pass
        elif self._failure:
            said = self._failed(said)
        elif self._question:
            said = Verdict("warning", "warning", self._question[0], said.title if said else "")
        self.setVisible(said is not None)
        self.shown.emit(said is not None)
        if said is None:
            return
        self._title.setText(said.title)
        self._detail.setText(said.detail)
        self._detail.setVisible(bool(said.detail))
        self._bar.setVisible(said.progress is not None)
        if said.progress is not None:
            self._bar.setRange(0, 0 if said.progress < 0 else 100)
            self._bar.setValue(round(100 * max(0.0, said.progress)))
        for name, made in self._buttons.items():
            made.setVisible(name in said.actions and not (name == "go.next_finding" and said.row >= 0))
        self._goto.setVisible("go.next_finding" in said.actions and said.row >= 0)
        self._goto.setText("Go to it  F8")
        self._ways.setVisible(len(said.ways) > 1 and self.width() >= NARROW)
        self._ways.setText(f"Other ways ({len(said.ways)}) ▾")
        self._yes.setVisible(self._question is not None)
        if self._question is not None:
            self._yes.setText(in_menu(self._question[1]))
            self._yes.setAccessibleName(visible(self._question[1]))
        self._dismiss.setVisible(bool(self._failure) or self._question is not None)
        self._dismiss.setText("Close" if self._failure or self._question is None else self._question[3])
        self.setAccessibleName(self.text)
        self.setAccessibleDescription(self.detail)
        self._tint(said)

    def _failed(self, verdict: Verdict | None) -> Verdict:
        """What did not work, in place of the verdict's words; what can be done about the file that is open stays."""
        state = self._state
        there = state.dump is not None and state.progress is None
        name = line(state.path.replace("\\", "/").rsplit("/", 1)[-1], 80) or "what was pasted"
        said = Verdict("warning", "warning", self._failure, f"still open: {name}" if there else "")
        if verdict is None:
            return said
        return replace(verdict, tone=said.tone, icon=said.icon, title=said.title, detail=said.detail)

    def _tint(self, said: Verdict) -> None:
        now = theme.current()
        colour = {"error": now.error, "warning": now.warning, "note": now.note, "green": now.green}.get(said.tone, now.blue)
        self._glyph.show_icon(said.icon, colour, said.tone)
        self._title.look(now.ink, now.ui_bold)
        self._detail.look(now.ink_soft)
        self.update()

    # -- acts -----------------------------------------------------------------------------------------------------------------------

    def _go(self) -> None:
        if self._said is not None:
            self.went.emit(self._said.row)

    def _open_ways(self) -> None:
        finding: Finding | None = self._said.finding if self._said else None
        if self._said is None or finding is None:
            return
        menu = QMenu(self)
        menu.setObjectName("verdictStrip.ways.menu")
        for index, way in enumerate(self._said.ways):
            action = menu.addAction(in_menu(way))
            action.setObjectName(f"verdictStrip.way_{index + 1}")
            action.triggered.connect(partial(self.fix_preview.emit, finding, index))
        menu.popup(self._ways.mapToGlobal(self._ways.rect().bottomLeft()))

    # -- paint ----------------------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme.current()
        said = self._as_is or self._said
        tone = "warning" if not self._as_is and (self._failure or self._question) else said.tone if said else "plain"
        papers: dict[str, tuple[QColor, QColor]] = {
            "error": (now.error_paper, now.error), "warning": (now.warning_paper, now.warning), "note": (now.note_paper, now.note),
            "green": (now.green_paper, now.green),
        }  # fmt: skip
        paper, edge = papers.get(tone, (now.paper_alt, now.blue))
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), paper)
            painter.fillRect(QRect(0, 0, 4, self.height()), edge)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        ways = len(self._said.ways) if self._said and not self._question else 0
        self._ways.setVisible(ways > 1 and self.width() >= NARROW)

    def retint(self) -> None:
        self.setFixedHeight(theme.scaled(HEIGHT))
        self._show()
