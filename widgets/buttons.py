"""Buttons: one for an action of the table, one for a link in words, one that opens a list of choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtGui import QAction, QKeySequence, QPalette
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStylePainter, QWidget

from widgets.inks import MIDDLE_LEFT, MIDDLE_RIGHT, write
from widgets.labels import cut, in_menu, plain
from widgets.visible import visible

if TYPE_CHECKING:
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QKeyEvent, QPaintEvent
    from PySide6.QtWidgets import QMenu, QStyleOptionButton


def button(text: str, name: str, accessible: str = "", kind: str = "", parent: QWidget | None = None) -> QPushButton:
    """A push button with objectName and accessible name, which is its tooltip too where it says more than the button does. `kind`: "",
    primary, link, flat or seg."""
    made = QPushButton(visible(text), parent)
    made.setObjectName(name)
    made.setAccessibleName(visible(accessible) or text.replace("&", ""))
    if accessible and accessible != text:
        made.setToolTip(plain(accessible))
    made.setAutoDefault(False)
    if kind:
        made.setProperty(kind, "true")
    return made


class ActionButton(QPushButton):
    """Does what an action does, is enabled when it is, and bears its key in the tooltip. `text`: instead of the action's words."""

    def __init__(
        self, action: QAction, text: str | None = None, kind: str = "", with_key: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._action, self._text, self._with_key = action, text, with_key
        self.setObjectName(f"button.{action.objectName()}")
        self.setAutoDefault(False)
        if kind:
            self.setProperty(kind, "true")
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        words = self._text if self._text is not None else self._action.text().replace("&", "")
        key = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setText(f"{words}  {key}".strip() if self._with_key and key else words)
        self.setAccessibleName(words or self._action.text().replace("&", ""))
        self.setToolTip(plain(self._action.toolTip()))
        self.setEnabled(self._action.isEnabled())
        if not words:
            self.setIcon(self._action.icon())
            self.setIconSize(QSize(14, 14))


class ElidedButton(QPushButton):
    """A button whose words are cut where there is no room; all of them are in its tooltip and its accessible name."""

    sign = ""  # stands at the right, whatever is cut

    @property
    def mode(self) -> Qt.TextElideMode | None:
        """Where its words are cut; None is the end."""
        return None

    def __init__(self, text: str, name: str, accessible: str, parent: QWidget | None = None, kind: str = "") -> None:
        super().__init__(parent)
        self._shown = ""
        if kind:
            self.setProperty(kind, "true")
        self.setObjectName(name)
        self.setAccessibleName(visible(accessible))
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.show_text(text, accessible)

    def show_text(self, text: str, tip: str) -> None:
        self._shown = visible(text[:400])
        self.setText(self._shown.replace("&", "&&"))
        self.setToolTip(plain(tip))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self._shown) + (40 if self.sign else 22), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, super().minimumSizeHint().height())

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        """The style draws the button without its words."""
        super().initStyleOption(option)
        option.text = ""  # type: ignore[attr-defined]  # the stub does not have it

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QStylePainter(self) as painter:
            group = QPalette.ColorGroup.Normal if self.isEnabled() else QPalette.ColorGroup.Disabled
            ink = self.palette().color(group, QPalette.ColorRole.ButtonText)
            room = self.rect().adjusted(10, 0, -22 if self.sign else -10, 0)
            write(painter, room, MIDDLE_LEFT, cut(self._shown, self.fontMetrics(), self.mode, room.width()), ink, self.palette())
            if self.sign:
                write(painter, self.rect().adjusted(0, 0, -9, 0), MIDDLE_RIGHT, self.sign, ink, self.palette())


class Choice(NamedTuple):
    """One entry of a pick-list. `checked`: whether it is the one in force, None where nobody asks; `rule`: a line before it."""

    text: str
    pick: Callable[[], None]
    checked: bool | None = None
    rule: bool = False
    enabled: bool = True
    name: str = ""


class PickList(ElidedButton):
    """A button that says what is chosen and opens what else there is. The entries are made when it is opened."""

    opened = Signal()
    sign = "▾"

    @property
    def mode(self) -> Qt.TextElideMode:
        from PySide6.QtCore import Qt

        return Qt.TextElideMode.ElideMiddle

    def __init__(self, name: str, accessible: str, choices: Callable[[], Sequence[Choice]], parent: QWidget | None = None) -> None:
        super().__init__("", name, accessible, parent)
        self._what, self._choices = accessible, choices
        self.many: Callable[[], bool] | None = None
        self.clicked.connect(self.open)

    def say(self, text: str, why: str = "") -> None:
        """What is chosen, and the reason for the default in the tooltip."""
        self.show_text(text, f"{self._what}: {text}" + (f"\n{why}" if why else ""))
        self.setAccessibleDescription(visible(text))

    def open(self) -> None:
        """Opens the entries below the button; what can be too much for a menu has a window of its own (`many`)."""
        self.opened.emit()
        if self.many is not None and self.many():
            return
        choices = list(self._choices())
        if choices:
            self.menu_of(choices).popup(self.mapToGlobal(QPoint(0, self.height() + 1)))

    def menu_of(self, choices: Sequence[Choice]) -> QMenu:
        from PySide6.QtCore import Qt
        from PySide6.QtWidgets import QMenu

        menu = QMenu(self)
        menu.setObjectName(f"{self.objectName()}.menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for choice in choices:
            if choice.rule:
                menu.addSeparator()
            action = menu.addAction(in_menu(choice.text))
            action.setObjectName(choice.name or f"{self.objectName()}.{len(menu.actions())}")
            action.setEnabled(choice.enabled)
            action.setCheckable(choice.checked is not None)
            action.setChecked(bool(choice.checked))
            action.triggered.connect(choice.pick)
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        from PySide6.QtCore import Qt

        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.open()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return super().sizeHint().boundedTo(QSize(330, 1_000))
