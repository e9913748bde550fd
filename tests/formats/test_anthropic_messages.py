"""Anthropic's Messages: what becomes of each block, and of what stands beside the messages."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from app.formats import FORMATS
from app.formats._marks import mark
from app.model.block import Block
from app.model.dump import Dump
from app.model.errors import UnreadableError
from app.model.kinds import ARGS_SHIFT, Args, Flag, Kind, Role
from app.model.source import Source
from app.model.table import RecordKind, Shown

FORMAT = FORMATS["anthropic-messages"]
RESULT = {"type": "tool_result", "tool_use_id": "t1"}


def opened(made: Any) -> Dump:
    return FORMAT.parse(Source.of(json.dumps(made).encode()))


def of_blocks(role: str, *blocks: Any, **members: Any) -> Dump:
    return opened({"model": "claude-x", "messages": [{"role": role, "content": list(blocks), **members}]})


def flags(dump: Dump, row: int = 0) -> int:
    return int(dump.table.flags[row])


def block(dump: Dump, row: int = 0) -> Block:
    return FORMAT.block(dump.transcripts[0], row, dump.source)


def test_a_request() -> None:
    dump = opened(
        {
            "model": "claude-sonnet-4-5",
            "max_tokens": 9,
            "thinking": {"type": "enabled"},
            "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
            "tools": [{"name": "look", "input_schema": {}}, {"type": "web_search_20250305", "name": "web_search"}],
            "messages": [
                {"role": "user", "content": "hi"},
                {
                    "role": "assistant",
                    "content": [{"type": "text", "text": "I look"}, {"type": "tool_use", "id": "t1", "name": "look", "input": {"q": 1}}],
                },
                {"role": "user", "content": [{**RESULT, "content": [{"type": "text", "text": "four"}, {"type": "text", "text": "five5"}]}]},
            ],
        }
    )
    table, transcript = dump.table, dump.transcripts[0]
    assert [Kind(k) for k in table.kind] == [Kind.SYSTEM, Kind.TOOLS, Kind.TOOLS, Kind.TEXT, Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT]
    assert table.message.tolist() == [-1, -1, -1, 0, 1, 1, 2]
    assert table.part.tolist() == [0, 0, 0, 0, 0, 1, 0]
    assert [table.pointer(r) for r in range(len(table.records))] == [
        "/system/0",
        "/tools/0",
        "/tools/1",
        "/messages/0",
        "/messages/1",
        "/messages/2",
    ]
    assert table.size.tolist() == [9, len('{"name":"look","input_schema":{}}'), 50, 2, 6, len("look") + len('{"q":1}'), 9]
    assert (table.key[5], table.key[6]) == (0, 0)
    assert table.ids.text(0) == "t1"
    assert [table.types[t] for t in table.type] == ["text", "custom", "web_search_20250305", "text", "text", "tool_use", "tool_result"]
    assert flags(dump) == Flag.CACHE | Flag.CONTENT_LIST
    assert table.request == {"model": "claude-sonnet-4-5", "max_tokens": 9, "thinking": {"type": "enabled"}}
    assert (transcript.model, transcript.start, transcript.order.tolist()) == ("claude-sonnet-4-5", 0, list(range(7)))
    assert dump.records == {"shown": 3, "hidden": 0, "unparsed": 0}
    assert (table.joins, table.args_text) == (True, False)
    assert block(dump, 5).texts == ('{"q":1}',)
    assert block(dump, 5).pointer == "/messages/1/content/1"
    assert block(dump, 6).texts == ("four", "five5")
    assert block(dump, 3).pointer == "/messages/0/content"
    assert block(dump, 1).name == "look"


@pytest.mark.parametrize(
    ("made", "kind", "want"),
    [
        ({"type": "text", "text": ""}, Kind.TEXT, Flag.TEXT_EMPTY),
        ({"type": "text", "text": " \n"}, Kind.TEXT, Flag.TEXT_BLANK | Flag.TEXT_TRAILING),
        ({"type": "text", "text": "x "}, Kind.TEXT, Flag.TEXT_TRAILING),
        ({"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}, Kind.TEXT, Flag.CACHE),
        ({"type": "text", "text": "x", "parsed_output": 1}, Kind.TEXT, Flag.UNKNOWN_KEYS),
        ({"type": "text", "text": "\ud800"}, Kind.TEXT, Flag.SURROGATE),
        ({"type": "text"}, Kind.OTHER, Flag.TYPE_ODD),
        ({"type": "thinking", "thinking": "t", "signature": "s"}, Kind.REASONING, Flag.SIGNED),
        ({"type": "thinking", "thinking": "", "signature": ""}, Kind.REASONING, Flag.TEXT_EMPTY),
        ({"type": "redacted_thinking", "data": "d"}, Kind.REASONING, Flag.SIGNED | Flag.REDACTED),
        ({"type": "image", "source": {}}, Kind.MEDIA, 0),
        ({"type": "container_upload", "file_id": "f"}, Kind.OTHER, 0),
        ({"type": "compaction", "content": "c"}, Kind.OTHER, 0),
        ({"type": "brand_new"}, Kind.OTHER, Flag.TYPE_ODD),
        ({"no": "type"}, Kind.OTHER, Flag.TYPE_ODD),
        ("a string", Kind.OTHER, Flag.TYPE_ODD),
        (None, Kind.OTHER, Flag.TYPE_ODD),
    ],
)
def test_blocks(made: Any, kind: Kind, want: int) -> None:
    dump = of_blocks("assistant", made)
    assert (dump.table.kind[0], flags(dump)) == (kind, want | Flag.CONTENT_LIST)


@pytest.mark.parametrize(
    ("value", "want", "size"),
    [
        ({"a": "é"}, Args.OBJECT, 9),
        ('{"a":1}', Args.STRING, 7),
        ("[1]", Args.STRING_OTHER, 3),
        ("{bad", Args.BROKEN, 4),
        (None, Args.NULL, 0),
        ([1, 2], Args.OTHER, 5),
        (..., Args.NONE, 0),
    ],
)
def test_arguments(value: Any, want: Args, size: int) -> None:
    call = {"type": "tool_use", "id": "t", "name": "look"} | ({} if value is ... else {"input": value})
    dump = of_blocks("assistant", call)
    assert (flags(dump) & Flag.ARGS) >> ARGS_SHIFT == want
    assert dump.table.size[0] == 4 + size


@pytest.mark.parametrize(
    ("made", "want"),
    [
        ("toolu_01-A", 0),
        ("a.b:c", Flag.ID_DOTTED),
        ("a b", Flag.ID_ODD),
        ("ü", Flag.ID_ODD),
        ("", Flag.ID_EMPTY),
        (None, Flag.ID_ABSENT),
        (7, Flag.ID_ODD),
        ("x" * 40, 0),
        ("x" * 41, Flag.ID_OVER_40),
        ("x" * 65, Flag.ID_OVER_40 | Flag.ID_OVER_64),
        ("a|" + "x" * 64, Flag.ID_ODD | Flag.ID_OVER_40 | Flag.ID_OVER_64),
    ],
)
def test_ids(made: Any, want: int) -> None:
    ids = Flag.ID_ABSENT | Flag.ID_EMPTY | Flag.ID_DOTTED | Flag.ID_ODD | Flag.ID_OVER_40 | Flag.ID_OVER_64
    for dump in (
        of_blocks("assistant", {"type": "tool_use", "id": made, "name": "n", "input": {}}),
        of_blocks("user", {"type": "tool_result", "tool_use_id": made, "content": "x"}),
    ):
        assert flags(dump) & ids == want
        assert (dump.table.key[0] == -1) == (made is None)


@pytest.mark.parametrize(
    ("content", "want", "texts"),
    [
        ("done", 0, ("done",)),
        ("", Flag.TEXT_EMPTY, ("",)),
        (..., Flag.CONTENT_NULL, ()),
        (None, Flag.CONTENT_NULL, ()),
        ([], Flag.CONTENT_LIST | Flag.CONTENT_NONE, ()),
        ({"a": 1}, Flag.CONTENT_ODD, ('{"a":1}',)),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": " "}], Flag.CONTENT_LIST | Flag.PART_EMPTY, ("a", " ")),
        ([{"type": "image", "source": {}}], Flag.CONTENT_LIST | Flag.MEDIA, ()),
        ([{"type": "brand_new"}], Flag.CONTENT_LIST | Flag.TYPE_ODD, ('{"type":"brand_new"}',)),
        (["bare"], Flag.CONTENT_LIST | Flag.TYPE_ODD, ("bare",)),
        (
            [{"type": "search_result", "title": "t", "source": "s", "content": [{"type": "text", "text": "x"}]}],
            Flag.CONTENT_LIST,
            ("t", "s", "x"),
        ),
    ],
)
def test_results(content: Any, want: int, texts: tuple[str, ...]) -> None:
    dump = of_blocks("user", RESULT | ({} if content is ... else {"content": content}))
    assert flags(dump) == want
    assert block(dump).texts == texts
    assert flags(of_blocks("user", {**RESULT, "content": "x", "is_error": True})) == Flag.ERROR


@pytest.mark.parametrize(
    ("content", "kind", "want"),
    [
        ("hi", Kind.TEXT, 0),
        ("", Kind.TEXT, Flag.TEXT_EMPTY),
        (None, Kind.EMPTY, Flag.CONTENT_NULL),
        ([], Kind.EMPTY, Flag.CONTENT_LIST | Flag.CONTENT_NONE),
        ({"a": 1}, Kind.EMPTY, Flag.CONTENT_ODD),
        (5, Kind.EMPTY, Flag.CONTENT_ODD),
    ],
)
def test_content_that_is_no_list_of_blocks(content: Any, kind: Kind, want: int) -> None:
    dump = opened([{"role": "user", "content": content}])
    assert (dump.table.kind[0], flags(dump), len(dump.table)) == (kind, want, 1)


def test_server_tools_are_told_apart() -> None:
    dump = of_blocks(
        "assistant",
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "s1",
            "content": [{"type": "web_search_result", "title": "T", "url": "U", "encrypted_content": "secret"}],
        },
        {"type": "mcp_tool_use", "id": "m1", "name": "x", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "m1", "is_error": True, "content": [{"type": "text", "text": "no"}]},
        {
            "type": "bash_code_execution_tool_result",
            "tool_use_id": "s2",
            "content": {"type": "bash_code_execution_result", "stdout": "out", "stderr": ""},
        },
    )
    assert [Kind(k) for k in dump.table.kind] == [Kind.TOOL_CALL, Kind.TOOL_RESULT] * 2 + [Kind.TOOL_RESULT]
    assert all(f & Flag.SERVER for f in dump.table.flags.tolist())
    assert dump.table.key.tolist() == [0, 0, 1, 1, 2]
    assert [block(dump, row).texts for row in (1, 3, 4)] == [("T", "U"), ("no",), ("out",)]
    assert block(dump, 3).error


def test_what_no_person_typed() -> None:
    assert mark("<system-reminder>\nx\n</system-reminder>\n<system-reminder>y</system-reminder>") == Flag.INJECTED
    assert mark("<system-reminder>x</system-reminder> and a question") == 0
    assert mark("# AGENTS.md instructions for /x") == Flag.INJECTED
    assert mark("<environment_context><cwd>/</cwd></environment_context>") == Flag.INJECTED
    assert mark("This session is being continued from a previous conversation that ran out of context.") == Flag.SUMMARY
    assert mark("[summary of an earlier part of this conversation, made from its transcript]\n\nx") == Flag.SUMMARY
    assert mark("hello") == mark("") == mark("<b>hi</b>") == 0
    dump = opened([{"role": r, "content": "<system-reminder>x</system-reminder>"} for r in ("user", "assistant")])
    assert [f & Flag.INJECTED for f in dump.table.flags.tolist()] == [Flag.INJECTED, 0]


def test_roles_and_foreign_keys() -> None:
    dump = opened(
        [{"role": r, "content": "x"} for r in ("user", "assistant", "system", "odd")] + [{"content": "x", "tool_calls": [], "role": 5}]
    )
    assert [Role(r) for r in dump.table.role] == [Role.USER, Role.ASSISTANT, Role.SYSTEM, Role.OTHER, Role.OTHER]
    assert [bool(f & Flag.UNKNOWN_KEYS) for f in dump.table.flags.tolist()] == [False] * 4 + [True]
    assert dump.table.pointer(2) == "/2"


def test_a_response() -> None:
    dump = opened(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-x",
            "content": [{"type": "text", "text": "hi"}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 5, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20, "output_tokens": 7},
        }
    )
    table = dump.table
    assert (table.pointer(0), table.models) == ("", ["claude-x"])
    assert block(dump).pointer == "/content/0"
    usages = table.usages
    assert [int(c[0]) for c in (usages.message, usages.input, usages.cache_read, usages.cache_write, usages.output)] == [0, 125, 100, 20, 7]


def test_bedrock_and_vertex_bodies_have_no_model() -> None:
    dump = opened({"anthropic_version": "bedrock-2023-05-31", "max_tokens": 1, "messages": [{"role": "user", "content": "hi"}]})
    assert dump.transcripts[0].model is None


def test_a_message_that_cannot_be_decoded_stays_in_its_place() -> None:
    deep = b'{"role":"user","content":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    dump = FORMAT.parse(Source.of(b'{"messages":[{"role":"user","content":"a"},' + deep + b',{"role":"assistant","content":"b"},"bare"]}'))
    kinds = [RecordKind(k) for k in dump.table.records.kind]
    assert kinds == [RecordKind.MESSAGE, RecordKind.UNPARSED, RecordKind.MESSAGE, RecordKind.UNKNOWN]
    assert [Kind(k) for k in dump.table.kind] == [Kind.TEXT, Kind.OTHER, Kind.TEXT, Kind.OTHER]
    assert (dump.table.role[1], dump.table.size[1]) == (Role.USER, len(deep))
    assert dump.records == {"shown": 3, "hidden": 0, "unparsed": 1}
    assert block(dump, 1).text == deep.decode()


def test_a_file_that_is_cut_off_opens_as_far_as_it_goes() -> None:
    whole = b'{"model":"claude-x","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"bcd"}]}'
    for end in range(36, len(whole)):
        dump = FORMAT.parse(Source.of(whole[:end]))
        complete = sum(end >= whole.index(mark) + len(mark) for mark in (b'"a"}', b'"bcd"}'))
        assert len(dump.table) == complete, end
        records = dump.table.records
        torn = records.shown == Shown.UNPARSED
        assert (records.offset[torn] + records.length[torn]).tolist() in ([], [end])
        assert b"".join(FORMAT.write(dump, dump.transcripts)) == whole[:end]
        assert "ends early" in dump.whys[0]
        edited = dump.transcripts[0].with_(fields={0: {"text": "other"}}) if complete else dump.transcripts[0]
        assert b"".join(FORMAT.write(dump, [edited])) == (whole[:end].replace(b'"a"', b'"other"') if complete else whole[:end])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"a": 1}', "no messages in it (its keys: a)"),
        (b'{"model": "claude-x", "mess', "before any message"),
        (b"hello", "no JSON at byte 0"),
        (b"", "empty"),
        (b'[{"role":"user","content":"\xff"}]', "not UTF-8 (invalid start byte) at byte 27"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(data: bytes, words: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        FORMAT.parse(Source.of(data, "dump.json"))
    assert words in str(caught.value)
    assert str(caught.value).startswith("dump.json: ")
    assert "\n" not in str(caught.value)


def test_counts_of_real_dumps(shared: Path) -> None:
    _counts(shared, "anthropic_messages")


def _counts(shared: Path, folder: str) -> None:
    format = FORMATS[folder.replace("_", "-")]
    with (shared / "samples" / "COUNTS.tsv").open(encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["format"] == folder]
    for row in rows:
        dump = format.parse(Source.open(shared / "samples" / row["path"]))
        kind, server = dump.table.kind, (dump.table.flags & Flag.SERVER) != 0
        got = [
            len(set(dump.table.message.tolist()) - {-1}),
            *(int(((kind == k) & ~server).sum()) for k in (Kind.TOOL_CALL, Kind.TOOL_RESULT)),
        ]
        got.append(int(((kind == Kind.TOOL_CALL) & server).sum()))
        assert got == [int(row[k]) for k in ("messages", "tool_calls", "tool_results", "server_side_calls")], row["path"]
