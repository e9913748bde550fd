"""Shape only: contents go, lengths and findings stay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats._json import compact_size
from app.formats._media import pixels
from app.model.errors import RefusedError
from app.pipeline import opened
from app.pipeline.filler import Filler
from app.pipeline.names import provider_named
from app.pipeline.shape import export_shape, shape
from tests import generate
from tests.evidence import SECRETS, dump_of, request, session

ANTHROPIC = provider_named("anthropic")
WIRES = {"anthropic": "anthropic-messages", "openai-chat": "openai-chat"}


def shaped(value: Any, **more: Any) -> bytes:
    return shape(dump_of(value), ANTHROPIC, None, "complete", key=b"k", **more).data


def test_nothing_of_the_contents_is_left() -> None:
    text = shaped(request()).decode()
    assert not [secret for secret in SECRETS if secret in text]
    for word in ("Write", "books", "rows of", "odd key", "01ABCdef", "look"):
        assert word not in text
    made = json.loads(text)
    assert made["model"] == "claude-sonnet-4-5"
    assert made["max_tokens"] == 64
    call = made["messages"][1]["content"][1]
    assert call["name"] == "read_file"
    assert call["id"].startswith("toolu_")
    assert len(call["id"]) == len("toolu_01ABCdef")
    assert made["messages"][2]["content"][0]["tool_use_id"] == call["id"]  # the same id, the same name
    assert sorted(call["input"])[1:] == ["limit", "password", "path"] or {"path", "limit", "api_key"} <= set(call["input"])
    inner = json.loads(made["messages"][2]["content"][1]["content"])
    assert list(inner) == ["rows"]  # JSON stays JSON of the same shape
    assert set(inner["rows"][0]) == {"id", "note"}


def test_tool_names_go_where_that_is_asked() -> None:
    text = shaped(request(), keep_tools=False).decode()
    assert "read_file" not in text
    assert len(json.loads(text)["messages"][1]["content"][1]["name"]) == len("read_file")


def test_lines_stay_lines_and_a_broken_one_stays_broken() -> None:
    before = session()
    made = shape(dump_of(before, "s.jsonl"), ANTHROPIC, None, "prefix", key=b"k").data
    assert [len(line.decode()) for line in made.splitlines()] == [len(line.decode()) for line in before.splitlines()]
    assert made.splitlines()[-1] == b"x" * len(before.splitlines()[-1])
    first, second = json.loads(before.splitlines()[1]), json.loads(made.splitlines()[1])
    assert second["parentUuid"] == json.loads(made.splitlines()[0])["uuid"] != first["parentUuid"]
    assert second["timestamp"] == first["timestamp"]
    assert second["message"]["usage"] == first["message"]["usage"]
    assert b"maria" not in made


def test_marks_of_programs_stay() -> None:
    said = {"role": "user", "content": "<system-reminder>\nToday is Friday.\n</system-reminder>"}
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [said, {"role": "user", "content": "Go on"}]}
    made = json.loads(shaped(body))["messages"][0]["content"]
    assert made.startswith("<system-reminder>")
    assert made.endswith("</system-reminder>")
    assert "Friday" not in made


def test_a_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("# aider chat started at 2025-01-01 10:00:00\n\n#### hello\n\nHi.\n")
    with pytest.raises(RefusedError, match="is no JSON"):
        shape(opened(str(path)), ANTHROPIC, None, "prefix")


def test_it_is_written_whole_and_never_over_the_source(tmp_path: Path) -> None:
    path, out = tmp_path / "a.json", tmp_path / "b.json"
    path.write_text(json.dumps(request()))
    dump = opened(str(path))
    done = export_shape(dump, out, ANTHROPIC, None, "complete")
    assert done.rows == len(opened(str(out)).table) == len(dump.table)
    assert "the same as before" in done.summary
    with pytest.raises(RefusedError, match="never written over"):
        export_shape(dump, path, ANTHROPIC, None, "complete")


@pytest.mark.parametrize("wire", sorted(WIRES))
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_lengths_and_findings_stay(wire: str, data: st.DataObject) -> None:
    messages = data.draw(generate.damaged(wire))
    body = {"model": "claude-sonnet-4-5" if wire == "anthropic" else "gpt-5", "max_tokens": 5, "messages": messages}
    dump = dump_of(body)
    if dump.format not in WIRES.values():
        return
    made = shape(dump, provider_named(wire), None, "complete")  # raises where anything is judged otherwise
    assert np.array_equal(made.again.table.size, dump.table.size)
    assert np.array_equal(made.again.table.kind, dump.table.kind)


# -- fillers --------------------------------------------------------------------------------------------------------------------------


@settings(max_examples=120, deadline=None)
@given(st.text(max_size=300))
def test_a_filler_is_as_long_and_escaped_as_long(text: str) -> None:
    made = Filler(b"k").text(text)
    assert len(made) == len(text)
    assert compact_size(made) == compact_size(text)
    assert (not made.strip()) == (not text.strip())
    assert made[len(made.rstrip()) :] == text[len(text.rstrip()) :]


@settings(max_examples=80, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**18), 10**18))
def test_a_number_is_written_as_long(value: float) -> None:
    text = json.dumps(value)
    made = Filler(b"k").number(text)
    assert len(made) == len(text)
    assert compact_size(json.loads(made)) == compact_size(value)
    assert (json.loads(made) == 0) == (value == 0)


def test_equal_things_become_equal_and_different_ones_different() -> None:
    filler = Filler(b"k")
    ids = [f"call_{n:03d}" for n in range(200)]
    assert len({filler.name(one) for one in ids}) == 200
    assert filler.name(ids[3]) == filler.name(ids[3]) != ids[3]
    texts = [f"result {n % 50:02d}" for n in range(100)]
    assert len({filler.text(one) for one in texts}) == 50
    assert Filler(b"other").text("a long text of some words") != filler.text("a long text of some words")


def test_a_picture_keeps_its_size_and_nothing_else() -> None:
    import base64
    import struct

    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480) + bytes(range(256)) * 8
    text = base64.b64encode(png).decode()
    made = Filler(b"k").base64(text)
    assert len(made) == len(text)
    assert pixels(made) == (640, 480)
    assert made[40:] != text[40:]


def test_real_sessions_keep_their_shape(shared: Path) -> None:
    for name in ("claude_code", "codex", "openai_responses", "har"):
        path = min((p for p in (shared / "samples" / name).iterdir() if p.suffix != ".tsv"), key=lambda p: p.stat().st_size)
        dump = opened(str(path))
        made = shape(dump, ANTHROPIC, None, "prefix")
        assert len(made.again.table) == len(dump.table)


def test_what_a_dump_says_never_becomes_a_word_of_formats() -> None:
    from app.pipeline import inspected, known_words

    for value, name in ((request(), "a.json"), (session(), "s.jsonl")):
        dump = dump_of(value, name)
        for transcript in dump.transcripts:
            inspected(dump, transcript, ANTHROPIC, None, "prefix")
    now = known_words._constants.__wrapped__()  # gathered anew, after dumps were read and judged
    assert "tool_use" in now
    assert not now & {*SECRETS, "maria", "books", "4f1c0000-0000-4000-8000-00000000abcd", "toolu_01ABCdef", "I look.", "It is paid."}
