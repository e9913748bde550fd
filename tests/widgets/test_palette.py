"""The palette: what a few letters find, what a place leads to, and that a key does it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.settings import Store
from tests.widgets.desk import DeskSession
from tests.widgets.states import broken_state
from widgets import theme
from widgets.actions import TABLE, Actions
from widgets.main_window import MainWindow
from widgets.palette import Palette
from widgets.palette_places import place
from widgets.palette_search import score


@pytest.fixture
def session() -> DeskSession:
    state = broken_state()
    return DeskSession(state.with_(path="/home/me/a.json", other=state.report))


class Desk:
    """A palette over actions that write down what was triggered."""

    def __init__(self, qtbot: QtBot, session: DeskSession) -> None:
        self.root = QWidget()
        self.root.resize(1000, 700)
        qtbot.addWidget(self.root)
        self.root.show()
        self.acts = Actions(self.root)
        self.acts.refresh(session.state)
        self.done: list[str] = []
        self.rows: list[int] = []
        self.used: list[str] = []
        for action in self.acts:
            action.triggered.connect(partial(lambda name, *_: self.done.append(name), action.objectName()))
        self.session = session

    def open(self) -> Palette:
        made = Palette(self.acts, self.session, self.rows.append, self.used, self.root)  # type: ignore[arg-type]
        made.open_over(self.root)
        return made


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication, session: DeskSession) -> Desk:
    theme.apply(qapp, "light")
    return Desk(qtbot, session)


@pytest.fixture
def palette(desk: Desk) -> Palette:
    return desk.open()


def titles(palette: Palette) -> list[str]:
    return [line.title for line in palette.list.lines.lines]


# -- what fits ------------------------------------------------------------------------------------------------------------------


def test_every_word_must_be_there() -> None:
    assert score("next find", "Next finding Go") is not None
    assert score("next xyz", "Next finding Go") is None


def test_a_whole_word_beats_a_beginning_beats_a_middle_beats_letters() -> None:
    ranks = [score("find", line) for line in ("find", "finding", "unfinding", "five in new days")]
    assert all(rank is not None for rank in ranks)
    assert ranks == sorted(ranks, key=lambda rank: -(rank or 0))


def test_letters_at_the_beginnings_of_words_find_too() -> None:
    assert score("nf", "Next finding") is not None
    assert score("nefi", "Next finding") is not None
    assert score("xf", "Next finding") is None, "strewn letters fit everything"


def test_without_words_all_fit_alike() -> None:
    assert score("", "Next finding") == score("  ", "Quit") == 0


# -- places ---------------------------------------------------------------------------------------------------------------------


def test_places_that_are_there(session: DeskSession) -> None:
    state = session.state
    assert state.view is not None
    groups, rows = state.view.groups, state.view.rows
    label = groups.label(groups.live)
    found = place(label.lower(), session)  # type: ignore[arg-type]
    assert found is not None
    assert (found.words, found.row) == (f"Go to {label}", int(rows[groups.first[groups.live]]))
    step = place("r1", session)  # type: ignore[arg-type]
    assert step is not None
    assert step.row == int(rows[groups.step_first[0]])


def test_places_that_are_not_there_say_what_is(session: DeskSession) -> None:
    groups = session.state.view.groups  # type: ignore[union-attr]
    missing = place("E999", session)  # type: ignore[arg-type]
    assert missing is not None
    assert missing.row == -1
    assert missing.words == f"there is no exchange E999; there are {groups.label(0)} to {groups.label(groups.live)}"
    assert place("find", session) is None  # type: ignore[arg-type]


def test_a_pointer_leads_to_the_block_that_it_is_in(session: DeskSession) -> None:
    table = session.state.view.transcript.table  # type: ignore[union-attr]
    row = len(table) - 1
    at = session.pointer(row)
    for asked in (at, f"{at}/text"):
        found = place(asked, session)  # type: ignore[arg-type]
        assert found is not None
        assert found.row == row, asked
    nowhere = place("/nothing/here", session)  # type: ignore[arg-type]
    assert nowhere is not None
    assert nowhere.row == -1


# -- the window of it -------------------------------------------------------------------------------------------------------------


def test_it_lists_everything_and_what_can_be_used_first(palette: Palette, desk: Desk) -> None:
    lines = palette.list.lines.lines
    can = {action.objectName() for action in desk.acts if action.isEnabled()}
    assert [line.value for line in lines if line.value is not None] == [row.id for row in TABLE if row.id in can and row.id != "go.palette"]
    assert len(lines) == len(TABLE) - 1
    usable = [line.value is not None for line in lines]
    assert usable == sorted(usable, reverse=True)
    assert palette.said.text().startswith(f"{len(can) - 1} can be used now")


def test_letters_and_return_do_it(qtbot: QtBot, palette: Palette, desk: Desk) -> None:
    qtbot.keyClicks(palette.field, "next find")
    assert titles(palette)[0] == "Next finding"
    assert palette.list.lines.lines[0].right == QKeySequence("F8").toString(QKeySequence.SequenceFormat.NativeText)
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk.done == ["go.next_finding"])
    assert desk.used == ["go.next_finding"]


def test_what_cannot_be_used_is_faint_and_does_nothing(qtbot: QtBot, palette: Palette, desk: Desk) -> None:
    qtbot.keyClicks(palette.field, "redo")
    line = palette.list.lines.lines[0]
    assert (line.title, line.dim, line.mark) == ("Redo", True, "Edit · not now")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    assert desk.done == []


def test_a_place_comes_before_commands(qtbot: QtBot, palette: Palette, desk: Desk, session: DeskSession) -> None:
    qtbot.keyClicks(palette.field, "r1")
    assert titles(palette)[0] == "Go to r1"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    row = int(session.state.view.rows[session.state.view.groups.step_first[0]])  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: desk.rows == [row])


def test_arrows_go_through_it_and_nothing_fits_is_said(qtbot: QtBot, palette: Palette) -> None:
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.list.currentIndex().row() == 1
    assert palette.field.accessibleDescription() == palette.list.lines.lines[1].spoken
    qtbot.keyClicks(palette.field, "zzqq")
    assert titles(palette) == ["Nothing fits: fewer letters fit more"]


def test_what_was_used_last_comes_first(qtbot: QtBot, palette: Palette, desk: Desk) -> None:
    qtbot.keyClicks(palette.field, "steps")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk.done == ["view.level2"])
    assert titles(desk.open())[0] == "Steps"


def test_its_key_opens_it_in_the_window(qtbot: QtBot, session: DeskSession, tmp_path: Path) -> None:
    window = MainWindow(session, Store(tmp_path / "settings"), "/incident.json")  # type: ignore[arg-type]
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window.focusWidget() or window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    found = window.findChild(Palette)
    assert isinstance(found, Palette)
    qtbot.waitUntil(found.field.hasFocus)
    qtbot.keyClick(found.field, Qt.Key.Key_Escape)
    assert not found.isVisible()
    window._leave = True
