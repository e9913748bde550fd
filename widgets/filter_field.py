"""The one line in which a filter is typed: completed as one types, the place that cannot be read underlined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.model.filter import Completion, Problem
from widgets import theme
from widgets.visible import line

Index = QModelIndex | QPersistentModelIndex
_Key = Qt.Key
_ENTER = (_Key.Key_Return, _Key.Key_Enter)
_CHOICE_ROLE = Qt.ItemDataRole.UserRole
NOTHING = Completion(0, 0, ())


class _Choices(QStringListModel):
    """Words that could stand here; what each means is read beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.meanings: list[str] = []

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in (_CHOICE_ROLE, Qt.ItemDataRole.AccessibleTextRole) and index.isValid():
            meaning = self.meanings[index.row()]
            return meaning if role == _CHOICE_ROLE else f"{self.stringList()[index.row()]}, {meaning}"
        return super().data(index, role)


class _Painted(QStyledItemDelegate):
    """A word, and its meaning in softer ink at the right of it: all of them from one place on."""

    left = 120

    def measure(self, words: list[str]) -> None:
        metrics = QFontMetrics(theme.current().mono)
        self.left = min(220, max((metrics.horizontalAdvance(line(word, 40)) for word in words), default=100) + 20)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look, rect = theme.current(), option.rect  # type: ignore[attr-defined]
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)  # type: ignore[attr-defined]
        painter.fillRect(rect, look.selection if chosen else look.paper)
        middle = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        painter.setFont(look.mono)
        painter.setPen(look.ink)
        room = rect.adjusted(8, 0, -8, 0)
        word = painter.fontMetrics().elidedText(line(str(index.data()), 80), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, middle, word)
        left = max(self.left, painter.fontMetrics().horizontalAdvance(word) + 20)
        painter.setFont(look.ui)
        painter.setPen(look.ink_soft)
        rest = room.adjusted(left, 0, 0, 0)
        meaning = painter.fontMetrics().elidedText(str(index.data(_CHOICE_ROLE)), Qt.TextElideMode.ElideRight, max(0, rest.width()))
        painter.drawText(rest, middle, meaning)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(320, theme.current().row_height)


