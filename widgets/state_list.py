"""A list that shows a State: its rows, its marks, and its place over new ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from PySide6.QtCore import QRect, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.model.carry import bounds
from app.model.state import Changed, Ghost, State
from app.model.table import Ints
from widgets.block_heads import BlockHeads, Reader
from widgets.exchange_facts import Facts, pips
from widgets.exchange_layout import Layout, carried_over
from widgets.exchange_model import ExchangeModel
from widgets.exchange_tree import EXCHANGE, GHOST, STEP, Entity, Tree
from widgets.flat_table import FlatTable
from widgets.list_header import ListHeader
from widgets.list_kept import Kept
from widgets.list_overlay import Overlay
from widgets.list_places import PlacesOf, find_again, hold
from widgets.list_sieve import Sieve
from widgets.outline import Outline, Places
from widgets.row_columns import Longest, columns
from widgets.row_marks import Marks
from widgets.row_painter import RowPainter
from widgets.row_scene import Scene
from widgets.row_sentences import sentence
from widgets.row_words import RowWords
from widgets.theme import current
from widgets.words import counted, full

OWN = (Changed.DUMP | Changed.TRANSCRIPT | Changed.FINDINGS | Changed.TOKENS | Changed.RANKINGS | Changed.PLAN | Changed.PREVIEW
       | Changed.SELECTION | Changed.TARGET | Changed.FILTER | Changed.SEEN)  # fmt: skip
FEW = 3  # with so many exchanges or fewer the steps are open from the start


class StateList(FlatTable):
    """`refresh` is all that makes it show something. `row_selected` is told for a person's choice only, never for what a state brings."""

    row_selected = Signal(int)  # a row of the table

    def __init__(self, session: Reader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("exchangeView")
        self.setAccessibleName("Exchanges, steps and blocks")
        self.rows = ExchangeModel(self)
        self.rows.sentence = self._sentence
        self._painter = RowPainter(self.rows)
        self._heads = BlockHeads(session)
        self._header = ListHeader(self)
        self.outline = Outline(self._places, self)
        self._state = State()
        self._facts: Facts | None = None
        self._words: RowWords | None = None
        self._sieve = Sieve()
        self._kept: Kept | None = None
        self._made: tuple[Tree, Facts] | None = None  # of the view that will be shown next
        self._as_is = self._silent = self._touched = False
        self._places_of = PlacesOf()
        self._overlay = Overlay()
        self.setModel(self.rows)
        self.setHorizontalHeader(self._header)
        self.setVerticalScrollBar(self.outline)
        self.set_row_height(current().row_height)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._paint_on)
        self._unpainted: list[int] = []  # upper edges of rows that there was no time for
        self._painting_on = False  # whether some of them are to be painted next
        self._moved_on = QTimer(self)
        self._moved_on.setSingleShot(True)
        self._moved_on.timeout.connect(lambda: self._tell_selected(-1))
        self.outline.valueChanged.connect(self._say_above)

    # -- a new state -------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> None:
        """Shows a state. What is open, the current row and the place in the list are kept, by row ids, where the file is the same."""
        old, self._state = self._state, state
        if not changed & OWN:
            return
        if old.dump is not None and old.dump.complete and state.dump is not old.dump and not (state.dump and state.dump.complete):
            self._keep(old)
        if state.view is None:
            self._facts = self._words = self._painter.scene = None
            self._sieve.forget()
            with self._quietly():
                self.rows.set_layout(None, None)
            self._header.set_above("")
            return
        if self._facts is None or (changed & (Changed.DUMP | Changed.TRANSCRIPT) and state.view is not old.view):
            self._rebuild(old, state)
        elif changed & (Changed.FINDINGS | Changed.TOKENS | Changed.TARGET):
            self._facts.set_report(state.report)
            self._facts.set_tokens(state)
            assert self._words is not None
            self._words.forget()
            self._use_scene()
        if changed & (Changed.FILTER | Changed.PREVIEW):
            self._sift()
        self._show_marks()
        moved = changed & Changed.DUMP or state.selected != old.selected or (changed & Changed.SELECTION and not self._sieve.on)
        if moved and state.selected >= 0 and self.rows.row_id(self.current_row()) != state.selected:
            with self._quietly():
                self._show(state.selected)

    def _rebuild(self, old: State, state: State) -> None:
        """Other rows: the layout anew, and in it what was open, current and in view before."""
        assert state.view is not None
        made, self._made = self._made, None
        if made is None or made[1].view is not state.view:
            tree = Tree(state.view)
            made = tree, Facts(tree, state)
        tree = made[0]
        before, rows = self._sieve.plain or self.rows.layout, self._facts.view.rows if self._facts is not None else None
        current, anchor = self.current_row(), self.first_visible()
        anchor = current if current in self.rows_visible() else anchor
        held, held_y = hold(self.rows, current), self.y_of(anchor)
        edge = held if anchor == current else hold(self.rows, anchor)
        same = (old.path, old.chosen) == (state.path, state.chosen) and (self._touched or old.report is not None)
        kept = self._kept if self._kept is not None and self._kept.fits(state) else None
        if state.dump is not None and state.dump.complete:
            self._kept = None
        if kept is not None:  # the file was read anew
            before, rows, held, edge, held_y, same = kept.layout, kept.rows, kept.held, kept.edge, kept.edge_y, True
        if before is not None and rows is not None and same:
            layout = carried_over(before, rows, tree, state.view.rows)
        else:
            layout, held, edge = Layout(tree), None, None
            self._open_few(layout)
            self._touched = False
        self._heads.forget()
        self._facts = made[1]
        self._words = RowWords(self._facts, self._heads)
        layout = self._sieve.over(layout, state, rows if same else None)
        layout.set_ghosts(() if self._sieve.on else Marks(state, self._facts).ghosts)
        there, current = find_again(edge, layout, state.view), find_again(held, layout, state.view)
        self._put_layout(layout, there, current, held_y, measure=True)
        if held is not None and state.selected < 0:  # the selected row went; its neighbour is told when all panels have the new state
            self._moved_on.start(0)

    def ahead(self, state: State) -> Iterator[None]:
        """Makes rows ready that will be shown, a step at each turn."""
        if state.view is None:
            return
        tree = Tree(state.view)
        yield
        linked = pips(state.view)
        yield
        facts = Facts(tree, state, linked)
        yield
        facts.set_tokens(state)
        yield
        facts.most_calls(), facts.most_found(), facts.most_steps, facts.most_blocks  # each is kept
        yield
        bounds(state.view)  # the viewer asks for it
        state.view.at(0)
        self._made = tree, facts

    def _keep(self, old: State) -> None:
        """Remembers how a file was shown that is to be read anew."""
        layout, dump = self._sieve.plain or self.rows.layout, old.dump
        if layout is None or self._facts is None or dump is None or old.transcript is None:
            return
        current, first = self.current_row(), self.first_visible()
        held = hold(self.rows, current)
        anchor = current if current in self.rows_visible() else first
        edge = held if anchor == current else hold(self.rows, anchor)
        place = self.y_of(anchor)
        self._kept = Kept(old.path, old.transcript.id, dump.table, layout, self._facts.view.rows, held, edge, place)

    def _put_layout(self, layout: Layout, edge: int, current: int, edge_y: int, measure: bool = False) -> None:
        """Other rows; `edge` stands at a height in the view, `current` is the current one (-1: none)."""
        with self._quietly():
            self.rows.set_layout(layout, self._facts)
            if measure:
                self._use_scene()
            self.settle()
            self.verticalScrollBar().setValue(edge * self.row_height - edge_y if edge >= 0 else 0)
            self.set_current(current)
        self._painter.pictures.hurry()

    def _sift(self, also: int = -1) -> None:
        """Rows of what the filter leaves, or all again; `also`: a position that has a row all the same."""
        state, layout = self._state, self.rows.layout
        assert layout is not None
        sifted = self._sieve.through(layout, state, also)
        if sifted is None:
            return
        current, rows = self.current_row(), self.rows.rowCount()
        anchor = current if current in self.rows_visible() else min(self.first_visible(), rows - 1)
        sifted.set_ghosts(() if self._sieve.on else Marks(state, self._facts).ghosts if self._facts else ())
        edge = min(sifted.row_of_entity(self.rows.entity(anchor)), max(sifted.rows - 1, 0)) if anchor >= 0 else -1
        held = self.rows.entity(current) if current >= 0 else None
        there = sifted.row_of_entity(held) if held is not None and held.kind != GHOST else -1
        same = 0 <= there < sifted.rows and sifted.entity(there) == held
        self._put_layout(sifted, edge, there if same else -1, self.y_of(anchor))
        selected = state.view.at(state.selected) if state.view is not None and state.selected >= 0 else -1
        if selected >= 0 and self.rows.row_id(self.current_row()) != state.selected:
            with self._quietly():
                if sifted.has_row(selected):
                    self._show(state.selected)
                else:
                    self.set_current(-1)

    def _open_few(self, layout: Layout) -> None:
        real = layout.tree.top_exchange >= 0
        if 0 < int(real.sum()) <= FEW:
            layout.set_level(2)
            layout.open_top[:] = real
            layout.recount()

    def _show_marks(self) -> None:
        """What a plan or a repair makes of the rows; its ghosts take their places and nothing in view moves."""
        scene, layout = self._painter.scene, self.rows.layout
        assert self._facts is not None
        assert scene is not None
        assert layout is not None
        scene.marks = Marks(self._state, self._facts)
        scene.as_is = self._as_is
        ghosts = () if self._sieve.on else scene.marks.ghosts
        if list(map(_ghost_key, ghosts)) != list(map(_ghost_key, layout.ghosts)):
            with self._anchored():
                self.rows.set_ghosts(ghosts)
        scene.hits, scene.marking, scene.seen = self._sieve.hits(self._state), not self._sieve.on, self._seen()
        if scene.theme is not current():
            self._use_scene()
        self._say_above()
        self.viewport().update()
        self.outline.update()

    def _seen(self) -> Ints | None:
        """Positions that the model saw at the request that is looked at."""
        seen, view = self._state.seen, self._state.view
        return np.flatnonzero(seen.mask) if seen is not None and view is not None and len(seen.mask) == len(view) else None

    def _use_scene(self) -> None:
        """Measures the columns: for another theme, width or file."""
        if self._facts is None or self._words is None:
            return
        theme, groups = current(), self._facts.view.groups
        if self.row_height != theme.row_height:
            self.set_row_height(theme.row_height)
        facts = self._facts
        longest = Longest(
            groups.longest, full(max(facts.tokens(0, facts.tree.count), 9_999)),
            f"{max(facts.most_steps, 9):,} req", facts.most_calls(), len(facts.amiss_at) > 0, facts.most_found(),
            facts.most_blocks,
        )  # fmt: skip
        at = columns(theme, self.viewport().width(), longest)
        hits, marking = self._sieve.hits(self._state), not self._sieve.on
        self._painter.use(Scene(theme, at, self._words, Marks(self._state, self._facts), self._as_is, hits, marking, self._seen()))
        self._header.use(theme, at)

    def _show(self, row: int) -> bool:
        view, layout = self._state.view, self.rows.layout
        position = view.at(row) if view is not None else -1
        if position < 0 or layout is None:
            return False
        if not layout.has_row(position):  # the filter leaves it out, and somebody goes to it all the same
            self._sift(also=position)
            layout = self.rows.layout
            assert layout is not None
        tree = layout.tree
        top, child = tree.top_of(position), tree.child_of(position)
        if not tree.folded[child] and not layout.is_open(position):
            with self._quietly():
                self.rows.set_open(Entity(EXCHANGE, top, -1, int(tree.top_first[top]), 0), True)
                if tree.child_step[child] >= 0:
                    self.rows.set_open(Entity(STEP, top, child, int(tree.child_first[child]), 1), True)
                self.settle()
        before = self.current_row()
        self.go(layout.row_of(position))
        self._tell_selected(-1 if before == self.current_row() else self.current_row())
        return True

    def set_level(self, level: int) -> None:
        """Opens everything to exchanges (1), steps (2) or blocks (3)."""
        self._touched = True
        with self._anchored():
            self.rows.set_level(level)

    def _paint_on(self) -> None:
        """As many of the rows that there was no time for as there may be time for now, with what lies over their edges."""
        many, waiting = self._painter.pictures.next_time(), sorted(self._unpainted)
        now, self._unpainted = waiting[:many], waiting[many:]
        if now:
            self._painting_on = True
            height = self.row_height
            self.viewport().update(QRect(0, now[0] - height, self.viewport().width(), now[-1] - now[0] + 3 * height))

    @property
    def unfinished(self) -> bool:
        """Whether rows in view are still to be painted."""
        return bool(self._unpainted) or self._painting_on

    # -- keeping places ------------------------------------------------------------------------------------------------------------

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        """Nothing that happens within is told as a person's choice."""
        before, self._silent = self._silent, True
        try:
            yield
        finally:
            self._silent = before

    @contextmanager
    def _anchored(self) -> Iterator[None]:
        """The current row, where it is in view, else the upper one, stands where it stood; the current row stays current."""
        row, held, layout = self.current_row(), -1, self.rows.layout
        if layout is None or not layout.rows:
            yield
            return
        held = row if row in self.rows_visible() else min(self.first_visible(), layout.rows - 1)
        anchor, y = self.rows.entity(held), self.y_of(held)
        chosen = self.rows.entity(row) if row >= 0 else None
        count = self.rows.rowCount()
        with self._quietly():
            yield
            if self.rows.rowCount() != count:
                self.settle()
            self.verticalScrollBar().setValue(layout.row_of_entity(anchor) * self.row_height - y)
            if chosen is not None:
                self.set_current(layout.row_of_entity(chosen))
        self.viewport().update()
        now = self.rows.entity(self.current_row()) if chosen is not None else None
        if now != chosen and not (now and chosen and now.kind == chosen.kind == GHOST):
            self._moved_on.start(0)

    def _tell_selected(self, before: int) -> None:
        """The current row is another one since what it was in was closed."""
        row = self.current_row()
        if row >= 0 and row != before and self.rows.row_id(row) != self._state.selected and not self._silent:
            self.row_selected.emit(self.rows.row_id(row))

    # -- what others ask for while painting ------------------------------------------------------------------------------------------

    def _sentence(self, entity: Entity) -> str:
        scene, layout = self._painter.scene, self.rows.layout
        if scene is None or layout is None or self._facts is None:
            return ""
        ghost = entity.kind == GHOST
        kind = layout.ghosts[entity.ghost].kind if ghost else int(self._facts.view.kind[entity.position])
        words = sentence(entity, self._painter.look(entity), scene.marks.of(entity), layout, kind)
        hits = scene.hits_in(entity)
        words += "" if scene.saw(entity) else ", not seen by the model at this request"
        return f"{words}, {counted(hits, 'hit')}" if hits > 0 else words

    def _say_above(self) -> None:
        scene, layout = self._painter.scene, self.rows.layout
        if scene is None or layout is None or not layout.rows:
            self._header.set_above("")
            return
        row = min(self.first_visible(), layout.rows - 1)
        self._header.set_above("" if scene.as_is else scene.marks.above(self.rows.entity(row).position))

    def _places(self) -> Places:
        layout, facts, scene = self.rows.layout, self.rows.facts, self._painter.scene
        if layout is None or facts is None or scene is None:
            return Places()
        return self._places_of.find(layout, facts, -1 if scene.as_is else scene.marks.seam, self.current_row(), scene.hits)


def _ghost_key(ghost: Ghost) -> tuple[int, int, str, int, int]:
    return ghost.position, ghost.kind, ghost.text, ghost.tokens, ghost.call_position
