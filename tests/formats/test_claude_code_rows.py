"""The quick loop says of a record what the general code says of it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.formats._claude_read import read
from app.formats._claude_rows import Rows
from app.model.source import Source
from tests.formats.claude_sessions import Session, call, random_session, result_block, text_block

FORMAT = FORMATS["claude-code"]
COLUMNS = ("what", "count", "uuid", "parent", "message", "model", "kind", "type", "size", "flags", "key", "name", "group", "used", "usage")


def slow(source: Source, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same pass with the general code for every record."""

    def general(rows: Rows) -> Any:
        def records(lines: Any) -> bytes:
            line = b""
            for line in lines:
                rows.length.append(len(line))
                rows.odd_line(line)
            return line

        return records

    with monkeypatch.context() as patch:
        patch.setattr("app.formats._claude_read.loop", general)
        return read(source)


def wild(seed: int) -> bytes:
    """Blocks of all shapes."""
    r = random.Random(seed)
    s = Session()
    for number in range(30):
        reminder, stopped = "<system-reminder>r</system-reminder>", "[Request interrupted by user]"
        text = r.choice(["", " ", "a ", "plain", "x\u00a0", reminder, stopped, "日本"])
        blocks = [
            text_block(text), text_block(text) | {"cache_control": {"type": "ephemeral"}}, "string", None, 7,
            {"type": "text", "text": 5},
            call(f"c{number}", a=text), call(f"c{number}") | {"caller": {}}, call("") | {"input": "{}"},
            call("i d") | {"input": {"n": 1 << 70}},
            {"type": "tool_use", "name": "x"}, {"type": "thinking", "thinking": text, "signature": r.choice(["", "s"])},
            result_block(f"c{number}", text), result_block("é", [text_block(text)]),
            result_block("x" * 50, [text_block("a"), text_block("b")]),
            result_block("c", text, is_error=True), result_block("c", None), {"type": "tool_result", "content": []},
            {"type": "image"}, {"type": "odd"}, {}, result_block("c", [{"type": "image"}]), result_block("c", [{"type": "text",
            "text": 5}]),
        ]  # fmt: skip
        some = r.sample(blocks, r.randrange(1, 4))
        pick = r.randrange(5)
        if pick == 0:
            s.say(text)
        elif pick < 3:
            s.say(some, **r.choice([{}, {"isMeta": True}, {"isMeta": False}, {"isCompactSummary": True}]))
        else:
            s.answer(*some, id=r.choice(["m1", "m2", None, "[trimmed]"]))  # type: ignore[arg-type]
            message = s.lines[-1]["message"]  # type: ignore[call-overload, index]
            more = [{}, {}, {"usage": {"input_tokens": 5}}, {"usage": None}, {"model": None}, {"tool_calls": []}, {"stop_details": 1}]
            message |= r.choice(more)
    return s.data()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), shapes=st.booleans())
def test_the_quick_loop_agrees_with_the_general_code(monkeypatch: pytest.MonkeyPatch, seed: int, shapes: bool) -> None:
    data = wild(seed) if shapes else random_session(seed)
    one, two = read(Source.of(data)), slow(Source.of(data), monkeypatch)
    for name in COLUMNS:
        a, b = getattr(one, name), getattr(two, name)
        if name == "type":
            a, b = [list(one.columns.types)[n] for n in a], [list(two.columns.types)[n] for n in b]
        elif name == "name":
            a, b = [[*one.columns.names, None][n] for n in a], [[*two.columns.names, None][n] for n in b]
        elif name == "key":
            a, b = [[*one.columns.keys, None][n] for n in a], [[*two.columns.keys, None][n] for n in b]
        assert np.array_equal(np.asarray(a, object), np.asarray(b, object)), name
    assert one.refusals == two.refusals
    assert one.boundaries == two.boundaries


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), shapes=st.booleans())
def test_decoded_blocks_agree_with_the_columns(seed: int, shapes: bool) -> None:
    dump = FORMAT.parse(Source.of(wild(seed) if shapes else random_session(seed)))
    table = dump.table
    rows = list(range(len(table)))
    random.Random(seed).shuffle(rows)
    for row, block in zip(rows, FORMAT.each_block(table, dump.source, rows), strict=True):
        assert (block.row, block.kind, block.role, block.type) == (row, table.kind[row], table.role[row], table.types[table.type[row]])
        size = sum(map(len, block.texts)) + (len(block.name) if block.name else 0)
        assert size == table.size[row]
        assert block.call_id == table.ids.text(int(table.key[row]))
