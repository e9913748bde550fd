"""What was changed, as git shows a stage: the layers newest first, each with its changes; a layer can be taken out, a change jumped to."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.model.edits import Change, Layer
from app.model.state import Changed, State
from app.session import Session
from widgets import theme
from widgets.actions import Actions
from widgets.buttons import ActionButton, button
from widgets.change_places import touched, where
from widgets.labels import Elided, Hairline
from widgets.lines import Line, LineList
from widgets.visible import line
from widgets.words import counted, effects, full, signed

NEEDS = Changed.DUMP | Changed.HISTORY | Changed.TRANSCRIPT | Changed.PREVIEW
MOST = 1_000  # changes listed of a layer
BLANK = "No changes yet. A repair, a plan that is applied, or a result that you put in is listed here, each to be taken out again."
EFFECT_COLOUR = {"exact": "green", "adds": "blue", "loses": "warning"}


class ChangesPanel(QWidget):
    """Facts: `row_wanted(int)`, `layer_off(int)` the number of a layer from 0."""

    row_wanted = Signal(int)
    layer_off = Signal(int)

    def __init__(self, session: Session, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("changesPanel")
        self.setAccessibleName("Changes")
        self._session, self._redo = session, actions["edit.redo"]
        self._shown: tuple[object, ...] = ()
        self._closed: set[int] = set()
        self.list = LineList("changesPanel.list", "Changes, newest first")
        self.list.blank = BLANK
        self.list.ticked.connect(self._off)
        self.list.folded.connect(self._fold)
        self.list.opened.connect(self._jump)
        self.list.current.connect(lambda value: self._offer())
        self._summary = Elided()
        self._summary.setObjectName("changesPanel.summary")
        self.jump = button("Go to it", "changesPanel.jump", "Go to the block that this change is about")
        self.jump.clicked.connect(lambda: self._jump(None))
        self.off = button("Take out", "changesPanel.off", "Take this step out; later ones are applied on what is left")
        self.off.clicked.connect(lambda: self._off(None))
        foot = QHBoxLayout()
        foot.setContentsMargins(10, 4, 10, 5)
        foot.setSpacing(6)
        foot.addWidget(self._summary, 1)
        self.compare = ActionButton(actions["view.before_after"], kind="link")
        for made in (self.compare, self.jump, self.off, ActionButton(actions["edit.undo"]), ActionButton(actions["edit.redo"])):
            foot.addWidget(made)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addWidget(Hairline())
        column.addLayout(foot)
        self.setFocusProxy(self.list)
        self.refresh(session.state, Changed.ALL)

    @property
    def count(self) -> int:
        """How many changes are in force."""
        return sum(len(layer.changes) for layer in self._session.state.history.active)

    def refresh(self, state: State, changed: Changed) -> None:
        if not changed & NEEDS:
            return
        now = (state.history, state.skipped, state.preview)
        if len(self._shown) == 3 and all(a is b for a, b in zip(now, self._shown, strict=True)):
            return
        self._shown = now
        self._fill(state)

    def retint(self) -> None:
        self._summary.look(theme.current().ink_soft)

    def _fill(self, state: State) -> None:
        value = self.list.line.value if self.list.line else None
        lines: list[Line] = []
        if state.preview is not None:
            lines += self._layer(state.preview.layer, -1, "previewed, not applied", dim=False)
        for number in range(len(state.history.layers) - 1, -1, -1):
            undone = number >= state.history.cursor
            lines += self._layer(state.history.layers[number], number, "undone" if undone else "", undone)
        lines += [
            Line(
                line(change.title, 200),
                line(why, 300),
                icon="warning",
                colour="warning",
                mark="skipped",
                mark_colour="warning",
                value=change,
            )
            for change, why in state.skipped
        ]
        self.list.put(lines, value)
        self._summary.setText(_summed(state))
        self.compare.setVisible(self.count > 0 or state.preview is not None)
        self.retint()
        self._offer()

    def _layer(self, layer: Layer, number: int, word: str, dim: bool) -> list[Line]:
        changes = layer.changes
        opened = number not in self._closed and len(changes) > 1
        tokens = sum(change.tokens for change in changes)
        place = where(self._session.state, changes[0]) if len(changes) == 1 else ""
        head = Line(
            line(layer.title.removesuffix(f" ({signed(tokens)})") if tokens else layer.title, 200),
            detail=" · ".join(part for part in (word, counted(len(changes), "change"), place) if part),
            right=signed(tokens) if tokens else "",
            bold=True,
            dim=dim,
            fold=opened if len(changes) > 1 else None,
            tick=None if number < 0 else not dim,
            mark=_worst(changes),
            mark_colour=EFFECT_COLOUR[_worst(changes)] if changes else "ink_soft",
            value=number,
        )
        lines = [head]
        if opened:
            lines += [self._change(change, dim) for change in changes[:MOST]]
            if len(changes) > MOST:
                lines.append(Line(f"… {full(len(changes) - MOST)} more of this step", level=2, dim=True))
        return lines

    def _change(self, change: Change, dim: bool) -> Line:
        return Line(
            line(change.title, 200),
            detail=" · ".join(line(part, 200) for part in (change.origin, where(self._session.state, change), change.note) if part),
            right=signed(change.tokens) if change.tokens else "",
            level=2,
            mark=change.effect,
            mark_colour=EFFECT_COLOUR[change.effect],
            dim=dim,
            value=change,
        )

    # -- acts -----------------------------------------------------------------------------------------------------------------------

    def _offer(self) -> None:
        value = self.list.line.value if self.list.line else None
        self.off.setEnabled(isinstance(value, int) and 0 <= value < self._session.state.history.cursor)
        self.jump.setEnabled(self._row(value) >= 0)

    def _off(self, value: object) -> None:
        value = self.list.line.value if self.list.line else None
        if isinstance(value, int) and value >= 0:
            cursor = self._session.state.history.cursor
            if value < cursor:
                self.layer_off.emit(value)
            elif value == cursor:
                self._redo.trigger()  # the next that was undone

    def _fold(self, value: object) -> None:
        if isinstance(value, int):
            self._closed ^= {value}
            self._fill(self._session.state)

    def _jump(self, value: object) -> None:
        row = self._row(self.list.line.value if self.list.line else None)
        if row >= 0:
            self.row_wanted.emit(row)

    def _row(self, value: object) -> int:
        """A live row that a change or a layer touches; where it dropped all of them, none."""
        view = self._session.state.view
        layers = self._session.state.history.layers
        changes: tuple[Change, ...] = ()
        if isinstance(value, Change):
            changes = (value,)
        elif isinstance(value, int) and 0 <= value < len(layers):
            changes = layers[value].changes
        for change in changes[:MOST] if view is not None else ():
            for row in touched(change):
                if view is not None and view.at(row) >= 0:
                    return row
        return -1


def _worst(changes: tuple[Change, ...]) -> str:
    there = {change.effect for change in changes}
    return next((effect for effect in ("loses", "adds", "exact") if effect in there), "")


def _summed(state: State) -> str:
    changes = [change for layer in state.history.active for change in layer.changes]
    if not changes:
        return "The file is as it was opened"
    return f"{counted(len(changes), 'change')}: {effects(changes)}"
