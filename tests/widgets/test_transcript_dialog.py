"""The chooser: what a row says, order and filter, what it asks for and what it gives."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.model.state import Changed, State
from app.model.survey import Survey, Surveyed
from app.model.transcript import Refusal
from tests.widgets.states import small_state
from widgets.chooser import Rows
from widgets.transcript_dialog import COLUMNS, Item, TranscriptDialog, verdict_of

NAME, EXCHANGES, REQUESTS, TOKENS, VERDICT, RECORDED = range(1, 7)

SOME = {
    0: Surveyed(0, 3, 7, 12_000, 0, 0, 0), 1: Surveyed(1, 1, 150, 90_000, 2, 1, 1), 2: Surveyed(2, 9, 20, 40_000, 0, 3, 0),
}  # fmt: skip


def several(many: int = 4, found: Mapping[int, Surveyed] | None = None) -> State:
    """`many` transcripts, the second refused once; the last ones unknown."""
    state = small_state()
    assert state.dump is not None
    assert state.base is not None
    base = state.base
    ones = [base.with_(id=f"task-{n}", title="rewound" if n == 2 else "") for n in range(many)]
    ones[1] = ones[1].with_(refusals=(Refusal(0, 0, 400, "no"),))
    state.dump.transcripts[:] = ones
    known = SOME if found is None else found
    return state.with_(chosen=2, survey=Survey("anthropic", "complete", known, many - len(known)))


def words(state: State, index: int) -> list[str]:
    assert state.dump is not None
    known = state.survey.found.get(index) if state.survey is not None else None
    item = Item(index, state.dump.transcripts[index], known, index == state.chosen)
    return [column.words(item) for column in COLUMNS]


def test_words_of_a_row() -> None:
    state = several()
    assert words(state, 1) == ["2", "task-1", "1", "150", "≈90.0k", "✕ 2 errors", "refused ×1"]
    assert words(state, 2) == ["3", "● task-2  rewound", "9", "20", "≈40.0k", "▲ 3 warnings", ""]
    assert words(state, 3) == ["4", "task-3", "", "", "", "…", ""]
    assert verdict_of(0) == ("no reason found", "good")
    assert verdict_of(None) == ("…", "soft")


@pytest.mark.parametrize(
    ("column", "down", "found"),
    [
        (0, False, [0, 1, 2, 3]), (0, True, [3, 2, 1, 0]), (NAME, True, [3, 2, 1, 0]), (EXCHANGES, True, [2, 0, 1, 3]),
        (REQUESTS, False, [0, 2, 1, 3]), (TOKENS, True, [1, 2, 0, 3]), (VERDICT, True, [1, 2, 0, 3]), (VERDICT, False, [0, 2, 1, 3]),
        (RECORDED, True, [1, 0, 2, 3]),
    ],
)  # fmt: skip
def test_an_order_by_each_column_leaves_the_unknown_last(qtbot: QtBot, column: int, down: bool, found: list[int]) -> None:
    dialog = TranscriptDialog(several())
    qtbot.addWidget(dialog)
    dialog.rows.arrange(column, down)
    assert dialog.rows.at == found


def test_the_model_keeps_qts_rules_while_it_is_filled_in(qapp: QApplication, qtmodeltester: ModelTester) -> None:
    model = Rows(COLUMNS)
    qtmodeltester.check(model)
    state = several(found={})
    assert state.dump is not None
    items = [Item(index, one, None, False) for index, one in enumerate(state.dump.transcripts)]
    model.put(items, [one.one.id for one in items])
    qtmodeltester.check(model)
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    model.put([item._replace(known=SOME[2]) if item.number == 2 else item for item in items])
    assert changed == [(2, 2)]
    assert model.index(2, VERDICT).data() == "▲ 3 warnings"
    model.arrange(words="task-3")
    qtmodeltester.check(model)
    assert model.at == [3]
    assert model.index(0, VERDICT).data(Qt.ItemDataRole.AccessibleTextRole) == "Verdict …"
    assert model.index(0, TOKENS).data(Qt.ItemDataRole.AccessibleTextRole) == "Tokens not known yet"


def test_one_filters_by_typing_and_chooses_by_key(qtbot: QtBot) -> None:
    dialog = TranscriptDialog(several())
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.selected() == 2  # the one that is open
    qtbot.keyClick(dialog.field, Qt.Key.Key_Up)
    assert dialog.selected() == 1
    qtbot.keyClicks(dialog.field, "rew")
    assert dialog.rows.at == [2]
    assert dialog.said.text() == "1 of 4 transcripts, 1 with errors; 1 still to be looked at"
    told: list[object] = []
    dialog.chosen.connect(told.append)
    dialog.wanted.connect(told.append)
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert told == [2, False]


def test_nothing_is_chosen_where_nothing_is_left(qtbot: QtBot) -> None:
    dialog = TranscriptDialog(several())
    qtbot.addWidget(dialog)
    dialog.field.setText("nobody is called that")
    assert not dialog.go.isEnabled()
    dialog.field.clear()
    assert dialog.go.isEnabled()


def test_a_column_sorts_by_click_and_by_key(qtbot: QtBot) -> None:
    dialog = TranscriptDialog(several())
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.sort_by(VERDICT)
    assert dialog.rows.at == [1, 2, 0, 3]
    assert dialog.selected() == 2  # the selected one stays
    dialog.sort_by(VERDICT)
    assert dialog.rows.at == [0, 2, 1, 3]
    qtbot.keyClick(dialog.table, Qt.Key.Key_F2)
    assert dialog.rows.column == RECORDED
    titles = [dialog.rows.headerData(n, Qt.Orientation.Horizontal) for n in range(RECORDED + 1)]
    assert [title[-1] in "▾▴" for title in titles] == [False] * RECORDED + [True]


def test_it_is_filled_in_while_it_is_open(qtbot: QtBot) -> None:
    state = several(found={})
    dialog = TranscriptDialog(state)
    qtbot.addWidget(dialog)
    assert dialog.said.text() == "4 transcripts, none with errors so far; 4 still to be looked at"
    dialog.refresh(state.with_(survey=Survey("anthropic", "complete", SOME, 1)), Changed.SURVEY)
    assert dialog.said.text() == "4 transcripts, 1 with errors; 1 still to be looked at"


def test_ten_thousand_are_quick(qtbot: QtBot) -> None:
    found = {n: Surveyed(n, n % 7, n % 90, n * 37 % 5000, n % 11 == 0, 0, 0) for n in range(10_000)}
    dialog = TranscriptDialog(several(10_000, found))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.sort_by(TOKENS)
    assert dialog.rows.at[0] == max(found, key=lambda n: (found[n].tokens, -n))
    dialog.field.setText("task-99")
    assert dialog.rows.rowCount() == 111
    assert dialog.said.text().startswith("111 of 10,000 transcripts, 910 with errors")
