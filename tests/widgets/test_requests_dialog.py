"""The requests of a log, each beside the one before: what is listed, and where one is gone to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.model.source import Source
from app.pipeline.load import load
from tests.walks import Person, person
from widgets.requests_dialog import COLUMNS, Item, RequestsDialog, verdict_of

assert person


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


TALK = [said("user" if n % 2 == 0 else "assistant", f"message {n}") for n in range(7)]


def log() -> bytes:
    """Five requests: it goes on, goes on, is cut at the front, is rewritten, and is sent with other tools."""
    rewritten = [TALK[2], said("assistant", "[cleared]"), *TALK[4:7]]
    requests: list[dict[str, Any]] = [
        {"messages": TALK[:1]}, {"messages": TALK[:3]}, {"messages": TALK[2:5]},
        {"messages": rewritten}, {"messages": rewritten, "tools": [{"name": "look", "input_schema": {"type": "object"}}]},
    ]  # fmt: skip
    return "\n".join(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **one}) for one in requests).encode()


def test_each_request_is_compared_with_the_one_before() -> None:
    dump = load(Source.of(log(), "log.jsonl"))
    found = [(one.messages, one.before, one.kept, one.changed, one.cut, one.added) for one in dump.requests]
    assert found == [(1, -1, 0, 0, 0, 1), (3, 0, 1, 0, 0, 2), (3, 1, 1, 0, 2, 2), (5, 2, 2, 1, 0, 2), (5, 3, 5, 0, 0, 0)]
    assert [verdict_of(one)[0] for one in dump.requests] == [
        "the first of its own", "goes on", "history cut", "history rewritten", "other system text or tools",
    ]  # fmt: skip
    compact = [json.dumps(message, separators=(",", ":")) for message in TALK]
    assert [one.first_byte for one in dump.requests] == [
        -1, -1, compact[0].index("0"), len(compact[2]) + 1 + compact[3].index("message 3"), -1,
    ]  # fmt: skip
    assert [one.extends for one in dump.requests] == [False, True, False, False, False]


def test_what_the_list_says(qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    dump = load(Source.of(log(), "log.jsonl"))
    dialog = RequestsDialog(dump)
    qtbot.addWidget(dialog)
    qtmodeltester.check(dialog.rows)
    assert dialog.said.text() == "5 requests, none refused, 3 changed what the one before had sent"
    assert dialog.selected() == 2  # the first that did not go on
    words = [column.words(Item(2, dump.requests[2], "x")) for column in COLUMNS]
    assert words == ["3", "x", "3", "2", "1", "", "2", "2", "34", "history cut", ""]
    dialog.field.setText("rewritten")
    assert dialog.rows.at == [3]


def test_one_that_is_chosen_is_gone_to(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(log())
    person.open(path)
    person.do("go.requests")
    dialog = person.window.findChild(RequestsDialog)
    with person.bot.waitSignal(dialog.chosen):
        dialog.select(3)
        person.bot.keyClick(dialog.table, Qt.Key.Key_Return)
    one = person.state.dump.requests[3]
    person.wait(lambda: person.state.chosen == one.transcript and person.state.selected >= 0)
    assert person.session.block(person.state.selected).text == "message 6"
    person.rest()
    person.window.commands.requests.go_to(1)
    person.wait(lambda: person.state.chosen == 0 and person.state.selected >= 0)
    assert person.session.block(person.state.selected).text == "message 2"
    person.rest()
    person.window.commands.requests.open()
    dialog = person.window.findChild(RequestsDialog)
    dialog.select(0)
    assert not dialog.beside.isEnabled()
    dialog.select(2)
    dialog.beside.click()
    shown = person.window.commands.compares.dialogs["compare_requests"]
    person.wait(lambda: shown.table.lines.found is not None)
    assert shown.table.lines.found.counts == {"same": 1, "gone": 2, "added": 2}
    assert [side.transcript for side in shown.table.lines.found.sides] == ["request 2", "request 3"]
    shown.close()
