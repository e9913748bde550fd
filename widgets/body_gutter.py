"""The offsets beside the bytes of a record: where in the file each line of it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from widgets import theme
from widgets.laid_text import Bytes

if TYPE_CHECKING:
    from widgets.block_body import BlockBody


class Gutter(QWidget):
    """The offset in the file at which each line of bytes begins."""

    def __init__(self, body: BlockBody) -> None:
        super().__init__(body)
        self._body = body
        self.hide()

    def fit(self) -> None:
        whole = self._body.whole
        shown = isinstance(whole, Bytes) and not self._body.shown.text and whole.size > 0
        self.setVisible(shown)
        width = 0
        if isinstance(whole, Bytes) and shown:
            width = self._body.fontMetrics().horizontalAdvance(f"{whole.first + whole.size:,}") + 14
        self._body.setViewportMargins(width, 0, 0, 0)
        area = self._body.contentsRect()
        self.setGeometry(QRect(area.left(), area.top(), width, area.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        body, now = self._body, theme.current()
        whole = body.whole
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), now.paper_alt)
            if not isinstance(whole, Bytes):
                return
            painter.setPen(now.ink_faint)
            painter.setFont(body.font())
            block = body.firstVisibleBlock()
            while block.isValid():
                top = body.blockBoundingGeometry(block).translated(body.contentOffset()).top()
                if top > event.rect().bottom():
                    break
                offset = whole.first + whole.offset(body.laid, body.chars(block.position()))
                room = QRect(0, round(top), self.width() - 6, body.fontMetrics().height())
                painter.drawText(room, int(Qt.AlignmentFlag.AlignRight), f"{offset:,}")
                block = block.next()
