"""The palette: every action of the table by a few letters, and every place that can be named. Enter does it, Esc leaves.

What cannot be used now is listed too, faint and last: a command that hides itself is looked for twice. Nothing of it is made before it is
asked for.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget

from widgets import theme
from widgets.actions import TABLE, Actions, Row
from widgets.labels import Elided
from widgets.lines import Line, LineList
from widgets.palette_places import Place, Reads, place
from widgets.palette_search import score
from widgets.palette_synonyms import SYNONYMS

WIDTH, ROWS = 620, 9
SELF = "go.palette"
_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_LEFT_OUT = (SELF,)


class Palette(QDialog):
    """`used` lists the ids that were chosen last, newest first, and is kept by who opens it."""

    def __init__(self, actions: Actions, session: Reads, show_row: Callable[[int], None], used: list[str], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.setWindowTitle("Commands and places")
        self.setAccessibleName("Commands and places")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions, self._session, self._show_row, self._used = actions, session, show_row, used
        self.field = QLineEdit()
        self.field.setObjectName("palette.field")
        self.field.setAccessibleName("A command or a place")
        self.field.setPlaceholderText("A command, or a place: E31, r203, line 398, /messages/3")
        self.field.setToolTip("Letters of a command, or a place; Return does it")
        self.field.setMaxLength(400)
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list = LineList("palette.list", "Commands and places that fit")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field keeps the focus: the arrows go through the list from there
        self.list.clicked.connect(lambda _: self._take())
        self.list.current.connect(self._say)
        self.said = Elided()
        self.said.setObjectName("palette.said")
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 6)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addWidget(self.list, 1)
        column.addWidget(self.said)
        self.said.look(theme.current().ink_faint, theme.current().small)
        self._fill("")

    def open_over(self, window: QWidget) -> None:
        """Below the upper edge of the window, in its middle."""
        wide = min(theme.scaled(WIDTH), window.width() - 40)
        rows = self.list.verticalHeader().defaultSectionSize() * ROWS
        self.resize(QSize(wide, self.field.sizeHint().height() + rows + self.said.sizeHint().height() + 30))
        self.move(window.mapToGlobal(QPoint((window.width() - wide) // 2, min(64, window.height() // 8))))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    # -- what fits ----------------------------------------------------------------------------------------------------------------

    def _fill(self, asked: str) -> None:
        named = place(asked, self._session)
        lines = [_place_line(named)] if named is not None else []
        lines += [self._line(row) for row in self._found(asked)]
        self.list.put(lines or [Line("Nothing fits: fewer letters fit more", dim=True)])
        self.list.selectRow(0)
        self._say(self.list.line.value if self.list.line else None)

    def _found(self, asked: str) -> list[Row]:
        """Rows of the table: one whose name was typed whole, then those that can be used, of these the ones that fit best, what was used
        last before others."""
        found: list[tuple[bool, bool, int, int, int, Row]] = []
        typed = asked.strip().casefold()
        for number, row in enumerate(TABLE):
            action = self._actions[row.id]
            points = score(asked, f"{words(action)} {row.menu.replace('/', ' ')} {row.tip} {SYNONYMS.get(row.id, '')}")
            title = score(asked, words(action))
            if points is None or row.id in _LEFT_OUT:
                continue
            late = self._used.index(row.id) if row.id in self._used else len(self._used)
            other = words(action).rstrip("…").casefold() != typed
            fit = title + 200 if title is not None and typed else points
            found.append((other, not action.isEnabled(), -fit, late, number, row))
        return [row for *_, row in sorted(found, key=lambda one: one[:5])]

    def _line(self, row: Row) -> Line:
        action = self._actions[row.id]
        key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        can = action.isEnabled()
        where = row.menu.replace("/", " › ") + ("" if can else " · not now")
        on = "✓ " if action.isCheckable() and action.isChecked() else ""
        return Line(on + words(action), row.tip, key, mark=where, icon=row.icon or "command", dim=not can, value=row.id if can else None)

    def _say(self, value: object) -> None:
        line = self.list.line
        spoken = line.spoken if line is not None else ""
        self.field.setAccessibleDescription(spoken)
        count = sum(1 for one in self.list.lines.lines if one.value is not None)
        self.said.setText(f"{count} can be used now · ↑ ↓ to choose, Return to do it, Esc to leave")

    # -- what is done ---------------------------------------------------------------------------------------------------------------

    def _take(self) -> None:
        value = self.list.line.value if self.list.line is not None else None
        if value is None:
            return
        self.close()
        if isinstance(value, str):
            if value in self._used:
                self._used.remove(value)
            self._used.insert(0, value)
            QTimer.singleShot(0, self._actions[value], self._actions[value].trigger)  # when the window has the focus back
        else:
            QTimer.singleShot(0, self._actions, lambda: self._show_row(int(value)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A frame: what lies over the window is told apart from it."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.current().paper)
            painter.setPen(theme.current().border)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows go through the list while one types."""
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in _KEYS:
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._take()
                return True
        return super().eventFilter(watched, event)


def words(action: QAction) -> str:
    """What an action is called, without the sign of its letter."""
    return action.text().replace("&&", "\0").replace("&", "").replace("\0", "&")


def _place_line(found: Place) -> Line:
    if found.row < 0:
        return Line(found.words, icon="place", dim=True)
    return Line(found.words, "", "Return", icon="place", bold=True, value=found.row)
