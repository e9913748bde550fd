"""A path becomes a dump, whatever the file holds; a first look is quick and says that it is one."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest

from app.formats import FORMATS
from app.model.errors import UnreadableError
from app.model.kinds import Kind
from app.model.source import Source
from app.pipeline.load import FIRST_LOOK, first_look, load
from app.pipeline.look import block, raw
from tests.formats.wild import request, styled

WIRES = {"anthropic": "anthropic-messages", "openai-chat": "openai-chat"}


def of(data: bytes) -> Source:
    return Source.of(data, "dump.json")


def test_a_dump_says_what_was_seen() -> None:
    dump = load(of(json.dumps({"model": "claude-x", "messages": [{"role": "user", "content": "hi"}]}).encode()))
    assert dump.whys == ["anthropic-messages: a model named claude"]
    assert (dump.format, dump.rivals, dump.complete, dump.opened) == ("anthropic-messages", [], True, 0)
    tie = load(of(b'[{"role": "user", "content": "hi"}]'))
    assert [c.format for c in tie.rivals] == ["anthropic-messages"]
    assert tie.whys[1] == "anthropic-messages would fit nearly as well"


def test_progress_goes_up_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    path.write_text(json.dumps([{"role": "user", "content": "x" * 5000}] * 1000))
    seen: list[float] = []
    source = Source.open(path)
    load(source, progress=seen.append)
    source.close()
    assert seen == sorted(seen)
    assert len(seen) >= 5
    assert 0 <= seen[0] < seen[-1] <= 1


def test_look_at_one_block_and_at_the_bytes() -> None:
    dump = load(of(b'[{"role": "user", "content": "hi"}, { "role":"assistant","content":"yes" }]'))
    assert block(dump, dump.transcripts[0], 1).text == "yes"
    assert block(dump.source, dump.transcripts[0], 0).text == "hi"
    assert raw(dump, dump.table, 1) == b'{ "role":"assistant","content":"yes" }'


# -- a first look -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_a_first_look_shows_the_first_rows(wire: str, tmp_path: Path) -> None:
    made = request(wire, 4)
    made["messages"] = made["messages"][:3] + [{"role": "user", "content": "x" * 4000}] * 2000
    path = tmp_path / "big.json"
    path.write_bytes(styled(made, 1))
    head = first_look(path)
    assert head is not None
    source = Source.open(path)
    whole = load(source)
    assert not head.complete
    assert head.source.size == FIRST_LOOK < source.size
    assert 0 < len(head.table) < len(whole.table)
    same = [row for row in range(len(head.table)) if head.table.message[row] >= 0]
    late = len(whole.table) - len(same)  # system text and tools may stand behind what the head holds
    assert [Kind(k) for k in head.table.kind[same]] == [Kind(k) for k in whole.table.kind if k not in (Kind.SYSTEM, Kind.TOOLS)][
        : len(same)
    ]
    assert late > 0
    assert head.records["unparsed"] == 0
    head.source.close()
    source.close()


def test_a_first_look_takes_no_time(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    path.write_text(json.dumps({"model": "claude-x", "messages": [{"role": "user", "content": "hello " * 1000}] * 8000}))
    times = []
    for _ in range(5):
        begin = time.process_time()
        head = first_look(path)
        times.append(time.process_time() - begin)
        assert head is not None
        head.source.close()
    assert min(times) < 0.05


def test_a_small_file_is_seen_whole(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    path.write_text('[{"role": "user", "content": "hi"}]')
    head = first_look(path)
    assert head is not None
    assert head.complete
    head.source.close()


def test_a_first_look_at_what_cannot_be_opened_shows_nothing(tmp_path: Path) -> None:
    path = tmp_path / "no.json"
    path.write_text("hello")
    assert first_look(path) is None
    assert first_look(tmp_path / "absent.json") is None
    assert first_look(tmp_path) is None


# -- bad input ----------------------------------------------------------------------------------------------------------------


def test_a_path_that_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"absent\.json: No such file"):
        Source.open(tmp_path / "absent.json")
    with pytest.raises(UnreadableError, match=r"regular file|directory"):
        Source.open(tmp_path)


def test_a_message_of_many_megabytes() -> None:
    data = b'[{"role":"user","content":"' + b"x" * (8 << 20) + b'"},{"role":"assistant","content":"yes"}]'
    dump = load(of(data))
    assert dump.table.size.tolist() == [8 << 20, 3]
    assert b"".join(FORMATS[dump.format].write(dump, dump.transcripts)) == data


@pytest.mark.parametrize(
    "odd", [b'"\\ud83d"', b"NaN", b"-Infinity", b"1e999", b"123456789012345678901234567890", b'{"a":1,"a":2}', b"9" * 5000, b"1.50"]
)
def test_values_that_decoders_refuse_or_change(odd: bytes) -> None:
    data = (
        b'{"model":"claude-x","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"v":'
        + odd
        + b"}}]}]}"
    )
    dump = load(of(data))
    format, transcript = FORMATS[dump.format], dump.transcripts[0]
    assert dump.records == {"shown": 1, "hidden": 0, "unparsed": 0}
    assert block(dump, transcript, 0).name == "f"
    assert b"".join(format.write(dump, [transcript])) == data
    renamed = transcript.with_(fields={0: {"name": "g"}})
    assert b"".join(format.write(dump, [renamed])) == data.replace(b'"f"', b'"g"')


def test_the_last_of_two_lists_is_read_and_both_are_kept() -> None:
    data = b'{"messages":[{"role":"user","content":"old"}],"model":"claude-x","messages":[{"role":"user","content":"new"}]}'
    dump = load(of(data))
    assert block(dump, dump.transcripts[0], 0).text == "new"
    assert any("stands twice" in why for why in dump.whys)
    renamed = dump.transcripts[0].with_(fields={0: {"text": "newer"}})
    assert b"".join(FORMATS[dump.format].write(dump, [renamed])) == data.replace(b"new", b"newer")


def test_any_damage_opens_or_is_said_in_one_line() -> None:
    r = random.Random(5)
    for seed in range(60):
        wire = r.choice(list(WIRES))
        whole = styled(request(wire, seed), seed)
        for _ in range(15):
            data = bytearray(whole)
            for _ in range(r.randrange(1, 4)):
                at = r.randrange(len(data))
                pick = r.random()
                if pick < 0.4:
                    data[at] = r.choice(b'{}[]",:\\ \n0a\xff\xe9')
                elif pick < 0.7:
                    del data[at : at + r.randrange(1, 30)]
                else:
                    data[at:at] = bytes(r.choice(b'{}[]",:\\ n') for _ in range(r.randrange(1, 4)))
                data = data or bytearray(b" ")
            _opens_or_says(bytes(data), None)
            _opens_or_says(bytes(data), WIRES[wire])


def _opens_or_says(data: bytes, hint: str | None) -> None:
    line, dump = "", None
    try:
        dump = load(of(data), hint)
    except UnreadableError as error:
        line = str(error)
    assert "\n" not in line
    if dump is None:
        return
    format, transcript = FORMATS[dump.format], dump.transcripts[0]
    writing = format.write_plan(dump, [transcript])
    assert b"".join(writing.chunks()) == data
    assert sum(dump.records.values()) == writing.tally.same
    assert len(list(format.each_block(dump.table, dump.source, range(len(dump.table))))) == len(dump.table)
