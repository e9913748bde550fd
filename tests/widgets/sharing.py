"""A window on a file with things in it that must not leave the room, for the tests of dialogs that share it or write over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.settings import Store
from tests.evidence import quiet_file
from tests.inline import Inline
from widgets.main_window import MainWindow


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return quiet_file(tmp_path)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, dump: Path) -> Iterator[MainWindow]:
    session = Session(worker=Inline)
    made = MainWindow(session, Store(tmp_path / "settings"))
    qtbot.addWidget(made)
    made.show()
    made.open(str(dump))
    qtbot.waitUntil(lambda: rested(session))
    yield made
    session.close()


def rested(session: Session) -> bool:
    """It is judged, and nothing is under way but counting, which this helper never does."""
    return session.state.report is not None and not session._waiting - {"Count"}
