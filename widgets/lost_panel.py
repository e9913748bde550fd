"""What the shown plan loses: one line that sums up, and below it, when opened, each thing with its place, its uses and why it counts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from app.model.lost import KIND_WORDS, Lost, LostItem, Superseded, sentence
from app.model.state import State
from widgets import theme
from widgets.buttons import button
from widgets.labels import Elided, plain
from widgets.lines import Line, LineList
from widgets.visible import line
from widgets.words import counted, exchange_and_step, full, short

ROOM = 400  # pixels that the tabs above the block take while a long list is open
FIXED = 322  # of these, what the table and all around it take
BLOCK, LIST = 196, 120  # pixels that stay for the block, or for the list
BY = {"person": "the person", "result": "a result", "model": "the model", "other": "the transcript"}
WHY = (
    "a constraint of the person's that goes; an identifier, path, number or name whose source goes while something that stays uses it; "
    "a call that would be made again"
)
_FREE = "superseded"


class LostPanel(QWidget):
    """Facts: `row_wanted(int)`; `pins_wanted(object)`: exchanges, by index, that would keep what is lost; `opened(bool)`."""

    row_wanted = Signal(int)
    pins_wanted = Signal(object)
    opened = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lostPanel")
        self.setAccessibleName("What is lost")
        self._state = State()
        self._lost: Lost | None = None
        self._open_free = self._wanted = False
        self._before: list[int] = []  # where the splitter stood before the list was opened
        self.fold = button("▸", "lostPanel.fold", "Show what is lost", "flat")
        self.fold.clicked.connect(self.toggle)
        self.said = Elided()
        self.said.setObjectName("lostPanel.said")
        self.where = button("Where it is used", "lostPanel.where", "Go to the first place that uses it, then to the next", "link")
        self.where.clicked.connect(self._go_on)
        self.pin = button("Pin it", "lostPanel.pin", "Pin the exchange that states it", "link")
        self.pin.clicked.connect(lambda: self._pin(self._one()))
        self.pin_all = button("Pin these", "lostPanel.pin_all", "Pin the exchanges that state what is lost", "link")
        self.pin_all.clicked.connect(lambda: self._pin(self._all()))
        head = QHBoxLayout()
        head.setContentsMargins(6, 0, 8, 0)
        head.setSpacing(4)
        head.addWidget(self.fold)
        head.addWidget(self.said, 1)
        head.addWidget(self.where)
        head.addWidget(self.pin)
        head.addWidget(self.pin_all)
        self.list = LineList("lostPanel.list", "What is lost, what matters most first")
        self.list.hide()
        self.list.current.connect(self._picked)
        self.list.opened.connect(self._jump)
        self.list.folded.connect(self._fold_free)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        self.setFocusProxy(self.fold)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.retint()

    # -- what is shown ------------------------------------------------------------------------------------------------------------

    def put(self, state: State, found: Lost | None, waiting: str = "") -> None:
        """What the shown plan loses; None where that is not known, `waiting` says why."""
        same = found is self._lost and state.pinned == self._state.pinned
        self._state = state
        if not same:
            self._lost = found
            self._fill()
        words = waiting if found is None else f"Lost: {sentence(found)}"
        free = found.superseded_count if found is not None else 0
        self.said.setText(words + (f" · {counted(free, 'result')} superseded, which costs nothing" if free else ""))
        self.said.look(self._ink(found), theme.current().ui)
        self._offer()

    def _ink(self, found: Lost | None) -> QColor:
        look = theme.current()
        return look.ink_soft if found is None or not found.total else look.warning if found.counts.get("constraint") else look.ink

    def retint(self) -> None:
        self.fold.setFixedWidth(theme.scaled(20))
        self.said.look(self._ink(self._lost), theme.current().ui)
        self.fold.setToolTip(plain(WHY))

    def toggle(self) -> None:
        """Where nothing is lost, the line has said all there is."""
        if not (self._lost is not None and not self.list.lines.lines):
            self.open(not self._wanted)

    def open(self, on: bool = True) -> None:
        """Shows the list, and gives it room for as long as it is shown and holds something."""
        self._wanted = on
        self._arrange()
        if on == self.list.isVisibleTo(self):
            (self.list if on else self.fold).setFocus()

    def _arrange(self) -> None:
        """The list is as high as what it holds, at most; where that is nothing, it takes no room. While that is looked for, it waits."""
        lines, there = len(self.list.lines.lines), not self.list.isHidden()
        self.fold.setEnabled(bool(lines) or self._lost is None)
        if lines:
            self.list.setMaximumHeight(lines * self.list.verticalHeader().defaultSectionSize() + 2)
        self._fit()
        on = self._wanted and (bool(lines) or (self._lost is None and there))
        if on != there:
            self._show_list(on)
        elif on and lines:
            self._make_room(True)

    def _fit(self) -> None:
        """No higher than its line and its list: what is left is the table's."""
        high = self.list.maximumHeight() + 2 if not self.list.isHidden() else 0
        self.setMaximumHeight(max(self.fold.sizeHint().height(), self.pin.sizeHint().height(), self.said.sizeHint().height()) + high)

    def _show_list(self, on: bool) -> None:
        if not on and self.list.hasFocus():
            self.fold.setFocus()
        self.list.setVisible(on)
        self._fit()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding if on else QSizePolicy.Policy.Fixed)
        self.fold.setText("▾" if on else "▸")
        self.fold.setAccessibleName("Hide what is lost" if on else "Show what is lost")
        self._make_room(on)
        self._offer()
        self.opened.emit(on)
        if on and self.list.line is None:
            self.list.selectRow(0)

    def _make_room(self, on: bool) -> None:
        """The column's splitter is moved while the list is open, where it stands upright and was not moved since."""
        inner: QWidget = self
        at = self.parentWidget()
        while at is not None and not (isinstance(at, QSplitter) and at.orientation() == Qt.Orientation.Vertical):
            inner, at = at, at.parentWidget()
        if not isinstance(at, QSplitter) or at.count() != 2:
            return
        sizes, mine = at.sizes(), at.indexOf(inner)
        if on:
            # what is left for the block below it, or, in a narrow window, for the list above it
            rest = min(theme.scaled(BLOCK), sum(sizes) * 2 // 5) if mine == 0 else LIST
            wanted = min(self.room(), sum(sizes) - rest)
            if sizes[mine] < wanted:
                self._before = self._before or sizes
                rest = sum(sizes) - wanted
                at.setSizes([wanted, rest] if mine == 0 else [rest, wanted])
        elif self._before:
            at.setSizes(self._before)
            self._before = []

    def room(self) -> int:
        """Pixels that the tabs need so that the table and the list are seen, and no more than `ROOM` of them."""
        return min(theme.scaled(ROOM), theme.scaled(FIXED) + self.list.maximumHeight())

    def _fill(self) -> None:
        found = self._lost
        value = self.list.line.value if self.list.line else None
        lines = [self._line(item) for item in found.items] if found is not None else []
        if found is not None and found.left_out:
            lines.append(Line(f"{full(found.left_out)} more that matter less are not listed", dim=True))
        if found is not None and found.superseded_count:
            lines += self._free_lines(found)
        self.list.put(lines, value)
        self._arrange()

    def _line(self, item: LostItem) -> Line:
        place = exchange_and_step(self._state, item.stated)
        uses = [exchange_and_step(self._state, row).split(" · ")[-1] for row in item.used[:3]]
        more = f" and {full(item.uses - len(uses))} more" if item.uses > len(uses) else ""
        by = "worked on by a call" if item.kind == "path" and item.by == "model" else f"stated by {BY[item.by]}"
        used = f"{by}, used in {', '.join(dict.fromkeys(uses))}{more}"
        return Line(
            title=line(item.words, 300),
            detail=used if uses and item.kind != "call" else item.why,
            right=place,
            mark=KIND_WORDS[item.kind][0],
            mark_colour="warning" if item.kind == "constraint" else "ink_soft",
            icon="warning" if item.kind == "constraint" else "note",
            colour="warning" if item.kind == "constraint" else "ink_faint",
            bold=item.kind == "constraint",
            value=item,
        )

    def _free_lines(self, found: Lost) -> list[Line]:
        words = "the same call was made again and that result stays: losing these costs nothing"
        head = Line(
            f"{counted(found.superseded_count, 'result')} superseded", words, f"−{short(found.superseded_tokens)}", dim=True,
            fold=self._open_free, value=_FREE,
        )  # fmt: skip
        if not self._open_free:
            return [head]
        rows = [
            Line(
                f"made again in {exchange_and_step(self._state, one.again)}",
                "and said the same" if one.same else "and said something else: this one is out of date",
                exchange_and_step(self._state, one.row), level=1, dim=True, value=one,
            )
            for one in found.superseded
        ]  # fmt: skip
        return [head, *rows]

    # -- acts ---------------------------------------------------------------------------------------------------------------------

    def _selected(self) -> LostItem | None:
        value = self.list.line.value if self.list.line and not self.list.isHidden() else None
        return value if isinstance(value, LostItem) else None

    def _offer(self) -> None:
        item = self._selected()
        self.where.setVisible(item is not None and bool(item.used))
        one, all_ = self._one(), self._all()
        self.pin.setVisible(bool(one) and one != all_)
        self.pin_all.setVisible(bool(all_))
        for made, wanted, words in ((self.pin, one, "Pin {}"), (self.pin_all, all_, "Pin all {}")):
            self._say(made, wanted, words)

    def _say(self, made: QPushButton, wanted: list[int], words: str) -> None:
        view = self._state.view
        if not wanted or view is None:
            return
        labels = [view.groups.label(exchange) for exchange in wanted]
        names = ", ".join(labels[:30]) + (" …" if len(labels) > 30 else "")
        made.setText(f"Pin {labels[0]}" if len(labels) == 1 else words.format(full(len(labels))))
        made.setToolTip(plain(f"no strategy touches {names} any more, so what is stated there stays"))
        made.setAccessibleName(f"Pin {names}: what is stated there stays")

    def _one(self) -> list[int]:
        """The exchange that would have to be pinned for the selected item."""
        item = self._selected()
        return self._exchanges([item]) if item is not None else []

    def _all(self) -> list[int]:
        """Those of all that is listed."""
        return self._exchanges(self._lost.items if self._lost is not None else ())

    def _exchanges(self, items: Sequence[LostItem]) -> list[int]:
        view = self._state.view
        if view is None:
            return []
        found = {int(view.groups.exchange[at]) for one in items if (at := view.at(one.stated)) >= 0}
        return sorted(one for one in found if one >= 0 and one not in self._state.pinned)

    def _pin(self, wanted: list[int]) -> None:
        if wanted:
            self.pins_wanted.emit(wanted)

    def _picked(self, value: object) -> None:
        self._offer()
        if self.list.hasFocus():
            self._jump(value)

    def _jump(self, value: object) -> None:
        """To where it is stated."""
        value = self.list.line.value if value is None and self.list.line else value
        if isinstance(value, LostItem):
            self.row_wanted.emit(value.stated)
        elif isinstance(value, Superseded):
            self.row_wanted.emit(value.row)
        elif value == _FREE:
            self._fold_free(value)

    def _go_on(self) -> None:
        """To the next place that uses it, and from the last one back to where it is stated."""
        item = self._selected()
        if item is None:
            return
        round_ = [item.stated, *item.used]
        at = round_.index(self._state.selected) if self._state.selected in round_ else 0
        self.row_wanted.emit(round_[(at + 1) % len(round_)])

    def _fold_free(self, value: object) -> None:
        if value == _FREE:
            self._open_free = not self._open_free
            self._fill()
            self.list.select_value(_FREE)
