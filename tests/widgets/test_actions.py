"""The table of actions: ids, keys, menus, when each can be used."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from app.model.state import Progress, State
from tests.widgets.desk import change, found, history, report
from tests.widgets.states import broken_state, evict_exchanges, planned, small_state, stub_results
from widgets.actions import MENUS, TABLE, Actions
from widgets.keys_window import all_keys

PROMISED = """
file.open file.reload file.export file.report file.quit edit.undo edit.redo edit.find edit.copy_pointer edit.copy_text go.next_finding
go.previous_finding go.next_exchange go.previous_exchange go.partner view.level1 view.level2 view.level3 view.theme_light view.theme_dark
view.theme_system plan.apply plan.reset plan.strategy_1 plan.strategy_7 finding.fix finding.preview finding.fix_all help.keys help.about
"""


@pytest.fixture
def actions(qapp: QApplication) -> Actions:
    return Actions(QObject(qapp))


def test_the_promised_ids_are_there() -> None:
    assert set(PROMISED.split()) <= {row.id for row in TABLE}


def test_ids_are_unique_and_name_their_area() -> None:
    ids = [row.id for row in TABLE]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"(file|edit|go|view|plan|finding|help)\.[a-z0-9_]+", name) for name in ids)


def test_every_row_stands_in_a_menu_of_the_window() -> None:
    assert {row.menu.split("/")[0] for row in TABLE} == set(MENUS)


def test_no_key_is_given_twice() -> None:
    keys = Counter(QKeySequence(key).toString() for row in TABLE for key in row.keys.split())
    assert "" not in keys
    assert [key for key, count in keys.items() if count > 1] == []


def test_mnemonics_are_unique_in_their_menu() -> None:
    for menu in {row.menu for row in TABLE}:
        letters = Counter(found.group(1).lower() for row in TABLE if row.menu == menu and (found := re.search(r"&(\w)", row.text)))
        assert [letter for letter, count in letters.items() if count > 1] == [], menu


def test_object_name_is_the_id_and_the_key_stands_in_the_tip(actions: Actions) -> None:
    for row in TABLE:
        action = actions[row.id]
        assert action.objectName() == row.id
        assert [key.toString() for key in action.shortcuts()] == [QKeySequence(key).toString() for key in row.keys.split()]
        if row.keys:
            assert action.toolTip().endswith(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))


def enabled(actions: Actions, state: State) -> set[str]:
    actions.refresh(state)
    return {action.objectName() for action in actions if action.isEnabled()}


def test_with_nothing_open(actions: Actions) -> None:
    assert enabled(actions, State()) == {
        "file.open", "file.open_as", "file.seek", "file.paste", "file.incident", "file.quit", "view.focus_next", "view.focus_previous",
        "view.theme_system", "view.theme_light", "view.theme_dark", "view.contrast", "view.larger", "view.smaller", "view.normal_size",
        "go.palette", "help.pages", "help.keys", "help.about",
    }  # fmt: skip


REPAIRS = {"finding.preview", "finding.preview_safe", "finding.fix_all"}


def test_with_a_broken_dump(actions: Actions) -> None:
    there = enabled(actions, broken_state().with_(path="/a.json"))
    assert {"file.export", "file.reload", "go.next_finding", "view.level1", "plan.half"} <= there
    assert not REPAIRS & there  # no error has a fix
    assert (
        not {"edit.undo", "edit.redo", "finding.apply", "plan.apply", "plan.reset", "go.unparsed", "go.transcript", "file.cancel"} & there
    )
    assert "edit.copy_text" not in there  # nothing is selected


def test_a_repair_is_offered_where_it_could_do_something(actions: Actions) -> None:
    state = broken_state()
    for effect, offered in (("loses", REPAIRS - {"finding.preview_safe"}), ("adds", REPAIRS)):
        mendable = state.with_(report=report("reject", [found(fixes=(change(effect=effect),))]))  # type: ignore[arg-type]
        assert enabled(actions, mendable) & REPAIRS == offered
    warned = state.with_(report=report("accept", [found(severity="warning", fixes=(change(),))]))
    assert not enabled(actions, warned) & REPAIRS


def test_a_first_look_can_be_looked_at_and_not_changed(actions: Actions) -> None:
    state = broken_state()
    assert state.dump is not None
    state.dump.complete = False
    there = enabled(actions, state.with_(progress=Progress("reading", 0.4)))
    assert {"view.level1", "edit.find", "file.cancel"} <= there
    assert not {"file.export", "finding.preview", "finding.fix_all", "plan.apply", "plan.half"} & there


def test_undo_and_redo_follow_the_history(actions: Actions) -> None:
    state = small_state()
    assert "edit.undo" in enabled(actions, state.with_(history=history((change(),))))
    assert "edit.redo" not in enabled(actions, state.with_(history=history((change(),))))
    undone = enabled(actions, state.with_(history=history((change(),), cursor=0)))
    assert "edit.redo" in undone
    assert "edit.undo" not in undone


def test_plans_and_strategies_bear_their_names(actions: Actions) -> None:
    state = small_state()
    state = planned(state, evict_exchanges(state), state.now // 2)
    state = planned(state, stub_results(state), state.now // 2)
    there = enabled(actions, state)
    assert {"plan.strategy_1", "plan.strategy_2", "plan.reset"} <= there
    assert "plan.strategy_3" not in there
    assert actions["plan.strategy_1"].text() == "evict-exchanges"
    assert actions["plan.strategy_2"].isChecked()
    assert not actions["plan.strategy_1"].isChecked()


def test_the_mode_in_force_is_checked(actions: Actions) -> None:
    actions.refresh(small_state().with_(mode="prefix"))
    assert actions["view.mode_prefix"].isChecked()
    assert not actions["view.mode_complete"].isChecked()


def test_help_names_every_key() -> None:
    text = "\n".join(key.keys for key in all_keys())
    for row in TABLE:
        for key in row.keys.split():
            assert QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) in text
