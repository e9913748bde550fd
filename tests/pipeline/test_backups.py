"""Going back: the bytes of a backup in the file's place, what stood there kept, no backup ever written over or taken away."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from app.model.errors import ChangedError, RefusedError
from app.pipeline import backups


def made(folder: Path) -> Path:
    path = folder / "a dump.json"
    path.write_bytes(b"now")
    path.chmod(0o640)
    (folder / "a dump.json.bak-1").write_bytes(b"first")
    (folder / "a dump.json.bak-7").write_bytes(b"seventh")
    return path


def test_the_newest_is_listed_first_and_what_is_the_same_is_known(tmp_path: Path) -> None:
    path = made(tmp_path)
    for name in ("a dump.json.bak-x", "a dump.json.bak-3.txt", "b.json.bak-2"):
        (tmp_path / name).write_bytes(b"no backup of it")
    (tmp_path / "a dump.json.bak-8").write_bytes(b"now")
    (tmp_path / "a dump.json.bak-9").write_bytes(b"not")
    assert [(one.number, one.size, one.same) for one in backups.listed(path)] == [
        (9, 3, False), (8, 3, True), (7, 7, False), (1, 5, False),
    ]  # fmt: skip


def test_back_and_back_again(tmp_path: Path) -> None:
    path = made(tmp_path)
    done = backups.go_back(path, 1)
    assert path.read_bytes() == b"first"
    assert path.stat().st_mode & 0o777 == 0o640
    assert done.size == 5
    assert Path(done.kept).name == "a dump.json.bak-8"  # behind the highest, whichever was gone back to
    assert Path(done.kept).read_bytes() == b"now"
    assert len(list(tmp_path.iterdir())) == 4
    subprocess.run(shlex.split(done.back), check=True)
    assert path.read_bytes() == b"now"


def test_where_the_file_is_gone_it_comes_back(tmp_path: Path) -> None:
    path = made(tmp_path)
    path.unlink()
    done = backups.go_back(path, 7)
    assert path.read_bytes() == b"seventh"
    assert done.kept == done.back == ""


def test_what_is_there_already_is_not_written(tmp_path: Path) -> None:
    path = made(tmp_path)
    path.write_bytes(b"first")
    with pytest.raises(RefusedError, match=r"it holds what a dump\.json\.bak-1 holds"):
        backups.go_back(path, 1)
    with pytest.raises(RefusedError, match="no such backup"):
        backups.go_back(path, 2)
    assert len(list(tmp_path.iterdir())) == 3


def test_a_change_in_the_last_moment_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path)
    real = backups.keep

    def late(target: Path) -> Path:
        kept = real(target)
        target.write_bytes(b"somebody else")
        return kept

    monkeypatch.setattr(backups, "keep", late)
    with pytest.raises(ChangedError):
        backups.go_back(path, 1)
    assert path.read_bytes() == b"somebody else"
    assert (tmp_path / "a dump.json.bak-8").read_bytes() == b"now"  # the file is not what it was: the backup stays
    assert not list(tmp_path.glob(".*part"))


def test_a_failure_leaves_the_file_and_no_new_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path)

    def failing(old: Path, new: Path) -> None:
        raise OSError(28, "no space")

    monkeypatch.setattr(backups, "same_owner", failing)
    with pytest.raises(Exception, match="disk is full"):
        backups.go_back(path, 1)
    assert path.read_bytes() == b"now"
    assert len(list(tmp_path.iterdir())) == 3
