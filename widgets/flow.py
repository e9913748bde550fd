"""A layout that puts widgets beside one another and goes on in a new line where there is no room: forms in narrow panels, larger text."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QLayoutItem, QSizePolicy, QWidget


class Flow(QLayout):
    """Each widget has the size it asks for; widgets of a line are centred on it."""

    def __init__(self, parent: QWidget | None = None, gap: int = 6, margins: QMargins = QMargins()) -> None:  # noqa: B008
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(margins)
        if parent is not None:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
            parent.setSizePolicy(policy)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, True)

    def sizeHint(self) -> QSize:
        """One line of all."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        edge = self.contentsMargins()
        wide = sum(size.width() for size in sizes) + self._gap * max(0, len(sizes) - 1)
        return QSize(wide + edge.left() + edge.right(), max((size.height() for size in sizes), default=0) + edge.top() + edge.bottom())

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        edge = self.contentsMargins()
        least = QSize(max((size.width() for size in sizes), default=0), max((size.height() for size in sizes), default=0))
        return least + QSize(edge.left() + edge.right(), edge.top() + edge.bottom())

    def _arrange(self, rect: QRect, move: bool) -> int:
        """Puts them down, or only says how high all lines are."""
        edge = self.contentsMargins()
        inner = rect.marginsRemoved(edge)
        x, y = inner.x(), inner.y()
        line: list[tuple[QLayoutItem, int, QSize]] = []
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(max(1, inner.width()), 1 << 20))
            if line and x + size.width() > inner.x() + inner.width():
                y += self._put(line, y, move) + self._gap
                x, line = inner.x(), []
            line.append((item, x, size))
            x += size.width() + self._gap
        return y + self._put(line, y, move) - rect.y() + edge.bottom()

    @staticmethod
    def _put(line: list[tuple[QLayoutItem, int, QSize]], y: int, move: bool) -> int:
        high = max((size.height() for _, _, size in line), default=0)
        for item, x, size in line if move else ():
            item.setGeometry(QRect(QPoint(x, y + (high - size.height()) // 2), size))
        return high


def together(*parts: QWidget, gap: int = 6) -> QWidget:
    """Widgets that stay in one line: a word and its field."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(gap)
    for part in parts:
        row.addWidget(part)
    return made
