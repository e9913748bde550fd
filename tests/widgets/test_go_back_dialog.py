"""Going back to a backup: what is listed, what is chosen, what is said before and after."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.evidence import request
from tests.widgets.sharing import dump, rested, window
from widgets.go_back_dialog import NONE, GoBackDialog
from widgets.main_window import MainWindow

assert dump
assert window


def asked(qtbot: QtBot, window: MainWindow) -> GoBackDialog:
    window.acts["file.go_back"].trigger()
    dialog = window.commands.share.dialog
    assert isinstance(dialog, GoBackDialog)
    assert not dialog.isModal()
    qtbot.waitUntil(lambda: not dialog.busy)
    return dialog


def test_none(qtbot: QtBot, window: MainWindow) -> None:
    dialog = asked(qtbot, window)
    assert dialog._said.text() == NONE
    assert not dialog.go.isEnabled()


def test_the_newest_that_is_another_is_offered(qtbot: QtBot, window: MainWindow, dump: Path) -> None:
    now = dump.read_bytes()
    Path(f"{dump}.bak-1").write_bytes(b'{"model": "first"}')
    Path(f"{dump}.bak-2").write_bytes(now)
    dialog = asked(qtbot, window)
    assert [(line.title, line.right) for line in dialog.list.lines.lines] == [
        ("dump.json.bak-2", "as the file is now"), ("dump.json.bak-1", ""),
    ]  # fmt: skip
    assert dialog.list.line is not None
    assert dialog.list.line.value.number == 1
    assert dialog.go.isEnabled()
    dialog.list.selectRow(0)
    assert not dialog.go.isEnabled()
    assert dialog._said.text() == "This is what the file holds now."


def test_back_with_changes_that_were_not_exported(qtbot: QtBot, window: MainWindow, dump: Path) -> None:
    now, first = dump.read_bytes(), json.dumps(request() | {"max_tokens": 77}).encode()
    Path(f"{dump}.bak-1").write_bytes(first)
    window.acts["finding.fix_all"].trigger()
    qtbot.waitUntil(lambda: bool(window.session.state.history.active) and rested(window.session))
    dialog = asked(qtbot, window)
    assert "not exported will be lost" in dialog._said.text()
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.go.isVisible())
    qtbot.waitUntil(lambda: rested(window.session) and not window.session.state.history.layers)
    assert dump.read_bytes() == first
    assert Path(f"{dump}.bak-2").read_bytes() == now
    field = dialog.findChild(QLineEdit, "goBack.back")
    assert field is not None
    assert field.text() == f"mv -- {dump}.bak-2 {dump}"
    assert "Back to dump.json.bak-1." in dialog._said.text()
    assert f"What stood there is kept: {dump}.bak-2" in dialog.text.toPlainText()
    assert not window.session.state.changed_on_disk


def test_what_is_followed_is_left_alone(qtbot: QtBot, window: MainWindow, dump: Path) -> None:
    Path(f"{dump}.bak-1").write_bytes(b"{}")
    window.session.follow(True)
    dialog = asked(qtbot, window)
    assert "is being followed" in dialog._said.text()
    assert not dialog.go.isEnabled()
    window.session.follow(False)
