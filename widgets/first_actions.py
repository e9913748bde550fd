"""A row of the table of actions, and the few rows that the first window has too (widgets/first_window.py): nothing is imported here that
would keep it waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

if TYPE_CHECKING:
    from app.model.state import State

MENUS = ("File", "Edit", "Go", "View", "Plan", "Help")


def always(state: State) -> bool:
    return True


class Row(NamedTuple):
    """One action. `menu`: File, Edit, ... or a submenu as `View/Theme`. `group`: one of a set of which one is checked.
    `rule`: a separator stands before it.
    `toggle`: it is on or off by itself."""

    id: str
    menu: str
    text: str
    keys: str = ""  # several, the first shown, divided by blanks; the words of QKeySequence
    tip: str = ""
    when: Callable[[State], bool] = always
    group: str = ""
    rule: bool = False
    icon: str = ""
    toggle: bool = False

    def action(self, parent: QObject) -> QAction:
        """A new action of these words and keys."""
        action = QAction(parent)
        action.setText(self.text)
        action.setObjectName(self.id)
        action.setShortcuts([QKeySequence(key) for key in self.keys.split()])
        plain = self.text.replace("&", "").rstrip("…")
        first = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip((self.tip or plain) + (f"  {first}" if first else ""))
        action.setStatusTip(self.tip or plain)
        return action


class ById(Protocol):
    """Actions by their id."""

    def __getitem__(self, name: str, /) -> QAction: ...


OPEN = Row("file.open", "File", "&Open…", "Ctrl+O", "Open a dump, read-only", icon="open")
SEEK = Row("file.seek", "File", "Find m&y sessions…", "Ctrl+Shift+L", "Sessions that common agents keep on this machine")
PASTE = Row(
    "file.paste", "File", "&Paste a request", "Ctrl+V", "Open what the clipboard holds: a request body or a whole dump", icon="paste"
)  # fmt: skip
INCIDENT = Row("file.incident", "File", "See a &broken session", "", "Open the incident that comes with the program")
QUIT = Row("file.quit", "File", "&Quit", "Ctrl+Q", "Close the window", rule=True)
