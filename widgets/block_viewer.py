"""One block: what is wrong with it, then its text, JSON, bytes or difference, then what can be done. Plain text always."""

from __future__ import annotations

import json
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
from widgets import block_text, theme, walk
from widgets.actions import waits_for_result
from widgets.block_body import NOTHING
from widgets.block_pages import BlockPages
from widgets.block_text import Shown
from widgets.buttons import ElidedButton, button
from widgets.finding_box import FindingBox
from widgets.labels import Elided, Hairline, Word, in_menu, paper
from widgets.laid_text import Bytes, Text, Whole
from widgets.pictures import Pictures
from widgets.viewer_tools import ViewerTools
from widgets.visible import line, visible
from widgets.word_diff import diff_of
from widgets.words import carried, counted, exchange_and_step, full, short

TABS = ("Text", "JSON", "Raw", "Diff")
TIPS = {
    "Text": "What the model reads of this block", "JSON": "The block as a tree; JSON that stands in a string opens too",
    "Raw": "The record as it stands in the file, byte by byte", "Diff": "What changes make of this block, word by word",
}  # fmt: skip
LOW = 150  # pixels; below, a finding is one line
LONG = 20_000  # characters or bytes from which on the place in them is said
NEEDS = Changed.SELECTION | Changed.TRANSCRIPT | Changed.DUMP | Changed.FINDINGS | Changed.PREVIEW | Changed.TOKENS


