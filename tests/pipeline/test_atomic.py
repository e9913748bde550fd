"""A file is written whole or not at all, and never over what was read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.model.errors import InspectorError, RefusedError
from app.model.source import Source
from app.pipeline import atomic


def test_the_target_is_replaced_in_one_go_with_the_permissions_of_a_new_file(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_bytes(b"old")
    target.chmod(0o600)
    seen: list[bytes] = []

    def look(temporary: Path) -> None:
        assert temporary.parent == tmp_path
        assert target.read_bytes() == b"old"
        seen.append(temporary.read_bytes())

    atomic.write(target, [b"ne", b"w"], look)
    assert (target.read_bytes(), seen) == (b"new", [b"new"])
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "plain"]


def test_an_error_on_the_way_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_bytes(b"old")

    def torn() -> Iterator[bytes]:
        yield b"half"
        raise OSError(28, "No space left on device")

    with pytest.raises(InspectorError, match=r"out.json: not written: the disk is full"):
        atomic.write(target, torn())

    def doubt(temporary: Path) -> None:
        raise InspectorError("it does not read back")

    with pytest.raises(InspectorError, match="read back"):
        atomic.write(target, [b"new"], doubt)
    with pytest.raises(KeyboardInterrupt):
        atomic.write(target, (b"" if n < 3 else (_ for _ in ()).throw(KeyboardInterrupt) for n in range(5)))  # type: ignore[misc]
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_a_folder_that_is_not_there_or_not_ours_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InspectorError, match=r"there is no folder .*nowhere; make it first"):
        atomic.write(tmp_path / "nowhere" / "x", [b""])
    if os.geteuid() == 0:
        pytest.skip("the superuser may write anywhere")
    tmp_path.chmod(0o500)
    with pytest.raises(InspectorError, match="no permission to write in"):
        atomic.write(tmp_path / "x", [b""])


def test_the_source_is_never_a_target(tmp_path: Path) -> None:
    source = tmp_path / "in.json"
    source.write_bytes(b"{}")
    (tmp_path / "soft").symlink_to(source)
    os.link(source, tmp_path / "hard")
    opened = Source.open(source)
    for name in ("in.json", "soft", "hard", "../" + tmp_path.name + "/in.json"):
        with pytest.raises(RefusedError, match="never written over"):
            atomic.target_of(tmp_path / name, opened)
    assert atomic.target_of(tmp_path / "other", opened) == tmp_path / "other"


def test_a_link_to_another_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    atomic.write(atomic.target_of(tmp_path / "link"), [b"new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["", "-", "/dev/null", "."])
def test_what_is_no_file_is_refused(name: str) -> None:
    with pytest.raises(RefusedError):
        atomic.target_of(name)
