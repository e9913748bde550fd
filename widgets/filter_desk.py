"""Filtering and finding in the window: the field in the bar, the line of chips, and steps from one hit to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.model.filter import Node, Test, conjuncts
from app.model.state import Changed, State
from widgets import walk

if TYPE_CHECKING:
    from widgets.filter_bar import FilterBar
    from widgets.main_window import MainWindow


class FilterDesk(QObject):
    """`bar` is the line of chips; it is there while something is filtered, or while the field is used. Made when it is first needed, in
    `place`."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._session = window, window.session
        self._going: bool | None = None  # a step that waits for texts to be looked through: backwards or not
        self._bar: FilterBar | None = None
        self.place = QWidget()
        column = QVBoxLayout(self.place)
        column.setContentsMargins(0, 0, 0, 0)
        self.place.hide()
        self._field = window.bar.field
        self._field.entered.connect(self.enter)
        self._field.left.connect(self.leave)
        self._field.textEdited.connect(self._typed)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_went)

    @property
    def bar(self) -> FilterBar:
        if self._bar is None:
            from widgets.filter_bar import FilterBar

            made = self._bar = FilterBar(self._session, self._window.acts)
            made.narrowed.connect(self._narrow)
            made.first.clicked.connect(self.first)
            layout = self.place.layout()
            assert layout is not None
            layout.addWidget(made)
            before: QWidget = self._field
            for part in (*made.chips, made.first, made.way, made.clear):
                QWidget.setTabOrder(before, part)
                before = part
        return self._bar

    # -- what a person does -----------------------------------------------------------------------------------------------------------

    def enter(self, backwards: bool = False) -> None:
        """Puts what is typed in force and goes to its first hit; what is in force already is stepped through."""
        text = self._field.text()
        if not self._field.pending and text:
            self.step(backwards)
            return
        problem = self._session.filter(text)
        if problem is not None:
            self._field.tell(problem)
            self.bar.tell(problem, text, entered=True)
        elif text.strip():
            self._going = backwards
            self._go_on()

    def step(self, backwards: bool) -> None:
        """To the next hit, or the one before; without a filter the field is offered."""
        known = self._session.state.filter
        if self._field.pending:
            self.enter(backwards)
        elif known is None:
            self._window.bar.focus_find()
        elif known.mask is None:
            self._going = backwards
        else:
            self._window.show_row(walk.hit(self._session.state, backwards))

    def first(self) -> None:
        """To the first block that matches, wherever one is."""
        known, view = self._session.state.filter, self._session.state.view
        if known is not None and known.shown is not None and len(known.shown) and view is not None:
            self._window.show_row(int(view.rows[known.shown[0]]))

    def clear(self) -> None:
        """The span of the chart goes first, then all of it."""
        known = self._session.state.filter
        parts = conjuncts(known.tree if known else None)
        if len(parts) > 1 and any(isinstance(part, Test) and part.name == "span" for part in parts):
            self._session.narrow(("span",), None)
        else:
            self._session.filter("")

    def escape(self) -> bool:
        """What was typed and is not in force goes, else the filter; False where there is neither."""
        if self._field.pending:
            self._field.take_back()
        elif self._session.state.filter is not None:
            self.clear()
        else:
            return False
        return True

    def toggle_way(self) -> None:
        known = self._session.state.filter
        if known is not None:
            self._session.filter_way("mark" if known.way == "only" else "only")

    def find_id(self, row: int = -1) -> None:
        """All places of a block's call id, of the selected one's where no row is named."""
        found = walk.call_id(self._session.state, row)
        if found:
            self._session.filter_by(Test("id", "==", found), "only")

    def span(self, low: int, high: int) -> None:
        """Requests that were chosen on the chart; 0: up to now."""
        self._session.filter_span(low, high or None)

    def leave(self) -> None:
        """Out of the field, to the list."""
        self._window.list.setFocus()

    def _narrow(self, names: tuple[str, ...], test: Node | None) -> None:
        self._session.narrow(names, test)

    def _typed(self, text: str) -> None:
        problem = self._session.problem_of(text) if text.strip() else None
        self._field.tell(problem if problem is not None and problem.start < len(text.rstrip()) else None)
        self.bar.tell(problem, text)
        if not text and self._session.state.filter is not None:  # the field was emptied: nothing is filtered
            self._session.filter("")
        self._follow()

    # -- what is shown ------------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> None:
        if self._bar is not None:
            self._bar.refresh(state, changed)
        if changed & (Changed.FILTER | Changed.DUMP):
            self._window.viewer.pages.mark(words_of(state))
            self._field.put(state.filter.text if state.filter is not None else "")
            self._follow()
        if changed & (Changed.FILTER | Changed.SELECTION | Changed.TRANSCRIPT):
            self._window.bar.show_hits(*walk.hit_number(state))
        if changed & Changed.FILTER and self._going is not None:
            QTimer.singleShot(0, self, self._go_on)  # when all panels have this state

    def retint(self) -> None:
        if self._bar is not None:
            self._bar.retint()

    def _go_on(self) -> None:
        """Goes to the hit that was asked for, once it is known where they are. A selected one is the first."""
        state, backwards = self._session.state, self._going
        if backwards is None or state.filter is None or state.filter.mask is None:
            return
        self._going = None
        if not walk.hit_number(state)[0]:
            self._window.show_row(walk.hit(state, backwards))

    def _follow(self) -> None:
        state = self._session.state
        used = self._field.hasFocus() or self.place.isAncestorOf(QApplication.focusWidget() or self._field)
        needed = state.view is not None and (state.filter is not None or used or self._field.pending)
        if needed:
            self.bar.show()
        self.place.setVisible(needed)

    def _focus_went(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and new.window() is self._window:
            self._follow()


def words_of(state: State) -> str:
    """The words that a filter looks for in blocks; "" where it looks for none, or for a pattern."""
    parts = conjuncts(state.filter.tree) if state.filter is not None else ()
    return next((one.value for one in parts if isinstance(one, Test) and one.name == "text" and isinstance(one.value, str)), "")
