"""Icons: each is there, in one colour, and is drawn in the colour asked for."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QApplication

import icons
from widgets.actions import TABLE
from widgets.icon import icon, pixmap


@pytest.mark.parametrize("name", icons.names())
def test_each_is_drawn_in_the_colour_asked_for(qapp: QApplication, name: str) -> None:
    picture = pixmap(name, 32, QColor("#ff0000")).toImage()
    colours = [picture.pixelColor(x, y) for x in range(32) for y in range(32)]
    seen = [colour for colour in colours if colour.alpha() > 200]
    assert len(seen) > 20
    if name != "app":
        assert {colour.name() for colour in seen} == {"#ff0000"}
        assert "currentColor" in icons.svg(name)


def test_every_action_has_its_icon() -> None:
    assert {row.icon for row in TABLE if row.icon} <= set(icons.names())


def test_a_disabled_one_is_paler(qapp: QApplication) -> None:
    made = icon("open", QColor("#000000"), QColor("#cccccc"))
    picture = made.pixmap(32, QIcon.Mode.Disabled).toImage()
    assert any(picture.pixelColor(x, y).name() == "#cccccc" for x in range(32) for y in range(32))


def test_an_unknown_one_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        icons.svg("no-such-icon")
