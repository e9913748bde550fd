"""What brings a person everywhere by keyboard: the palette, pairs of call and result, the size of the text, contrast, and help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from widgets import walk
from widgets.appearance import Appearance

if TYPE_CHECKING:
    from widgets.main_window import MainWindow


class Reach:
    """Owns what its acts make; nothing of it is made or imported before it is asked for."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._used: list[str] = []  # what was chosen in the palette last, newest first
        self.look = Appearance(window)

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each id does."""
        window, look = self._window, self.look
        found: dict[str, Callable[[], object]] = {
            "go.palette": self.palette,
            "go.next_pair": lambda: window.show_row(walk.call(window.session.state)),
            "go.previous_pair": lambda: window.show_row(walk.call(window.session.state, True)),
            "go.cache_lost": self.cache_lost,
            "view.larger": partial(look.resize, 1),
            "view.smaller": partial(look.resize, -1),
            "view.normal_size": partial(look.size, 0),
            "view.contrast": look.toggle_contrast,
            "help.pages": self.pages,
            "help.keys": self.keys,
        }
        return found | {f"view.theme_{name}": partial(look.set_theme, name) for name in ("light", "dark", "system")}

    def cache_lost(self) -> None:
        from widgets.cache_walk import next_lost

        next_lost(self._window)

    def palette(self) -> None:
        from widgets.palette import Palette

        window = self._window
        Palette(window.acts, window.session, window.show_row, self._used, window).open_over(window)

    def pages(self) -> None:
        from widgets.help_pages import pages_window

        pages_window(self._window).show()

    def keys(self) -> None:
        from widgets.keys_window import keys_window

        keys_window(self._window).show()
