"""The bar: what is open, whom it is judged for, which counter, what is filtered or found, undo and redo, and the one primary button."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QSizePolicy, QWidget

from app.model.state import Changed, State
from app.model.tokens import COUNTERS
from app.session import Session
from widgets import theme
from widgets.actions import Actions
from widgets.arrangement import BAR
from widgets.buttons import ActionButton, Choice, PickList
from widgets.filter_field import FilterField
from widgets.labels import Elided, plain
from widgets.visible import line
from widgets.words import counted, full

HELP = """Words find them in texts, tools' names and ids. Conditions filter:
tool == read_file && tokens > 4000 && finding
&&, ||, !, ( ); ==, !=, >, <, >=, <=, ~ (holds, or fits a /pattern/)
Enter: next hit, Shift+Enter: previous; Down: what could stand here; Esc: leave"""
NEEDS = Changed.DUMP | Changed.TRANSCRIPT | Changed.TARGET | Changed.TOKENS


class TopBar(QWidget):
    """Facts: `chosen(int)` a transcript, `judge(provider, model)`, `counter(str)`. The field has its own (filter_field.py)."""

    chosen = Signal(int)
    judge = Signal(str, object)
    counter = Signal(str)

    def __init__(self, session: Session, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("topBar")
        self._session, self._actions = session, actions
        self.transcripts = PickList("topBar.transcript", "Transcript", self._transcripts)
        self.providers = PickList("topBar.provider", "Judged for", self._providers)
        self.counters = PickList("topBar.counter", "Counter", self._counters)
        self.transcripts.many = self._several
        self._hits = Elided()
        self._hits.setObjectName("topBar.hits")
        self._hits.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)  # a label that may vanish gets no place of its own
        self._hits.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.field = FilterField(session.complete_filter, HELP)
        self.field.setObjectName("topBar.find")
        self.field.setAccessibleName("Filter or find")
        self.field.setPlaceholderText("Filter or find")
        self.field.setToolTip(plain(HELP))
        self.field.setClearButtonEnabled(True)
        self.field.setAcceptDrops(False)  # a file that is dropped here is to be opened
        self.field.textChanged.connect(lambda: self._hits.setText(""))
        self._lay_out()
        self.retint()
        self.refresh(session.state, Changed.ALL)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 10, 0)
        row.setSpacing(6)
        for pick in (self.transcripts, self.providers, self.counters):
            row.addWidget(pick)
        row.addStretch(0)  # the field takes what there is, up to its most
        row.addWidget(self._hits)
        row.addWidget(self.field, 2)
        for name in ("edit.find_previous", "edit.find_next", "edit.undo", "edit.redo"):
            made = ActionButton(self._actions[name], "")
            made.setFixedWidth(32)
            row.addWidget(made)
            if name == "edit.find_next":
                row.addSpacing(8)
        row.addSpacing(8)
        row.addWidget(ActionButton(self._actions["file.export"], "Export…", "primary"))

    def retint(self) -> None:
        """Another theme, or another size of the text."""
        self.setFixedHeight(theme.scaled(BAR))
        self._hits.setFixedWidth(theme.scaled(86))
        self.field.setMaximumWidth(theme.scaled(460))
        self.field.setMinimumWidth(theme.scaled(180))

    # -- what it says -------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> None:
        if not changed & NEEDS:
            return
        there = state.dump is not None
        for part in (self.transcripts, self.providers, self.counters, self.field):
            part.setEnabled(there)
        why = [word for word in (line(state.path, 400), state.base.why if state.base else "") if word]
        self.transcripts.say(self._transcript(state), "\n".join(why))
        title = self._session.titles().get(state.provider, state.provider)
        self.providers.say(f"for {title}" + (f" · {line(state.model, 40)}" if state.model else ""), self._why_provider(state))
        calibrated = ", calibrated" if state.calibration else ""
        self.counters.say(f"{state.counter}{calibrated}", _why_counter(state))
        self.updateGeometry()

    def show_hits(self, ordinal: int, total: int) -> None:
        """`3 of 17` beside the field; none found says so, -1 is not known."""
        known = f"{full(ordinal)} of {full(total)}" if ordinal else counted(total, "hit")
        self._hits.setText("" if total < 0 else known if total else "not found")

    def focus_find(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _transcript(self, state: State) -> str:
        if state.dump is None or state.base is None:
            return "nothing open"
        name = state.path.replace("\\", "/").rsplit("/", 1)[-1]
        count = len(state.dump.transcripts)
        of = f" ({state.chosen + 1} of {full(count)})" if count > 1 else ""
        return f"{_middle(line(name, 80))} · {line(state.base.id, 24)}{of}"

    def _why_provider(self, state: State) -> str:
        if state.dump is None:
            return ""
        model = f"the dump names the model {line(state.base.model, 60)}" if state.base and state.base.model else "the dump names no model"
        return f"{state.dump.format} implies its provider; {model}. What is refused depends on both."

    def _several(self) -> bool:
        """Several transcripts are chosen from in a dialog of their own."""
        action = self._actions["go.transcript"]
        action.trigger()
        return action.isEnabled()

    # -- choices --------------------------------------------------------------------------------------------------------------------

    def _transcripts(self) -> Sequence[Choice]:
        state = self._session.state
        if state.dump is None:
            return ()
        out = []
        for index, one in enumerate(state.dump.transcripts):
            about = " — ".join(line(word, 70) for word in (one.title, one.why) if word)
            words = line(one.id, 40) + (f"  {about}" if about else "")
            out.append(Choice(words, partial(self.chosen.emit, index), index == state.chosen, name=f"topBar.transcript_{index + 1}"))
        return out

    def _providers(self) -> Sequence[Choice]:
        state = self._session.state
        out = [
            Choice(title, partial(self.judge.emit, name, state.model), name == state.provider, name=f"topBar.provider.{name}")
            for name, title in self._session.titles().items()
        ]
        models = list(dict.fromkeys([*(state.dump.table.models if state.dump else []), *([state.model] if state.model else [])]))[:12]
        for number, model in enumerate(models):
            pick = partial(self.judge.emit, state.provider, model)
            out.append(Choice(line(model, 60), pick, model == state.model, number == 0, name=f"topBar.model_{number + 1}"))
        out.append(
            Choice(
                "No model named", partial(self.judge.emit, state.provider, None), state.model is None, not models, name="topBar.model_none"
            )
        )
        out.append(Choice("Another model…", self._ask_model, name="topBar.model_other"))
        for name in ("view.mode_complete", "view.mode_prefix"):
            action = self._actions[name]
            words = action.text().replace("&", "")
            out.append(Choice(words, action.trigger, action.isChecked(), name == "view.mode_complete", name=f"topBar.{name}"))
        return out

    def _counters(self) -> Sequence[Choice]:
        state = self._session.state
        return [Choice(name, partial(self.counter.emit, name), name == state.counter, name=f"topBar.counter.{name}") for name in COUNTERS]

    def _ask_model(self) -> None:
        state = self._session.state
        name, ok = QInputDialog.getText(self.window(), "Another model", "Name of the model:", text=state.model or "")
        if ok and name.strip():
            self.judge.emit(state.provider, name.strip())


def _middle(name: str, most: int = 30) -> str:
    """A long file name cut in the middle, so that the transcript behind it stays in sight."""
    return name if len(name) <= most else f"{name[: most // 2]}…{name[-(most // 2 - 1) :]}"


def _why_counter(state: State) -> str:
    if state.totals is None:
        return "Counts are estimates until the helper process has counted."
    how = "counted exactly" if state.totals.exact else "partly estimated, being counted"
    fitted = state.calibration
    asked = counted(fitted.requests, "request") if fitted else ""
    shown = (
        f" The dump's recorded usage is {fitted.factor:.2f} × of what is counted ({asked}); it is shown, never added."
        if fitted
        else ""
    )
    return f"Every block is {how}.{shown}"
