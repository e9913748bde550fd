"""Holding B: list, block and verdict as the file has them, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import orjson
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.model.edits import Change, Replace, Stub, drop
from app.model.table import Ints
from tests.walks import Person, person
from widgets.exchange_tree import BLOCK

assert person


def _session(folder: Path) -> Path:
    path = folder / "request.json"
    messages = [
        {"role": "user", "content": "first question"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "the long result"}]},
        {"role": "assistant", "content": "first answer"},
        {"role": "user", "content": "second question"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t2", "name": "look", "input": {}}]},
        {"role": "user", "content": "third question"},
    ]
    path.write_bytes(orjson.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages}))
    return path


def _rows(*rows: int) -> Ints:
    return np.asarray(rows, np.int32)


def _listed(window: Any) -> list[str]:
    rows = window.list.rows
    return [window.list._painter.look(rows.entity(row)).pieces[-1].text for row in range(rows.rowCount())
            if rows.entity(row).kind == BLOCK]  # fmt: skip


def test_what_changes_took_is_there_while_the_key_is_held(person: Person, tmp_path: Path) -> None:
    person.open(_session(tmp_path))
    window = person.window
    window.list.set_level(3)
    person.session.preview_change(Change("x", "test", "loses", (Replace(_rows(2), Stub("stubbed")), drop(5))))
    person.wait(lambda: person.state.preview is not None)
    person.session.apply_preview()
    person.rest()
    assert "no reason found" in window.strip.text.lower() or "refuse" not in window.strip.text
    person.session.select(2)
    after, count = _listed(window), window.list.rows.rowCount()
    assert window.viewer.body.toPlainText() == "stubbed"
    window.activateWindow()
    window.viewer.body.setFocus()
    QTest.keyPress(window.viewer.body, Qt.Key.Key_B)
    assert window.commands.blink.held
    assert window.viewer.body.toPlainText() == "the long result"
    assert window.strip.text.startswith("As the file is: Anthropic would refuse this")
    before, more = _listed(window), window.list.rows.rowCount()
    assert more > count
    assert any("the long result" in words for words in before)
    QTest.keyRelease(window.viewer.body, Qt.Key.Key_B)
    assert not window.commands.blink.held
    assert window.viewer.body.toPlainText() == "stubbed"
    assert not window.strip.text.startswith("As the file is")
    assert _listed(window) == after
    assert person.state.selected == 2


def test_a_plan_is_not_there_while_the_key_is_held(qtbot: QtBot, person: Person, tmp_path: Path) -> None:
    person.open(_session(tmp_path))
    window = person.window
    person.drag_to(person.state.now // 2)
    scene = window.list._painter.scene
    window.list.setFocus()
    QTest.keyPress(window.list, Qt.Key.Key_B)
    assert scene.as_is
    QTest.mouseClick(window.list.viewport(), Qt.MouseButton.LeftButton)
    assert not window.commands.blink.held
    assert not window.list._painter.scene.as_is
    assert person.state.plan is not None
