"""The session and a provider's words: asked of the helper, recorded refusals looked at by itself, a file opened as another format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.session import Session
from tests.builders import request_of
from tests.formats.call_logs import HAR
from tests.inline import Inline
from tests.pipeline.test_explain import BROKEN_START, ERROR, refused
from tests.pipeline.test_explain import session as log

MISSING = "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must"


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(worker=Inline)
    made._count_exactly = False
    yield made
    made._watch.stop()
    made.deleteLater()


def opened(session: Session, qtbot: QtBot, path: Path, hint: str | None = None) -> None:
    session.open(str(path), hint)
    qtbot.waitUntil(lambda: session.state.report is not None and not session.busy, timeout=20_000)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of("u:q | a:call toolu_1 | u:go on")}))
    return path


def test_an_error_is_explained_by_the_helper(session: Session, qtbot: QtBot, broken: Path) -> None:
    opened(session, qtbot, broken)
    with qtbot.waitSignal(session.told, timeout=20_000) as caught:
        session.explain(MISSING)
    told = caught.args[0]
    assert (told.text, told.explained.best.at) == (MISSING, "/messages/1/content/0")
    assert not session.busy


def test_nothing_is_asked_where_nothing_is_open_or_said(session: Session, qtbot: QtBot, broken: Path) -> None:
    session.explain(MISSING)
    assert not session.busy
    opened(session, qtbot, broken)
    session.explain("  ")
    assert not session.busy


def test_an_answer_on_an_older_order_is_dropped(session: Session, qtbot: QtBot, broken: Path) -> None:
    opened(session, qtbot, broken)
    heard: list[Any] = []
    session.told.connect(heard.append)
    session.explain(MISSING)
    session.judge_for("openai-chat")
    qtbot.waitUntil(lambda: session.state.report is not None and session.state.report.provider == "openai-chat", timeout=20_000)
    assert heard == []
    assert "Explain" not in session._waiting or not heard


def test_recorded_refusals_come_with_the_findings_and_the_one_that_is_named_is_selected(
    session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(log(*BROKEN_START, refused(ERROR)).source.all())
    opened(session, qtbot, path)
    (one,) = session.state.recalled
    assert one.stands is not None
    assert session.state.selected == one.stands.row
    session.preview_repair("all")
    qtbot.waitUntil(lambda: session.state.preview is not None, timeout=20_000)
    session.apply_preview()
    qtbot.waitUntil(
        lambda: session.state.report is not None and session.state.report.verdict == "accept" and not session.busy, timeout=20_000
    )
    assert session.state.recalled[0].stands is None


def test_a_text_is_told_from_a_dump(session: Session, broken: Path) -> None:
    assert session.is_error(MISSING)
    assert session.is_error(ERROR)
    assert not session.is_error(broken.read_text())
    assert not session.is_error("Hello there, how are the messages?")
    assert not session.is_error("")


def test_what_was_given_last_is_opened_as_another_format(session: Session, qtbot: QtBot, broken: Path, tmp_path: Path) -> None:
    assert "claude-code" in session.formats()
    session.open_as("openai-chat")  # nothing was given yet
    assert not session.busy
    opened(session, qtbot, broken)
    session.open_as("openai-chat")
    qtbot.waitUntil(lambda: session.state.report is not None and session.state.report.provider == "openai-chat", timeout=20_000)
    assert session.state.dump is not None
    assert session.state.dump.format == "openai-chat"
    odd = tmp_path / "odd.json"
    odd.write_text('{"a": x}')
    said: list[str] = []
    session.failed.connect(said.append)
    session.open(str(odd))
    qtbot.waitUntil(lambda: bool(said), timeout=20_000)
    assert "Open as…" in said[0]
    assert session.tried == str(odd)  # though the other file is open again
    assert session.state.path == str(broken)


def test_a_log_of_calls_is_judged_as_the_provider_that_was_called(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "calls.har"
    path.write_text(json.dumps(HAR))
    opened(session, qtbot, path)
    assert session.state.provider == "anthropic"


def test_a_log_without_a_call_of_a_model_is_refused_in_one_line(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "none.har"
    path.write_text(json.dumps({"log": {"version": "1.2", "creator": {}, "entries": []}}))
    with qtbot.waitSignal(session.failed, timeout=20_000) as failed:
        session.open(str(path))
    assert failed.args == [f"{path}: har, 0 records, and no conversation in it"]
