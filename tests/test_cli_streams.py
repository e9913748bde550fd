"""Standard streams that are closed, full or left by their reader: never a bug report, the status stays true."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import request_of

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="streams are closed by a shell")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of("u:q | a:call toolu_1 | u:go on")}))
    return path


def shell(words: str, redirections: str, *paths: Path) -> subprocess.CompletedProcess[bytes]:
    """Runs `words` as a shell would, `$1`, `$2` … standing for `paths`."""
    line = f'"$PYTHON" -m app {words} {redirections}'
    env = {**os.environ, "PYTHON": sys.executable}
    return subprocess.run(["sh", "-c", line, "sh", *map(str, paths)], capture_output=True, env=env, check=False, timeout=120)


@pytest.mark.parametrize(
    ("words", "status", "closed"),
    [
        ('check "$1"', 1, ">&-"), ('check "$1"', 1, "2>&-"), ('check "$1"', 1, ">&- 2>&-"), ('check "$1"', 1, "<&- >&- 2>&-"),
        ('check "$1" --json', 1, ">&-"), ('plan "$1" --budget 5', 0, ">&-"), ("list rules", 0, ">&-"),
    ],
)  # fmt: skip
def test_a_closed_stream_changes_no_status(broken: Path, words: str, status: int, closed: str) -> None:
    done = shell(words, closed, broken)
    assert (done.returncode, done.stderr) == (status, b"")


@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&-"])
def test_what_cannot_be_read_is_status_2_where_nobody_can_be_told(tmp_path: Path, closed: str) -> None:
    assert shell('check "$1"', closed, tmp_path / "nope.json").returncode == 2


def test_an_export_is_written_whole_where_nobody_listens(broken: Path, tmp_path: Path) -> None:
    done = shell('export "$1" -o "$2" --fix safe', ">&- 2>&-", broken, tmp_path / "out.json")
    assert done.returncode == 0
    assert b"no result recorded" in (tmp_path / "out.json").read_bytes()


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", ['check "$1" "$1" --json', "list rules"])
def test_a_full_disk_is_one_line_that_says_so(broken: Path, words: str) -> None:
    done = shell(words, ">/dev/full", broken)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(b"standard output: ")
    assert b"please report" not in done.stderr


def test_a_head_that_has_seen_enough(broken: Path) -> None:
    done = shell('check "$1" "$1" "$1"', "| head -n 1", broken)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


def test_the_headless_run_as_well(broken: Path, tmp_path: Path) -> None:
    line = 'cd "$2" && "$PYTHON" -m app.headless "$1" | head -n 1'
    env = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(Path(__file__).parent.parent)}
    done = subprocess.run(["sh", "-c", line, "sh", str(broken), str(tmp_path)], capture_output=True, env=env, check=False, timeout=120)
    assert b"Traceback" not in done.stderr
    assert done.stdout.startswith(b"No display")


# -- what can be known before anything is written -------------------------------------------------------------------------------------


def test_a_report_that_cannot_be_written_is_refused_before_the_dump_is(broken: Path, tmp_path: Path) -> None:
    for report, said in ((tmp_path / "nowhere" / "r.md", b"there is no folder"), (broken / "r.md", b"is no folder")):
        done = shell('export "$1" -o "$2" --fix safe --report "$3"', "", broken, tmp_path / "out.json", report)
        assert (done.returncode, done.stderr.count(b"\n"), done.stdout) == (2, 1, b"")
        assert said in done.stderr
        assert not (tmp_path / "out.json").exists()


def test_a_budgeted_export_that_is_refused_says_one_thing(broken: Path, tmp_path: Path) -> None:
    done = shell('export "$1" -o "$2" --strategy evict-exchanges --budget 1', "", broken, tmp_path / "out.json")
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"would remain" in done.stderr
