"""`make run` without a display: findings and a plan are printed, the repaired dump and a picture are written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app import cli, headless


def test_the_bundled_incident_is_told_planned_mended_and_pictured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pictures: list[tuple[str, Path, int]] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(headless, "_snapshot", lambda dump, picture, budget: pictures.append((dump, picture, budget)) or 0)
    assert headless.main([]) == 0
    out = capfd.readouterr().out
    assert "WOULD BE REFUSED by anthropic" in out
    assert "evict-exchanges" in out
    repaired = Path("build", "run", "repaired.json")
    assert json.loads(repaired.read_bytes())["messages"]
    assert cli.main(["check", str(repaired)]) == 0
    ((dump, picture, budget),) = pictures
    assert Path(dump).resolve() == headless.INCIDENT
    assert picture == Path("build", "run", "window.png")
    assert f"budget {budget:,}" in out


def test_a_dump_that_cannot_be_read_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "torn.json").write_bytes(b"\x00\x01")
    assert headless.main(["torn.json"]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1
    assert not Path("build/run/repaired.json").exists()
