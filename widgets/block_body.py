"""The text of a block on the screen: read-only, plain, hidden characters and lines of a difference tinted.

A text of any length is looked at through a window of some ten thousand characters that moves along as one scrolls; `whole_bar` is the
scroll bar of all of it. Nothing is laid out that is not near what is seen, and words are tinted where they are seen only.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)  # fmt: skip
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QScrollBar, QTextEdit, QToolTip, QWidget

from widgets import theme
from widgets.block_text import Shown
from widgets.body_gutter import Gutter
from widgets.body_tints import MARKS, Stretch, Tints, differences, named
from widgets.labels import in_menu, plain
from widgets.laid_text import Laid, Text, Whole
from widgets.text_search import TextSearch

NOTHING = "Select a row of the list: its text, its JSON and its bytes are shown here."
WINDOW = 16_000  # units that are laid out at a time
LINK = re.compile(r"\b(?:https?|ftp|file)://[^\s\"'<>\\]{3,2000}", re.IGNORECASE)
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class BlockBody(QPlainTextEdit):
    """`put` shows a text; what it shows is in `shown` (a short one of ours) or `whole` (of the dump). `moved()`: another place is in view.
    `hits()`: more is known of what is looked for."""

    moved = Signal()
    hits = Signal()

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
        self.setMinimumHeight(40)  # what is wrong is read before the text that it is about
        self.setPlaceholderText(NOTHING)
        self.shown = Shown("")
        self.whole: Whole = Text("")
        self.laid = Laid("", "")
        self.hit = -1
        self.search = TextSearch(self)
        self.search.moved.connect(self._found_more)
        self.whole_bar = QScrollBar(Qt.Orientation.Vertical)
        self.whole_bar.setObjectName("blockViewer.whole_bar")
        self.whole_bar.setAccessibleName("Place in the whole block")
        self.whole_bar.valueChanged.connect(self._dragged)
        self._wide: list[int] = []
        self._all = self._moving = False
        self._gutter = Gutter(self)
        self._tints = Tints(self.document(), lambda: self.laid, lambda: self.shown, self._units)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    # -- what is shown --------------------------------------------------------------------------------------------------------------

    def put(self, shown: Shown, empty: str = NOTHING) -> None:
        """A short text as it is. `empty` stands, faint, where there is none: words of ours and none of the block's."""
        self.shown = shown
        self._begin(Text(shown.text, codes="text"), empty)
        self._window(0, len(shown.text))

    def look_at(self, whole: Whole, empty: str = NOTHING, place: int = 0) -> None:
        """A text of any length, from a place on."""
        self.shown = Shown("")
        self._begin(whole, empty)
        self.show_place(place)

    def _begin(self, whole: Whole, empty: str) -> None:
        self.whole, self._all, self.laid = whole, False, Laid("", "")
        self.setFont(theme.current().mono)
        self.setPlaceholderText(empty)
        self._gutter.fit()
        if self.search.needle:
            self.search.begin(whole, self.search.needle)

    def _window(self, start: int, end: int) -> None:
        """Lays out a stretch; a caret that stands in it stays at its character."""
        caret = self.whole.offset(self.laid, self.chars(self.textCursor().position())) if self.laid.text else 0
        fixed = Laid(self.shown.text, self.shown.text) if self.shown.text else None  # what is ours has been laid out already
        self._moving = True
        self.laid = fixed or self.whole.lay(start, end)
        self._wide = [match.start() for match in _ASTRAL.finditer(self.laid.text)]
        self.setPlainText(self.laid.text)
        if self.laid.start < caret <= self.laid.start + (end - start):
            cursor = self.textCursor()
            cursor.setPosition(min(self._units(self.whole.on_screen(self.laid, caret)), self.document().characterCount() - 1))
            self.setTextCursor(cursor)
        self._moving = False
        long = not fixed and self._stretch[1] - self._stretch[0] < self.whole.size
        self.whole_bar.setVisible(long)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff if long else Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._tell()

    @property
    def _stretch(self) -> tuple[int, int]:
        """The part of the whole that is laid out."""
        return self.laid.start, self.whole.offset(self.laid, len(self.laid.text)) if self.laid.text else self.laid.start

    # -- places -----------------------------------------------------------------------------------------------------------------------

    @property
    def place(self) -> int:
        """What stands at the upper edge, as a place in the whole."""
        return self.whole.offset(self.laid, self.chars(self.cursorForPosition(QPoint(9, 3)).position()))

    @property
    def caret(self) -> int:
        return self.whole.offset(self.laid, self.chars(self.textCursor().position()))

    def show_place(self, place: int, select: int = 0) -> None:
        """Brings a place of the whole to the upper edge, or where `select` characters from it on are shown some lines lower."""
        place = max(0, min(place, self.whole.size))
        if self.whole.size <= WINDOW and (not self.laid.text or self._stretch[1] >= self.whole.size):
            if self._stretch != (0, self.whole.size) or not self.laid.text:
                self._window(0, self.whole.size)
        else:
            start = max(0, min(place - WINDOW // 3, self.whole.size - WINDOW))
            if start != self.laid.start or not self.laid.text:
                self._window(start, start + WINDOW)
            if place >= self._stretch[1] and place < self.whole.size:  # it is mostly hidden characters, and so much has no room
                self._window(place, place + WINDOW)
        at = self._units(self.whole.on_screen(self.laid, place))
        self._to_edge(at, 3 if select else 0)
        if select:
            cursor = QTextCursor(self.document())
            cursor.setPosition(at)
            self.setTextCursor(cursor)
        self._tell()

    def _to_edge(self, at: int, lines: int = 0) -> None:
        """Scrolls until a character of the document stands at the upper edge, or so many lines lower."""
        block = self.document().findBlock(min(at, self.document().characterCount() - 1))
        before = self.document().firstBlock()
        while before.isValid() and before != block:  # Qt counts a line for what was never laid out
            self.blockBoundingRect(before)
            before = before.next()
        self.blockBoundingRect(block)
        line = block.layout().lineForTextPosition(at - block.position())
        self._moving = True
        self.verticalScrollBar().setValue(block.firstLineNumber() + max(0, line.lineNumber() if line.isValid() else 0) - lines)
        self._moving = False

    def _scrolled(self) -> None:
        if self._moving:
            return
        start, end = self._stretch
        bar = self.verticalScrollBar()
        near = max(4, bar.pageStep() // 2)
        ahead = bar.value() >= bar.maximum() - near and end < self.whole.size
        if not self.shown.text and (ahead or (bar.value() <= near and start > 0)):
            place = self.place
            begin = max(0, min(place - WINDOW // (4 if ahead else 2), self.whole.size - WINDOW))
            if abs(begin - start) > 200 and not self.textCursor().hasSelection():
                self._window(begin, begin + WINDOW)
                self._to_edge(self._units(self.whole.on_screen(self.laid, place)))
        self._tell()

    def _dragged(self, value: int) -> None:
        if not self._moving:
            self.show_place(value)

    def _tell(self) -> None:
        """The whole's bar follows, what is seen is tinted, and whoever listens is told."""
        self._moving = True
        if not self.whole_bar.isHidden():
            seen = max(1, self.whole.offset(self.laid, self.chars(self._last_seen())) - self.place)
            self.whole_bar.setRange(0, max(0, self.whole.size - seen))
            self.whole_bar.setPageStep(seen)
            self.whole_bar.setSingleStep(max(1, seen // 20))
            self.whole_bar.setValue(self.place)
        self._moving = False
        self.tint()
        self._gutter.update()
        self.moved.emit()

    def _last_seen(self) -> int:
        return self.cursorForPosition(QPoint(self.viewport().width() - 2, self.viewport().height() - 2)).position()

    # -- tints ------------------------------------------------------------------------------------------------------------------------

    def tint(self) -> None:
        """Tints what is in view: a difference, and what is looked for."""
        seen = self.chars(self.cursorForPosition(QPoint(0, 0)).position()), self.chars(self._last_seen()) + 1
        marks = [*differences(self.shown, seen), *self._hit_stretches(seen)]
        self.setExtraSelections([self._mark(*mark) for mark in marks[: 3 * MARKS]])

    def _hit_stretches(self, seen: tuple[int, int]) -> list[Stretch]:
        """What is looked for, where it is seen; the hit that was gone to stands out."""
        now, start, end = theme.current(), *(self.whole.offset(self.laid, at) for at in seen)
        starts, length = self.search.starts, self.search.length
        if not self.search.needle or not starts:
            return []
        marks: list[Stretch] = []
        for index in range(bisect_left(starts, start - length), min(len(starts), bisect_left(starts, end))):
            at, to = (self.whole.on_screen(self.laid, place) for place in (starts[index], starts[index] + length))
            if len(marks) < MARKS or index == self.hit:
                marks.append(Stretch(at, to - at, *((now.on_blue, now.blue) if index == self.hit else (now.ink, now.selection))))
        return marks

    def _mark(self, start: int, length: int, words: QColor, paper: QColor | None) -> QTextEdit.ExtraSelection:
        last = self.document().characterCount() - 1
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(self._units(start), last))
        cursor.setPosition(min(self._units(start + length), last), QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setForeground(words)
        if paper is not None:
            form.setBackground(paper)
        selection = QTextEdit.ExtraSelection()
        selection.cursor, selection.format = cursor, form  # type: ignore[attr-defined]
        return selection

    def _units(self, at: int) -> int:
        """Qt counts in UTF-16: characters beyond U+FFFF are two."""
        return at + bisect_left(self._wide, at)

    def chars(self, units: int) -> int:
        """The way back."""
        low, high = 0, len(self._wide)
        while low < high:
            middle = (low + high) // 2
            if self._wide[middle] + middle < units:
                low = middle + 1
            else:
                high = middle
        return units - low

    # -- looking for something ----------------------------------------------------------------------------------------------------------

    def look_for(self, needle: str) -> None:
        """Looks for a text from what is in view on; the first hit comes into view as soon as it is known."""
        self.hit = -1
        self._from = self.place
        self.search.begin(self.whole if needle else None, needle)

    def go(self, step: int) -> None:
        """The next hit, or the one before."""
        count = len(self.search.starts)
        if count:
            self.hit = (self.hit + step) % count if self.hit >= 0 else self.search.next(self.place, step < 0)
            self._to_hit()

    def _found_more(self) -> None:
        starts = self.search.starts
        if self.hit < 0 and starts and (self.search.done or starts[-1] >= self._from):
            self.hit = self.search.next(self._from)
            self._to_hit()
        else:
            self.tint()
        self.hits.emit()

    _from = 0

    def _to_hit(self) -> None:
        place = self.search.starts[self.hit]
        start, end = self._stretch
        seen = range(self.place, self.whole.offset(self.laid, self.chars(self._last_seen())))
        if not (start <= place < end and place in seen):
            self.show_place(place, self.search.length)
        self.tint()
        self.hits.emit()

    # -- Qt -------------------------------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.MoveToStartOfDocument) and self.whole.size > WINDOW:
            self.show_place(0, 1)
        elif event.matches(QKeySequence.StandardKey.MoveToEndOfDocument) and self.whole.size > WINDOW:
            self.show_place(self.whole.size, 1)
        else:
            super().keyPressEvent(event)
            if event.matches(QKeySequence.StandardKey.SelectAll):
                self._all = True
            elif not event.matches(QKeySequence.StandardKey.Copy):
                self._all = False

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied is what the dump has, not what stands for it on screen."""
        data = QMimeData()
        cursor = self.textCursor()
        if self._all and not self.shown.text:
            text = self.whole.copy(0, self.whole.size)
        elif self.shown.text:
            text = cursor.selectedText().replace("\u2029", "\n")
        else:
            ends = (self.whole.offset(self.laid, self.chars(at)) for at in (cursor.selectionStart(), cursor.selectionEnd()))
            text = self.whole.copy(*ends)
        data.setText(text)
        return data

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copying is all that can be done with a text; a link in it can be copied and not be followed."""
        menu = QMenu(self)
        menu.setObjectName("blockViewer.body.menu")
        copy = menu.addAction("Copy")
        copy.setEnabled(self.textCursor().hasSelection())
        copy.triggered.connect(self.copy)
        menu.addAction("Select all").triggered.connect(self._select_all)
        link = self.link_at(self.chars(self.cursorForPosition(event.pos()).position()))
        if link:
            menu.addAction(in_menu(f"Copy the link {link[:60]}")).triggered.connect(lambda: QGuiApplication.clipboard().setText(link))
        menu.exec(event.globalPos())
        menu.deleteLater()

    def _select_all(self) -> None:
        self.selectAll()
        self._all = True

    def link_at(self, at: int) -> str:
        """The link that stands at a place on screen, as the dump has it."""
        source, place = self.laid.source, self.laid.place(at)
        for found in LINK.finditer(source, max(0, place - 2_000), place + 2_000):
            if found.start() <= place < found.end():
                return found.group()
        return ""

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain(self.named(self.chars(self.cursorForPosition(event.pos()).position()))), self)
            return True
        return super().viewportEvent(event)

    def named(self, at: int) -> str:
        """What a made-up word on screen stands for, by name; "" elsewhere."""
        piece = self.laid.piece(at)
        return named(piece, self.laid.source) if piece is not None else ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._gutter.fit()
        self.tint()
