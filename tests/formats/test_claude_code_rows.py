"""The quick loop says of a record what the general code says of it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.formats._claude_read import read
from app.formats._claude_rows import Rows
from app.model.source import Source
from tests.formats.claude_sessions import Session, call, random_session, result_block, text_block

FORMAT = FORMATS["claude-code"]
COLUMNS = ("what", "count", "uuid", "parent", "message", "model", "kind", "type", "size", "flags", "key", "name", "group", "used", "usage")


def slow(source: Source) -> Any:
    """The same pass with the general code for every record."""
    quick = Rows.__init__

    def init(self: Rows) -> None:
        quick(self)

        def records(lines: Any) -> bytes:
            line = b""
            for line in lines:
                self.length.append(len(line))
                self.odd_line(line)
            return line

        self.records = records

    Rows.__init__ = init  # type: ignore[method-assign]
    try:
        return read(source)
    finally:
        Rows.__init__ = quick  # type: ignore[method-assign]


def wild(seed: int) -> bytes:
    """Blocks of all shapes."""
    r = random.Random(seed)
    s = Session()
    for number in range(30):
        text = r.choice(["", " ", "a ", "plain", "x\u00a0", "<system-reminder>r</system-reminder>", "[Request interrupted by user]", "日本"])
        blocks = [
            text_block(text), text_block(text) | {"cache_control": {"type": "ephemeral"}}, {"type": "text", "text": 5}, "string", None, 7,
            call(f"c{number}", a=text), call(f"c{number}") | {"caller": {}}, call("") | {"input": "{}"}, call("i d") | {"input": {"n": 1 << 70}},
            {"type": "tool_use", "name": "x"}, {"type": "thinking", "thinking": text, "signature": r.choice(["", "s"])},
            result_block(f"c{number}", text), result_block("é", [text_block(text)]), result_block("x" * 50, [text_block("a"), text_block("b")]),
            result_block("c", text, is_error=True), result_block("c", None), {"type": "tool_result", "content": []}, {"type": "image"},
            {"type": "odd"}, {}, result_block("c", [{"type": "image"}]), result_block("c", [{"type": "text", "text": 5}]),
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
            message |= r.choice([{}, {}, {"usage": {"input_tokens": 5}}, {"usage": None}, {"model": None}, {"tool_calls": []}, {"stop_details": 1}])
    return s.data()


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), shapes=st.booleans())
def test_the_quick_loop_agrees_with_the_general_code(seed: int, shapes: bool) -> None:
    data = wild(seed) if shapes else random_session(seed)
    one, two = read(Source.of(data)), slow(Source.of(data))
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