class BlockViewer(QWidget):
    """Facts: `fix_preview(finding, index)`, `real_result_wanted()`, `id_wanted(row)`: all places of its call id."""

    fix_preview = Signal(object, int)
    real_result_wanted = Signal()
    id_wanted = Signal(int)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("blockViewer")
        self.setAccessibleName("Block")
        self._session = session
        self._row, self._record = -1, -1
        self._as_is = False
        self._block: Block | None = None
        self._failure = ""  # why the selected row could not be read
        self._raw = b""
        self._findings_of: dict[int, list[Finding]] = {}
        self._report: Report | None = None
        self._key: tuple[object, ...] = ()
        self._sign, self._head = Word(), Elided(mode=Qt.TextElideMode.ElideMiddle)
        self._head.setObjectName("blockViewer.head")
        self.places = button("", "blockViewer.places", "All places of the call id", "link")
        self.places.setToolTip("Filter the list by this call id")
        self.places.clicked.connect(lambda: self.id_wanted.emit(self._row))
        self._tabs = QButtonGroup(self)
        self.finding = FindingBox()
        self.pages = BlockPages(session)
        self.body = self.pages.body
        self.pictures = Pictures()
        self.tools = ViewerTools()
        self._info = Elided()
        self._info.setObjectName("blockViewer.info")
        self._acts = QHBoxLayout()
        self._lay_out()
        self.setFocusProxy(self.pages)
        self.pages.moved.connect(self._moved)
        self.tools.changed.connect(self._show_again)
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
            made.setToolTip(TIPS[name])
            made.setChecked(number == 0)
            self._tabs.addButton(made, number)
            head.addWidget(made)
        self._tabs.idClicked.connect(lambda _: self._fill())
        info = QHBoxLayout()
        info.setContentsMargins(12, 1, 8, 1)
        info.addWidget(self._info, 1)
        info.addWidget(self.places)
        info.addWidget(self.tools)
        self._acts.setContentsMargins(10, 2, 10, 6)
        self._acts.setSpacing(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._band)
        column.addWidget(Hairline())
        column.addWidget(self.finding)
        column.addWidget(self.pictures)
        column.addWidget(self.pages, 1)
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
        self.pages.bar.retint()
        self._fill()

    def show_as_is(self, on: bool, state: State) -> None:
        """Shows the block as the file has it, without what changes made of it (held down: blink). `state`: what is shown then."""
        if on != self._as_is:
            self._as_is = on
            place = self.body.place
            self._load(state)
            if self.body.whole.size and not self.body.shown.text:
                self.body.show_place(place)

    def _load(self, state: State) -> None:
        row = state.selected if self._record < 0 else -1
        self._row, self._block, self._raw = row, None, b""
        self._failure = ""
        try:
            if self._record >= 0:
                self._raw = self._session.raw_record(self._record)
            elif row >= 0 and state.view is not None and state.view.at(row) >= 0:
                self._block = self._session.original(row) if self._as_is else self._session.block(row)
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
        block, times = self._block, walk.places_of_id(state, self._row)
        self.places.setVisible(block is not None and times > 0)
        self.places.setText(f"id in {counted(times, 'place')}")
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
        if self.tab == "JSON" and self._block is not None and not self._failure:
            self.pages.show_tree(self._row, self._block.value, self._block.pointer or "")
        else:
            shown = self._content()
            self.pages.show_text(shown, empty, self._block_in(shown))
        pictured = self._block is not None and self._block.media and self.tab == "Text"
        self.pictures.put(self._block.value if pictured and self._block is not None else None)
        self.tools.show_for(self.body.laid, True)
        self.tools.setVisible(not self.pages.in_tree)
        self._tell(self._session.state)

    def _content(self) -> Shown | Whole:
        block = self._block
        if self._failure:
            return Shown(self._failure)
        if self._record >= 0:
            return Bytes(self._raw, self.tools.marks.isChecked(), self._offset(self._record))
        if block is None:
            return Shown("")
        try:
            if self.tab == "Raw":
                self._raw = self._raw or self._session.raw(block.row)
                if not self._raw:
                    return Shown("This block was made by a change; the file does not hold it.")
                return Bytes(self._raw, self.tools.marks.isChecked(), self._offset(block.record))
            if self.tab == "Diff":
                return self._difference(block)
        except InspectorError as error:
            return Shown(visible(str(error)))
        return Text(block_text.text_of(block), self.tools.marks.isChecked(), self.tools.codes)

    def _block_in(self, shown: Shown | Whole) -> int:
        """Where in a long record its block begins, as nearly as its id or its first words tell."""
        block = self._block
        if not isinstance(shown, Bytes) or block is None or shown.size < LONG // 10:
            return 0
        head = json.dumps((block.text or block.name or "")[:60], ensure_ascii=False)[1:-1]
        for words in (block.call_id or "", head):
            at = shown.data.find(words.encode("utf-8", "surrogatepass")) if len(words) > 3 else -1
            if at >= 0:
                return max(0, at - 60)
        return 0

    def _offset(self, record: int) -> int:
        """Where a record begins in the file, in bytes."""
        dump = self._session.state.dump
        return int(dump.table.records.offset[record]) if dump is not None and 0 <= record < len(dump.table.records) else 0

    def _taken_out(self) -> bool:
        """Whether the dump was unpacked: offsets are then those of the text that stands for the file."""
        dump = self._session.state.dump
        return dump is not None and dump.source is not None and dump.source.stand_in is not None

    def _difference(self, block: Block) -> Shown:
        coming = block_text.changed_texts(self._session.state, block)
        if coming is not None:
            return diff_of(block.texts, coming[1], coming[0])
        original = self._session.original(block.row)
        if original is None:
            return diff_of((), block.texts, "made by a change")
        if original.texts == block.texts and original.value == block.value:
            return Shown("Nothing changes this block.")
        return diff_of(original.texts, block.texts, "since the file was opened")

    def _show_again(self) -> None:
        """The same text in another way, from the same place on."""
        shown = self._content()
        if not isinstance(shown, Shown):
            self.body.look_at(shown, self.body.placeholderText(), self.body.place)

    def _moved(self) -> None:
        if not self.pages.in_tree:
            self.tools.show_for(self.body.laid, False)
        self._tell(self._session.state)

    def _tell(self, state: State) -> None:
        """The small print: the place in a long text, the block's tokens, how many requests carried it."""
        parts = []
        whole = self.body.whole
        if self.pages.in_tree:
            parts.append(self.pages.json.copied("path"))
        elif isinstance(whole, Bytes) and whole.size and not self.body.shown.text:
            caret = self.body.caret
            where = "of the unpacked text" if self._taken_out() else "of the file"
            parts.append(f"byte {full(whole.first + caret)} {where}, {full(caret)} of {full(whole.size)} in this record")
        elif whole.size > LONG:
            parts.append(f"at {full(self.body.place)} of {counted(whole.size, whole.unit)}")
        row = self._row
        if self._block is not None and state.tokens is not None and 0 <= row < len(state.tokens.own):
            tokens = int(state.tokens.own[row])
            parts.append(f"{'' if state.tokens.exact[row] else '≈ '}{counted(tokens, 'token')}")
            times = carried(state, row)
            if times > 1 and tokens:
                parts.append(f"carried by {counted(times, 'request')} = {short(tokens * times)}")
        if self._as_is:
            parts.insert(0, "as the file is")
        self._info.setText(" · ".join(parts))
        self._info.look(theme.current().ink_soft)

    # -- acts -----------------------------------------------------------------------------------------------------------------------

    def _offer(self) -> None:
        """Buttons for the fixes of the finding in front, least lossy first. Who was at one of them goes on in the block."""
        focus = self.focusWidget()
        if focus is not None and self._acts.indexOf(focus) >= 0:
            self.pages.page.setFocus()
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
        self.finding.be_brief(self.height() < theme.scaled(LOW))
        if event.size().width() != event.oldSize().width():
            self._offer()

    def _open_rest(self, at: QWidget, finding: Finding, first: int) -> None:
        menu = QMenu(self)
        for index, fix in enumerate(finding.fixes[first:], first):
            action = menu.addAction(in_menu(f"{fix.title} ({fix.effect})"))
            action.setObjectName(f"blockViewer.fix_{index + 1}")
            action.triggered.connect(partial(self.fix_preview.emit, finding, index))
        menu.popup(at.mapToGlobal(at.rect().bottomLeft()))
