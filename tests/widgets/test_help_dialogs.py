"""The window that tells what a rule says: plain text in fonts."""

from __future__ import annotations

from PySide6.QtGui import QFont, QTextCursor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.model.passages import Passage
from widgets import theme
from widgets.help_dialogs import rule_window

PAGE = (
    Passage("title", "text-empty (error)"),
    Passage("text", "A text block that is empty."),
    Passage("heading", "Example, Anthropic"),
    Passage("text", "error: <i>This</i> text block is empty."),
    Passage("code", '{\n  "role": "user"\n}'),
    Passage("heading", "Applied by"),
    Passage("text", "Anthropic: error"),
    Passage("small", "“must be non-empty”"),
)
SHOWN = """text-empty (error)

A text block that is empty.

Example, Anthropic
error: <i>This</i> text block is empty.

{
  "role": "user"
}

Applied by
Anthropic: error
“must be non-empty”"""


def test_a_page_in_headings_and_fonts(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    window = rule_window(root, "text-empty", PAGE)
    assert window.body.toPlainText() == SHOWN
    assert window.windowTitle() == "text-empty"

    def font(words: str) -> QFont:
        cursor = window.body.document().find(words)
        assert not cursor.isNull(), words
        return cursor.charFormat().font()

    ui, mono = theme.current().ui, theme.current().mono
    assert font("text-empty").bold()
    assert font("text-empty").pixelSize() > font("Applied by").pixelSize() > ui.pixelSize()
    assert font('"role"').family() == mono.family()
    assert font("<i>This</i>").family() == ui.family()
    assert not font("<i>This</i>").italic()
    assert window.body.textCursor().position() == 0, "it opens at its head"


def test_a_rule_without_words(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    window = rule_window(root, "x", ())
    window.body.moveCursor(QTextCursor.MoveOperation.End)
    assert window.body.toPlainText() == "This rule has no words of its own."
