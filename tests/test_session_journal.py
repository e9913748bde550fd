"""A crash keeps the edit list: the real process is killed, the next run offers what it had."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.model.left_over import LeftOver
from app.session import Session
from app.session_journal import Journal
from tests.evidence import quiet_file, request
from tests.inline import Inline
from widgets.left_over import words
from widgets.main_window import MainWindow

CRASHING = """
    import os, signal, sys, time
    from PySide6.QtCore import QEventLoop
    from app.main import create_app
    app, window = create_app([sys.argv[1]])
    window.show()
    session = window.session
    def until(ready):
        end = time.monotonic() + 60
        while not ready() and time.monotonic() < end:
            app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
    until(lambda: session.state.report is not None)
    window.acts["finding.fix_all"].trigger()
    until(lambda: bool(session.state.history.active) and session.state.report.verdict == "accept")
    folder = os.path.join(os.environ["TRANSCRIPT_INSPECTOR_SETTINGS"], "edits")
    until(lambda: os.path.isdir(folder) and any(name.endswith(".json") for name in os.listdir(folder)))
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return quiet_file(tmp_path)


@pytest.fixture
def runs(qtbot: QtBot, tmp_path: Path) -> Iterator[list[Session]]:
    made: list[Session] = []
    yield made
    for session in made:
        session.close()


def run(runs: list[Session], folder: Path) -> tuple[Session, Journal, list[LeftOver]]:
    session = Session(worker=Inline)
    runs.append(session)
    journal, offers = Journal(session, folder, session), list[LeftOver]()
    journal.offered.connect(offers.append)
    return session, journal, offers


def rested(session: Session) -> bool:
    return session.state.report is not None and not session._waiting - {"Count"}


def edited(qtbot: QtBot, session: Session, path: Path) -> None:
    session.open(str(path))
    qtbot.waitUntil(lambda: rested(session))
    session.preview_repair("all")
    qtbot.waitUntil(lambda: session.state.preview is not None)
    session.apply_preview()
    qtbot.waitUntil(lambda: rested(session) and bool(session.state.history.active))


def test_a_killed_process_costs_no_edit(qtbot: QtBot, dump: Path, fresh_settings: Path) -> None:
    from app import main

    done = subprocess.run([sys.executable, "-c", textwrap.dedent(CRASHING), str(dump)], env={**os.environ}, capture_output=True, timeout=90)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()[-500:]
    _, window = main.create_app([])
    qtbot.addWidget(window)
    window.show()
    offer = window.empty.findChild(QPushButton, "emptyView.offer")  # the last file, offered and not forced
    assert offer is not None
    assert offer.isVisible()
    qtbot.mouseClick(offer, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.strip.asking, timeout=30_000)
    assert window.strip.text.startswith("The last run ended with ")
    assert "Drop the result" in window.strip.text
    assert not window.session.state.history.layers  # nothing by itself
    yes = window.strip.findChild(QPushButton, "verdictStrip.yes")
    assert yes is not None
    assert yes.text() == "Take them up again"
    qtbot.mouseClick(yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.session.state.history.active) and window.session.state.report.verdict == "accept", timeout=30_000)
    assert window.session.state.history.can_undo
    window._leave = True
    window.close()
    assert not list((fresh_settings / "edits").glob("*.json"))  # a run that ended well leaves nothing


def test_what_is_taken_up_is_what_was_there(qtbot: QtBot, runs: list[Session], dump: Path, tmp_path: Path) -> None:
    first, journal, _ = run(runs, tmp_path)
    edited(qtbot, first, dump)
    journal.wait()
    second, again, offers = run(runs, tmp_path)  # the first is gone without a word
    second.open(str(dump))
    qtbot.waitUntil(lambda: rested(second))
    assert offers == [LeftOver(str(dump), tuple(c.title for layer in first.state.history.active for c in layer.changes), True)]
    again.take_up()
    qtbot.waitUntil(lambda: rested(second) and bool(second.state.history.active))
    assert first.state.transcript is not None
    assert second.state.transcript is not None
    assert second.state.transcript.order.tolist() == first.state.transcript.order.tolist()
    assert second.state.report is not None
    assert second.state.report.verdict == "accept"


