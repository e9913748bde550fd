"""Formats are found by looking, and a file that changes under us is told from one that does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.formats import FORMATS, hidden_modules
from app.formats._columns import Columns, tokens_of
from app.formats._writing import Writing
from app.model.errors import ChangedError
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.table import ROW_TYPES

MESSAGES = [{"role": "user", "content": "hello " * 50}, {"role": "assistant", "content": "yes"}]


def test_every_module_is_a_format() -> None:
    assert {"anthropic-messages", "openai-chat"} <= set(FORMATS)
    assert len(hidden_modules()) == len(FORMATS)
    for name, format in FORMATS.items():
        assert format.name == name
        assert format.summary
        assert format.provider
        assert format.mode in ("complete", "prefix")


def test_columns_have_their_types_and_words() -> None:
    columns = Columns("x")
    columns.record(offset=5, length=7, place=0)
    columns.row(
        record=0,
        part=0,
        message=0,
        kind=Kind.TOOL_CALL,
        type="call",
        role=Role.USER,
        name="look",
        size=3,
        flags=1 << 31,
        key=columns.keys["id"],
    )
    columns.usage(0, fresh=1, cache_read=2, cache_write=3, output=4)
    columns.usage(0, fresh=10, cache_read=2, cache_write=3, output=4)
    front = columns.front()
    front.record(offset=0, length=1, place=0)
    front.row(record=0, part=0, message=-1, kind=Kind.SYSTEM, type="text", role=Role.SYSTEM)
    table = columns.table(front)
    assert {name: getattr(table, name).dtype.type for name in ROW_TYPES} == ROW_TYPES
    assert (table.record.tolist(), table.message.tolist(), table.kind.tolist()) == ([0, 1], [-1, 0], [Kind.SYSTEM, Kind.TOOL_CALL])
    assert table.records.offset.tolist() == [0, 5]
    assert (table.types, table.names, table.flags.tolist(), table.ids.text(0)) == (["call", "text"], ["look"], [0, 1 << 31], "id")
    assert table.usages.input.tolist() == [15]


def test_a_hostile_number_of_types_shares_the_last() -> None:
    columns = Columns("x")
    numbers = [columns.type_of(f"type{n}") for n in range(400)]
    assert max(numbers) == 255
    assert numbers[255:] == [255] * 145


def test_token_counts_are_counts() -> None:
    assert tokens_of({"a": True, "b": -1, "c": "5", "d": 7}, "a", "b", "c", "d") == 7
    assert tokens_of({}, "a") == 0


def test_spans_that_meet_become_one() -> None:
    writing = Writing(Source.of(b"0123456789"))
    writing.copy(0, 3)
    writing.copy(3, 2)
    writing.put(b"-")
    writing.put(b"")
    writing.copy(8, 2)
    assert list(writing.chunks()) == [b"01234", b"-", b"89"]
    assert writing.size == 8


@pytest.mark.parametrize("name", ["anthropic-messages", "openai-chat"])
def test_a_file_that_shrinks_while_it_is_open(name: str, tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(MESSAGES))
    dump = FORMATS[name].parse(Source.open(path))
    writing = FORMATS[name].write_plan(dump, dump.transcripts)
    path.write_text("[]")
    with pytest.raises(ChangedError, match="shrunk"):
        b"".join(writing.chunks())
    with pytest.raises(ChangedError, match="has changed"):
        FORMATS[name].block(dump.transcripts[0], 0, dump.source)
    with pytest.raises(ChangedError, match="has changed"):
        list(FORMATS[name].each_block(dump.table, dump.source, [0, 1]))
    dump.source.close()
