"""Theme, contrast and size of the text: what is kept of them, and who is told when they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.settings import Settings, Store
from widgets import theme

if TYPE_CHECKING:
    from widgets.main_window import MainWindow


def apply(app: QApplication, kept: Settings) -> theme.Theme:
    """Puts in force what the settings say; what they cannot mean is the default."""
    name: theme.Name = next((one for one in theme.NAMES if one == kept.theme), "system")
    return theme.apply(app, name, kept.contrast, kept.larger)


def guess(app: QApplication, kept: Settings) -> theme.Theme:
    """The same before the first paint, where the desktop is not asked (widgets/inks.py): the palette that Qt made shows whether it is
    dark, and its contrast is that of the last start. `settle` corrects it."""
    dark = app.palette().color(QPalette.ColorRole.Window).lightness() < 128
    name: theme.Name = "light" if kept.theme == "light" else "dark" if kept.theme == "dark" or dark else "light"
    contrast = kept.contrast if kept.contrast in ("high", "normal") else kept.desktop or "normal"
    return theme.apply(app, name, contrast, kept.larger)


def settle(app: QApplication, store: Store) -> bool:
    """After the first paint: what the desktop says is in force, and its contrast is kept for the next start. True where that is another
    look than the one that was guessed."""
    before, now = theme.current().key, apply(app, store.value)
    if store.value.contrast not in ("high", "normal"):
        store.change(desktop="high" if now.high else "normal")
    return now.key != before


class Appearance:
    """Changes how a window looks and keeps it for the next start."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.follow_desktop)
        theme.contrast_hints().contrastPreferenceChanged.connect(self.follow_desktop)

    def set_theme(self, name: str) -> None:
        """light, dark or system."""
        self._window.store.change(theme=name)
        self.put()

    def toggle_contrast(self) -> None:
        """High contrast on or off, from then on whatever the desktop says."""
        self._window.store.change(contrast="normal" if theme.current().high else "high")
        self.put()

    def resize(self, steps: int) -> None:
        """Text larger or smaller by so many pixels."""
        now = self._window.store.value.larger
        self.size(min(max(now + steps, theme.SMALLER), theme.LARGER))

    def size(self, larger: int) -> None:
        if larger != self._window.store.value.larger:
            self._window.store.change(larger=larger)
            self.put()
        pixels = theme.current().ui.pixelSize()
        end = {theme.SMALLER: ", the smallest", theme.LARGER: ", the largest"}.get(larger, "")
        self._window.status.say(f"text of {pixels} pixels{end}")

    def put(self) -> None:
        """Puts in force what is kept, and tells every panel."""
        app, window = QApplication.instance(), self._window
        assert isinstance(app, QApplication)
        apply(app, window.store.value)
        self.check()
        window.acts.retint()
        for panel in (*window.panels, window.empty, window.commands.errors, window.commands.compares):
            if hasattr(panel, "retint"):
                panel.retint()
        window.arrangement.fit(window.size())

    def check(self) -> None:
        """The menu shows what is in force."""
        acts, kept = self._window.acts, self._window.store.value
        acts.check_theme(kept.theme if kept.theme in theme.NAMES else "system")
        acts["view.contrast"].setChecked(theme.current().high)

    def follow_desktop(self) -> None:
        kept = self._window.store.value
        if kept.theme == "system" or kept.contrast == "system":
            self.put()
