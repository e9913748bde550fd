"""The menu of a row of the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from widgets.exchange_tree import GHOST
from widgets.row_copy import KINDS

if TYPE_CHECKING:
    from widgets.exchange_view import ExchangeView


def menu(view: ExchangeView, row: int) -> QMenu:
    """What can be asked for a row: each entry emits a fact or opens and closes."""
    rows = view.rows
    entity, block, exchange = rows.entity(row), rows.row_id(row), rows.exchange_of(row)
    made = QMenu(view)
    made.setAccessibleName("Menu of the row")
    if rows.can_open(row):
        made.addAction("Close" if rows.opened(row) else "Open", lambda: view.toggle(row))
        made.addSeparator()
    if exchange >= 0:
        label, pinned = view.label(exchange), view.pinned(exchange)
        made.addAction(
            f"Unpin {label}" if pinned else f"Pin {label}: no plan touches it", lambda: view.pin_requested.emit(exchange, not pinned)
        )
        made.addSeparator()
    if entity.kind != GHOST:
        for words, kind, key in KINDS:
            shown = f"{words}\t{QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)}" if key else words
            made.addAction(shown, lambda kind=kind: view.copy_requested.emit(kind, block))  # type: ignore[misc]
        made.addSeparator()
    for level, words in ((1, "Show exchanges"), (2, "Show steps"), (3, "Show blocks")):
        made.addAction(f"{words}\t{level}", lambda level=level: view.set_level(level))  # type: ignore[misc]
    return made
