"""The text of a block on the screen: read-only, plain, hidden characters and lines of a difference tinted."""

from __future__ import annotations

import re
from bisect import bisect_left

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from widgets import theme
from widgets.block_text import Shown

NOTHING = "Select a row of the list: its text, its JSON and its bytes are shown here."
MARKS = 400  # stretches that are tinted at most
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class BlockBody(QPlainTextEdit):
    """`put` shows a text; what it shows is in `shown`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("blockViewer.body")
        self.setAccessibleName("Content of the block")
        self.setReadOnly(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)
        self.document().setDocumentMargin(8)
        self.setPlaceholderText(NOTHING)
        self.shown = Shown("")
        self._wide: list[int] = []

    def put(self, shown: Shown, empty: str = NOTHING) -> None:
        """`empty` stands, faint, where there is no text: words of ours and none of the block's."""
        self.shown = shown
        self._wide = [match.start() for match in _ASTRAL.finditer(shown.text)]
        self.setFont(theme.current().mono)
        self.setPlaceholderText(empty)
        self.setPlainText(shown.text)
        now = theme.current()
        if shown.tags:
            self._tint_lines(shown, now)
        else:
            self.setExtraSelections([self._mark(start, length, now.warning, now.warning_paper) for start, length in shown.spans[:MARKS]])

    def _tint_lines(self, shown: Shown, now: theme.Theme) -> None:
        colours = {"gone": (now.error, now.error_paper), "new": (now.green, now.green_paper), "said": (now.ink_soft, now.paper_alt)}
        marks, at = [], 0
        for tag, text in shown.tags[:MARKS]:
            if tag in colours:
                marks.append(self._mark(at, len(text), *colours[tag]))
            at += len(text) + 1
        self.setExtraSelections(marks)

    def _mark(self, start: int, length: int, words: QColor, paper: QColor) -> QTextEdit.ExtraSelection:
        last = self.document().characterCount() - 1
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(self._units(start), last))
        cursor.setPosition(min(self._units(start + length), last), QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setForeground(words)
        form.setBackground(paper)
        selection = QTextEdit.ExtraSelection()
        selection.cursor, selection.format = cursor, form  # type: ignore[attr-defined]
        return selection

    def _units(self, at: int) -> int:
        """Qt counts in UTF-16: characters beyond U+FFFF are two."""
        return at + bisect_left(self._wide, at)
