"""`report-bug`, and `export` with `--shape`, `--redact` or `--in-place`."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app import cli
from tests.evidence import MAIL, SECRETS, quiet_file

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capfdbinary: pytest.CaptureFixture[bytes]) -> Call:
    def run(*words: object) -> tuple[int, str, str]:
        status = cli.main([str(word) for word in words])
        out, err = capfdbinary.readouterr()
        return status, out.decode(), err.decode()

    return run


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return quiet_file(tmp_path)


def test_shape(call: Call, dump: Path, tmp_path: Path) -> None:
    status, out, err = call("export", dump, "--shape", "-o", tmp_path / "s.json")
    assert (status, err) == (0, "")
    assert "fillers of an equal number" in " ".join(out.split())
    assert not [secret for secret in SECRETS if secret in (tmp_path / "s.json").read_text()]


def test_redact_lists_and_leaves(call: Call, dump: Path, tmp_path: Path) -> None:
    status, out, _ = call("export", dump, "--redact", "-o", tmp_path / "r.json", "--word", "books", "--leave", "e-mail address")
    assert status == 0
    rows = [line.split() for line in out.splitlines() if line.startswith("  ")]
    assert {row[1] for row in rows if "e-mail" in row} == {"left"}
    assert {row[1] for row in rows if "own" in row} == {"gone"}
    assert MAIL in (tmp_path / "r.json").read_text()
    assert MAIL not in out  # the list itself tells little
    status, _, err = call("export", dump, "--redact", "-o", tmp_path / "x.json", "--leave", "99")
    assert (status, err.count("\n")) == (2, 1)
    assert "--leave 99: nothing of this number" in err
    assert not (tmp_path / "x.json").exists()


def test_in_place(call: Call, dump: Path) -> None:
    old = dump.read_bytes()
    status, out, _ = call("export", dump, "--in-place", "--fix", "all")
    assert status == 0
    assert f"backup: {dump}.bak-1" in out
    assert f"back with: mv -- {dump}.bak-1 {dump}" in out
    assert Path(f"{dump}.bak-1").read_bytes() == old
    os.utime(dump, (time.time() - 60,) * 2)
    status, out, _ = call("export", dump, "--in-place", "--fix", "all")
    assert status == 0
    assert "nothing to change; the file is untouched" in out
    assert not Path(f"{dump}.bak-2").exists()


@pytest.mark.parametrize(("words", "said"), [
    (["--shape", "--redact", "-o", "x"], "--shape or --redact, not both"),
    (["--shape", "--fix", "all", "-o", "x"], "export with --fix first"),
    (["--in-place", "-o", "x"], "--in-place and -o do not go together"),
    (["--in-place", "--to", "gemini"], "another wire is another file"),
    ([], "required: -o"),
])  # fmt: skip
def test_words_that_do_not_go_together(call: Call, dump: Path, words: list[str], said: str) -> None:
    status, out, err = call("export", dump, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_report_bug(call: Call, dump: Path, tmp_path: Path) -> None:
    status, out, err = call("report-bug", dump, "--rule", "tool-result-orphan", "--transcript-out", tmp_path / "t.json")
    assert status == 0
    assert out.startswith("## tool-result-orphan")
    assert "7 blocks became 1" in err
    assert not [secret for secret in SECRETS if secret in out]
    status, out, _ = call("check", tmp_path / "t.json", "--json")
    assert status == 1
    assert json.loads(out)["finding_counts"] == {"tool-result-orphan": 1}
    status, _, err = call("report-bug", dump, "--rule", "text-empty")
    assert (status, err.count("\n")) == (2, 1)
    assert "no finding of text-empty" in err
