"""The free cut: Alt and the mouse on the ruler, or Alt and the arrows, put the cut anywhere; a note says what that would break.

Nothing is planned by it: let go, it snaps to the seam that is nearest. Between a call and its result the line is red, dashed and bears a
cross; the provider's own words come from the helper process a moment after the hand rests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.model.free_cut import FreeCut
from widgets import chart_cuts, icon, theme
from widgets.chart_cuts import Cut, Cuts
from widgets.chart_model import ChartModel
from widgets.visible import line

QUESTION = "free_cut"
REST = 60  # ms that the hand rests before the provider's words are asked for
_WIDE = 640  # pixels of the note at most
_PAD = 9


class Free(QObject):
    """`cut` is where the free cut stands, None while there is none; `told` what the provider would say of it, None until that is known."""

    def __init__(self, model: ChartModel, session: Any, update: Callable[[], None], title: Callable[[], str], parent: QObject) -> None:
        super().__init__(parent)
        self._model, self._session, self._update, self._title = model, session, update, title
        self.cut: Cut | None = None
        self.told: FreeCut | None = None
        self._cuts: Cuts | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._ask)
        if hasattr(session, "answered"):
            session.answered.connect(self._hear)

    # -- moving it ------------------------------------------------------------------------------------------------------------------

    @property
    def _places(self) -> Cuts | None:
        live, axis = self._model.live, self._model.axis
        if live is None or axis is None:
            return None
        if self._cuts is None or self._cuts.live is not live:
            self._cuts = Cuts(live, axis.columns)
        return self._cuts

    def move(self, column: float) -> None:
        """To the place between messages that is nearest."""
        places = self._places
        self._put(places.at(column) if places is not None else None)

    def step(self, steps: int) -> None:
        """By messages, from where the plan cuts at first."""
        places = self._places
        if places is None:
            return
        here = self.cut or places.at(float(self._model.cut or 0))
        self._put(places.step(here, steps) if here is not None else None)

    def leave(self) -> Cut | None:
        """Ends it; where it stood."""
        left, self.cut, self.told, self._cuts = self.cut, None, None, None
        self._rest.stop()
        self._update()
        return left

    def _put(self, cut: Cut | None) -> None:
        if cut != self.cut:
            self.cut, self.told = cut, None
            self._rest.start()
            self._update()

    def _ask(self) -> None:
        if self.cut is not None and hasattr(self._session, "ask"):
            self._session.ask(QUESTION, self.cut.position)

    def _hear(self, answer: Any) -> None:
        told = answer.answer
        if answer.about == QUESTION and isinstance(told, FreeCut) and self.cut is not None and told.position == self.cut.position:
            self.told = told
            self._update()

    # -- saying it ------------------------------------------------------------------------------------------------------------------

    def words(self) -> list[str]:
        """Lines of the note: what it does, the provider's words, the seams beside it."""
        cut, told = self.cut, self.told
        if cut is None:
            return []
        lines = [chart_cuts.said(cut)]
        if told is not None and told.errors:
            words = told.words or told.message
            lines.append(f"{self._title()} would say: {line(words, 400)}" if told.words else line(words, 400))
        elif told is not None:
            lines.append(f"no reason found why {self._title()} would refuse it")
        return [*lines, chart_cuts.beside(cut)]

    def spoken(self) -> str:
        return ". ".join(self.words())

    @property
    def bad(self) -> bool:
        """Whether it would be refused, as far as is known."""
        return self.cut is not None and (not self.cut.safe or bool(self.told is not None and self.told.errors))

    def paint(self, painter: QPainter, width: float, height: float) -> None:
        """The line and the note, in the plot's pixels."""
        cut, at = self.cut, self._model.bins
        if cut is None or at is None:
            return
        look = theme.current()
        x = min(max(round(at.x(cut.column)), 1), width - 2)
        colour = look.error if self.bad else look.green
        painter.setPen(QPen(colour, 2, Qt.PenStyle.DashLine if self.bad else Qt.PenStyle.SolidLine))
        painter.drawLine(QLineF(x, 0, x, height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.paper)
        painter.drawEllipse(QPointF(x, 8), 7, 7)
        icon.draw(painter, "error" if self.bad else "seam", QRectF(x - 7, 1, 14, 14), colour)
        self._paint_note(painter, look, x, width, colour)

    def _paint_note(self, painter: QPainter, look: theme.Theme, x: float, width: float, colour: QColor) -> None:
        words = self.words()
        fonts = [look.ui_bold, *[look.ui] * (len(words) - 2), look.small]
        metrics = [QFontMetricsF(font) for font in fonts]
        most = min(float(theme.scaled(_WIDE)), max(x, width - x) - 2 * _PAD - 14)
        shown = [m.elidedText(text, Qt.TextElideMode.ElideRight, most) for m, text in zip(metrics, words, strict=True)]
        wide = max(m.horizontalAdvance(text) for m, text in zip(metrics, shown, strict=True)) + 2 * _PAD
        high = sum(m.height() + 2 for m in metrics) + _PAD
        left = x + 10 if x + 10 + wide < width - 2 else x - 10 - wide
        box = QRectF(max(left, 2.0), 18, wide, high)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 1))
        painter.setBrush(look.error_paper if self.bad else look.green_paper)
        painter.drawRoundedRect(box, 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        y = box.top() + _PAD / 2
        inks = [colour, *[look.ink] * (len(words) - 2), look.ink_soft]
        for font, text, m, ink in zip(fonts, shown, metrics, inks, strict=True):
            painter.setFont(font)
            painter.setPen(ink)
            painter.drawText(QPointF(box.left() + _PAD, y + 1 + m.ascent()), text)
            y += m.height() + 2
