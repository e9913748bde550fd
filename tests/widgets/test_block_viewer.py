"""The block: finding first, then tabs, then acts; bytes and originals are read only when they are looked at."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.model.block import Block
from app.model.errors import InspectorError, UnreadableError
from app.model.kinds import Kind, Role
from app.model.state import Changed, State
from tests.widgets.desk import DeskSession, change, found, report
from tests.widgets.states import broken_state, row_of, small_state
from widgets import theme
from widgets.block_body import NOTHING
from widgets.block_viewer import TABS, BlockViewer


class Desk:
    def __init__(self, qtbot: QtBot, state: State) -> None:
        self.session = DeskSession(state)
        self.viewer = BlockViewer(self.session)  # type: ignore[arg-type]
        qtbot.addWidget(self.viewer)
        self.viewer.resize(568, 290)
        self.viewer.show()

    def put(self, state: State, changed: Changed) -> None:
        self.session.state = state
        self.viewer.refresh(state, changed)

    @property
    def body(self) -> str:
        return self.viewer.body.toPlainText()

    @property
    def head(self) -> str:
        return self.viewer._head.text()

    def seen(self, name: str) -> QPushButton:
        return self.viewer.findChild(QPushButton, name)  # type: ignore[return-value]


def test_nothing_selected(qtbot: QtBot) -> None:
    desk = Desk(qtbot, small_state())
    assert desk.viewer.objectName() == "blockViewer"
    assert (desk.head, desk.body) == ("No block selected", "")
    assert not desk.seen("blockViewer.tab_text").isEnabled()


def test_a_result_with_its_finding(qtbot: QtBot) -> None:
    state = broken_state()
    row = row_of(state, "toolu_01B")
    fixes = (change("Use the real call", "exact"), change("Drop the result"))
    words = "messages.0.content.1: unexpected `tool_use_id` found"
    finding = found(row=row, message="no tool call with this id", provider_error=words, reason="a pass cut here", fixes=fixes)
    state = state.with_(report=report("reject", [finding]), selected=row)
    desk = Desk(qtbot, state)
    assert desk.head.startswith("tool result toolu_01B  ·  /messages/")
    assert desk.body == '{"name":"Acme Ltd","tier":"gold"}'
    box = desk.viewer.finding
    assert box.isVisible()
    assert box._rule.text() == "tool-result-orphan"
    assert box._words.text() == f"Anthropic would say: {words}"
    assert box._why.text() == "Why: a pass cut here"
    button = desk.seen("blockViewer.fix_1")
    assert button.text() == "Use the real call (exact)"
    with qtbot.waitSignal(desk.viewer.fix_preview) as caught:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert caught.args[0] is finding
    assert caught.args[1] == 0
    assert "13 tokens" in desk.viewer._info.text() or "tokens" in desk.viewer._info.text()


def test_several_findings_are_turned_over(qtbot: QtBot) -> None:
    state = small_state()
    row = row_of(state, "c2")
    findings = [found("a", row=row), found("b", row=row, severity="warning")]
    desk = Desk(qtbot, state.with_(report=report("reject", findings), selected=row))
    assert desk.seen("blockViewer.next_finding").text() == "1 of 2 ▸"
    qtbot.mouseClick(desk.seen("blockViewer.next_finding"), Qt.MouseButton.LeftButton)
    assert desk.viewer.finding.finding is findings[1]


def test_fixes_without_room_are_behind_one_button(qtbot: QtBot) -> None:
    state = small_state()
    row = row_of(state, "c2")
    fixes = tuple(change(f"A way number {n} that has rather many words in its title") for n in range(4))
    desk = Desk(qtbot, state.with_(report=report("reject", [found(row=row, fixes=fixes)]), selected=row))
    assert desk.seen("blockViewer.fix_1").isVisible()
    assert desk.seen("blockViewer.more_fixes").isVisible()


def test_tabs_by_key_and_name(qtbot: QtBot) -> None:
    state = small_state()
    desk = Desk(qtbot, state.with_(selected=row_of(state, "c2")))
    assert desk.viewer.tab == "Text"
    assert desk.session.raws == 0
    for name in TABS:
        button = desk.seen(f"blockViewer.tab_{name.lower()}")
        assert button.accessibleName() == f"{name} of the block"
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Space)
        assert desk.viewer.tab == name
    assert desk.session.raws == 1


def test_a_block_that_nothing_changes_says_so(qtbot: QtBot) -> None:
    state = small_state()
    desk = Desk(qtbot, state.with_(selected=row_of(state, "c2")))
    desk.viewer.show_tab("Diff")
    assert desk.body == "Nothing changes this block."


def test_a_changed_block_shows_both_sides(qtbot: QtBot) -> None:
    state = small_state()
    row = row_of(state, "c2")
    desk = Desk(qtbot, state.with_(selected=row))
    block = desk.session.block(row)
    desk.session.originals[row] = replace(block, texts=("old words",))
    desk.viewer.show_tab("Diff")
    assert "− old words" in desk.body
    assert f"+ {block.text}" in desk.body
    assert len(desk.viewer.body.extraSelections()) >= 3


def test_a_block_that_a_change_made(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    state = small_state()
    row = row_of(state, "c2")
    made = Block(row, Kind.TOOL_RESULT, "tool_result", Role.USER, ("[no result recorded; the call may have run]",), call_id="c2")
    monkeypatch.setattr(DeskSession, "block", lambda self, row: made)
    monkeypatch.setattr(DeskSession, "original", lambda self, row: None)
    monkeypatch.setattr(DeskSession, "raw", lambda self, row: b"")
    desk = Desk(qtbot, state.with_(selected=row))
    assert desk.head == "tool result c2  ·  made by a change, not in the file"
    desk.viewer.show_tab("Raw")
    assert desk.body == "This block was made by a change; the file does not hold it."
    desk.viewer.show_tab("Diff")
    assert "+ [no result recorded; the call may have run]" in desk.body


def long_desk(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, text: str) -> Desk:
    state = small_state()
    row = row_of(state, "c2")
    monkeypatch.setattr(DeskSession, "block", lambda self, row: Block(row, Kind.TEXT, "text", Role.USER, (text,), value=text))
    return Desk(qtbot, state.with_(selected=row))


def test_a_long_text_is_looked_at_through_a_window_that_moves_along(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(f"line {n} of many" for n in range(60_000))
    desk = long_desk(qtbot, monkeypatch, text)
    body = desk.viewer.body
    assert desk.viewer._info.text().startswith(f"at 0 of {len(text):,} characters")
    assert len(desk.body) < 30_000
    assert body.whole_bar.isVisible()
    seen = []
    for _ in range(200):
        body.verticalScrollBar().setValue(body.verticalScrollBar().value() + body.verticalScrollBar().pageStep() - 2)
        seen.append(body.place)
    assert seen == sorted(seen)
    assert len(set(seen)) == 200  # it goes on and on
    assert max(b - a for a, b in pairwise(seen)) < 1_200  # and leaves nothing out
    body.whole_bar.setValue(500_000)
    assert text[body.place : body.place + 12] in desk.body
    assert abs(body.place - 500_000) < 40
    qtbot.keyClick(body, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert desk.body.endswith("line 59999 of many")
    qtbot.keyClick(body, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert body.place == 0


def test_what_is_copied_is_what_the_dump_has(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "pay\u202e me\u200b\n" + "x" * 30_000
    desk = long_desk(qtbot, monkeypatch, text)
    body = desk.viewer.body
    cursor = body.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(len("pay‹U+202E› me‹U+200B›"), cursor.MoveMode.KeepAnchor)
    body.setTextCursor(cursor)
    assert body.createMimeDataFromSelection().text() == "pay\u202e me\u200b"
    qtbot.keyClick(body, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert body.createMimeDataFromSelection().text() == text


def test_a_search_within_the_block_counts_and_goes_round(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "filler\n" * 300_000 + "needle one\n" + "filler\n" * 100_000 + "NEEDLE two"
    desk = long_desk(qtbot, monkeypatch, text)
    bar = desk.viewer.pages.bar
    desk.viewer.body.setFocus()
    qtbot.keyClicks(desk.viewer.body, "/")
    assert bar.isVisible()
    qtbot.keyClicks(bar.field, "needle")
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 2")
    assert "needle one" in desk.body
    assert abs(desk.viewer.body.place - text.index("needle")) < 400
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text() == "2 of 2"
    assert desk.body.endswith("NEEDLE two")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.text() == "1 of 2"
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert not any(mark.format.background().color() == theme.current().blue for mark in desk.viewer.body.extraSelections())


def test_hidden_characters_can_be_left_as_they_are(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = long_desk(qtbot, monkeypatch, "a\u200bb \x1b[31mred\x1b[0m")
    tools = desk.viewer.tools
    assert tools.marks.isVisible()
    assert tools.pick.isVisible()
    assert desk.body == "a‹U+200B›b red"
    qtbot.mouseClick(tools.marks, Qt.MouseButton.LeftButton)
    assert desk.body == "a\u200bb red"
    tools.use("text")
    assert desk.body == "a\u200bb ‹ESC›[31mred‹ESC›[0m"
    assert desk.viewer.body.named(5) == "U+001B ESCAPE"


def test_a_link_is_copied_and_never_followed(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = long_desk(qtbot, monkeypatch, "see https://example.com/a?b=1 for more")
    assert desk.viewer.body.link_at(10) == "https://example.com/a?b=1"
    assert desk.viewer.body.link_at(1) == ""


def test_the_tree_opens_json_that_stands_in_a_string(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"type": "tool_result", "content": '{"rows":[1,2],"a":1,"a":2}'}
    block = Block(7, Kind.TOOL_RESULT, "tool_result", Role.USER, (value["content"],), pointer="/messages/2/content/0", value=value)
    monkeypatch.setattr(DeskSession, "block", lambda self, row: block)
    state = small_state()
    desk = Desk(qtbot, state.with_(selected=row_of(state, "c2")))
    desk.viewer.show_tab("JSON")
    view = desk.viewer.pages.json
    model = view.tree
    text = model.index(1, 1)
    assert model.data(text).startswith("JSON in a string, 2 levels deep: {")
    inner = model.index(1, 0)
    assert view.isExpanded(inner)
    keys = [model.data(model.index(row, 0, inner)) for row in range(3)]
    assert keys == ["rows", "a  (stands twice)", "a  (stands twice)"]
    view.setCurrentIndex(model.index(1, 0, model.index(0, 0, inner)))
    assert view.copied("path") == ".content|fromjson.rows[1]"
    assert view.copied("pointer") == "/messages/2/content/0/content"
    assert view.copied("value") == "2"
    assert desk.viewer._info.text().startswith(".content|fromjson.rows[1]")
    view.setCurrentIndex(inner)
    assert view.copied("value") == value["content"]


def test_12_mb_on_one_line_does_not_block(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    state = small_state()
    row, other = row_of(state, "c2"), row_of(state, "c3")
    text = "x" * 12_000_000
    block = Block(row, Kind.TOOL_RESULT, "tool_result", Role.USER, (text,), value={"content": text})
    small = DeskSession.block
    monkeypatch.setattr(DeskSession, "block", lambda self, at: block if at == row else small(self, at))
    desk = Desk(qtbot, state.with_(selected=other))
    desk.viewer.grab()
    for tab in ("Text", "JSON", "Diff"):
        desk.viewer.show_tab(tab)
        desk.put(state.with_(selected=other), Changed.SELECTION)
        start = time.perf_counter()
        desk.put(state.with_(selected=row), Changed.SELECTION)
        desk.viewer.grab()
        assert time.perf_counter() - start < 0.25


def test_hidden_characters_are_seen_and_tinted(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    state = small_state()
    row = row_of(state, "c2")
    monkeypatch.setattr(DeskSession, "block", lambda self, row: Block(row, Kind.TEXT, "text", Role.USER, ("😀 <b>pay\u202e\u200b</b>",)))
    desk = Desk(qtbot, state.with_(selected=row))
    assert desk.body == "😀 <b>pay‹U+202E›‹U+200B›</b>"
    marks = desk.viewer.body.document().firstBlock().layout().formats()
    tinted = [desk.body.encode("utf-16-le")[2 * mark.start : 2 * (mark.start + mark.length)].decode("utf-16-le") for mark in marks]
    assert tinted == ["‹U+202E›", "‹U+200B›"] or tinted == ["‹U+202E›‹U+200B›"]
    assert desk.viewer.body.named(len("😀 <b>pay")).startswith("U+202E RIGHT-TO-LEFT OVERRIDE")


def test_what_cannot_be_read_is_said_in_its_place(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(self: DeskSession, row: int) -> Block:
        raise UnreadableError("dump.json: the file has shrunk; open it again")

    monkeypatch.setattr(DeskSession, "block", gone)
    state = small_state()
    desk = Desk(qtbot, state.with_(selected=row_of(state, "c2")))
    assert desk.body == "dump.json: the file has shrunk; open it again"


def test_an_unparsed_record_is_shown_as_its_bytes(qtbot: QtBot) -> None:
    state = small_state()
    desk = Desk(qtbot, state.with_(selected=row_of(state, "c2")))
    desk.session.records[9] = b'{"type":"assistant","mess\x00'
    desk.session.lines[9] = 27
    desk.viewer.show_record(9)
    assert desk.head == "unparsed line 27, kept and exported as it stands"
    assert desk.body == '{"type":"assistant","mess‹NUL›'
    desk.put(desk.session.state.with_(selected=row_of(state, "c3")), Changed.SELECTION)
    assert desk.head.startswith("tool call c3")


def test_nothing_is_decoded_where_nothing_is_new(qtbot: QtBot) -> None:
    state = small_state()
    desk = Desk(qtbot, state.with_(selected=row_of(state, "c2")))
    reads = desk.session.reads
    for what in (Changed.PLAN, Changed.CHECKED | Changed.RANKINGS, Changed.TOKENS, Changed.FINDINGS, Changed.SELECTION):
        desk.put(desk.session.state, what)
    assert desk.session.reads == reads


def test_a_dropped_row_shows_nothing(qtbot: QtBot) -> None:
    state = small_state()
    desk = Desk(qtbot, state.with_(selected=10_000))
    assert desk.head == "No block selected"


def test_a_row_that_cannot_be_read_is_named_all_the_same(qtbot: QtBot) -> None:
    state = small_state()
    row = row_of(state, "c2")
    desk = Desk(qtbot, state)

    def gone(row: int) -> Block:
        raise InspectorError("a.json is shorter than it was\u202e; open it again")

    desk.session.block = gone  # type: ignore[method-assign]
    desk.put(state.with_(selected=row), Changed.SELECTION)
    assert desk.head.startswith("tool call  ·  E")
    assert desk.head.endswith("could not be read")
    assert desk.body == "a.json is shorter than it was‹U+202E›; open it again"
    desk.viewer.retint()
    assert desk.body.startswith("a.json is shorter")


def test_a_block_without_content_is_not_taken_for_no_choice(qtbot: QtBot) -> None:
    state = small_state()
    row = row_of(state, "c2")
    desk = Desk(qtbot, state)
    assert desk.viewer.body.placeholderText().startswith("Select a row")
    block = replace(desk.session.block(row), kind=Kind.EMPTY, texts=("",), name=None)
    desk.session.block = lambda _: block  # type: ignore[method-assign]
    desk.put(state.with_(selected=row), Changed.SELECTION)
    assert (desk.body, desk.viewer.body.placeholderText()) == ("", "(no content)")


def test_an_empty_block_is_not_taken_for_no_choice(qtbot: QtBot) -> None:
    state = small_state()
    row = row_of(state, "c2")
    desk = Desk(qtbot, state)
    body = desk.viewer.body
    assert body.placeholderText() == NOTHING
    real = desk.session.block(row)
    for kind, words in ((Kind.EMPTY, "(no content)"), (Kind.TEXT, "(empty)")):
        made = replace(real, kind=kind, texts=("",), name=None)
        desk.session.block = lambda _, made=made: made  # type: ignore[method-assign, misc]
        desk.put(state.with_(selected=-1), Changed.SELECTION)
        assert body.placeholderText() == NOTHING
        desk.put(state.with_(selected=row), Changed.SELECTION)
        assert (desk.body, body.placeholderText()) == ("", words)
