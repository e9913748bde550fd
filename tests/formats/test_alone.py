"""A head that can be one format's alone: the others are not asked, and would have said nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from app.formats import FORMATS, Formats, hidden_modules
from app.model.errors import UnreadableError
from app.model.source import Source
from app.pipeline import detect as detecting
from app.pipeline.detect import LAST, detect
from app.pipeline.unwrap import unwrap

CLAUDE = FORMATS["claude-code"]


def record(kind: str, number: int, **more: Any) -> dict[str, Any]:
    parent = f"u{number - 1}" if number else None
    return {"parentUuid": parent, "isSidechain": False, "sessionId": "s", "version": "2.1.80", "type": kind, **more,
            "uuid": f"u{number}", "timestamp": "2026-03-01T12:00:00.000Z"}  # fmt: skip


def prompt(number: int = 0) -> dict[str, Any]:
    return record("user", number, message={"role": "user", "content": "post the invoices"})


def answer(number: int = 1, id: str = "msg_01", model: str = "claude-sonnet-4-5", **more: Any) -> dict[str, Any]:
    message = {"id": id, "type": "message", "role": "assistant", "model": model, "content": [{"type": "text", "text": "done"}]}
    return record("assistant", number, message=message | more)


def head(*records: Any) -> bytes:
    return b"".join(orjson.dumps(one) + b"\n" for one in records)


def asked_of_all(data: bytes) -> list[tuple[str, float]]:
    found = [one.sniff(data, "x.jsonl", True) for one in FORMATS.values()]
    return [(one.format, one.score) for one in found if one is not None and one.score > LAST]


def test_a_session_is_alone_and_all_formats_agree() -> None:
    data = head({"type": "summary", "summary": "Invoices", "leafUuid": "u1"}, prompt(), answer(), record("system", 2, subtype="x"))
    assert CLAUDE.alone(data, True)
    assert [(one.format, one.score) for one in detect(Source.of(data))] == asked_of_all(data) == [("claude-code", 0.98)]


@pytest.mark.parametrize(
    "records",
    [
        (prompt(),),  # no answer yet
        (prompt(), answer(id="response-1768975012469-x")),  # iFlow
        (prompt(), answer(model="glm-4.7")),
        (prompt(), answer(parts=[{"text": "done"}])),  # Qwen Code
        (prompt(), answer(), {"role": "user", "content": "of another format"}),
        (prompt(), answer(), record("system", 2, message={"role": "user", "content": "x"})),
        (prompt(), answer(), {"type": ["summary"]}),
    ],
)
def test_what_could_be_another_s_is_not_alone(records: tuple[Any, ...]) -> None:
    assert not CLAUDE.alone(head(*records), True)


def test_a_document_is_not_alone() -> None:
    assert not CLAUDE.alone(orjson.dumps([prompt(), answer()]), True)


def test_samples_are_detected_as_if_all_were_asked(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = ("samples/claude_code", "samples/qwen_code", "samples/other_iflow", "samples/claude_stream_json")
    paths = [path for folder in folders for path in sorted((shared / folder).rglob("*")) if path.is_file()]
    alone = 0
    for path in paths:
        source = Source.open(path)
        try:
            quick = detect(source)
        except UnreadableError:
            continue
        unwrap(source)
        data = source.read(0, detecting.HEADS[0])
        alone += CLAUDE.alone(data, len(data) >= source.size)
        with monkeypatch.context() as patch:
            patch.setattr(detecting, "FIRST", ())
            assert detect(Source.open(path)) == quick, path
    assert alone


def test_a_check_of_a_session_imports_no_other_format(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(head(prompt(), answer()))
    look = "import sys; from app.cli import main; main(['check', sys.argv[1], '--json']); "
    look += "print([m for m in sys.modules if 'formats.' in m])"
    done = subprocess.run([sys.executable, "-c", look, str(path)], capture_output=True, text=True, check=True)
    imported = set(orjson.loads(done.stdout.splitlines()[-1].replace("'", '"')))
    assert imported & set(hidden_modules()) == {"app.formats.claude_code"}


def test_formats_are_found_by_name_or_all() -> None:
    some = Formats()
    assert some["claude-code"] is CLAUDE
    assert some.get("_rows") is None
    assert "../x" not in some
    assert list(Formats()) == list(FORMATS) == sorted(FORMATS)
    assert Formats()["continue"].name == "continue"  # of a module with another name
    assert len(Formats()) == len(hidden_modules())
