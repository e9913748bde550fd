"""What no edit touched comes back byte for byte; what was exported and opened again is what was in memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.formats._json import compact, loads
from app.model.source import Source
from app.model.table import RecordKind
from tests.formats.edits import edited, state
from tests.formats.wild import request, styled

WIRES = {"anthropic": "anthropic-messages", "openai-chat": "openai-chat"}


@pytest.mark.parametrize("wire", WIRES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_without_an_edit_the_bytes_are_the_same(wire: str, seed: int) -> None:
    data = styled(request(wire, seed), seed)
    format = FORMATS[WIRES[wire]]
    dump = format.parse(Source.of(data))
    writing = format.write_plan(dump, dump.transcripts)
    assert b"".join(writing.chunks()) == data
    assert writing.size == len(data)
    assert writing.tally.same == sum(dump.records.values())


@pytest.mark.parametrize("wire", WIRES)
@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same_transcript(wire: str, seed: int) -> None:
    format = FORMATS[WIRES[wire]]
    dump = format.parse(Source.of(styled(request(wire, seed), seed)))
    transcript, edits = edited(dump, seed)
    writing = format.write_plan(dump, [transcript])
    data = b"".join(writing.chunks())
    assert len(data) == writing.size
    json.loads(data)
    again = format.parse(Source.of(data))
    assert state(again, again.transcripts[0]) == state(dump, transcript), edits
    tally = writing.tally
    assert tally.same + tally.changed + tally.relinked + tally.dropped == sum(dump.records.values())


@pytest.mark.parametrize("wire", WIRES)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_records_that_no_edit_touched_keep_their_bytes(wire: str, seed: int) -> None:
    format = FORMATS[WIRES[wire]]
    source = Source.of(styled(request(wire, seed), seed))
    dump = format.parse(source)
    transcript, edits = edited(dump, seed)
    out = b"".join(format.write(dump, [transcript]))
    touched, live, base = transcript.touched(), set(transcript.order.tolist()), dump.table
    for record in range(len(base.records)):
        rows = [row for row in range(len(base)) if base.record[row] == record]
        whole = rows and live.issuperset(rows) and not touched.intersection(rows) and not transcript.moved.intersection(rows)
        joined = any(transcript.table.message[row] in base.message[rows] for row in transcript.made) if rows else True
        if (
            whole
            and not joined
            and (transcript.table.message[rows] == base.message[rows]).all()
            and not _pushed_into(transcript, base, rows)
        ):
            offset, length = int(base.records.offset[record]), int(base.records.length[record])
            if base.records.kind[record] != RecordKind.HEAD:
                assert source.all()[offset : offset + length] in out, edits


def _pushed_into(transcript, base, rows) -> bool:  # type: ignore[no-untyped-def]
    """Whether a row of another record was moved into this message, or its role was changed."""
    numbers = set(base.message[rows].tolist())
    others = [row for row in transcript.order.tolist() if row < len(base) and row not in rows and transcript.table.message[row] in numbers]
    return bool(others) or (transcript.table.role[rows] != base.role[rows]).any()


def test_only_the_edited_value_changes_in_a_record() -> None:
    """Number texts, escapes, key order and white space around it stay as they are."""
    record = (
        '{ "content" : [ {"type":"text", "x": 1.50, "text" : "old", "y":"\\u00e9", "n":1e5} ] ,'
        '  "role":"user", "big": 12345678901234567890123 }'
    )
    data = f'{{"model":"claude-x",\n "messages":[ {record} ]}}'.encode()
    format = FORMATS["anthropic-messages"]
    dump = format.parse(Source.of(data))
    transcript = dump.transcripts[0].with_(fields={0: {"text": "new é"}})
    assert b"".join(format.write(dump, [transcript])) == data.replace(b'"old"', b'"new \\u00e9"')


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("seed", range(40))
def test_a_dropped_message_leaves_no_trace_and_no_gap(wire: str, seed: int) -> None:
    made = request(wire, seed)
    format = FORMATS[WIRES[wire]]
    if len(made["messages"]) < 2 or made.get("choices"):
        return
    dump = format.parse(Source.of(styled(made, seed)))
    base = dump.transcripts[0]
    gone = seed % len(made["messages"])
    order = base.order[base.table.message[base.order] != gone]
    del made["messages"][gone]
    out = b"".join(format.write(dump, [base.with_(order=order)]))
    assert out == styled(made, seed) or seed_of_hand_wrapped(seed)
    assert compact(loads(out)) == compact(made)


def seed_of_hand_wrapped(seed: int) -> bool:
    """Hand-wrapped styles draw their white space anew."""
    import random

    return random.Random(seed).randrange(7) == 6


@pytest.mark.parametrize("folder", ["anthropic_messages", "openai_chat"])
def test_real_dumps_come_back(folder: str, shared: Path) -> None:
    format = FORMATS[folder.replace("_", "-")]
    for path in sorted((shared / "samples" / folder).iterdir()):
        dump = format.parse(Source.open(path))
        assert b"".join(format.write(dump, dump.transcripts)) == path.read_bytes()
        for seed in range(10):
            transcript, edits = edited(dump, seed)
            again = format.parse(Source.of(b"".join(format.write(dump, [transcript]))))
            assert state(again, again.transcripts[0]) == state(dump, transcript), (path.name, edits)


@pytest.mark.parametrize("name", ["anthropic", "openai-chat"])
def test_recorded_requests_come_back(name: str, shared: Path) -> None:
    format = FORMATS[WIRES[name]]
    for number, line in enumerate((shared / "recorded" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()):
        data = styled(json.loads(line)["request"], number)
        dump = format.parse(Source.of(data))
        assert b"".join(format.write(dump, dump.transcripts)) == data
        transcript, edits = edited(dump, number)
        again = format.parse(Source.of(b"".join(format.write(dump, [transcript]))))
        assert state(again, again.transcripts[0]) == state(dump, transcript), edits
