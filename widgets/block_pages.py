"""The pages of the block viewer: its text with the scroll bar of all of it, its tree, and the bar to look for something in either."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.session import Session
from widgets.block_body import BlockBody
from widgets.block_text import Shown
from widgets.find_bar import FindBar
from widgets.json_view import MOST, JsonView
from widgets.laid_text import Whole


class BlockPages(QWidget):
    """`moved()`: another place, or another entry of the tree, is looked at. `row`: of which block the tree is."""

    moved = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self.row = session, -1
        self._queue: list[tuple[int, tuple[int, ...], int, int]] = []  # asked of the helper process, the first one being answered
        self.body, self.bar = BlockBody(), FindBar()
        self._tree: JsonView | None = None
        self._marked = ""
        self._text = text = QWidget()
        row = QHBoxLayout(text)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.body, 1)
        row.addWidget(self.body.whole_bar)
        self._stack = QStackedWidget()
        self._stack.addWidget(text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self._stack, 1)
        self.setFocusProxy(self.body)
        self.body.installEventFilter(self)
        self.body.moved.connect(self.moved)
        self.body.hits.connect(self._count)
        self.bar.asked.connect(self._look_for)
        self.bar.stepped.connect(self._step)
        self.bar.left.connect(lambda: self.page.setFocus())

    @property
    def json(self) -> JsonView:
        """The tree, made when it is first looked at."""
        if self._tree is None:
            made = self._tree = JsonView()
            self._stack.addWidget(made)
            made.installEventFilter(self)
            made.moved.connect(self.moved)
            made.hits.connect(self._count)
            made.wanted.connect(self._want)
            self._session.answered.connect(self._answered)
        return self._tree

    @property
    def page(self) -> BlockBody | JsonView:
        """What is in front."""
        return self._tree if self._tree is not None and self._stack.currentWidget() is self._tree else self.body

    @property
    def in_tree(self) -> bool:
        return self.page is not self.body

    def show_tree(self, row: int, value: Any, pointer: str) -> None:
        self.row, self._queue = row, []
        self._front(self.json)
        self.json.put(value, pointer)

    def show_text(self, shown: Shown | Whole, empty: str, place: int = 0) -> None:
        """A short text of ours, or one of the dump from a place on; `empty` stands where there is none."""
        self._front(self._text)
        if isinstance(shown, Shown):
            self.body.put(shown, empty)
        else:
            self.body.look_at(shown, empty, place)
            if self._marked and not self.bar.isVisible() and not place:
                self.body.look_for(self._marked)

    def _front(self, page: QWidget) -> None:
        if self._stack.currentWidget() is not page:
            self._stack.setCurrentWidget(page)
            self.setFocusProxy(self.page)
            if self.bar.isVisible() and self.bar.field.text():
                self._look_for(self.bar.field.text())

    def _want(self, path: tuple[int, ...], start: int, count: int) -> None:
        """Entries that the helper process is asked for, one after the other: a newer question would take the place of an older one."""
        self._queue.append((self.row, path, start, count))
        if len(self._queue) == 1:
            self._session.ask("json_part", *self._queue[0])

    def _answered(self, answer: Any) -> None:
        if answer.about != "json_part" or not self._queue or answer.what != self._queue[0]:
            return
        (_, path, start, _), self._queue = self._queue[0], self._queue[1:]
        self.json.tree.fail(path, answer.error) if answer.error else self.json.tree.take(path, start, *answer.answer)
        if self._queue:
            self._session.ask("json_part", *self._queue[0])

    # -- looking for something ------------------------------------------------------------------------------------------------------

    def open_find(self) -> None:
        """The field to look for something within this block, with what is marked in it."""
        cursor = self.body.textCursor()
        marked = cursor.selectedText() if not self.in_tree and cursor.hasSelection() else ""
        self.bar.open("" if "\u2029" in marked else marked[:200])

    def mark(self, words: str) -> None:
        """Marks what the window filters by, and goes to its first place, as long as nothing else is looked for in the block; "" nothing."""
        if words != self._marked:
            self._marked = words
            if not self.bar.isVisible():
                self._look_for("")

    def _look_for(self, needle: str) -> None:
        needle = needle or ("" if self.in_tree else self._marked)
        self.body.look_for("" if self.in_tree else needle)
        if self._tree is not None:
            self._tree.look_for(needle if self.in_tree else "")
        self._count()

    def _step(self, step: int) -> None:
        self.page.go(step)

    def _count(self) -> None:
        if self._tree is not None and self.in_tree:
            tree = self._tree
            self.bar.tell(tree.hit, len(tree.found), tree.done, len(tree.found) >= MOST)
        else:
            search = self.body.search
            self.bar.tell(self.body.hit, len(search.starts), search.done, search.more)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """`/` looks for something within the block, Esc leaves that."""
        if event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) and isinstance(event, QKeyEvent):
            closes = event.key() == Qt.Key.Key_Escape and self.bar.isVisible()
            if closes or event.text() == "/":
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    self.bar.leave() if closes else self.open_find()
                return True
        return super().eventFilter(watched, event)
