"""What a report says of plans: the budget met or missed, row by row what went and why, and the removed bodies by digest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.formats._json import compact
from tests.pipeline.test_pins import BODY, LONG, MESSAGES


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(BODY, indent=1))
    return path


def export(dump: Path, *words: str) -> int:
    return cli.main(["export", str(dump), "-o", str(dump.with_name("out.json")), "--counter", "chars/4", *words])


def told(dump: Path, *words: str) -> dict[str, Any]:
    report = dump.with_name("out.report.json")
    assert export(dump, "--report", str(report), *words) == 0
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def test_the_json_tells_strategy_budget_rows_tokens_and_both_verdicts(dump: Path) -> None:
    report = told(dump, "--strategy", "stub-tool-results:keep_last=1,text=[gone]", "--budget", "200", "--pin", "r1")
    assert (report["program"], report["kind"], report["version"], report["provider"]) == ("transcript-inspector", "report", 1, "anthropic")
    (one,) = report["transcripts"]
    (change,) = one["changes"]
    assert change["strategy"] == [{"strategy": "stub-tool-results", "params": {"keep_last": 1, "text": "[gone]"}}]
    assert (change["budget"], change["missed_by"]) == (200, change["tokens_after"] - 200)
    assert change["missed_by"] > 0
    assert change["overshoot"] == round(-change["tokens"] / (change["tokens_after"] - change["tokens"] - 200), 4)
    assert one["tokens"] == {"before": change["tokens_after"] - change["tokens"], "after": change["tokens_after"], "counter": "chars/4"}
    assert [row["at"] for row in change["rows"]] == [
        f"/messages/{place}" for place in ("4/content/0", "4/content/1", "10/content/0", "10/content/1", "12/content/0")
    ]
    first = change["rows"][0]
    body = MESSAGES[4]["content"][0]
    assert first == {
        "at": "/messages/4/content/0", "what": "stubbed", "was": "tool result Read", "place": "E1 r2",
        "tokens_before": -(-len(LONG + "2") // 4), "tokens_after": 2,
        "sha256": hashlib.sha256(compact(body).encode()).hexdigest(),
    }  # fmt: skip
    assert change["why"] == "stub-tool-results puts a short text in place of old tool results"
    assert {mode: (pair["before"]["verdict"], pair["after"]["verdict"]) for mode, pair in one["verdicts"].items()} == {
        "complete": ("accept", "accept"), "prefix": ("accept", "accept"),
    }  # fmt: skip
    assert one["pinned_rows"] == 2
    assert one["cut_risk"]["bad"] == 6
    assert report["export"]["changed"] == 3
    assert one["lost"]["total"] == sum(one["lost"]["counts"].values())


def test_a_missed_budget_and_a_met_one_are_said(dump: Path) -> None:
    report = dump.with_name("out.md")
    assert export(dump, "--report", str(report), "--strategy", "stub-tool-results", "--budget", "100") == 0
    text = report.read_text()
    assert "- `stub-tool-results` (keep_last = `2`, text = `[tool result removed" in text
    assert "  - Budget of 100 tokens **missed by " in text
    assert "- Well formed so far: no reason to refuse was found before the changes, no reason to refuse was found after them" in text
    assert "### Row by row" in text
    assert "- stubbed `/messages/2/content/0` (tool result Read in E1 r1, 44 to 19 tokens, sha256 " in text
    assert export(dump, "--report", str(report), "--strategy", "evict-exchanges", "--budget", "200") == 0
    text = report.read_text()
    assert "  - Budget of 200 tokens met: " in text
    assert "- dropped `/messages/0/content` (text in E1, 12 tokens, sha256 " in text
    assert "### What was lost\n\nLost: 1 constraint" in text
    assert "- constraint `You must not touch invoices.py.` stated at `/messages/0/content`: " in text


def test_what_is_removed_is_kept_by_digest(dump: Path) -> None:
    removed = dump.with_name("out.removed.jsonl")
    report = told(dump, "--strategy", "evict-exchanges", "--budget", "200", "--removed", str(removed))
    head, *bodies = [json.loads(line) for line in removed.read_text().splitlines()]
    assert (head["kind"], head["version"], head["file"]) == ("removed", 1, "dump.json")
    by_digest = {one["sha256"]: one for one in bodies}
    rows = report["transcripts"][0]["changes"][0]["rows"]
    assert {row["sha256"] for row in rows} == set(by_digest)
    assert len(rows) > 12
    for row in rows:
        one = by_digest[row["sha256"]]
        assert row["at"] in one["at"]
        assert hashlib.sha256(compact(one["body"]).encode()).hexdigest() == one["sha256"]
    (result,) = [one for one in bodies if one["at"] == ["/messages/2/content/0"]]
    assert result["body"] == MESSAGES[2]["content"][0]


def test_targets_are_several(dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(dump, "--report", str(dump.with_name("x")), "--removed", str(dump.with_name("x"))) == 2
    assert "what is removed and the report cannot be one file" in capsys.readouterr().err
    assert not dump.with_name("out.json").exists()


def test_without_a_change_nothing_is_said_of_plans(dump: Path) -> None:
    (one,) = told(dump)["transcripts"]
    assert (one["changes"], one["tokens"]["counter"], one["lost"]) == ([], None, None)
    assert one["verdicts"]["complete"]["before"] == one["verdicts"]["complete"]["after"]
