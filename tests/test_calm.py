"""What takes long is said and can be stopped; what was stopped leaves nothing behind; what is said is true."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app import jobs, session_asks
from app.model.errors import UnreadableError
from app.model.source import Source
from app.pipeline import opened
from app.pipeline.detect import detect
from app.pipeline.export import export
from app.pipeline.names import provider_named
from app.session import Session
from tests.evidence import request
from tests.inline import Inline
from widgets.verdict import verdict


class Slow(Inline):
    """A helper that keeps repairs to itself until it is told."""

    held: list[Any]

    def __init__(self, receive: Callable[[Any], None]) -> None:
        super().__init__(receive)
        self.held = []

    def send(self, job: Any) -> None:
        if isinstance(job, jobs.Try):
            self.held.append(job)
        else:
            super().send(job)

    def let_go(self) -> None:
        while self.held:
            super().send(self.held.pop())


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(request(), indent=1))
    return path


def slow(qtbot: QtBot, dump: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Session, Slow]:
    monkeypatch.setattr(session_asks, "SLOW", 20)
    session = Session(worker=Slow)
    session.open(str(dump))
    qtbot.waitUntil(lambda: session.state.report is not None and not session._waiting - {"Count"})
    worker = session._worker
    assert isinstance(worker, Slow)
    return session, worker


def test_a_slow_repair_is_said_and_its_end_too(qtbot: QtBot, dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, worker = slow(qtbot, dump, monkeypatch)
    session.preview_repair("all")
    assert session.state.progress is None  # not at once
    qtbot.waitUntil(lambda: session.state.progress is not None)
    assert session.state.progress is not None
    assert session.state.progress.cancel
    said = verdict(session.state, {})
    assert said is not None
    assert said.title == "Working out the repair of dump.json"
    assert said.actions == ("file.cancel",)
    worker.let_go()
    qtbot.waitUntil(lambda: session.state.preview is not None)
    assert session.state.progress is None


def test_what_was_given_up_does_not_come(qtbot: QtBot, dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, worker = slow(qtbot, dump, monkeypatch)
    session.preview_repair("all")
    qtbot.waitUntil(lambda: session.state.progress is not None)
    session.cancel()
    assert session.state.progress is None
    worker.let_go()
    asked = list[Any]()
    session.answered.connect(asked.append)
    session.ask("sensitive", ())
    qtbot.waitUntil(lambda: bool(asked))  # whatever is asked afterwards is answered
    assert session.state.preview is None
    assert len(asked[0].answer.found) > 3


def test_an_export_that_is_stopped_leaves_the_target(dump: Path, tmp_path: Path) -> None:
    one, told = opened(str(dump)), list[float]()

    class Enough(Exception):
        pass

    def progress(fraction: float) -> None:
        told.append(fraction)
        if fraction >= 0.4:
            raise Enough

    out = tmp_path / "out.json"
    out.write_text("before")
    with pytest.raises(Enough):
        export(one, one.transcripts, out, provider_named("anthropic"), None, "complete", True, progress=progress)
    assert out.read_text() == "before"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["dump.json", "out.json"]
    told.clear()
    written = export(one, one.transcripts, out, provider_named("anthropic"), None, "complete", True, progress=lambda f: told.append(f))
    assert written.same
    assert told == sorted(told)


@pytest.mark.parametrize(("text", "said"), [
    ("null", "this is JSON, but nothing more than the word null"),
    ("42", "this is JSON, but nothing more than a number"),
    (" true \n", "this is JSON, but nothing more than the word true"),
    ("nul", "not JSON: byte 0 is 'n'"),
])  # fmt: skip
def test_a_bare_value_is_json(text: str, said: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        detect(Source.of(text.encode(), "x"))
    assert said in str(caught.value)


def test_a_changed_file_does_not_speak_of_changes_that_there_are_not(qtbot: QtBot, dump: Path) -> None:
    session = Session(worker=Inline)
    session.open(str(dump))
    qtbot.waitUntil(lambda: session.state.report is not None and not session._waiting - {"Count"})
    said = list[str]()
    session.failed.connect(said.append)
    dump.write_text("{}")
    session._look_at_file()
    assert said == [f"{dump}: the file has changed since it was read. F5 reads it again."]
