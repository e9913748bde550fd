"""Pins on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app import cli
from app.pipeline.pin_file import path_of, save
from app.pipeline.pins import read
from tests.pipeline.test_pins import BODY, opened


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(BODY, indent=1))
    return path


def plan(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, list[dict], str]:
    status = cli.main(["plan", *map(str, words), "--counter", "chars/4", "--json"])
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], err


def test_a_plan_with_pins_says_what_they_hold(dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--strategy", "evict-exchanges", "--pin", "r2", "--pin", "tool:Edit", "--protect", "--unprotect", "small")
    status, (row,), err = plan(capsys, dump, *words)
    assert (status, err) == (0, "")
    assert row["pins"]["protected"] == {
        "system": 1, "first-prompt": 1, "last-prompt": 1, "last-result": 1, "memory-tools": 2, "errors": 2, "edited-files": 2,
        "constraints": 1,
    }  # fmt: skip
    assert row["exchanges"] == {"kept": 3, "dropped": 0}
    (free,) = plan(capsys, dump, "--strategy", "evict-exchanges")[1]
    assert "pins" not in free
    assert free["exchanges"] == {"kept": 1, "dropped": 2}


def test_a_preset_says_that_its_system_knows_no_pins(dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, (row,), _ = plan(capsys, dump, "--strategy", "sk-truncate:target_count=3", "--pin", "E1")
    assert row["warnings"] == ["pins are ours: the system that is imitated knows none, and would not have spared what is pinned"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pin", "E9"], "dump.json: --pin E9: there is no such exchange"),
        (["--unprotect", "small"], "it leaves an entry of --protect out"),
        (["--protect", "--unprotect", "smal"], "--unprotect smal: there is no such entry; there are system, first-prompt,"),
        (["--pins", "nowhere.json"], "nowhere.json: No such file or directory"),
    ],
)
def test_words_that_are_off_are_one_line(dump: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    status, rows, err = plan(capsys, dump, *words)
    assert (status, rows) == (2, [])
    assert said in err
    assert err.count("\n") == 1


def test_an_export_leaves_what_is_pinned_and_takes_pins_from_beside(dump: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one, view, look = opened(dump)
    save(one, {0: read(view, ["/messages/2/content/0"], look)}, lambda transcript: look)
    out = tmp_path / "out.json"
    pins = ["--pins", str(path_of(dump)), "--pin", "r8"]
    assert cli.main(["export", str(dump), "-o", str(out), "--strategy", "stub-tool-results:keep_last=0", *pins]) == 0
    messages = json.loads(out.read_text())["messages"]
    assert messages[2] == BODY["messages"][2]
    assert messages[4]["content"][0]["content"].startswith("[tool result removed")
    assert messages[16] == BODY["messages"][16]


def test_pins_need_a_strategy(dump: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["export", str(dump), "-o", str(tmp_path / "out.json"), "--pin", "E1"]) == 2
    assert "pins hold against a --strategy, and none is given" in capsys.readouterr().err


def test_a_policy_keeps_the_text_of_a_summary(dump: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    policy, out = tmp_path / "policy.json", tmp_path / "out.json"
    policy.write_text(json.dumps({"strategy": "summarize-prefix", "params": {"text": "Mended, and: never mail finance; totals, too."}}))
    saved = tmp_path / "saved.json"
    assert plan(capsys, dump, "--policy", policy, "--save-policy", saved, "--budget", "300")[0] == 0
    assert cli.main(["export", str(dump), "-o", str(out), "--policy", str(saved), "--budget", "300"]) == 0
    body = json.loads(out.read_text())
    lead = "[summary of an earlier part of this conversation, made from its transcript]"
    assert body["messages"][0] == {"role": "user", "content": f"{lead}\n\nMended, and: never mail finance; totals, too."}
    assert body["messages"][1]["role"] == "assistant"
    assert body["system"] == BODY["system"]  # never promoted to the system text
