"""The chart as a screen reader meets it: a slider whose value is spoken in a sentence."""

from __future__ import annotations

from typing import Any

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface, QAccessibleValueChangeEvent, QAccessibleValueInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget


class Spoken(QWidget):
    """A widget with a value that is a whole number and that can say itself."""

    def spoken(self) -> str:
        raise NotImplementedError

    def bounds(self) -> tuple[int, int]:
        raise NotImplementedError

    def value(self) -> int:
        raise NotImplementedError

    def set_value(self, value: int) -> None:
        raise NotImplementedError

    def speak(self) -> None:
        """Tells whoever listens that the value is another."""
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleValueChangeEvent(self, self.value()))
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))


class _Value(QAccessibleValueInterface):
    def __init__(self, widget: Spoken) -> None:
        super().__init__()
        self._widget = widget

    def currentValue(self) -> Any:
        return self._widget.value()

    def setCurrentValue(self, value: Any) -> None:
        self._widget.set_value(int(value))

    def minimumValue(self) -> Any:
        return self._widget.bounds()[0]

    def maximumValue(self) -> Any:
        return self._widget.bounds()[1]

    def minimumStepSize(self) -> Any:
        return 1


class _Slider(QAccessibleWidget):
    def __init__(self, widget: Spoken) -> None:
        super().__init__(widget, QAccessible.Role.Slider, widget.accessibleName())
        self._widget = widget
        self._value = _Value(widget)

    def text(self, which: QAccessible.Text) -> str:
        if which == QAccessible.Text.Value:
            return self._widget.spoken()
        if which == QAccessible.Text.Description:  # AT-SPI has numbers alone for a value: the sentence is read as the description
            return f"{self._widget.spoken()}. {self._widget.accessibleDescription()}"
        return super().text(which)

    def interface_cast(self, which: QAccessible.InterfaceType) -> Any:
        """An address as shiboken's own pointer: any other Python value, `None` too, is taken for an address itself, and the process ends
        (PySide6 6.11, seen through AT-SPI: tests/reach)."""
        if which == QAccessible.InterfaceType.ValueInterface:
            return shiboken6.VoidPtr(shiboken6.getCppPointer(self._value)[0])
        return shiboken6.VoidPtr(0)


_made: dict[int, QAccessibleInterface] = {}  # Qt keeps no reference of Python's
_installed = False


def _factory(name: str, thing: QObject | None) -> QAccessibleInterface | None:
    if not isinstance(thing, Spoken):
        return None
    key = id(thing)
    if key not in _made:
        _made[key] = _Slider(thing)
        thing.destroyed.connect(lambda: _made.pop(key, None))
    return _made[key]


def install() -> None:
    """Makes every `Spoken` widget a slider for screen readers."""
    global _installed
    if not _installed:
        QAccessible.installFactory(_factory)
        _installed = True
