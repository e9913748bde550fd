"""Where Tab goes: through the regions in one order, in each from top to bottom and from left to right, whatever was made late or is hidden.

The chain that Qt keeps is one of creation: what is made when it is first looked at stands at its end, and a part that was put in the place
of another cuts off what followed. So the window asks here.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget


def stops(region: QWidget) -> list[QWidget]:
    """What takes the keyboard in a region, in reading order."""
    there = [
        (part.mapTo(region, QPoint(0, 0)), part)
        for part in (region, *region.findChildren(QWidget))
        if part.focusPolicy() & Qt.FocusPolicy.TabFocus
        and part.focusProxy() is None
        and part.isVisible()
        and part.isEnabled()
        and part.window() is region.window()
    ]
    there.sort(key=lambda one: (one[0].y() + one[1].height() / 2, one[0].x()))
    lines: list[list[tuple[QPoint, QWidget]]] = []
    for place, part in there:
        if lines and place.y() < lines[-1][0][0].y() + lines[-1][0][1].height() / 2:
            lines[-1].append((place, part))
        else:
            lines.append([(place, part)])
    return [part for line in lines for _, part in sorted(line, key=lambda one: one[0].x())]


def between(around: QWidget, after: QWidget, inner: QWidget) -> list[QWidget]:
    """The stops of a region, with those of another that belongs to one of its parts behind that part."""
    outer = stops(around)
    at = outer.index(after) + 1 if after in outer else len(outer)
    return [*outer[:at], *stops(inner), *outer[at:]]


def go(order: Iterable[QWidget], forward: bool) -> bool:
    """Gives the keyboard to the next stop, or the one before; round at the ends. False where there is none."""
    chain = list(order)
    if not chain:
        return False
    now: QWidget | None = QApplication.focusWidget()
    while now is not None and now not in chain:
        now = now.parentWidget()
    at = (chain.index(now) + (1 if forward else -1)) if now is not None else (0 if forward else -1)
    chain[at % len(chain)].setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    return True