def test_other_bytes_are_said_and_not_touched(qtbot: QtBot, runs: list[Session], dump: Path, tmp_path: Path) -> None:
    first, journal, _ = run(runs, tmp_path)
    edited(qtbot, first, dump)
    journal.wait()
    dump.write_text(json.dumps(request(), indent=2))
    second, _, offers = run(runs, tmp_path)
    second.open(str(dump))
    qtbot.waitUntil(lambda: rested(second))
    assert [one.same for one in offers] == [False]
    assert "but the file has changed since" in words(offers[0])
    assert not second.state.history.layers


def test_it_goes_with_what_it_is_about(qtbot: QtBot, runs: list[Session], dump: Path, tmp_path: Path) -> None:
    session, journal, _ = run(runs, tmp_path)
    edited(qtbot, session, dump)
    journal.wait()
    kept = list((tmp_path / "edits").iterdir())
    assert len(kept) == 1
    assert kept[0].stat().st_mode & 0o777 == 0o600
    session.undo()
    qtbot.waitUntil(lambda: rested(session))
    journal.wait()
    assert len(list((tmp_path / "edits").iterdir())) == 1  # what was undone can be done again
    session.reload()
    qtbot.waitUntil(lambda: rested(session))
    journal.wait()
    assert not list((tmp_path / "edits").iterdir())
    edited(qtbot, session, dump)
    other = tmp_path / "other.json"
    other.write_text(json.dumps(request()))
    journal.wait()
    session.open(str(other))
    qtbot.waitUntil(lambda: rested(session))
    journal.wait()
    assert not list((tmp_path / "edits").iterdir())


def test_an_offer_that_nobody_answers_is_made_again(qtbot: QtBot, runs: list[Session], dump: Path, tmp_path: Path) -> None:
    first, journal, _ = run(runs, tmp_path)
    edited(qtbot, first, dump)
    journal.wait()
    for _ in range(2):
        session, again, offers = run(runs, tmp_path)
        session.open(str(dump))
        qtbot.waitUntil(lambda session=session: rested(session))  # type: ignore[misc]
        assert len(offers) == 1
        again.wait()
        again.end()


def test_a_journal_that_cannot_be_read_is_none(qtbot: QtBot, runs: list[Session], dump: Path, tmp_path: Path) -> None:
    first, journal, _ = run(runs, tmp_path)
    edited(qtbot, first, dump)
    journal.wait()
    for text in ("", "[]", '{"format": 99}', '{"format": 1, "sums": [], "transcripts": {"main": {"layers": 1}}}'):
        journal._file(str(dump)).write_text(text)
        session, _, offers = run(runs, tmp_path)
        session.open(str(dump))
        qtbot.waitUntil(lambda session=session: rested(session))  # type: ignore[misc]
        assert offers == []


def opened(qtbot: QtBot, runs: list[Session], dump: Path, folder: Path) -> tuple[Session, Journal, list[LeftOver]]:
    session, journal, offers = run(runs, folder)
    session.open(str(dump))
    qtbot.waitUntil(lambda: rested(session))
    return session, journal, offers


def names(folder: Path) -> list[str]:
    return sorted(file.name.partition(".")[2] for file in (folder / "edits").iterdir())


