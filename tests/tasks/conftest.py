"""Who does the tasks, and what they are done on."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.conftest import ROOT
from tests.tasks.reviewer import Reviewer, session_file


@pytest.fixture
def person(qtbot: QtBot, tmp_path: Path) -> Iterator[Reviewer]:
    made = Reviewer(qtbot, tmp_path)
    yield made
    made.leave()


@pytest.fixture
def incident(tmp_path: Path) -> Path:
    return _quiet(Path(shutil.copy(ROOT / "app/incident/invoice-agent-0412.json", tmp_path)))


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    return _quiet(session_file(tmp_path))


def _quiet(path: Path) -> Path:
    """Nobody wrote to it a moment ago."""
    os.utime(path, (time.time() - 60,) * 2)
    return path
