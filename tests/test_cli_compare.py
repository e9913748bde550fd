"""`compare`: one line a difference, and a status that a script can use."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import cli
from tests.pipeline.test_compare import steps

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capfdbinary: pytest.CaptureFixture[bytes]) -> Call:
    def run(*words: object) -> tuple[int, str, str]:
        status = cli.main([str(word) for word in words])
        out, err = capfdbinary.readouterr()
        return status, out.decode(), err.decode()

    return run


def written(folder: Path, name: str, messages: list[dict[str, Any]]) -> Path:
    path = folder / name
    path.write_text(json.dumps({"model": "m", "max_tokens": 9, "messages": messages}))
    return path


def test_the_same(call: Call, tmp_path: Path) -> None:
    a, b = written(tmp_path, "a.json", steps(2)), written(tmp_path, "b.json", steps(2, "u"))
    status, out, err = call("compare", a, b)
    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == "the same would be sent; 2 call ids renamed throughout"
    assert json.loads(call("compare", a, a, "--json")[1]) == {
        "same": True, "differences": 0, "counts": {}, "renamed_ids": 0,
        "sides": [{"file": str(a), "transcript": "main", "format": "anthropic-messages", "messages": 8, "blocks": 8, "tokens": 346}] * 2,
        "common": {"messages": 8, "blocks": 8, "bytes": 1400, "tokens": 346, "parts_at": [None, None]},
    }  # fmt: skip


def test_each_difference_is_a_line(call: Call, tmp_path: Path) -> None:
    after = steps(3)
    after[2]["content"][0]["content"] = "[old result\u202e cleared]"
    del after[8:12]
    a, b = written(tmp_path, "a.json", steps(3)), written(tmp_path, "b.json", [*after, {"role": "user", "content": "go on"}])
    status, out, _ = call("compare", a, b)
    assert status == 1
    lines = out.splitlines()
    assert lines[2] == "6 differences: 4 gone, 1 added, 1 stubbed"
    assert lines[3].startswith("both begin with the same 2 messages, 2 blocks, ")
    told = [line for line in lines if line[:2] in ("- ", "+ ", "~ ", "> ")]
    assert len(told) == 6
    assert told[0].startswith('~ stubbed  E1  result t0  "result 0 result 0')
    assert '-> "[old result<U+202E> cleared]"' in told[0]
    assert told[0].endswith("  155 -> 6 tok  /messages/2/content/0")
    assert '+ added  E3 of B  prompt  "go on"  2 tok  /messages/8/content' in told
    found = [json.loads(line) for line in call("compare", a, b, "--json")[1].splitlines()]
    assert found[0]["counts"] == {"gone": 4, "added": 1, "stubbed": 1}
    assert [one["what"] for one in found[1:]].count("gone") == 4
    assert found[1]["in"] == "text"
    assert found[1]["at"] == ["/messages/2/content/0", "/messages/2/content/0"]


def test_what_cannot_be_read_is_one_line(call: Call, tmp_path: Path) -> None:
    a = written(tmp_path, "a.json", steps(1))
    for other in (tmp_path / "absent.json", "-"):
        status, out, err = call("compare", a, other) if other != "-" else call("compare", "-", "-")
        assert (status, out, err.count("\n")) == (2, "", 1)
    status, _, err = call("compare", a, a, "--other-transcript", "none")
    assert (status, "there is no transcript none" in err) == (2, True)


def test_two_samples(call: Call, shared: Path) -> None:
    samples = sorted((shared / "samples" / "claude_code").glob("*.jsonl"), key=lambda path: path.stat().st_size)[:2]
    assert call("compare", samples[0], samples[0])[0] == 0
    status, out, err = call("compare", *samples)
    assert (status, err) == (1, "")
    assert len(out.splitlines()) > 4
