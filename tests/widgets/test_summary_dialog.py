"""The summary's box: the skeleton that follows the seam, a person's own text with its cost, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.model.summary import SummaryText
from app.session import Session
from app.settings import Store
from app.tokens import counter
from tests.inline import Inline
from tests.test_session_pins import opened, path, ranked
from widgets import theme
from widgets.main_window import MainWindow
from widgets.summary_dialog import NAME, SummaryDialog

__all__ = ["path"]
LEAD = "[summary of an earlier part of this conversation, made from its transcript]"


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, path: Path, tmp_path: Path) -> Iterator[MainWindow]:
    theme.apply(qapp, "light")
    session = Session(worker=Inline)
    session._count_exactly = False
    made = MainWindow(session, Store(tmp_path / "settings"), "/incident.json")
    qtbot.addWidget(made)
    opened(qtbot, session, path)
    made.show()
    yield made
    made._leave = True
    session.close()
    session._watch.stop()


def dialog_of(window: MainWindow, qtbot: QtBot, budget: int | None = 500) -> SummaryDialog:
    window.session.set_budget(budget)
    ranked(qtbot, window.session)
    window.acts["plan.summary"].trigger()
    dialog = window.commands.summary.dialog
    assert dialog is not None
    settled(dialog, qtbot, window)
    return dialog


def settled(dialog: SummaryDialog, qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.session.busy and not dialog._rest.isActive() and dialog.count.text() not in ("", "…"))


def test_the_skeleton_follows_the_seam(window: MainWindow, qtbot: QtBot) -> None:
    dialog = dialog_of(window, qtbot)
    assert window.session.state.shown == NAME
    assert not window.plan.summary.isHidden()
    assert "Mend the ledger. You must not touch invoices.py." in dialog.text.toPlainText()
    assert "and now the totals" not in dialog.text.toPlainText()
    assert dialog.seam.text().startswith("In place of all before E2: ")
    qtbot.mouseClick(dialog.later, Qt.MouseButton.LeftButton)
    settled(dialog, qtbot, window)
    assert dialog.seam.text().startswith("In place of all before E3: ")
    qtbot.waitUntil(lambda: "and now the totals" in dialog.text.toPlainText())
    qtbot.mouseClick(dialog.later, Qt.MouseButton.LeftButton)
    settled(dialog, qtbot, window)
    assert dialog.seam.text().startswith("In place of all before E3 · r9: ")  # closed steps of the live exchange
    assert not dialog.later.isEnabled()
    for _ in range(2):
        qtbot.mouseClick(dialog.earlier, Qt.MouseButton.LeftButton)
        settled(dialog, qtbot, window)
    qtbot.waitUntil(lambda: "and now the totals" not in dialog.text.toPlainText())


def test_a_persons_own_text_is_counted_and_used(window: MainWindow, qtbot: QtBot) -> None:
    dialog, session = dialog_of(window, qtbot), window.session
    dialog.text.selectAll()
    qtbot.keyClicks(dialog.text, "The ledger is mended.")
    settled(dialog, qtbot, window)
    tokens = counter("o200k_base").count("The ledger is mended.")
    assert dialog.count.text().startswith(f"{tokens} tokens, ")
    assert (dialog.kind.text(), dialog.use.isEnabled()) == ("not in use yet", True)
    qtbot.keyClick(dialog.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not session.busy and NAME in session.state.checked)
    assert session.state.params[NAME] == {"text": "The ledger is mended.", "live_signed": "keep"}
    first, second = session.state.checked[NAME].closing
    assert first.made.text == f"{LEAD}\n\nThe ledger is mended."
    assert (first.made.role.name, second.made.role.name) == ("USER", "ASSISTANT")
    assert (dialog.kind.text(), dialog.use.isEnabled()) == ("in use", False)
    qtbot.mouseClick(dialog.reset, Qt.MouseButton.LeftButton)
    settled(dialog, qtbot, window)
    assert session.state.params[NAME]["text"] == ""
    qtbot.waitUntil(lambda: "Mend the ledger" in dialog.text.toPlainText())


def test_without_a_budget_there_is_nothing_to_sum_up(window: MainWindow, qtbot: QtBot) -> None:
    dialog = dialog_of(window, qtbot, None)
    assert dialog.text.toPlainText() == ""
    assert dialog.seam.text().startswith("Nothing is summed up yet")
    assert not dialog.use.isEnabled()
    dialog.show_told(SummaryText("late", True, 1, 2, 0), "another text")  # an answer about what stands there no more
    assert dialog.text.toPlainText() == ""
    dialog.close()
    assert window.commands.summary.dialog is None


def test_a_closed_dialog_gives_back_what_was_shown(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    before = session.state.shown
    assert before != NAME
    dialog = dialog_of(window, qtbot)
    assert session.state.shown == NAME
    dialog.close()
    assert session.state.shown == before
    dialog = dialog_of(window, qtbot)
    qtbot.keyClicks(dialog.text, "Mended. ")
    qtbot.keyClick(dialog.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    dialog.close()
    assert session.state.shown == NAME  # its text is in use
