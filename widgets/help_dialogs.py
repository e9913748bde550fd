"""Windows of help with text to read: what this program is, what a rule says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, qVersion
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from app.model.passages import Passage, Style
from widgets import theme
from widgets.visible import visible

_STRESS = re.compile(r"(?<![\w*])\*(\w[\w -]*)\*(?![\w*])")

ABOUT = """Opens a dump of an agent's session, shows what a provider would refuse and why, and what each \
compaction strategy would keep; writes it repaired or compacted, and proves what it wrote.

Files are opened read-only. Nothing leaves this machine: the program never uses the network.

What it says rests on rules that are written down with their sources; it names what it did not \
judge. It finds reasons to refuse; that it found none is no promise."""


class TextWindow(QDialog):
    """A window with text to read; Esc closes it."""

    def __init__(self, name: str, title: str, text: str, size: QSize, mono: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        title, text = visible(title), visible(text)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.body = QPlainTextEdit(text)
        self.body.setObjectName(f"{name}.text")
        self.body.setAccessibleName(title)
        self.body.setReadOnly(True)
        self.body.setProperty("bare", True)  # all that the window holds: where the keyboard is needs no frame
        self.body.setTabChangesFocus(True)
        self.body.document().setDocumentMargin(12)
        if mono:
            self.body.setFont(theme.current().mono)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.body)
        self.resize(theme.measure(size.width(), size.height()))


def about_window(parent: QWidget) -> TextWindow:
    """What the program is and what it is made of, to read and to copy into a report."""
    from app.model.parts import page  # reads the libraries' metadata; only for whoever asks

    return _page_window("aboutWindow", "About", page(ABOUT, qVersion()), QSize(720, 480), parent)


def rule_window(parent: QWidget, rule: str, page: Sequence[Passage]) -> TextWindow:
    """What a rule says of itself, with its example."""
    words = page or (Passage("text", "This rule has no words of its own."),)
    return _page_window("ruleWindow", rule, words, QSize(760, 640), parent)


def _page_window(name: str, title: str, page: Sequence[Passage], size: QSize, parent: QWidget) -> TextWindow:
    """Plain text put down in fonts: nothing in it is read as markup."""
    window = TextWindow(name, title, "", size, parent=parent)
    cursor = window.body.textCursor()
    cursor.beginEditBlock()
    before: Style | None = None
    for passage in page:
        close = before == "heading" or (before, passage.style) == ("text", "small")
        cursor.insertText(("" if before is None else "\n" if close else "\n\n") + visible(_words(passage)), _format(passage.style))
        before = passage.style
    cursor.endEditBlock()
    window.body.moveCursor(QTextCursor.MoveOperation.Start)
    return window


def _words(passage: Passage) -> str:
    """Sentences are read without the marks that stress a word in their source."""
    return _STRESS.sub(r"\1", passage.text) if passage.style == "text" else passage.text


def _format(style: Style) -> QTextCharFormat:
    """The font of a passage. Colours are those of the theme in force, and stay so when it changes."""
    theme_now = theme.current()
    font = QFont({"code": theme_now.mono, "small": theme_now.small}.get(style, theme_now.ui))
    if style in ("title", "heading"):
        font = QFont(theme_now.ui_bold)
        font.setPixelSize(font.pixelSize() + (4 if style == "title" else 1))
    form = QTextCharFormat()
    form.setFont(font)
    return form
