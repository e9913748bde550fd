"""Keys of the list. What is none of them is left to the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView

from widgets.exchange_tree import GHOST

if TYPE_CHECKING:
    from widgets.exchange_view import ExchangeView

_Key, _Move = Qt.Key, QAbstractItemView.CursorAction
_MOVES = {
    _Key.Key_Up: _Move.MoveUp, _Key.Key_Down: _Move.MoveDown, _Key.Key_PageUp: _Move.MovePageUp, _Key.Key_PageDown: _Move.MovePageDown,
    _Key.Key_Home: _Move.MoveHome, _Key.Key_End: _Move.MoveEnd,
}  # fmt: skip
_LEVELS = {_Key.Key_1: 1, _Key.Key_2: 2, _Key.Key_3: 3}
_HARMLESS = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier


def press(view: ExchangeView, event: QKeyEvent) -> None:
    """Carries a key out, or leaves it to whoever holds the list."""
    key, rows, row = Qt.Key(event.key()), view.rows, view.current_row()
    if event.matches(QKeySequence.StandardKey.Copy) and row >= 0 and rows.entity(row).kind != GHOST:
        view.copy_requested.emit("text", rows.row_id(row))
        return
    if event.modifiers() & ~_HARMLESS or not rows.rowCount():
        event.ignore()
    elif key in _MOVES:
        view.go(view.moveCursor(_MOVES[key], event.modifiers()).row())
    elif key in _LEVELS:
        view.set_level(_LEVELS[key])
    elif key == _Key.Key_B and not event.isAutoRepeat():
        view.show_as_is(True)
    elif row < 0 or key not in (_Key.Key_Left, _Key.Key_Right, _Key.Key_Return, _Key.Key_Enter):
        event.ignore()
    elif key in (_Key.Key_Return, _Key.Key_Enter):
        if rows.can_open(row):
            view.toggle(row)
        else:
            event.ignore()
    elif key == _Key.Key_Right:
        if rows.can_open(row) and not rows.opened(row):
            view.toggle(row, True)
        elif rows.can_open(row):
            view.go(row + 1)
    elif rows.opened(row):
        view.toggle(row, False)
    else:
        view.go(rows.parent_row(row))
