"""Where pins are set: by the list's menu, by keys, in the dialog of pins. One dialog at most; what it wants is handed to the session."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.model.pins import Aside
from app.model.state import Changed, State
from widgets import pin_words
from widgets.visible import line
from widgets.words import counted

if TYPE_CHECKING:
    from widgets.main_window import MainWindow
    from widgets.pins_dialog import PinsDialog

PROTECTIONS = "protections"
_ORDER = Changed.DUMP | Changed.TRANSCRIPT


class PinDesk:
    """`dialog` is None while it is closed."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._session = window, window.session
        self.dialog: PinsDialog | None = None
        self._aside: Aside | None = None
        self._session.answered.connect(self._answered)
        self._session.changed.connect(self.refresh)

    # -- pins ---------------------------------------------------------------------------------------------------------------------

    def pin(self, unit: str, row: int) -> None:
        """Pins what a row stands in (exchange, step), itself (block) or all results of its tool; what is pinned is let go."""
        state = self._session.state
        if unit == "tool":
            name = pin_words.tool_of(state, row)
            if name:
                self._session.set_pins(state.pins.with_tool(name, name not in state.pins.tools))
            return
        self._session.pin_row(unit, row, pin_words.holder(state, unit, row) < 0)  # type: ignore[arg-type]

    def pin_selected(self, unit: str) -> None:
        if self._session.state.selected >= 0:
            self.pin(unit, self._session.state.selected)

    def protect(self) -> None:
        """All of what matters, or nothing of it."""
        pins = self._session.state.pins
        self._session.set_pins(pins.with_all_protected(not pins.protected))

    def keep(self) -> None:
        path = self._session.keep_pins()
        if path:
            self._window.status.say(f"pins kept in {line(Path(path).name, 80)}")

    # -- the dialog ---------------------------------------------------------------------------------------------------------------

    def open(self) -> None:
        dialog = self.dialog or self._made()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def _made(self) -> PinsDialog:
        from widgets.pins_dialog import PinsDialog

        dialog = self.dialog = PinsDialog(self._session.state, self._window)
        dialog.wanted.connect(self._session.set_pins)
        dialog.row_wanted.connect(self._window.show_row)
        dialog.keep_wanted.connect(self.keep)
        dialog.aside_wanted.connect(self._session.use_aside)
        dialog.finished.connect(self._done)
        self._session.ask(PROTECTIONS)
        return dialog

    def _done(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
        self.dialog = None

    def refresh(self, state: State, changed: Changed) -> None:
        if state.aside is not self._aside:
            self._aside = state.aside
            if state.aside is not None:
                self._window.status.say(f"{counted(state.aside.count, 'pin')} kept beside this dump: see Plan")
        if self.dialog is None:
            return
        self.dialog.refresh(state, changed)
        if changed & _ORDER:
            self._session.ask(PROTECTIONS)

    def _answered(self, answer: Any) -> None:
        if answer.about == PROTECTIONS and self.dialog is not None and not answer.error:
            self.dialog.show_rows(answer.answer)
