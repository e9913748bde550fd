"""Paints whole rows of the list, columns and all. (A delegate would do, but for what Qt makes ready for each of its calls.)

What a row says is kept (widgets/row_words.py), and so is how it fits its width; what a plan makes of it is asked for each time.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter, QPen, QPixmap

from widgets.exchange_model import ExchangeModel
from widgets.exchange_tree import BLOCK, EXCHANGE, GHOST, STEP, Entity
from widgets.row_columns import SIGN
from widgets.row_figures import RowFigures
from widgets.row_look import Look, Piece
from widgets.row_marks import NONE, Mark
from widgets.row_pictures import RowPictures
from widgets.row_scene import BESIDE, GONE, UNSEEN, UNSENT, Scene
from widgets.words import counted

_BLANK = Look()
_KINDS = frozenset({"dot", "diamond", "call", "result", "media", "box", "square"})


class _Row(NamedTuple):
    """All that the picture of a row depends on, beside the scene."""

    entity: Entity
    look: Look
    mark: Mark
    selected: bool
    focus: bool
    opened: bool
    hits: int
    saw: bool  # the model saw it at the request that is looked at


class Run(NamedTuple):
    """Words as they fit: where they begin, in which font and colour."""

    x: int
    text: str
    font: QFont
    colour: QColor


class RowPainter(RowFigures):
    def __init__(self, model: ExchangeModel) -> None:
        super().__init__()
        self._model = model
        self._narrow: dict[str, float] = {}  # width of a narrow letter
        self._runs: dict[Entity, tuple[Look, tuple[Run, ...], int]] = {}
        self.pictures = RowPictures()

    def use(self, scene: Scene) -> None:
        old = self.scene
        super().use(scene)
        self._narrow = {name: max(1.0, 0.9 * QFontMetricsF(font).horizontalAdvance("i")) for name, font in self._fonts.items()}
        self._runs.clear()
        alike = old is not None and (old.theme, old.columns, old.words) == (scene.theme, scene.columns, scene.words)
        self.pictures.clear(other_rows=not alike)

    def look(self, entity: Entity) -> Look:
        """What a row says, a ghost's too."""
        if entity.kind == GHOST:
            assert self._model.layout is not None
            return self._scene.words.ghost(self._model.layout.ghosts[entity.ghost])
        return self._scene.words.look(entity)

    # -- a row -----------------------------------------------------------------------------------------------------------------

    def paint_row(self, painter: QPainter, row: int, y: int) -> bool:
        """Paints a row of the list with its upper edge at `y`; False where there was no time to make all of it.

        A row becomes a picture, which is then laid down again and again while it looks the same.
        """
        scene, layout, pictures = self.scene, self._model.layout, self.pictures
        if scene is None or layout is None:
            return True
        entity = self._model.entity(row)
        selected = row == scene.current
        focus = selected and scene.focus
        if entity.kind != GHOST and not scene.words.knows(entity) and pictures.no_time():
            self._put_off(painter, y, entity, selected, focus)
            return False
        look, mark = self.look(entity), NONE if scene.as_is else scene.marks.of(entity)
        opened = layout.opened(entity)
        hits = scene.hits_in(entity)
        saw = scene.saw(entity)
        key = (entity, mark, selected, focus, opened, scene.as_is, hits, saw)
        picture = pictures.find(key, look)
        if picture is None and pictures.no_time():
            self._put_off(painter, y, entity, selected, focus)
            return False
        if picture is None:
            pictures.count()
            drawn = _Row(entity, look, mark, selected, focus, opened, hits, saw)
            picture = self._picture(painter, drawn)
            if picture is None:
                self._row(painter, y, drawn)
                return not scene.words.heads.starved
            pictures.keep(key, entity, look, picture)
        painter.drawPixmap(0, y, picture)
        return True

    def _picture(self, painter: QPainter, row: _Row) -> QPixmap | None:
        """A row's picture; None where some of it could not be read yet, or it would not fall on whole pixels."""
        scale, columns = painter.device().devicePixelRatioF(), self._scene.columns
        if self._scene.words.heads.starved or not (columns.height * scale).is_integer():
            return None
        picture = QPixmap(math.ceil(columns.width * scale), round(columns.height * scale))
        picture.setDevicePixelRatio(scale)
        with QPainter(picture) as inner:
            self._row(inner, 0, row)
        return picture

    def _put_off(self, painter: QPainter, y: int, entity: Entity, selected: bool, focus: bool) -> None:
        """A row that there is no time for: as it looked before, else its paper and an exchange's number."""
        before, at = self.pictures.before(entity), self._scene.columns
        if before is not None:
            painter.drawPixmap(0, y, before)
            return
        self._paper(painter, QRect(0, y, at.width, at.height), _Row(entity, _BLANK, NONE, selected, focus, False, -1, True))
        if entity.kind == EXCHANGE:
            exchange = int(self._scene.words.facts.tree.top_exchange[entity.top])
            if exchange >= 0:
                label = self._scene.words.facts.view.groups.label(exchange)
                self._text(painter, at.number, y, label, "bold", self._scene.theme.ink)

    def _row(self, painter: QPainter, y: int, row: _Row) -> None:
        entity, look, mark = row.entity, row.look, row.mark
        self._paper(painter, QRect(0, y, self._scene.columns.width, self._scene.columns.height), row)
        if entity.kind == GHOST and self._scene.as_is:
            return
        fade = UNSEEN if not row.saw else BESIDE if row.hits == 0 else GONE if mark.gone else UNSENT if look.unsent else 1.0
        painter.setOpacity(fade)
        if entity.kind == EXCHANGE:
            self._exchange(painter, y, row)
        elif entity.kind == STEP:
            self._step(painter, y, row)
        else:
            self._block(painter, y, look)
        self._what(painter, y, entity, look, mark)
        if row.hits > 0:
            self._hits(painter, y, row)
        self.figures(painter, y, entity, look)
        painter.setOpacity(1.0)
        if mark.word:
            self.mark(painter, y, mark)

    def _paper(self, painter: QPainter, rect: QRect, row: _Row) -> None:
        theme, kind = self._scene.theme, row.entity.kind
        hit = self._scene.marking and self._own_hit(row)
        painter.fillRect(rect, self._ground(row))
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, theme.paper if kind == EXCHANGE else theme.band)
        if hit:
            painter.fillRect(self._scene.columns.width - 3, rect.y() + 1, 3, rect.height() - 3, theme.hit)
        if row.selected:
            painter.fillRect(rect.x(), rect.y(), 3, rect.height(), theme.blue if row.focus else theme.ink_faint)

    def _ground(self, row: _Row) -> QColor:
        theme, kind = self._scene.theme, row.entity.kind
        if row.selected:
            return theme.selection
        if self._scene.marking and self._own_hit(row):
            return theme.hit_paper
        if kind == EXCHANGE:
            return theme.band
        if kind == STEP:
            return theme.paper_alt
        return theme.green_paper if kind == GHOST and not self._scene.as_is else theme.paper

    def _own_hit(self, row: _Row) -> bool:
        """Whether what the row itself shows is looked for: a block, or an exchange's prompt."""
        layout, hits = self._model.layout, self._scene.hits
        if row.hits < 1 or layout is None or hits is None or row.entity.kind == STEP:
            return False
        if row.entity.kind == BLOCK:
            return True
        prompt = int(layout.tree.head[row.entity.top])
        at = int(hits.searchsorted(prompt))
        return bool(layout.tree.folded[layout.tree.top_child[row.entity.top]]) and at < len(hits) and int(hits[at]) == prompt

    def _hits(self, painter: QPainter, y: int, row: _Row) -> None:
        """What is closed over blocks that are looked for says how many."""
        if row.opened or row.entity.kind not in (EXCHANGE, STEP) or (row.hits == 1 and self._own_hit(row)):
            return
        at, theme = self._scene.columns, self._scene.theme
        words = counted(row.hits, "hit")
        width = self._metrics["ui"].horizontalAdvance(words) + 12
        place = QRectF(at.what_end - width + 0.5, y + 2.5, width - 1, at.height - 6)
        fade = QLinearGradient(place.x() - 28, 0, place.x() - 4, 0)
        for at_, part in ((0.0, 0), (1.0, 255)):
            colour = QColor(self._ground(row))
            colour.setAlpha(part)
            fade.setColorAt(at_, colour)
        painter.fillRect(QRectF(place.x() - 28, y, at.pips - 4 - place.x() + 28, at.height - 1), fade)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.hit, 1))
        painter.setBrush(theme.hit_paper)
        painter.drawRoundedRect(place, 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self._text(painter, round(place.x()) + 6, y, words, "ui", theme.ink)

    def _exchange(self, painter: QPainter, y: int, row: _Row) -> None:
        assert self._model.layout is not None
        at, theme, look = self._scene.columns, self._scene.theme, row.look
        if self._model.layout.has_children(row.entity.top):
            self._shape(painter, "opened" if row.opened else "closed", at.twists[0], y, theme.ink_soft)
        self._text(painter, at.number, y, look.number, "bold", theme.ink)
        self._shape(painter, look.sign, at.sign, y, getattr(theme, look.sign_colour))
        self._word(painter, y, look.word_sign, look.word, getattr(theme, look.word_colour))

    def _step(self, painter: QPainter, y: int, row: _Row) -> None:
        at, theme = self._scene.columns, self._scene.theme
        self._shape(painter, "opened" if row.opened else "closed", at.twists[1], y, theme.ink_soft)
        self._text(painter, at.number + 8, y, row.look.number, "ui", theme.ink_soft)

    def _block(self, painter: QPainter, y: int, look: Look) -> None:
        self._word(painter, y, look.sign, look.word, getattr(self._scene.theme, look.sign_colour))

    def _word(self, painter: QPainter, y: int, sign: str, word: str, colour: QColor) -> None:
        """A shape and a word in the column before the words."""
        at = self._scene.columns
        if sign:
            self._shape(painter, sign, at.word, y, colour)
        if word and at.has_words:
            self._text(painter, at.word + SIGN + 4, y, word, "ui", self._scene.theme.ink_soft if sign in _KINDS else colour)

    # -- words -----------------------------------------------------------------------------------------------------------------

    def _what(self, painter: QPainter, y: int, entity: Entity, look: Look, mark: Mark) -> None:
        runs, end = self._fitted(entity, look)
        base = y + self._base
        for run in runs:
            painter.setFont(run.font)
            painter.setPen(run.colour)
            painter.drawText(run.x, base, run.text)
        if mark.gone and runs:
            middle = y + self._scene.columns.height // 2
            painter.fillRect(runs[0].x, middle, end - runs[0].x, 1, self._scene.theme.ink)

    def free(self, row: int) -> tuple[int, int]:
        """The room behind the words of a row of the list, from and to, that no other words stand in."""
        at = self._scene.columns
        if not 0 <= row < self._model.rowCount():
            return at.what, at.what_end
        look = self.look(self._model.entity(row))
        runs, end = self._fitted(self._model.entity(row), look)
        return end + 8, runs[-1].x - 8 if runs and runs[-1].x > end else at.what_end

    def _fitted(self, entity: Entity, look: Look) -> tuple[tuple[Run, ...], int]:
        """The words of a row cut to their room, and where they end."""
        found = self._runs.get(entity)
        if found is not None and found[0] is look:
            return found[1], found[2]
        at, theme = self._scene.columns, self._scene.theme
        x = at.word if entity.kind == STEP else at.what
        end = at.what_end if entity.kind == EXCHANGE or not at.requests_width else at.pips - 10
        runs, x = self._pieces(look.pieces, x, end)
        words_end = x
        if look.side:
            width = self._metrics["ui"].horizontalAdvance(look.side)
            if x + 20 + width <= end:
                runs.append(Run(end - width, look.side, self._fonts["ui"], theme.ink_faint))
        result = tuple(runs)
        if len(self._runs) > 4000:
            self._runs.clear()
        self._runs[entity] = (look, result, words_end)
        return result, words_end

    def _pieces(self, pieces: tuple[Piece, ...], x: int, end: int) -> tuple[list[Run], int]:
        """Words one behind the other; those that give room first, then those at the end. Nothing longer than the room is ever measured."""
        runs: list[Run] = []
        room = end - x
        texts = [piece.text[: int(room / self._narrow[piece.font]) + 2] for piece in pieces]
        widths = [self._metrics[piece.font].horizontalAdvance(text) for piece, text in zip(pieces, texts, strict=True)]
        spare = room - sum(widths)
        for piece, text, natural in zip(pieces, texts, widths, strict=True):
            width = natural
            if piece.gives and spare < 0:  # what comes behind it says more
                width = max(min(natural, room // 2), natural + spare)
            width = min(width, end - x)
            if not text or width < 12:
                continue
            if width < natural:
                cut = text[: int(width / self._narrow[piece.font]) + 2]
                text = self._metrics[piece.font].elidedText(cut, Qt.TextElideMode.ElideRight, width)
            runs.append(Run(x, text, self._fonts[piece.font], getattr(self._scene.theme, piece.colour)))
            x += width
        return runs, x
