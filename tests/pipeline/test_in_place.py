"""Over the source: a backup first, one step, and everything that speaks against it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from pathlib import Path

import pytest

from app.model.dump import Dump
from app.model.errors import ChangedError, RefusedError, RemainingError
from app.model.evidence import InPlace
from app.model.transcript import Transcript
from app.pipeline import in_place, mended, opened
from app.pipeline.names import provider_named
from tests.evidence import request, session

ANTHROPIC = provider_named("anthropic")


def made(folder: Path, data: bytes | None = None, name: str = "dump.json") -> Path:
    path = folder / name
    path.write_bytes(data if data is not None else json.dumps(request(), indent=1).encode())
    old = time.time() - 60
    os.utime(path, (old, old))
    return path


def repaired(dump: Dump) -> list[Transcript]:
    return [mended(dump, t, ANTHROPIC, None, "complete", "all")[1] for t in dump.transcripts]


def repair(path: Path) -> InPlace:
    dump = opened(str(path))
    return in_place.repair_in_place(dump, repaired(dump), ANTHROPIC, None, "complete")


def test_the_backup_holds_the_old_bytes_and_the_command_brings_them_back(tmp_path: Path) -> None:
    path = made(tmp_path, name="a dump's.json")
    old = path.read_bytes()
    path.chmod(0o640)
    done = repair(path)
    assert Path(done.backup).name == "a dump's.json.bak-1"
    assert Path(done.backup).read_bytes() == old != path.read_bytes()
    assert path.stat().st_mode & 0o777 == Path(done.backup).stat().st_mode & 0o777 == 0o640
    assert done.written.verdict == "accept"
    assert done.resume == ""
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a dump's.json", "a dump's.json.bak-1"]
    subprocess.run(shlex.split(done.back), check=True)
    assert path.read_bytes() == old
    assert not Path(done.backup).exists()


def test_a_backup_is_never_written_over(tmp_path: Path) -> None:
    path = made(tmp_path)
    (tmp_path / "dump.json.bak-1").write_text("mine")
    (tmp_path / "dump.json.bak-7").write_text("mine too")
    done = repair(path)
    assert Path(done.backup).name == "dump.json.bak-8"
    assert (tmp_path / "dump.json.bak-1").read_text() == "mine"


def test_a_link_is_followed_and_stays_one(tmp_path: Path) -> None:
    path = made(tmp_path)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    done = repair(link)
    assert link.is_symlink()
    assert Path(done.backup) == tmp_path / "dump.json.bak-1"


def test_what_speaks_against_it(tmp_path: Path) -> None:
    path = made(tmp_path)
    dump = opened(str(path))
    fixed = repaired(dump)
    with pytest.raises(RemainingError):
        in_place.repair_in_place(dump, dump.transcripts, ANTHROPIC, None, "complete")
    path.touch()
    with pytest.raises(RefusedError, match="written to 0 seconds ago"):
        in_place.repair_in_place(dump, fixed, ANTHROPIC, None, "complete")
    with pytest.raises(ChangedError):
        in_place.repair_in_place(dump, fixed, ANTHROPIC, None, "complete", now=lambda: time.time() + 60)
    (tmp_path / "second.json").hardlink_to(path)
    with pytest.raises(RefusedError, match="hard links"):
        in_place.repair_in_place(opened(str(path)), fixed, ANTHROPIC, None, "complete")
    assert not list(tmp_path.glob("*.bak-*"))
    assert path.read_bytes() == dump.source.all()


def test_a_program_that_writes_to_it_is_named(tmp_path: Path) -> None:
    path = made(tmp_path)
    if not Path("/proc/self/fdinfo").is_dir():
        pytest.skip("this system does not tell who has a file open")
    code = "import sys; f = open(sys.argv[1], 'ab'); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(["python3", "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(RefusedError, match=f"process {other.pid} has it open for writing"):
            repair(path)
        other.communicate()
    repair(path)


def test_a_change_in_the_last_moment_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path)
    real = in_place.keep

    def late(target: Path) -> Path:
        backup = real(target)
        target.write_bytes(b"{}")
        return backup

    monkeypatch.setattr(in_place, "keep", late)
    with pytest.raises(ChangedError):
        repair(path)
    assert path.read_bytes() == b"{}"
    assert (tmp_path / "dump.json.bak-1").exists()  # the file is not what it was: the backup is kept
    assert not list(tmp_path.glob(".*part"))


def test_a_session_says_how_to_go_on(tmp_path: Path) -> None:
    body = b"\n".join(session().splitlines()[:-1]) + b"\n"
    done = repair(made(tmp_path, body, "4f1c0000-0000-4000-8000-00000000abcd.jsonl"))
    assert done.resume == "cd /home/maria/books && claude --resume 4f1c0000-0000-4000-8000-00000000abcd"
    head = {"timestamp": "2026-01-01T00:00:00.000Z", "type": "session_meta", "payload": {"id": "0199aaaa-0000-7000-8000-000000000001"}}
    item = {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "call_1"}
    lines = [head, *({"timestamp": "2026-01-01T00:00:01.000Z", "type": "response_item", "payload": p} for p in (
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go"}]}, item))]  # fmt: skip
    dump = opened(str(made(tmp_path, "\n".join(map(json.dumps, lines)).encode(), "rollout.jsonl")))
    assert dump.format == "codex"
    assert in_place.resume_command(dump, tmp_path / "rollout.jsonl") == "codex resume 0199aaaa-0000-7000-8000-000000000001"
