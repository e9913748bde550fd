"""Shape, redaction and reports of Inspect's logs: archives, and texts that are kept once and named by their hash."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.pipeline import opened

HASH = "0cc175b9c0f1b6a831c399e269772661"
SECRET = "zQ1x7Kp9mW3vR5tY8uB2nL6"
CALL = {"id": "c1", "function": "bash", "arguments": {"cmd": "ls"}, "type": "function"}
HEADER = {"version": 2, "status": "success", "eval": {"run_id": "r", "task": "books", "task_id": "x", "model": "openai/gpt-4o"}}


def sample(answered: bool) -> dict[str, Any]:
    messages: list[Any] = [
        {"role": "user", "content": f"attachment://{HASH}"}, {"role": "assistant", "content": "look", "tool_calls": [CALL]},
        *([{"role": "tool", "content": "gone fishing", "tool_call_id": "c1", "function": "bash"}] if answered else []),
        {"role": "assistant", "content": "done"}, {"role": "user", "content": "next"}, {"role": "assistant", "content": "fine"},
    ]  # fmt: skip
    held = {HASH: f"api_key={SECRET} and a long question"}
    return {"id": "anna", "epoch": 1, "input": "q", "target": "a", "messages": messages, "attachments": held}


def archive(path: Path, answered: bool = True) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("header.json", json.dumps(HEADER))
        out.writestr("samples/anna_epoch_1.json", json.dumps(sample(answered), indent=1))
    return str(path)


def members(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as held:
        return {name: held.read(name).decode() for name in held.namelist()}


def test_an_archive_is_redacted_member_by_member(tmp_path: Path) -> None:
    path, out = archive(tmp_path / "a.eval"), tmp_path / "o.eval"
    assert cli.main(["export", path, "--redact", "-o", str(out)]) == 0
    made = members(out)
    assert list(made) == ["header.json", "samples/anna_epoch_1.json"]
    assert made["header.json"] == json.dumps(HEADER)
    assert SECRET not in made["samples/anna_epoch_1.json"]
    assert len(made["samples/anna_epoch_1.json"]) == len(json.dumps(sample(True), indent=1))


def test_a_word_in_a_name_of_a_member_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = archive(tmp_path / "a.eval")
    assert cli.main(["export", path, "--redact", "--word", "anna", "-o", str(tmp_path / "o.eval")]) != 0
    assert "name of a member" in capsys.readouterr().err


def test_the_shape_of_an_archive(tmp_path: Path) -> None:
    path, out = archive(tmp_path / "a.eval"), tmp_path / "o.eval"
    assert cli.main(["export", path, "--shape", "-o", str(out)]) == 0
    made = members(out)
    assert list(made) == ["header.json", "samples/1_epoch_1.json"]
    text = "".join(made.values())
    assert not [word for word in (HASH, SECRET, "anna", "fishing", "look") if word in text]
    assert len(opened(str(out)).table) == len(opened(path).table)


@pytest.mark.parametrize("packed", [True, False])
def test_a_report_of_a_log(tmp_path: Path, packed: bool) -> None:
    path, out = archive(tmp_path / "a.eval", answered=False), tmp_path / "t.json"
    if not packed:
        path = str(tmp_path / "a.json")
        Path(path).write_text(json.dumps({**HEADER, "samples": [sample(False)]}))
    words = ["report-bug", path, "--rule", "tool-call-unanswered", "--transcript-out", str(out), "-o", str(tmp_path / "r.md")]
    assert cli.main(words) == 0
    assert opened(str(out)).format == "inspect-json"
    assert HASH not in out.read_text()
    assert SECRET not in out.read_text()


def test_what_is_made_opens_as_what_it_was(tmp_path: Path) -> None:
    head = {"kind": "ConversationStateUpdateEvent", "id": "e0", "timestamp": "2026-01-01T00:00:00", "source": "environment",
            "key": "full_state", "value": {}}  # fmt: skip
    said = {"kind": "MessageEvent", "id": "e1", "timestamp": "2026-01-01T00:00:01", "source": "user",
            "llm_message": {"role": "user", "content": [{"type": "text", "text": "plain words"}]}}  # fmt: skip
    path, out = tmp_path / "a.json", tmp_path / "o.json"
    path.write_text(json.dumps([head, said]))
    assert opened(str(path)).format == "openhands-v1"
    assert cli.main(["export", str(path), "--shape", "-o", str(out)]) == 0
    assert opened(str(out)).format == "openhands-v1"
    assert [one["kind"] for one in json.loads(out.read_text())] == ["ConversationStateUpdateEvent", "MessageEvent"]
    assert "plain" not in out.read_text()


def test_a_report_where_less_of_the_request_would_be_none(tmp_path: Path) -> None:
    items = [
        {"type": "function_call_output", "call_id": "call_Stock9", "output": "9 left"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Nine left."}], "id": "msg_stock9"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Order ten more."}]},
    ]  # fmt: skip
    path, out = tmp_path / "a.json", tmp_path / "t.json"
    path.write_text(json.dumps({"provider": "openai-responses", "request": {"model": "gpt-5-mini", "store": False, "input": items}}))
    assert cli.main(["report-bug", str(path), "--transcript-out", str(out), "-o", str(tmp_path / "r.md")]) == 0
    assert opened(str(out)).format == opened(str(path)).format
    assert cli.main(["check", str(out)]) == 1
