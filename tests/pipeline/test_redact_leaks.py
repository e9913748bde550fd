"""Redaction refuses what it cannot see through, and says of the rest only what is true."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from app import cli
from app.model.errors import RefusedError
from app.pipeline import opened
from app.pipeline.names import provider_named
from app.pipeline.redact import export_redacted, search
from app.pipeline.shape import shape
from tests.evidence import MAIL, dump_of, request

ANTHROPIC = provider_named("anthropic")


def stream(pieces: list[str]) -> bytes:
    head = {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
                                                  "content": [], "usage": {"input_tokens": 5, "output_tokens": 1}}}  # fmt: skip
    start = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    deltas = [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}} for piece in pieces]
    stop = {"type": "content_block_stop", "index": 0}
    events = [head, start, *deltas, stop, {"type": "message_stop"}]
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode()


def test_a_stream_is_refused() -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    dump = dump_of(stream([token[i : i + 6] for i in range(0, 40, 6)]), "st.sse")
    assert dump.format == "anthropic-messages-stream"
    with pytest.raises(RefusedError, match="holds texts in pieces"):
        search(dump)


def test_the_other_bytes_are_only_the_same_where_they_are(tmp_path: Path) -> None:
    data = json.dumps(request()).encode()
    (tmp_path / "a.json").write_bytes(data)
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(data))
    (tmp_path / "u.json").write_bytes(b"\xff\xfe" + data.decode().encode("utf-16-le"))
    same = "All other bytes are the same"
    said = {}
    for name in ("a.json", "a.json.gz", "u.json"):
        said[name] = export_redacted(opened(str(tmp_path / name)), tmp_path / "o.json", (), (), ANTHROPIC, None, "complete").summary
        (tmp_path / "o.json").unlink()
    assert [same in said[name] for name in said] == [True, False, False]
    assert "written unwrapped (it was: UTF-16" in said["u.json"]


def test_words_around_the_json_that_are_blanked_are_named(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text(f"Here it is, says Anna:\n\n```json\n{json.dumps(request(), indent=1)}\n```\nBye.\n")
    said = export_redacted(opened(str(path)), tmp_path / "o.json", (), (), ANTHROPIC, None, "complete").summary
    assert "What stood around the JSON was blanked or left out" in said
    assert "All other bytes" not in said
    assert b"Anna" not in (tmp_path / "o.json").read_bytes()


def test_tools_are_renamed_where_only_a_warning_goes_by_the_name() -> None:
    call = {"type": "tool_use", "id": "toolu_01ABCdef", "name": "Bash", "input": {"command": "rm -r build"}}
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [
        {"role": "user", "content": "go"}, {"role": "assistant", "content": [call]}, {"role": "user", "content": "and?"}]}  # fmt: skip
    made = shape(dump_of(body), ANTHROPIC, None, "complete", keep_tools=False)
    assert b"Bash" not in made.data
    assert made.changed == ("effect-unanswered",)


@pytest.mark.parametrize("seconds", ["0", "-3", "nan"])
def test_seconds_are_above_nothing(tmp_path: Path, seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text(json.dumps(request()))
    assert cli.main(["report-bug", str(tmp_path / "a.json"), f"--seconds={seconds}"]) == 2
    assert "above 0" in capsys.readouterr().err
    assert MAIL in (tmp_path / "a.json").read_text()