class FilterField(QLineEdit):
    """Facts: `entered(backwards)` Enter was pressed, `left()` Esc was, with nothing to take back."""

    entered = Signal(bool)
    left = Signal()

    def __init__(self, complete: Callable[[str, int], Completion | None], help: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.help = help  # a tooltip with marks of less and more is markup, which a screen reader must not be told
        self.setAccessibleDescription(help)
        self._complete = complete
        self._completion = NOTHING
        self._kept = ""
        self.problem: Problem | None = None
        self.setMaxLength(4_000)
        self.choices = _Choices()
        self.completer_ = QCompleter(self)
        self.completer_.setModel(self.choices)
        self.completer_.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.completer_.setWidget(self)
        self.completer_.setMaxVisibleItems(10)
        self.completer_.activated[QModelIndex].connect(lambda index: self._take(index.row()))  # type: ignore[index]
        popup = QListView()
        popup.setObjectName("filterField.choices")
        popup.setAccessibleName("What could stand here")
        popup.setUniformItemSizes(True)
        self.completer_.setPopup(popup)
        self._painted = _Painted(popup)
        popup.setItemDelegate(self._painted)
        self.textEdited.connect(lambda _: self._offer())

    @property
    def popup(self) -> QListView:
        found = self.completer_.popup()
        assert isinstance(found, QListView)
        return found

    # -- what a person has entered -----------------------------------------------------------------------------------------------------

    def put(self, text: str) -> None:
        """The expression in force: what Esc goes back to."""
        if text != self._kept:
            self._kept = text
            self.setText(text)
            self.setCursorPosition(len(text))
        self.tell(None)

    @property
    def pending(self) -> bool:
        """Whether something was typed that is not in force."""
        return self.text() != self._kept

    def tell(self, problem: Problem | None) -> None:
        """Underlines the place of a problem."""
        if problem != self.problem:
            self.problem = problem
            self.setAccessibleDescription(problem.words if problem is not None else self.help)
            self.update()

    # -- completion ---------------------------------------------------------------------------------------------------------------------

    def _offer(self, asked: bool = False) -> None:
        """Shows what could stand at the cursor: where a word is begun, behind a name or an operator, or where it is asked for."""
        found = self._complete(self.text(), self.cursorPosition()) or NOTHING
        before = self.text()[: self.cursorPosition()]
        begun = found.start < self.cursorPosition() or before.rstrip().endswith(("=", ">", "<", "~", "&&", "||", "(", "!"))
        if not found.choices or not (asked or (begun and before.strip())):
            self.popup.hide()
            return
        self._completion = found
        self.choices.meanings = [meaning for _, meaning in found.choices]
        self.choices.setStringList([word for word, _ in found.choices])
        self._painted.measure(self.choices.stringList())
        left = self.cursorRect().left() - self.fontMetrics().horizontalAdvance(self.text()[found.start : self.cursorPosition()])
        place = QRect(max(0, left), 0, 360, self.height())
        self.completer_.complete(place)

    def _take(self, row: int) -> None:
        """Puts a choice in place of what was begun."""
        found, word = self._completion, self._completion.choices[row][0]
        text = self.text()
        rest = text[found.end :].lstrip() if word[-1:] != " " else text[found.end :]
        self.setText(f"{text[: found.start]}{word} {rest}")
        self.setCursorPosition(found.start + len(word) + 1)
        self.textEdited.emit(self.text())

    # -- Qt ---------------------------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return super().event(event)
        key = event.key()
        if event.type() == QEvent.Type.ShortcutOverride and key in (*_ENTER, _Key.Key_Escape):
            event.accept()  # the field's own, also while they mean "apply" and "cancel" elsewhere
            return True
        if event.type() == QEvent.Type.KeyPress and key == _Key.Key_Tab and self.popup.isVisible():
            self._take(max(0, self.popup.currentIndex().row()))
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if self.popup.isVisible():
            chosen = self.popup.currentIndex().isValid()
            if (key in _ENTER and chosen) or key in (_Key.Key_Escape, _Key.Key_Tab):
                event.ignore()  # the completer's
                return
            if key in _ENTER:
                self.popup.hide()
        if key in _ENTER:
            self.entered.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif key == _Key.Key_Escape:
            self._escape()
        elif key == _Key.Key_Down or (key == _Key.Key_Space and event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            self._offer(asked=True)
        else:
            super().keyPressEvent(event)

    def _escape(self) -> None:
        """What was typed and is not in force goes first; then the field is left."""
        if self.pending:
            self.take_back()
        else:
            self.left.emit()

    def take_back(self) -> None:
        """To the expression in force."""
        self.setText(self._kept)
        self.tell(None)
        self.textEdited.emit(self._kept)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.problem is None or self.hasSelectedText():
            return
        metrics, text = self.fontMetrics(), self.text()
        origin = self.cursorRect().center().x() - metrics.horizontalAdvance(text[: self.cursorPosition()])
        start = min(self.problem.start, len(text))
        left = origin + metrics.horizontalAdvance(text[:start])
        right = max(left + 6, origin + metrics.horizontalAdvance(text[: start + self.problem.length]))
        with QPainter(self) as painter:
            painter.setClipRect(self.rect().adjusted(6, 0, -6, 0))
            _wave(painter, left, right, self.rect().center().y() + metrics.height() // 2, theme.current().error)


def _wave(painter: QPainter, left: int, right: int, y: int, colour: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.2))
    points = [QPointF(x, y + (1.5 if n % 2 else -0.5)) for n, x in enumerate(range(left, min(right, left + 2_000) + 1, 2))]
    painter.drawPolyline(QPolygonF(points))
