"""What a replay goes by, as a small form: window, room for the answer, trigger, target, prices."""

from __future__ import annotations

import json
from collections.abc import Sequence

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QWidget

from app.model.errors import InspectorError
from app.model.prices import Prices, prices_of, window_of
from app.model.replay import TARGET, TRIGGER, Setup
from app.model.state import State
from widgets import theme
from widgets.chart_keys import budget_of
from widgets.flow import Flow, together
from widgets.labels import plain

FIELDS = (
    ("window", "Window", "the model's window in tokens: 200k, 128,000; known by the model's name where that tells"),
    ("room", "Answer", "tokens of the window that are kept for the answer"),
    ("trigger", "Over", "a request that would be larger is compacted first: tokens, or a share of what the window leaves"),
    ("target", "Down to", "how far it is compacted: tokens, or a share of the trigger. A preset goes by its own limits"),
    ("read", "Cache read", "price of a token that is read from the cache, of one that is fresh"),
    ("write", "Cache write", "price of a token that goes into the cache, of one that is fresh"),
)
ROOM = 16_000


class Form(QWidget):
    """`changed`: something else was entered. `setup()` gives it, or raises InspectorError with one line."""

    changed = Signal()

    def __init__(self, remembered: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window, self._prices = 0, Prices()
        self._named: tuple[str, str | None] | None = None
        self._flow = Flow(self, margins=QMargins(10, 5, 8, 3))
        self.fields: dict[str, QLineEdit] = {}
        self._prices_asked: list[QWidget] = []
        for number, (name, words, tip) in enumerate(FIELDS):
            label, field = QLabel(words), QLineEdit()
            field.setObjectName(f"replay.{name}")
            field.setAccessibleName(f"{words}: {tip}")
            field.setToolTip(plain(tip))
            field.setMaxLength(14)
            label.setBuddy(field)
            label.setToolTip(plain(tip))
            field.editingFinished.connect(self._edited)
            self.fields[name] = field
            if number < 4:
                self._flow.addWidget(together(label, field))
            else:
                self._prices_asked.append(together(label, field))
        self.anew = QCheckBox("Forget each compaction")  # it stands in the line of the buttons
        self.anew.setObjectName("replay.anew")
        self.anew.setToolTip(plain("as middleware does that is handed the whole history: every request over the trigger is compacted anew"))
        self.anew.toggled.connect(lambda _: self.changed.emit())
        self.retint()
        self._fill(remembered)
        self._entered = self._texts()

    def beside(self, first: Sequence[QWidget], second: Sequence[QWidget]) -> None:
        """What stands behind the amounts, and what behind the prices."""
        for part in (*first, *self._prices_asked, *second):
            self._flow.addWidget(part)

    def retint(self) -> None:
        """Another size of the text."""
        for number, (name, _, _) in enumerate(FIELDS):
            self.fields[name].setFixedWidth(theme.scaled(78 if name == "window" else 62 if number < 4 else 48))

    def _fill(self, remembered: str) -> None:
        try:
            kept = json.loads(remembered) if remembered else {}
        except ValueError:
            kept = {}
        kept = kept if isinstance(kept, dict) else {}
        defaults = {"room": f"{ROOM:,}", "trigger": f"{TRIGGER:.0%}", "target": f"{TARGET:.0%}"}
        for name, default in defaults.items():
            found = kept.get(name)
            self.fields[name].setText(found[:14] if isinstance(found, str) and found.strip() else default)

    @property
    def remembered(self) -> str:
        """What is kept between two starts: all but what the model tells."""
        return json.dumps({name: self.fields[name].text() for name in ("room", "trigger", "target")})

    def judge(self, state: State, window: int) -> None:
        """Defaults of the model that is judged for; `window`: as a person set it for the chart, 0 where nobody did."""
        named = (state.provider, state.model)
        found = window or window_of(state.model) or 0
        prices = prices_of(*named)
        if named != self._named or found != self._window:
            self._window = found
            self.fields["window"].setText(f"{found:,}" if found else "")
        if named != self._named:
            self._named, self._prices = named, prices
            self.fields["read"].setText(f"{prices.read:g}")
            self.fields["write"].setText(f"{prices.write:g}")
            for name, _, tip in FIELDS[4:]:
                self.fields[name].setToolTip(plain(f"{tip}; {prices.source}: {getattr(prices, name):g}"))
        self._entered = self._texts()

    def setup(self, beside: int = 0) -> Setup:
        window = self._tokens("window", "set the model's window: its name does not tell how large it is")
        room = self._tokens("room", "say how many tokens are kept for the answer; 0 will do")
        prices = self._prices.with_(*(self._ratio(name) for name in ("read", "write")))
        kept = not self.anew.isChecked()
        self._entered = self._texts()  # a field that still has the keyboard is taken as it is
        return Setup.of(window, room, self._amount("trigger"), self._amount("target"), prices, beside, kept)

    def _tokens(self, name: str, missing: str) -> int:
        found = budget_of(self.fields[name].text())
        if found is None or (name == "window" and not found):
            raise InspectorError(missing)
        return found

    def _amount(self, name: str) -> str | int | None:
        text = self.fields[name].text().strip()
        found = budget_of(text)
        return (text or None) if found is None else found

    def _ratio(self, name: str) -> float | None:
        text = self.fields[name].text().strip()
        default = getattr(self._prices, name)
        if not text:
            return None
        try:
            found = float(text)
        except ValueError:
            found = -1.0
        if not 0 <= found <= 100:
            raise InspectorError(f"cache {name}: {text!r} is no price from 0 to 100")
        return None if found == default else found

    def _edited(self) -> None:
        """The keyboard has left a field: news only where it holds something else than before."""
        texts = self._texts()
        if texts != self._entered:
            self._entered = texts
            self.changed.emit()

    def _texts(self) -> dict[str, str]:
        return {name: field.text().strip() for name, field in self.fields.items()}
