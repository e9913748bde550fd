"""A JSON value as a tree that is looked at, searched and copied from: by mouse, by key, by ear."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeView, QWidget

from app.model import json_look
from app.model.json_look import Seen
from widgets import theme
from widgets.json_tree import Index, JsonTree, Node, steps_of

MOST = 10_000  # hits that are kept
SLICE = 8  # stretches of a walk between two events
OPENED = 40  # entries that may be open from the start
NEAR = 20  # entries before the end of a page at which the next one is asked for


class JsonView(QTreeView):
    """Facts: `wanted(path, start, count)`; `moved()`: another entry is current; `hits()`: more is known of what is looked for."""

    wanted = Signal(tuple, int, int)
    moved = Signal()
    hits = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("blockViewer.json")
        self.setAccessibleName("JSON of the block")
        self.tree = JsonTree(self)
        self.tree.wanted.connect(self.wanted)
        self.setModel(self.tree)
        self.setUniformRowHeights(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setIndentation(14)
        self.setTabKeyNavigation(False)
        self.setExpandsOnDoubleClick(True)
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.header().hide()
        self.found: list[tuple[int, ...]] = []
        self.hit, self.done, self.needle = -1, True, ""
        self._walk: Iterator[tuple[int, ...] | None] = iter(())
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self.pointer = ""
        self.verticalScrollBar().valueChanged.connect(lambda: self._reach())
        self.verticalScrollBar().rangeChanged.connect(lambda: self._reach())

    def put(self, value: Any, pointer: str = "") -> None:
        """Another value; `pointer`: where it stands in the file. What is small is opened."""
        self.setFont(theme.current().mono)
        self.pointer = pointer
        self.tree.put(value)
        self._open(QModelIndex(), OPENED)
        self.setColumnWidth(0, max(90, min(self.sizeHintForColumn(0) + 12, max(120, self.width() * 2 // 5))))
        self.setCurrentIndex(self.tree.index(0, 0))
        if self.needle:
            self.look_for(self.needle)

    def _open(self, parent: QModelIndex, room: int) -> int:
        """Opens what has room, the JSON in a string too."""
        for row in range(self.tree.rowCount(parent)):
            index = self.tree.index(row, 0, parent)
            node = self.tree.node(index)
            size = node.seen.size if not node.seen.holds else 4
            if not node.opens or size > room or node.seen.holds < 0:
                continue
            room -= size
            if self.tree.canFetchMore(index):
                self.tree.fetchMore(index)
            self.expand(index)
            room = self._open(index, room)
        return room

    def _reach(self) -> None:
        """The next page of what ends in sight."""
        height = self.viewport().height()
        index = self.indexAt(self.viewport().rect().bottomLeft())
        node = self.tree.node(index) if index.isValid() else self._last()
        while node.parent is not None:
            holder = node.parent
            if holder.parent is not None and node.row >= len(holder.children) - NEAR and self.tree.has_more(holder) and height > 0:
                self.tree.fetchMore(self.tree.index_of(holder))
                return  # more rows change the range, and so it is looked at again
            node = holder

    def _last(self) -> Node:
        """The last entry that is in an open one."""
        node = self.tree.root
        while node.children and (node.parent is None or self.isExpanded(self.tree.index_of(node))):
            node = node.children[-1]
        return node

    # -- copying ------------------------------------------------------------------------------------------------------------------

    def value(self) -> Any:
        """The value of the current entry; None where it stands in what was not read here."""
        return json_look.at(self.tree.value, self.tree.node(self.currentIndex()).path)

    def copied(self, what: str) -> str:
        """`value`: a string as it is, else JSON; `path`: `.content[0].text`, with `|fromjson` where a string is gone into (as jq has it);
        `pointer`: in the file, as far as one leads; `key`."""
        steps = steps_of(self.tree.node(self.currentIndex()))
        if what == "path":
            out = ""
            for key, inside in steps:
                word = f"[{key}]" if isinstance(key, int) else f".{key}" if key.isidentifier() and key.isascii() else f"[{json.dumps(key)}]"
                out += ("|fromjson" if inside else "") + word
            return out if out.startswith(".") else f".{out}"
        if what == "pointer":
            outside = [key for key, _ in steps[: next((n for n, (_, inside) in enumerate(steps) if inside), len(steps))]]
            return self.pointer + json_look.pointer(outside)
        if what == "key":
            return str(steps[-1][0]) if steps else ""
        node = self.tree.node(self.currentIndex())
        if self.tree._large(node.path):
            return node.seen.text
        held = json_look.at(self.tree.value, node.path)
        return held if isinstance(held, str) else json_look.written(held)

    def copy(self, what: str = "value") -> None:
        if self.currentIndex().isValid():
            QGuiApplication.clipboard().setText(self.copied(what))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.currentIndex() if event.reason() == QContextMenuEvent.Reason.Keyboard else self.indexAt(event.pos())
        if not index.isValid():
            return
        self.setCurrentIndex(index)
        menu = QMenu(self)
        menu.setObjectName("blockViewer.json.menu")
        for what in ("value", "key", "path", "pointer"):
            action = menu.addAction(f"Copy the {what}")
            action.setObjectName(f"blockViewer.json.copy_{what}")
            action.triggered.connect(lambda _=False, what=what: self.copy(what))
        menu.addSeparator()
        menu.addAction("Open all below").triggered.connect(lambda: self.expandRecursively(index, 3))
        menu.addAction("Close all").triggered.connect(self.collapseAll)
        menu.exec(self.viewport().mapToGlobal(self.visualRect(index).bottomLeft()) if event.reason() == QContextMenuEvent.Reason.Keyboard
                  else event.globalPos())  # fmt: skip
        menu.deleteLater()

    # -- looking for something ------------------------------------------------------------------------------------------------------

    def look_for(self, needle: str) -> None:
        """Looks through keys and values, some at a time."""
        self.needle, self.found, self.hit, self.done = needle, [], -1, not needle
        self._walk = json_look.walk(self.tree.value, needle) if needle else iter(())
        self._timer.stop()
        if needle:
            self._look()
        else:
            self.hits.emit()

    def _look(self) -> None:
        breaths = 0
        for path in self._walk:
            if path is None:
                breaths += 1
                if breaths >= SLICE:
                    break
                continue
            self.found.append(path)
            if len(self.found) >= MOST:
                self.done = True
                break
        else:
            self.done = True
        if self.done:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start(0)
        if self.hit < 0 and self.found:
            self.go(1)
        self.hits.emit()

    def go(self, step: int) -> None:
        """The next hit, or the one before."""
        if self.found:
            self.hit = (self.hit + step) % len(self.found) if self.hit >= 0 else 0 if step > 0 else len(self.found) - 1
            index = self.tree.open_to(self.found[self.hit])
            if index.isValid():
                self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
                self.setCurrentIndex(index)
            self.hits.emit()

    # -- what came later ------------------------------------------------------------------------------------------------------------

    def take(self, path: tuple[int, ...], start: int, entries: list[Seen], total: int) -> None:
        self.tree.take(path, start, entries, total)

    # -- Qt -------------------------------------------------------------------------------------------------------------------------

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.moved.emit()

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of actions."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Copy):
            event.accept()  # the entry's value, not the block's text
            return True
        return super().event(event)
