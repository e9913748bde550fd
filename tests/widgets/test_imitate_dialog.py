"""Imitate…: a searchable list, what is known of each preset, and its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit
from pytestqt.qtbot import QtBot

from app.model.state import State
from app.session_reads import Reads
from widgets.imitate_dialog import ImitateDialog

Key = Qt.Key


class Told(Reads):
    """What a session says of presets, without a session."""

    def __init__(self, state: State | None = None) -> None:
        super().__init__()
        self.state = state or State()


class Opened:
    def __init__(self, qtbot: QtBot, state: State | None = None) -> None:
        self.told = Told(state)
        self.dialog = ImitateDialog(self.told)
        qtbot.addWidget(self.dialog)
        self.wanted: list[tuple[str, Mapping[str, Any]]] = []
        self.families: list[str] = []
        self.dialog.wanted.connect(lambda name, params: self.wanted.append((name, params)))
        self.dialog.family_wanted.connect(self.families.append)
        self.dialog.show()
        qtbot.waitExposed(self.dialog)

    def names(self) -> list[str]:
        return [line.value for line in self.dialog.list.lines.lines]

    def field(self, name: str) -> QLineEdit:
        found = self.dialog.findChild(QLineEdit, f"imitateDialog.param.{name}")
        assert isinstance(found, QLineEdit)
        return found


@pytest.fixture
def it(qtbot: QtBot) -> Opened:
    return Opened(qtbot)


def test_every_preset_is_there_with_its_system_and_how_well_it_is_known(it: Opened) -> None:
    assert it.names() == [fact.name for fact in it.told.presets()]
    lines = {line.value: line for line in it.dialog.list.lines.lines}
    assert lines["anthropic-clear-tool-uses"].right == "checked"
    assert lines["opencode-prune"].right == "by its source"
    assert lines["anthropic-compact"].right == "by its vendor"
    assert lines["claude-code-microcompact"].right == "unofficial"
    assert lines["litellm-trim"].mark == "breaks pairs"
    assert "breaks pairs" in lines["litellm-trim"].spoken


def test_words_find_a_system_or_an_act(it: Opened) -> None:
    QTest.keyClicks(it.dialog.search, "LangChain trim")
    assert it.names() == ["langchain-trim-messages"]
    it.dialog.search.setText("nobody does this")
    assert it.names() == []
    assert it.dialog.nothing.isVisible()
    assert not it.dialog.imitate.isEnabled()


def test_enter_in_the_search_imitates_the_one_shown(it: Opened) -> None:
    it.dialog.search.setText("semantic")
    QTest.keyClick(it.dialog.search, Key.Key_Return)
    assert it.wanted == [("sk-truncate", {"target_count": 20, "threshold_count": 0})]
    assert not it.dialog.isVisible()


def test_up_and_down_in_the_search_go_through_the_list(it: Opened) -> None:
    it.dialog.search.setText("autogen")
    QTest.keyClick(it.dialog.search, Key.Key_Down)
    line = it.dialog.list.line
    assert line is not None
    assert line.value == "autogen-middle-pop"
    assert "autogen-core 0.7.5" in it.dialog.told[0].text()
    QTest.keyClick(it.dialog.search, Key.Key_Up)
    line = it.dialog.list.line
    assert line is not None
    assert line.value == "autogen-head-and-tail"


def test_escape_imitates_nothing(it: Opened) -> None:
    QTest.keyClick(it.dialog, Key.Key_Escape)
    assert it.wanted == []
    assert not it.dialog.isVisible()


def test_parameters_are_edited_and_what_is_off_is_said(it: Opened) -> None:
    it.dialog.search.setText("anthropic-clear")
    keep = it.field("keep")
    assert keep.text() == '{"type": "tool_uses", "value": 3}'
    assert keep.accessibleName() == "keep"
    assert keep.accessibleDescription() == "how many of the newest clearable uses stay"
    keep.setText("many")
    assert not it.dialog.imitate.isEnabled()
    assert it.dialog.wrong.text().startswith("anthropic-clear-tool-uses: keep must be a number")
    keep.setText("1")
    it.field("exclude_tools").setText('["bash"]')
    assert it.dialog.wrong.text() == ""
    QTest.keyClick(keep, Key.Key_Return)
    name, params = it.wanted[0]
    assert name == "anthropic-clear-tool-uses"
    assert params["keep"] == {"type": "tool_uses", "value": 1}
    assert params["exclude_tools"] == ["bash"]


def test_what_its_limits_count_and_its_minimum_mean_is_said(it: Opened) -> None:
    it.dialog.search.setText("pydantic-clear")
    told = [label.text() for label in it.dialog.told]
    assert told[1] == "Source: pydantic_ai_harness/compaction/_clear_tool_results.py"
    assert "takes the row of stub-tool-results" in told[2]
    assert told[3] == "Counts calls with their result"
    assert told[4] == "Minimum: min_clear_tokens: nothing is cleared where all of it frees less"


def test_a_family_can_have_its_row_again(qtbot: QtBot) -> None:
    state = State(
        imitated={"evict-steps": "sk-truncate"}, shown="sk-truncate", params={"sk-truncate": {"target_count": 7, "threshold_count": 0}}
    )
    it = Opened(qtbot, state)
    line = it.dialog.list.line
    assert line is not None
    assert (line.value, line.right) == ("sk-truncate", "imitated now")
    assert it.field("target_count").text() == "7"
    assert it.dialog.back.isVisible()
    it.dialog.back.click()
    assert it.families == ["evict-steps"]
    assert it.wanted == []


def test_every_control_has_a_name(it: Opened) -> None:
    it.dialog.search.setText("openclaw")
    controls = [*it.dialog.findChildren(QAbstractButton), *it.dialog.findChildren(QLineEdit), it.dialog.list]
    own = [one for one in controls if one.objectName().startswith("imitateDialog")]
    assert len(own) >= 16
    assert all(one.accessibleName() for one in own)
