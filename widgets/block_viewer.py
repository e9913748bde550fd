"""One block: what is wrong with it, then its text, JSON, bytes or difference, then what can be done. Plain text always."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from app.model.block import Block
from app.model.errors import InspectorError
from app.model.findings import Finding, Report
from app.model.kinds import Kind
from app.model.state import Changed, State
from app.session import Session
from widgets import block_text, theme
from widgets.actions import waits_for_result
from widgets.block_body import NOTHING, BlockBody
from widgets.block_text import FIRST, MORE, Shown
from widgets.buttons import ElidedButton, button
from widgets.finding_box import FindingBox
from widgets.labels import Elided, Hairline, Word, in_menu, paper
from widgets.visible import line, visible
from widgets.words import carried, counted, exchange_and_step, full, short

TABS = ("Text", "JSON", "Raw", "Diff")
NEEDS = Changed.SELECTION | Changed.TRANSCRIPT | Changed.DUMP | Changed.FINDINGS | Changed.PREVIEW | Changed.TOKENS


class BlockViewer(QWidget):
    """Facts: `fix_preview(finding, index)`, `real_result_wanted()`."""

    fix_preview = Signal(object, int)
    real_result_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("blockViewer")
        self.setAccessibleName("Block")
        self._session = session
        self._row, self._record, self._limit = -1, -1, FIRST
        self._block: Block | None = None
        self._failure = ""  # why the selected row could not be read
        self._raw = b""
        self._findings_of: dict[int, list[Finding]] = {}
        self._report: Report | None = None
        self._key: tuple[object, ...] = ()
        self._sign, self._head = Word(), Elided(mode=Qt.TextElideMode.ElideMiddle)
        self._head.setObjectName("blockViewer.head")
        self._tabs = QButtonGroup(self)
        self.finding = FindingBox()
        self.body = BlockBody()
        self.body.setMinimumHeight(40)  # what is wrong is read before the text that it is about
        self._info = Elided()
        self._info.setObjectName("blockViewer.info")
        self.more = button("Show more", "blockViewer.more", "Show more of this block", "link")
        self.more.clicked.connect(self._show_more)
        self._acts = QHBoxLayout()
        self._lay_out()
        self.setFocusProxy(self.body)
        self.refresh(session.state, Changed.ALL)

    def _lay_out(self) -> None:
        self._band = QWidget()
        head = QHBoxLayout(self._band)
        head.setContentsMargins(12, 4, 8, 2)
        head.setSpacing(4)
        head.addWidget(self._sign)
        head.addWidget(self._head, 1)
        for number, name in enumerate(TABS):
            made = button(name, f"blockViewer.tab_{name.lower()}", f"{name} of the block", "seg")
            made.setCheckable(True)
            made.setChecked(number == 0)
            self._tabs.addButton(made, number)
            head.addWidget(made)
        self._tabs.idClicked.connect(lambda _: self._fill())
        info = QHBoxLayout()
        info.setContentsMargins(12, 1, 8, 1)
        info.addWidget(self._info, 1)
        info.addWidget(self.more)
        self._acts.setContentsMargins(10, 2, 10, 6)
        self._acts.setSpacing(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._band)
        column.addWidget(Hairline())
        column.addWidget(self.finding)
        column.addWidget(self.body, 1)
        column.addLayout(info)
        column.addLayout(self._acts)

    # -- what is shown ------------------------------------------------------------------------------------------------------------

    @property
    def block(self) -> Block | None:
        return self._block

    @property
    def tab(self) -> str:
        return TABS[max(0, self._tabs.checkedId())]

    def show_tab(self, name: str) -> None:
        self._tabs.button(TABS.index(name)).setChecked(True)
        self._fill()

    def refresh(self, state: State, changed: Changed) -> None:
        if not changed & NEEDS:
            return
        if state.report is not self._report:
            self._report = state.report
            self._findings_of = {}
            for finding in state.report.findings if state.report else ():
                self._findings_of.setdefault(finding.row, []).append(finding)
        if changed & (Changed.SELECTION | Changed.DUMP) and (state.selected >= 0 or changed & Changed.DUMP):
            self._record = -1
        key = (state.selected, id(state.transcript), id(state.preview), id(state.report), self._record)
        if key != self._key:
            self._load(state)
            self._key = key
        elif changed & Changed.TOKENS:
            self._tell(state)

    def show_record(self, record: int) -> None:
        """A record that could not be read: its bytes, as they are kept and exported."""
        self._record = record
        self._load(self._session.state)

    def retint(self) -> None:
        self._head_line(self._session.state)
        self.finding.retint()
        self._fill()

    def _load(self, state: State) -> None:
        row = state.selected if self._record < 0 else -1
        if row != self._row or self._record >= 0:
            self._limit = FIRST
        self._row, self._block, self._raw = row, None, b""
        self._failure = ""
        try:
            if self._record >= 0:
                self._raw = self._session.raw_record(self._record)
            elif row >= 0 and state.view is not None and state.view.at(row) >= 0:
                self._block = self._session.block(row)
        except InspectorError as error:
            self._failure = visible(str(error))
        title = self._session.titles().get(state.provider, state.provider)
        self.finding.show_findings(self._findings_of.get(row, []) if self._block else [], title)
        self._head_line(state)
        self._offer()
        self._fill()

    def _head_line(self, state: State) -> None:
        now = theme.current()
        paper(self._band, now.paper_alt)
        self._head.look(now.ink, now.ui_bold)
        block = self._block
        for made in self._tabs.buttons():
            made.setEnabled(block is not None)
        if block is None:
            self._sign.setText("")
            number = self._session.line_of(self._record) if self._record >= 0 else None
            where = f"line {full(number)}" if number else "record"
            unread = self._unread(state) if self._failure and self._record < 0 else "No block selected"
            self._head.setText(f"unparsed {where}, kept and exported as it stands" if self._record >= 0 else unread)
            return
        colour = now.user if block.kind.name == "TEXT" and block.role.name == "USER" else now.kind(block.kind)
        self._sign.setText(theme.USER_GLYPH if colour is now.user else theme.KIND_GLYPHS[block.kind])
        self._sign.look(colour)
        number = self._session.line(block.row)
        name = block.call_id or block.name or ""
        kind = "prompt" if colour is now.user else block.kind.word
        parts = [
            f"{kind} {line(name, 60)}".strip(),
            f"line {full(number)}" if number else "",
            block.pointer or "made by a change, not in the file",
        ]
        self._head.setText("  ·  ".join(part for part in parts if part))

    def _unread(self, state: State) -> str:
        """Which row it is that could not be read, from what the table knows of it."""
        assert state.view is not None
        kind = Kind(int(state.view.kind[state.view.at(self._row)])).word
        number = self._session.line(self._row)
        parts = [kind, exchange_and_step(state, self._row), f"line {full(number)}" if number else "", "could not be read"]
        return "  ·  ".join(part for part in parts if part)

    # -- the body -------------------------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """The tab in front; Raw reads the bytes, Diff decodes the original, both only when they are looked at."""
        if self._block is None and self._record < 0:
            empty = NOTHING
        else:  # the words that the list has for it
            empty = "(empty)" if self._block is not None and self._block.kind != Kind.EMPTY else "(no content)"
        self.body.put(self._content(), empty)
        self._tell(self._session.state)

    def _content(self) -> Shown:
        block = self._block
        if self._failure:
            return Shown(self._failure)
        if self._record >= 0:
            return block_text.raw_of(self._raw, self._limit)
        if block is None:
            return Shown("")
        try:
            if self.tab == "JSON":
                return block_text.json_of(block.value, self._limit)
            if self.tab == "Raw":
                self._raw = self._raw or self._session.raw(block.row)
                return (
                    block_text.raw_of(self._raw, self._limit)
                    if self._raw
                    else Shown("This block was made by a change; the file does not hold it.")
                )
            if self.tab == "Diff":
                return self._difference(block)
        except InspectorError as error:
            return Shown(visible(str(error)))
        return block_text.cut(block_text.text_of(block), self._limit)

    def _difference(self, block: Block) -> Shown:
        coming = block_text.changed_texts(self._session.state, block)
        if coming is not None:
            return block_text.diff_of(block.texts, coming[1], coming[0])
        original = self._session.original(block.row)
        if original is None:
            return block_text.diff_of((), block.texts, "made by a change")
        if original.texts == block.texts and original.value == block.value:
            return Shown("Nothing changes this block.")
        return block_text.diff_of(original.texts, block.texts, "since the file was opened")

    def _show_more(self) -> None:
        self._limit += MORE
        place = self.body.verticalScrollBar().value()
        self._fill()
        self.body.verticalScrollBar().setValue(place)
        if not self.more.isVisible():
            self.body.setFocus()

    def _tell(self, state: State) -> None:
        """The small print: what is not shown, the block's tokens, how many requests carried it."""
        parts = []
        unit = "byte" if self.tab == "Raw" or self._record >= 0 else "character"
        if self.body.shown.left > 0:
            parts.append(f"… {counted(self.body.shown.left, f'more {unit}')}")
        row = self._row
        if self._block is not None and state.tokens is not None and 0 <= row < len(state.tokens.own):
            tokens = int(state.tokens.own[row])
            parts.append(f"{'' if state.tokens.exact[row] else '≈ '}{counted(tokens, 'token')}")
            times = carried(state, row)
            if times > 1 and tokens:
                parts.append(f"carried by {counted(times, 'request')} = {short(tokens * times)}")
        self._info.setText(" · ".join(parts))
        self._info.look(theme.current().ink_soft)
        self.more.setVisible(self.body.shown.left > 0)

    # -- acts -----------------------------------------------------------------------------------------------------------------------

    def _offer(self) -> None:
        """Buttons for the fixes of the finding in front, least lossy first."""
        while self._acts.count():
            item = self._acts.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.setObjectName("")
                widget.hide()
                widget.deleteLater()
        finding = self.finding.finding
        fixes = finding.fixes if finding else ()
        made = [
            ElidedButton(f"{fix.title} ({fix.effect})", f"blockViewer.fix_{n}", f"Preview: {fix.title}, {fix.effect}")
            for n, fix in enumerate(fixes, 1)
        ]
        waits = self._block is not None and waits_for_result(self._session.state)
        if waits:
            real = ElidedButton("Use the real result…", "blockViewer.real_result", "Put in what the tool really answered")
            real.clicked.connect(self.real_result_wanted)
            self._acts.addWidget(real)
            room = self._room([real, *made]) - 1
        else:
            room = self._room(made)
        for index, one in enumerate(made[:room]):
            one.clicked.connect(partial(self.fix_preview.emit, finding, index))
            self._acts.addWidget(one)
        if finding is not None and len(fixes) > room:
            rest = button("Other ways ▾", "blockViewer.more_fixes", "Other ways to fix it")
            rest.clicked.connect(partial(self._open_rest, rest, finding, room))
            self._acts.addWidget(rest)
        self._acts.addStretch(1)
        self._acts.setContentsMargins(10, 2, 10, 6 if fixes or waits else 0)

    def _room(self, made: list[ElidedButton]) -> int:
        """How many buttons have room beside one another; the first always has."""
        left = self.width() - 20
        for number, one in enumerate(made):
            left -= one.sizeHint().width() + 6
            if number and left < (0 if number == len(made) - 1 else 110):
                return number
        return len(made)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._offer()

    def _open_rest(self, at: QWidget, finding: Finding, first: int) -> None:
        menu = QMenu(self)
        for index, fix in enumerate(finding.fixes[first:], first):
            action = menu.addAction(in_menu(f"{fix.title} ({fix.effect})"))
            action.setObjectName(f"blockViewer.fix_{index + 1}")
            action.triggered.connect(partial(self.fix_preview.emit, finding, index))
        menu.popup(at.mapToGlobal(at.rect().bottomLeft()))
