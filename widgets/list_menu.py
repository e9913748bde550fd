"""The menu of a row of the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from widgets import pin_words, walk
from widgets.exchange_tree import BLOCK, GHOST, STEP
from widgets.labels import in_menu
from widgets.row_copy import KINDS
from widgets.visible import line

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
        if entity.kind in (STEP, BLOCK):
            _add_pins(made, view, block, entity.kind == BLOCK)
        made.addSeparator()
    if entity.kind != GHOST:
        for words, kind, key in KINDS:
            shown = f"{words}\t{QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)}" if key else words
            made.addAction(shown, lambda kind=kind: view.copy_requested.emit(kind, block))  # type: ignore[misc]
        if view.call_id(block):
            made.addAction("All places of its id", lambda: view.id_wanted.emit(block))
        made.addSeparator()
        if row == view.current_row():
            _add_acts(made, view)
    for level, words in ((1, "Show exchanges"), (2, "Show steps"), (3, "Show blocks")):
        made.addAction(f"{words}\t{level}", lambda level=level: view.set_level(level))  # type: ignore[misc]
    return made


def _add_acts(made: QMenu, view: ExchangeView) -> None:
    """What the window can do with the selected row now."""
    lone = walk.partner(view.shown.with_(selected=view.rows.row_id(view.current_row()))) < 0
    offered = [action for action in view.offered if action.isEnabled() and not (lone and action.objectName() == "go.partner")]
    made.addActions(offered)
    if offered:
        made.addSeparator()


def _add_pins(made: QMenu, view: ExchangeView, row: int, one: bool) -> None:
    """The step; of `one` block that itself, and all results of its tool."""
    state = view.shown
    units = ["step"] if state.view is not None and len(pin_words.unit_rows(state.view, "step", row)) else []
    for unit in [*units, "block"] if one else units:
        verb = "Unpin" if pin_words.holder(state, unit, row) >= 0 else "Pin"
        made.addAction(f"{verb} this {unit}", lambda unit=unit: view.pin_wanted.emit(unit, row))  # type: ignore[misc]
    tool = pin_words.tool_of(state, row) if one else ""
    if tool:
        verb = "Unpin" if tool in state.pins.tools else "Pin"
        made.addAction(f"{verb} all results of {in_menu(line(tool, 40))}", lambda: view.pin_wanted.emit("tool", row))
