"""Rows as pictures, kept while they look the same, and how much time one repaint has for making them.

A row costs about as much to paint as thirty rows that are laid down from their pictures. After a jump all rows in view are new: what one
repaint has no time for is painted in the next ones, and until then stands as it looked before, or blank.
"""

from __future__ import annotations

import time

from PySide6.QtGui import QPaintDevice, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from widgets.exchange_tree import Entity
from widgets.row_look import Look

SLICE = 0.006  # seconds that one repaint has for rows that it has no picture of
LEAST = 5  # rows that are painted whatever the time: so that it comes to an end soon
ROOM = 120  # pictures that are kept, or three windows of rows where that is more

Key = tuple[object, ...]


class RowPictures:
    """Pictures by all that they depend on beside the scene, the last few windows of them."""

    def __init__(self) -> None:
        self._kept: dict[Key, tuple[Look, QPixmap]] = {}
        self._before: dict[Entity, QPixmap] = {}  # how a row looked last, whatever it depended on
        self._room = ROOM
        self._until: float | None = None
        self._made = 0
        self._whole, self._late = True, False

    def clear(self, other_rows: bool = True) -> None:
        """`other_rows`: what they looked like stands for nothing any more, and the next repaint paints them all."""
        self._kept.clear()
        if other_rows:
            self._before.clear()
            self._whole = True

    def hurry(self) -> None:
        """Much was done for the next picture already: it gets the least of rows."""
        self._late = True

    # -- one repaint -----------------------------------------------------------------------------------------------------------

    def begin(self, rows: int, sliced: bool) -> bool:
        """Starts a repaint of a window of so many rows; gives whether its time is limited."""
        self._room, self._made = max(ROOM, 3 * rows), 0
        sliced = sliced and not self._whole
        self._until = time.perf_counter() + (0.0 if self._late else SLICE) if sliced else None
        self._whole = self._late = False
        return sliced

    def end(self) -> None:
        """What is painted from now on is painted at once."""
        self._until = None

    def next_time(self) -> int:
        """How many rows the next repaint may have time for, told from this one."""
        return self._made + LEAST

    def no_time(self) -> bool:
        """Whether a row without a picture has to wait."""
        return self._until is not None and self._made >= LEAST and time.perf_counter() > self._until

    # -- rows ------------------------------------------------------------------------------------------------------------------

    def find(self, key: Key, look: Look) -> QPixmap | None:
        kept = self._kept.get(key)
        return kept[1] if kept is not None and (kept[0] is look or kept[0] == look) else None

    def before(self, entity: Entity) -> QPixmap | None:
        """How a row looked when it was painted last."""
        return self._before.get(entity)

    def count(self) -> None:
        """One more row was painted in this repaint."""
        self._made += 1

    def keep(self, key: Key, entity: Entity, look: Look, picture: QPixmap) -> None:
        for kept in (self._kept, self._before):
            if len(kept) >= self._room:
                kept.pop(next(iter(kept)))  # type: ignore[call-overload]
        self._kept[key] = (look, picture)
        self._before[entity] = picture


def on_screen(painter: QPainter, widget: QWidget) -> bool:
    """Whether it paints what is seen, and not a picture that somebody takes of a widget: such a one is to be whole."""
    store = widget.window().backingStore()
    target: QPaintDevice | None = painter.paintEngine().paintDevice()
    return store is not None and target is store.paintDevice()
