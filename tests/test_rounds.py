"""What is looked at by and by: sessions on this machine, between other jobs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from app import jobs
from app.rounds import Rounds
from tests.test_session_follow import CALL, record


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    folder = tmp_path / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    for n in range(3):
        (folder / f"{n}.jsonl").write_text(record(0, f"session {n}") + record(1, CALL, "assistant") + record(2, "go on"))
        os.utime(folder / f"{n}.jsonl", (1_000 + n, 1_000 + n))
    return tmp_path


def glances(rounds: Rounds) -> None:
    while rounds.going:
        rounds.glance(None, 0)


def test_sessions_are_found_then_looked_into_the_newest_first(home: Path) -> None:
    said: list[Any] = []
    rounds = Rounds(said.append)
    rounds.seek(jobs.Seek(7))
    glances(rounds)
    assert {one.generation for one in said} == {7}
    assert [Path(one.path).stem for one in said[0].found] == ["0", "1", "2"]
    assert said[0].left == 3
    looked = [one for answer in said[1:] for one in answer.found]
    assert [(one.title, one.errors) for one in looked] == [("session 2", 1), ("session 1", 1), ("session 0", 1)]
    assert said[-1].left == 0


def test_a_look_is_put_off_while_something_is_asked_but_not_for_ever(home: Path) -> None:
    said: list[Any] = []
    rounds = Rounds(said.append, lambda: True)
    rounds.seek(jobs.Seek(1))
    rounds.glance(None, 0)
    for _ in range(3):
        rounds.glance(None, 0)
    assert len(said) == 1
    rounds.glance(None, 0)
    assert len(said[1].found) >= 1


def test_it_stops(home: Path) -> None:
    rounds = Rounds(lambda answer: None)
    rounds.seek(jobs.Seek(1))
    assert rounds.going
    rounds.seek(jobs.Seek(1, on=False))
    assert not rounds.going
    rounds.seek(jobs.Seek(1))
    rounds.glance(None, 0)
    rounds.stop()
    assert not rounds.going
