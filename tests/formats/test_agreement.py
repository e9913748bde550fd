"""What a row says of a block and what the decoded block says must be the same, whatever the dump holds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.formats._flags import id_flags, text_flags
from app.formats._json import compact
from app.model.block import Block
from app.model.dump import Dump
from app.model.kinds import ARGS_SHIFT, Args, Flag, Kind
from app.model.source import Source
from app.model.table import RecordKind
from tests.formats.wild import request, styled

WIRES = {"anthropic": "anthropic-messages", "openai-chat": "openai-chat"}


def opened(wire: str, seed: int) -> Dump:
    return FORMATS[WIRES[wire]].parse(Source.of(styled(request(wire, seed), seed)))


@pytest.mark.parametrize("wire", WIRES)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_row_says_what_its_block_says(wire: str, seed: int) -> None:
    dump = opened(wire, seed)
    table = dump.table
    blocks = list(FORMATS[dump.format].each_block(table, dump.source, range(len(table))))
    assert [block.row for block in blocks] == list(range(len(table)))
    for row, block in enumerate(blocks):
        assert (block.kind, block.role, block.record) == (table.kind[row], table.role[row], table.record[row])
        assert table.types[table.type[row]] == block.type
        assert (table.names[table.name[row]] if table.name[row] >= 0 else None) == block.name
        assert table.ids.text(int(table.key[row])) == block.call_id
        named = len(block.name or "") if block.kind == Kind.TOOL_CALL else 0
        assert table.size[row] == sum(map(len, block.texts)) + named
        _flags(block, int(table.flags[row]))


def _flags(block: Block, flags: int) -> None:
    """Flags, worked out again from the decoded block."""
    words = Flag.TEXT_EMPTY | Flag.TEXT_BLANK | Flag.TEXT_TRAILING
    if block.kind in (Kind.TEXT, Kind.SYSTEM) or (block.kind == Kind.REASONING and not flags & Flag.REDACTED):
        assert flags & words == text_flags(block.text)
    if block.kind in (Kind.TOOL_CALL, Kind.TOOL_RESULT):
        assert bool(flags & Flag.ID_ABSENT) == (block.call_id is None)
        if isinstance(block.call_id, str) and not flags & Flag.ID_ODD:
            assert flags & id_flags(block.call_id) == id_flags(block.call_id)
    if block.kind == Kind.TOOL_CALL:
        found = Args((flags & Flag.ARGS) >> ARGS_SHIFT)
        assert (found in (Args.NONE, Args.NULL)) == (not block.texts)
    if block.kind == Kind.TOOL_RESULT:
        assert bool(flags & Flag.MEDIA) == bool(block.media) or bool(flags & Flag.SERVER)
        assert bool(flags & Flag.ERROR) == block.error
    if block.kind == Kind.EMPTY:
        assert bool(flags & Flag.CONTENT_ODD) == bool(block.texts)


@pytest.mark.parametrize("wire", WIRES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_records_have_true_places(wire: str, seed: int) -> None:
    made = request(wire, seed)
    data = styled(made, seed)
    dump = FORMATS[WIRES[wire]].parse(Source.of(data))
    table = dump.table
    for record, kind in enumerate(table.records.kind):
        value = FORMATS[dump.format].value(table, dump.source, record)
        assert compact(value) == compact(_at(made, table.pointer(record))), RecordKind(int(kind))
        offset, length = int(table.records.offset[record]), int(table.records.length[record])
        assert data[offset : offset + length].strip() == data[offset : offset + length]
    messages = [m for m in range(len(table.records)) if table.records.kind[m] != RecordKind.HEAD]
    assert len(messages) == len(made["messages"]) + len([c for c in made.get("choices", []) if isinstance(c["message"], dict)])


def _at(made: object, pointer: str) -> object:
    for token in pointer.split("/")[1:]:
        made = made[int(token)] if isinstance(made, list) else made[token]  # type: ignore[index]
    return made


@pytest.mark.parametrize("wire", WIRES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_block_has_the_pointer_of_its_node(wire: str, seed: int) -> None:
    made = request(wire, seed)
    dump = FORMATS[WIRES[wire]].parse(Source.of(styled(made, seed)))
    for block in FORMATS[dump.format].each_block(dump.table, dump.source, range(len(dump.table))):
        assert block.pointer is not None
        found = _at(made, block.pointer)
        if block.kind in (Kind.TEXT, Kind.MEDIA, Kind.TOOL_CALL, Kind.OTHER):
            assert compact(found) == compact(block.value)
        elif block.kind in (Kind.EMPTY, Kind.TOOL_RESULT):
            assert found == block.value or found["content"] == block.value  # type: ignore[index]


@pytest.mark.parametrize("wire", WIRES)
def test_many_blocks_in_any_order(wire: str) -> None:
    dump = opened(wire, 11)
    format, rows = FORMATS[dump.format], list(range(len(dump.table)))[::-1]
    there = list(format.each_block(dump.table, dump.source, rows))
    assert [block.row for block in there] == rows
    assert there == [format.block(dump.transcripts[0], row, dump.source) for row in rows]
