"""The helper process dies when the file is no longer what was read: no change is laid over another file, and none is lost."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from tests.walks import Person, person

assert person


def _messages(names: str) -> list[dict[str, str]]:
    said = [{"role": role, "content": f"{role} {name} " + "word " * 40} for name in names for role in ("user", "assistant")]
    return [*said, {"role": "user", "content": "the last question"}]


def _write(path: Path, names: str) -> None:
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": _messages(names)}))


@pytest.fixture
def cut(person: Person, tmp_path: Path) -> Path:
    """An open file of which a plan was applied: its oldest exchanges are dropped."""
    path = tmp_path / "open.json"
    _write(path, "ABCDEF")
    person.open(path)
    person.session.set_budget(person.state.now // 2)
    person.rest()
    person.do("plan.apply")
    person.wait(lambda: bool(person.state.history.active) and not person.session.busy)
    return path


def _kill(person: Person) -> None:
    pid = person.session._worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("gone", [False, True])
def test_changes_wait_until_the_file_is_as_it_was(person: Person, cut: Path, tmp_path: Path, gone: bool) -> None:
    data, status = cut.read_bytes(), cut.stat()
    rows, layers = list(person.state.view.rows), person.state.history.active
    aside = tmp_path / "aside.json"
    cut.rename(aside)
    if not gone:
        _write(cut, "XYABCDEF")
    _kill(person)
    came = "is gone" if gone else "has changed since it was read"
    said = f"{cut.name} {came}. Your changes wait until it is as it was; F5 reads it anew."
    person.wait(lambda: any(said in line for line in person.lines))
    assert list(person.state.view.rows) == rows
    assert person.state.history.active == layers
    out = tmp_path / "out.json"
    person.session.export(str(out))
    person.wait(lambda: sum(said in line for line in person.lines) == 2)
    assert not out.exists()
    assert person.state.progress is None
    aside.rename(cut)
    assert (cut.read_bytes(), cut.stat().st_mtime_ns) == (data, status.st_mtime_ns)
    person.do("edit.undo")
    person.wait(lambda: not person.session.busy and not person.state.history.active and person.state.report is not None)
    assert len(person.state.view.rows) > len(rows)
    person.do("edit.redo")
    person.rest()
    person.session.export(str(out))
    person.wait(out.exists)
    kept = [message["content"][:12] for message in json.loads(out.read_text())["messages"]]
    assert kept[-1] == "the last que"
    assert len(kept) == len(rows)


def test_a_file_that_cannot_be_opened_then_does_not_lay_them_over_it(person: Person, cut: Path, tmp_path: Path) -> None:
    layers, rows = person.state.history.active, list(person.state.view.rows)
    aside, broken = tmp_path / "aside.json", tmp_path / "broken.json"
    cut.rename(aside)
    _write(cut, "XYABCDEF")
    broken.write_bytes(b"\0\0")
    _kill(person)
    person.wait(lambda: any("has changed since it was read" in line for line in person.lines))
    person.session.open(str(broken))
    person.wait(lambda: any(str(broken) in line for line in person.lines) and person.state.path == str(cut))
    person.wait(lambda: not person.session.busy)
    assert person.state.history.active == layers
    assert list(person.state.view.rows) == rows
    out = tmp_path / "out.json"
    told = len(person.lines)
    person.session.export(str(out))
    aside.rename(cut)  # and so it is as it was before the refusal is said
    person.wait(lambda: len(person.lines) > told)
    assert not out.exists()
    person.session.export(str(out))
    person.wait(lambda: not person.session.busy and person.state.report is not None)
    person.session.export(str(out))
    person.wait(out.exists)
    assert len(json.loads(out.read_text())["messages"]) == len(rows)


@pytest.mark.parametrize("data", [b"", b"[]", b"\0\0"])
def test_what_cannot_be_opened_costs_nothing_of_what_is_being_read(person: Person, tmp_path: Path, data: bytes) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    _write(first, "ABCDEFGH" * 400)
    second.write_bytes(data)
    person.session.open(str(first))
    person.session.open(str(second))
    person.wait(lambda: bool(person.lines) or (person.state.path == str(second) and not person.session.busy))
    if person.lines:  # an empty list may be a dump of nothing
        assert str(second) in person.lines[0]
        person.wait(lambda: person.state.path == str(first) and not person.session.busy)
        assert person.state.report is not None
        assert person.state.tokens.exact.all()
        assert person.state.progress is None


def test_a_second_close_is_no_answer(person: Person, cut: Path) -> None:
    assert cut.exists()
    assert not person.window.close()
    assert not person.window.close()
    assert person.window.isVisible()
    assert person.state.history.active
