"""The page of keys: every key of the table, and what regions take themselves; a filter narrows it."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from widgets.actions import TABLE
from widgets.keys_window import KeysWindow, all_keys


def test_every_action_with_a_key_has_a_line_that_says_where_it_stands_and_why() -> None:
    keys = all_keys()
    for row in TABLE:
        if row.keys:
            what = row.text.replace("&", "").rstrip("…")
            line = next(key for key in keys if key.what == what and key.where == row.menu.replace("/", " › "))
            assert line.keys.split(", ")[0] == QKeySequence(row.keys.split()[0]).toString(QKeySequence.SequenceFormat.NativeText)
            assert line.why == row.tip
    assert {key.where for key in keys} >= {"Chart", "List", "Findings and changes", "Plan table", "View › Go to"}


def test_every_action_says_what_it_is_for() -> None:
    assert [row.id for row in TABLE if not row.tip] == []
    assert [row.id for row in TABLE if re.search(r"\bvalid\b|safe to send", f"{row.text} {row.tip}")] == []


def test_a_filter_narrows_it_and_the_arrows_go_through_it(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    window = KeysWindow(root)
    window.show()
    all_of_them = window.rows.rowCount()
    assert all_of_them == len(all_keys())
    assert window.rows.index(0, 0).data() == "Ctrl+O"
    qtbot.keyClicks(window.field, "finding next")
    assert [window.rows.index(row, 0).data() for row in range(window.rows.rowCount())] == ["F8"]
    window.field.clear()
    qtbot.keyClicks(window.field, "chart")
    assert window.rows.rowCount() > 8
    qtbot.keyClick(window.field, Qt.Key.Key_Down)
    assert window.table.current_row() == 1
    assert window.said.text() == f"{window.rows.rowCount()} lines; Ctrl+Shift+P runs any of the actions by name"
