"""An answer by itself was not meant to be sent: it is asked whether it is well formed so far; what mends it for sending can be written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.formats import FORMATS
from app.model.source import Source
from app.pipeline.load import load

USE = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
ITEM = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "look", "arguments": "{}"}
CHOICE = {"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [CALL]}, "finish_reason": "tool_calls"}
HELLO = {"role": "user", "content": "hello"}
ANSWERS = {
    "anthropic": {"type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [USE], "stop_reason": "tool_use"},
    "chat": {"object": "chat.completion", "model": "gpt-4o", "choices": [CHOICE]},
    "chat, stored": {"object": "chat.completion", "model": "gpt-4o", "messages": [HELLO], "choices": [CHOICE]},
    "responses": {"object": "response", "model": "gpt-5", "output": [ITEM]},
    "responses, with what was sent": {"object": "response", "model": "gpt-5", "input": [HELLO], "output": [ITEM]},
    "responses, with a text that was sent": {"object": "response", "model": "gpt-5", "input": "hello", "output": [ITEM]},
    "responses, stored": {"object": "list", "data": [HELLO, ITEM]},
}
REQUESTS = {
    "anthropic": {"model": "claude-sonnet-4-5", "messages": [HELLO, {"role": "assistant", "content": [USE]}]},
    "chat": {"model": "gpt-4o", "messages": [HELLO, CHOICE["message"]]},
    "responses": {"model": "gpt-5", "input": [HELLO, ITEM]},
    "responses, a bare list": [HELLO, ITEM],
}


def asked(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> tuple[int, dict[str, Any]]:
    status = main(["check", str(path), "--json", *words])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return status, found


@pytest.mark.parametrize("name", ANSWERS)
def test_an_open_call_at_the_end_of_an_answer_is_pending(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(ANSWERS[name]))
    assert asked(capsys, path)[1]["verdict"] == "accept"
    status, found = asked(capsys, path, "--complete")
    assert (status, found["verdict"], list(found["finding_counts"])[-1]) == (1, "reject", "tool-call-trailing")


@pytest.mark.parametrize("name", REQUESTS)
def test_an_open_call_at_the_end_of_a_request_is_a_finding(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "request.json"
    path.write_text(json.dumps(REQUESTS[name]))
    assert asked(capsys, path)[1]["verdict"] == "reject"
    assert asked(capsys, path, "--prefix")[1]["verdict"] == "accept"


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_result_can_be_put_behind_an_answer(name: str, indent: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "answer.json", tmp_path / "mended.json"
    path.write_text(json.dumps(ANSWERS[name], indent=indent))
    assert main(["export", str(path), "-o", str(out), "--fix", "safe"]) == 0
    assert out.read_bytes() == path.read_bytes()  # so far nothing is amiss
    assert main(["export", str(path), "-o", str(out), "--fix", "safe", "--complete"]) == 0
    assert "1 added" in " ".join(capsys.readouterr().out.split())
    status, found = asked(capsys, out, "--complete")
    assert (status, found["verdict"], found["counts"]["tool_results"]) == (0, "accept", 1)
    dump = load(Source.open(out))
    assert b"".join(FORMATS[dump.format].write(dump, dump.transcripts)) == out.read_bytes()
