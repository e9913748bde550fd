"""The session over files whose text stands inside something else: what is shown, looked at and exported is that text."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.session import Session
from tests.builders import request_of
from tests.inline import Inline
from tests.test_session_errors import opened

TALK = "u:first | a:call toolu_1 | u:result toolu_1 | a:done"


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(worker=Inline)
    made._count_exactly = False
    yield made
    made._watch.stop()
    made.deleteLater()


def test_a_compressed_request(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path, out = tmp_path / "dump.json.gz", tmp_path / "out.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of(TALK)}).encode()))
    opened(session, qtbot, path)
    qtbot.waitUntil(lambda: not session.busy, timeout=20_000)
    assert session.block(0).text == "first"
    assert b'"first"' in session.raw(0)
    session.export(str(out))
    qtbot.waitUntil(out.exists, timeout=20_000)
    qtbot.waitUntil(lambda: not session.busy, timeout=20_000)
    assert out.read_bytes() == path.read_bytes()


def test_an_archive_of_inspect(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    sample = {"id": 1, "epoch": 1, "input": "go", "target": "", "messages": [{"role": "user", "content": "go"}]}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as held:
        held.writestr("samples/1_epoch_1.json", json.dumps(sample))
        held.writestr("header.json", json.dumps({"eval": {"task": "t", "run_id": "r"}}))
    opened(session, qtbot, path)
    qtbot.waitUntil(lambda: not session.busy, timeout=20_000)
    assert session.block(0).text == "go"
    assert session.pointer(0) == "/samples~11_epoch_1.json/messages/0/content"
