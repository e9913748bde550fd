"""Help: five short pages with pictures in both themes; they name keys and actions that are there; nothing but pictures is loaded."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QKeySequence, QTextDocument
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from widgets import theme
from widgets.actions import TABLE
from widgets.help_pages import HelpPages, pages, picture
from widgets.keys_window import REGION_KEYS

PICTURE = re.compile(r"!\[[^\]]+\]\((\w+)\)")


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> HelpPages:
    theme.apply(qapp, "light")
    root = QWidget()
    qtbot.addWidget(root)
    made = HelpPages(root)
    made.show()
    return made


def test_five_short_pages_each_with_a_picture_in_both_themes() -> None:
    assert [title for title, _ in pages()] == ["What this is", "Find what broke", "Mend it, and prove it", "Make it fit", "Get around"]
    for _, text in pages():
        assert len(text.split()) < 300
        (name,) = PICTURE.findall(text)
        for dark in (False, True):
            assert not picture(name, dark).isNull()
        assert not re.search(r"\bvalid\b|https?:", text)
    assert picture("nothing", False).isNull()


def test_keys_that_the_pages_name_are_keys() -> None:
    known = {QKeySequence(key).toString() for row in TABLE for key in row.keys.split()}
    regions = " ".join(keys for _, keys_of in REGION_KEYS for keys, _ in keys_of)
    text = "\n".join(text for _, text in pages())
    named = set(re.findall(r"(?:Ctrl|Alt|Shift)\+(?:Shift\+)?(?:F?\d+|[A-Z]\b|\+|-)|\bF\d\b", text))
    assert {"F8", "Ctrl+P", "Ctrl+Shift+P", "Ctrl++", "Alt+7", "Shift+F1"} <= named
    assert {key for key in named if QKeySequence(key).toString() not in known and key not in regions} == set()


def test_actions_that_the_pages_name_are_called_so() -> None:
    titles = {row.text.replace("&", "").rstrip("…") for row in TABLE}
    text = "\n".join(text for _, text in pages())
    for words in ("Preview repair", "Use the real result", "Export", "Imitate"):
        assert f"**{words}…**" in text
        assert words in titles


def test_turning_pages_by_button_key_and_list(qtbot: QtBot, window: HelpPages) -> None:
    assert not window.before.isEnabled()
    assert window.page.toPlainText().startswith("What this is")
    qtbot.mouseClick(window.behind, Qt.MouseButton.LeftButton)
    assert window.page.toPlainText().startswith("Find what broke")
    qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert window.page.accessibleName() == "Mend it, and prove it"
    qtbot.keyClick(window.titles, Qt.Key.Key_End)
    assert window.page.toPlainText().startswith("Get around")
    assert not window.behind.isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.number == 3
    qtbot.keyClick(window, Qt.Key.Key_F1)
    assert not window.isVisible()


def test_pictures_fit_the_page_and_nothing_else_is_loaded(window: HelpPages) -> None:
    kind = QTextDocument.ResourceType
    shown = window.page.loadResource(kind.ImageResource.value, QUrl("window"))
    assert 0 < shown.deviceIndependentSize().width() <= window.page.viewport().width() - 48
    assert window.page.loadResource(kind.HtmlResource.value, QUrl("file:///etc/passwd")) is None
    assert window.page.loadResource(kind.ImageResource.value, QUrl("file:///etc/passwd")).isNull()
    assert window.page.horizontalScrollBar().maximum() == 0
