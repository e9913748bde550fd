"""A JSON value as a model for a tree: entries are made when they are looked at, a page at a time.

What would take longer than a frame to read (a string of megabytes that holds JSON) is asked for and comes later (`wanted`, `take`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.model import json_look
from app.model.json_look import INSIDE, Seen
from widgets import theme
from widgets.labels import plain
from widgets.visible import visible
from widgets.words import counted, full

PAGE = 200
LARGE = 1_000_000  # characters of JSON in a string that are not read here
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Node:
    """An entry. `children` None: not looked at yet; `total` how many there are in all. `path` leads to it, `inside` to what it holds."""

    __slots__ = ("asked", "children", "fault", "number", "parent", "path", "row", "seen", "total")

    def __init__(self, seen: Seen, path: tuple[int, ...], parent: Node | None, row: int, number: int = 0) -> None:
        self.seen, self.path, self.parent, self.row, self.number = seen, path, parent, row, number
        self.children: list[Node] = []
        self.total = seen.size if seen.kind in ("object", "array") else int(seen.holds != 0)
        self.asked = False
        self.fault = ""

    @property
    def inside(self) -> tuple[int, ...]:
        return (*self.path, INSIDE) if self.seen.holds else self.path

    @property
    def opens(self) -> bool:
        return self.total > 0


class JsonTree(QAbstractItemModel):
    """Two columns: key and value. `wanted(path, start, count)`: entries that somebody else must read; `take` puts them."""

    wanted = Signal(tuple, int, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.value: Any = None
        self.root = Node(Seen("", "null", "", 0), (), None, 0)
        self._nodes: dict[int, Node] = {}  # by number; Qt is given numbers only, and none is ever given twice
        self._count = 0

    def put(self, value: Any) -> None:
        """Another value; the first page of it is there at once."""
        self.beginResetModel()
        self.value, self._nodes = value, {}
        shown = json_look.seen("", value)
        self.root = Node(Seen("", "array", "", 1), (), None, 0)
        if isinstance(value, dict | list):
            self.root = Node(shown, (), None, 0)
        else:
            self.root.children, self.root.total = [self._made(shown._replace(key="value"), (), self.root, 0)], 1
        self.endResetModel()
        if isinstance(value, dict | list):
            self.fetchMore(QModelIndex())

    # -- what Qt asks -------------------------------------------------------------------------------------------------------------

    def node(self, index: Index) -> Node:
        return self._nodes.get(index.internalId(), self.root) if index.isValid() else self.root

    def _made(self, seen: Seen, path: tuple[int, ...], parent: Node, row: int) -> Node:
        self._count += 1
        node = self._nodes[self._count] = Node(seen, path, parent, row, self._count)
        return node

    def index(self, row: int, column: int = 0, parent: Index = _NOWHERE) -> QModelIndex:
        node = self.node(parent)
        if 0 <= row < len(node.children) and 0 <= column < 2:
            return self.createIndex(row, column, node.children[row].number)
        return QModelIndex()

    def index_of(self, node: Node) -> QModelIndex:
        return self.createIndex(node.row, 0, node.number) if node.parent is not None else QModelIndex()

    def parent(self, index: Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        node = self.node(index)
        return self.index_of(node.parent) if index.isValid() and node.parent is not None else QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.column() > 0 else len(self.node(parent).children)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 2

    def hasChildren(self, parent: Index = _NOWHERE) -> bool:
        return parent.column() <= 0 and (self.node(parent).opens or parent == QModelIndex())

    def canFetchMore(self, parent: Index) -> bool:
        """A view asks this of an open entry each time that rows come, seen or not: what comes after the first page is asked for by
        whoever sees its end (`has_more`)."""
        node = self.node(parent)
        return self.has_more(node) and (not node.children or node.parent is None)

    def has_more(self, node: Node) -> bool:
        """Whether there are entries that were neither looked at nor asked for."""
        return len(node.children) < node.total and not node.asked and not node.fault

    def fetchMore(self, parent: Index) -> None:
        node = self.node(parent)
        if self._large(node.inside):
            node.asked = True
            self.wanted.emit(node.inside, len(node.children), PAGE)
            return
        try:
            entries, total = json_look.children(self.value, node.inside, len(node.children), PAGE)
        except ValueError as error:
            self._fail(node, str(error))
            return
        self._add(node, entries, total)

    def _large(self, path: tuple[int, ...]) -> bool:
        """Whether something on the way must be read that is too long to be read here."""
        for number, step in enumerate(path):
            if step == INSIDE:
                text = json_look.at(self.value, path[:number])
                if isinstance(text, str) and len(text) > LARGE:
                    return True
        return False

    def take(self, path: Sequence[int], start: int, entries: list[Seen], total: int) -> None:
        """Entries that were asked for; those that nobody waits for any more are left out."""
        node = self.found(tuple(path))
        if node is not None and node.asked and start == len(node.children):
            node.asked = False
            self._add(node, entries, total)

    def fail(self, path: Sequence[int], words: str) -> None:
        node = self.found(tuple(path))
        if node is not None and node.asked:
            self._fail(node, words)

    def _add(self, node: Node, entries: list[Seen], total: int) -> None:
        node.total = total
        first, parent = len(node.children), self.index_of(node)
        if not entries:
            return
        self.beginInsertRows(parent, first, first + len(entries) - 1)
        node.children += [self._made(seen, (*node.inside, first + n), node, first + n) for n, seen in enumerate(entries)]
        self.endInsertRows()

    def _fail(self, node: Node, words: str) -> None:
        node.asked, node.fault, node.total = False, words, 0
        index = self.index_of(node)
        if index.isValid():
            self.dataChanged.emit(index, index.siblingAtColumn(1))

    def found(self, inside: tuple[int, ...]) -> Node | None:
        """The entry that holds what stands at a path, where it was looked at."""
        node = self.root
        while node.inside != inside:
            depth = len(node.inside)
            if len(inside) <= depth or inside[depth] < 0 or inside[depth] >= len(node.children):
                return None
            node = node.children[inside[depth]]
        return node

    def open_to(self, path: tuple[int, ...]) -> QModelIndex:
        """The entry at a path, its page looked at if need be; none where that has to be waited for."""
        node = self.root
        while node.path != path:
            depth = len(node.inside)
            if len(path) <= depth or (node.parent is not None and path[:depth] != node.inside):
                return QModelIndex()
            while path[depth] >= len(node.children) and self.has_more(node):
                self.fetchMore(self.index_of(node))
            if not 0 <= path[depth] < len(node.children):
                return QModelIndex()
            node = node.children[path[depth]]
        return self.index_of(node)

    # -- words ----------------------------------------------------------------------------------------------------------------------

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node = self.node(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return key_of(node) if index.column() == 0 else value_of(node)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{key_of(node)}, {value_of(node)}" if index.column() == 0 else value_of(node)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(tip_of(node)) if index.column() == 1 or node.seen.twice else None
        if role == Qt.ItemDataRole.ForegroundRole:
            return colour_of(node, index.column())
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return ("Key", "Value")[section]
        return None


def key_of(node: Node) -> str:
    key = node.seen.key
    return visible(str(key)[:200]).replace("\n", "⏎") + ("  (stands twice)" if node.seen.twice else "")


def value_of(node: Node) -> str:
    seen = node.seen
    if seen.kind == "object":
        return f"{{ {counted(seen.size, 'member')} }}" if seen.size else "{ }"
    if seen.kind == "array":
        return f"[ {counted(seen.size, 'item')} ]" if seen.size else "[ ]"
    if seen.kind != "string":
        return visible(seen.text)
    words = visible(seen.text).replace("\n", "⏎")
    more = f"…  ({full(seen.size)} characters)" if seen.size > len(seen.text) else ""
    if node.fault:
        return f'"{words}{more}"  · no JSON in it'
    if seen.holds:
        deep = f", {counted(seen.holds, 'level')} deep" if seen.holds > 0 else ""
        return f"JSON in a string{deep}: {words}{more}"
    return f'"{words}{more}"' if not more else f'"{words}{more}'


def tip_of(node: Node) -> str:
    seen = node.seen
    if node.fault:
        return f"It looks like JSON and cannot be read as such: {node.fault}"
    if seen.twice:
        return "This key stands more than once in its object; most readers keep the last one only"
    if seen.holds:
        return "This string holds JSON: open it to see that as a tree. It is sent as a string"
    return seen.text if len(seen.text) > 60 else ""


def colour_of(node: Node, column: int) -> Any:
    now = theme.current()
    if column == 0:
        return now.warning if node.seen.twice else now.ink_soft if isinstance(node.seen.key, int) else now.user
    if node.seen.kind in ("object", "array"):
        return now.ink_faint
    if node.seen.kind == "string":
        return now.tool_call if node.seen.holds else now.ink
    return now.reasoning


def steps_of(node: Node) -> list[tuple[str | int, bool]]:
    """Keys from the root to an entry, and of each whether it stands inside a string's JSON."""
    out: list[tuple[str | int, bool]] = []
    while node.parent is not None and node.path:
        out.append((node.seen.key, bool(node.parent.seen.holds)))
        node = node.parent
    return out[::-1]