def test_edits_of_the_next_run_cost_nothing_of_the_last(qtbot: QtBot, runs: list[Session], dump: Path, tmp_path: Path) -> None:
    first, journal, _ = run(runs, tmp_path)
    edited(qtbot, first, dump)
    titles = tuple(change.title for layer in first.state.history.active for change in layer.changes)
    journal.wait()
    second, journal, offers = run(runs, tmp_path)
    edited(qtbot, second, dump)
    second.undo()  # nothing in force, one step to redo: the older is told from it
    qtbot.waitUntil(lambda: rested(second))
    journal.wait()
    assert names(tmp_path) == ["json", "left-1.json"]
    for _ in range(2):  # a third run and a fourth, both crashed: the older is offered
        third, journal, offers = opened(qtbot, runs, dump, tmp_path)
        assert [one.titles for one in offers] == [titles]
        assert names(tmp_path) == ["left-1.json", "left-2.json"]
    journal.take_up()
    qtbot.waitUntil(lambda: rested(third) and bool(third.state.history.active))
    journal.wait()
    assert names(tmp_path) == ["json", "left-2.json"]
    _, journal, offers = opened(qtbot, runs, dump, tmp_path)
    assert [one.titles for one in offers] == [()]
    journal.leave()
    assert [one.titles for one in offers] == [(), titles]  # the next one at once
    journal.leave()
    assert len(offers) == 2
    assert names(tmp_path) == []


def test_what_was_done_before_the_answer_is_offered_too(qtbot: QtBot, runs: list[Session], dump: Path, tmp_path: Path) -> None:
    first, journal, _ = run(runs, tmp_path)
    edited(qtbot, first, dump)
    journal.wait()
    second, journal, _ = run(runs, tmp_path)
    edited(qtbot, second, dump)
    journal.take_up()
    qtbot.waitUntil(lambda: rested(second) and bool(second.state.history.active))
    journal.wait()
    assert names(tmp_path) == ["json", "left-2.json"]


def test_edits_for_other_bytes_are_kept_until_these_are_back(qtbot: QtBot, runs: list[Session], dump: Path, tmp_path: Path) -> None:
    first, journal, _ = run(runs, tmp_path)
    edited(qtbot, first, dump)
    journal.wait()
    old = dump.read_bytes()
    dump.write_text(json.dumps(request(), indent=2))
    _, journal, offers = opened(qtbot, runs, dump, tmp_path)
    assert [(one.same, one.days) for one in offers] == [(False, 30)]
    assert "they are kept for 30 days and offered when the old bytes are back" in words(offers[0])
    journal.end()
    dump.write_bytes(old)  # at another time than before
    _, journal, offers = opened(qtbot, runs, dump, tmp_path)
    assert [one.same for one in offers] == [True]
    dump.write_text(json.dumps(request(), indent=2))
    left = next((tmp_path / "edits").iterdir())
    os.utime(left, (time.time() - 31 * 86_400,) * 2)
    _, journal, offers = opened(qtbot, runs, dump, tmp_path)
    journal.wait()
    assert offers == []
    assert names(tmp_path) == []


def test_pins_alone_outlive_a_crash(qtbot: QtBot, runs: list[Session], dump: Path, tmp_path: Path) -> None:
    first, journal, _ = opened(qtbot, runs, dump, tmp_path)
    first.pin(0)
    first.set_pins(first.pins.with_protection("errors", True))
    qtbot.waitUntil(lambda: rested(first))
    journal.wait()
    second, journal, offers = opened(qtbot, runs, dump, tmp_path)
    assert words(offers[0]) == "The last run ended with 2 pins to this file."
    assert not second.pins
    journal.take_up()
    qtbot.waitUntil(lambda: rested(second) and second.state.pinned == frozenset({0}))
    assert second.pins == first.pins
    journal.wait()
    assert names(tmp_path) == ["json"]


def test_the_bundled_window_of_another_run_keeps_none(qtbot: QtBot, fresh_settings: Path) -> None:
    from app import main
    from app.settings import Store

    first = Store(fresh_settings)
    _, window = main.create_app([])
    qtbot.addWidget(window)
    assert isinstance(window, MainWindow)
    assert not window.findChildren(Journal)
    window.session.close()
    window.close()
    first.close()
