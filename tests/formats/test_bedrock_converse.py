"""Bedrock's Converse: what becomes of each block, what stands beside the messages, and that edits are spliced in the file's own style."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.formats._json import compact
from app.model.block import Block, Media
from app.model.dump import Dump
from app.model.edits import DELETE, After, Before, Cap, Change, Edit, End, HeadOf, Insert, Made, Move, Replace, Set, SetRequest, Stub, drop
from app.model.kinds import ARGS_SHIFT, Args, Flag, Kind, Mark, Role
from app.model.source import Source
from app.model.table import RecordKind
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.edits import edited, state
from tests.formats.wild import PIXEL, styled
from tests.formats.wild_bedrock import document

FORMAT = FORMATS["bedrock-converse"]
OBJECT, LIST = int(Args.OBJECT) << ARGS_SHIFT, Flag.CONTENT_LIST
CALL = {"toolUse": {"toolUseId": "t1", "name": "look", "input": {"q": 1}}}
RESULT = {"toolResult": {"toolUseId": "t1", "content": [{"text": "ok"}]}}


def opened(made: Any, indent: Any = None) -> Dump:
    return FORMAT.parse(Source.of(json.dumps(made, indent=indent).encode() if not isinstance(made, bytes) else made))


def row(block: Any, role: str = "user") -> tuple[Kind, str, int]:
    """Kind, the wire's word and flags of a block's row."""
    table = opened([{"role": role, "content": [block]}]).table
    return Kind(int(table.kind[0])), table.types[table.type[0]], int(table.flags[0])


def marks(block: Any, role: str = "user") -> set[str]:
    return set(opened([{"role": role, "content": [block]}]).table.marks)


def look(made: Any, number: int = 0) -> Block:
    dump = opened(made)
    return FORMAT.block(dump.transcripts[0], number, dump.source)


# -- rows -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "want"),
    [
        ({"text": "hi"}, (Kind.TEXT, "text", LIST)),
        ({"text": ""}, (Kind.TEXT, "text", LIST | Flag.TEXT_EMPTY)),
        ({"text": " \n"}, (Kind.TEXT, "text", LIST | Flag.TEXT_BLANK | Flag.TEXT_TRAILING)),
        ({"guardContent": {"text": {"text": "hi"}}}, (Kind.TEXT, "guardContent", LIST)),
        ({"citationsContent": {"content": [{"text": "a"}, {"text": "b"}]}}, (Kind.TEXT, "citationsContent", LIST)),
        (CALL, (Kind.TOOL_CALL, "toolUse", LIST | OBJECT)),
        ({"toolUse": {**CALL["toolUse"], "type": "tool_use"}}, (Kind.TOOL_CALL, "toolUse", LIST | OBJECT)),
        ({"toolUse": {**CALL["toolUse"], "type": "server_tool_use"}}, (Kind.TOOL_CALL, "toolUse", LIST | OBJECT | Flag.SERVER)),
        (RESULT, (Kind.TOOL_RESULT, "toolResult", LIST)),
        ({"toolResult": {"toolUseId": "t1", "content": [], "status": "error"}},
         (Kind.TOOL_RESULT, "toolResult", LIST | Flag.CONTENT_NONE | Flag.ERROR)),
        ({"toolResult": {"toolUseId": "a.b"}}, (Kind.TOOL_RESULT, "toolResult", Flag.CONTENT_NULL | Flag.ID_DOTTED)),
        ({"toolResult": {"toolUseId": "", "content": [{"text": ""}]}},
         (Kind.TOOL_RESULT, "toolResult", LIST | Flag.PART_EMPTY | Flag.ID_EMPTY)),
        ({"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
         (Kind.REASONING, "reasoningContent", LIST | Flag.SIGNED)),
        ({"reasoningContent": {"reasoningText": {"text": "hm"}}}, (Kind.REASONING, "reasoningContent", LIST)),
        ({"reasoningContent": {"redactedContent": "x"}}, (Kind.REASONING, "reasoningContent", LIST | Flag.SIGNED | Flag.REDACTED)),
        ({"reasoningContent": {}}, (Kind.OTHER, "reasoningContent", LIST | Flag.TYPE_ODD)),
        ({"image": {"format": "png", "source": {"bytes": PIXEL}}}, (Kind.MEDIA, "image", LIST)),
        ({"cachePoint": {"type": "default"}}, (Kind.OTHER, "cachePoint", LIST | Flag.CACHE)),
        ({"searchResult": {"title": "t"}}, (Kind.OTHER, "searchResult", LIST)),
        ({"brandNew": {}}, (Kind.OTHER, "brandNew", LIST | Flag.TYPE_ODD)),
        ({"text": 5}, (Kind.OTHER, "text", LIST | Flag.TYPE_ODD)),
        ("bare", (Kind.OTHER, "(string)", LIST | Flag.TYPE_ODD)),
    ],
)  # fmt: skip
def test_blocks(block: Any, want: tuple[Kind, str, int]) -> None:
    assert row(block, "assistant") == want


@pytest.mark.parametrize(
    ("content", "want"),
    [
        ([], (Kind.EMPTY, "empty", LIST | Flag.CONTENT_NONE)),
        (None, (Kind.EMPTY, "empty", Flag.CONTENT_NULL)),
        ({"a": 1}, (Kind.EMPTY, "(object)", Flag.CONTENT_ODD)),
        ("hi", (Kind.TEXT, "text", 0)),
        ("", (Kind.TEXT, "text", Flag.TEXT_EMPTY)),
    ],
)
def test_content_that_is_no_list_of_blocks(content: Any, want: tuple[Kind, str, int]) -> None:
    table = opened([{"role": "user", "content": content}]).table
    assert (Kind(int(table.kind[0])), table.types[table.type[0]], int(table.flags[0])) == want


@pytest.mark.parametrize(
    ("block", "want"),
    [
        (RESULT, set()),
        ({"toolResult": {"toolUseId": "t", "content": [{"json": {"a": 1}}]}}, set()),
        ({"toolResult": {"toolUseId": "t", "content": [{"json": [1]}]}}, {Mark.JSON_ODD}),
        ({"toolResult": {"toolUseId": "t", "content": [{"json": None}]}}, {Mark.JSON_ODD}),
        ({"toolResult": {"toolUseId": "t", "content": [{"text": " "}]}}, {Mark.BLANK}),
        ({"toolResult": {"toolUseId": "t", "content": [{"text": " "}, {"text": ""}]}}, set()),
        ({"toolResult": {"toolUseId": "t", "content": [], "status": "success"}}, {Mark.STATUS}),
        ({"toolResult": {"toolUseId": "t", "content": [{"video": {"format": "mp4", "source": {}}}]}}, {Mark.VIDEO}),
        ({"document": {"format": "txt", "name": "d", "source": {"bytes": "aGk="}}}, {Mark.TEXT_DOCUMENT}),
        ({"document": {"format": "pdf", "name": "d", "source": {"bytes": "aGk="}}}, set()),
        ({"image": {"format": "png", "source": {"s3Location": {"uri": "s3://a/b"}}}}, {Mark.REMOTE}),
        ({"toolUse": {"toolUseId": "t", "name": "f", "input": {"": 1}}}, {Mark.EMPTY_KEY}),
    ],
)
def test_marks(block: Any, want: set[str]) -> None:
    assert marks(block) == want


def test_a_tool_of_the_provider_has_call_and_result_in_one_message() -> None:
    call = {"toolUse": {"toolUseId": "s1", "name": "nova_code_interpreter", "input": {}, "type": "server_tool_use"}}
    result = {"toolResult": {"toolUseId": "s1", "content": [{"json": {"stdOut": "4"}}]}}
    table = opened([{"role": "assistant", "content": [{"text": "x"}, call, result, {"text": "4"}]}]).table
    assert [bool(flags & Flag.SERVER) for flags in table.flags] == [False, True, True, False]
    client = {"role": "user", "content": [result]}
    assert not opened([{"role": "assistant", "content": [call]}, client]).table.flags[1] & Flag.SERVER


def test_what_somebody_sees_of_a_block() -> None:
    parts = [{"text": "a"}, {"json": {"b": [1, 2]}}, {"image": {"format": "png", "source": {"bytes": PIXEL}}}, {"odd": 1}]
    result = {"toolResult": {"toolUseId": "t1", "content": parts, "status": "error"}}
    found = look([{"role": "user", "content": [result]}])
    assert (found.texts, found.call_id, found.error) == (("a", '{"b":[1,2]}', '{"odd":1}'), "t1", True)
    assert found.media == (Media("image/png", 5, 7, found.media[0].bytes),)
    assert found.pointer == "/0/content/0"
    call = look([{"role": "assistant", "content": [CALL]}])
    assert (call.name, call.call_id, call.texts) == ("look", "t1", ('{"q":1}',))
    page = look([{"role": "user", "content": [{"document": {"format": "pdf", "name": "d", "source": {"bytes": "aGk="}}}]}])
    assert page.media == (Media("application/pdf", None, None, 2),)
    said = {"role": "user", "content": [{"citationsContent": {"content": [{"text": "a"}, {"text": "b"}]}}]}
    assert look([said]).texts == ("ab",)


# -- beside the messages --------------------------------------------------------------------------------------------------------


def test_system_texts_and_tools_stand_in_front() -> None:
    dump = opened({
        "modelId": "us.amazon.nova-pro-v1:0",
        "messages": [{"role": "user", "content": [{"text": "hi"}]}],
        "system": [{"text": "be kind"}, {"cachePoint": {"type": "default"}}],
        "toolConfig": {"toolChoice": {"auto": {}}, "tools": [{"toolSpec": {"name": "look", "inputSchema": {}}}, {"cachePoint": {}}]},
    })  # fmt: skip
    blocks = list(FORMAT.each_block(dump.table, dump.source, range(len(dump.table))))
    assert [(b.kind, b.type, b.pointer) for b in blocks] == [
        (Kind.SYSTEM, "text", "/system/0"), (Kind.SYSTEM, "cachePoint", "/system/1"), (Kind.TOOLS, "toolSpec", "/toolConfig/tools/0"),
        (Kind.TOOLS, "cachePoint", "/toolConfig/tools/1"), (Kind.TEXT, "text", "/messages/0/content/0"),
    ]  # fmt: skip
    assert (blocks[0].texts, blocks[1].texts, blocks[2].name) == (("be kind",), ("",), "look")
    assert dump.transcripts[0].model == "us.amazon.nova-pro-v1:0"
    assert dump.records == {"shown": 1, "hidden": 0, "unparsed": 0}


def test_an_answer_stands_behind_the_messages() -> None:
    usage = {"inputTokens": 7, "outputTokens": 2, "cacheReadInputTokens": 40, "cacheWriteInputTokens": 3, "totalTokens": 52}
    answer = {"output": {"message": {"role": "assistant", "content": [{"text": "Hi."}]}}, "stopReason": "end_turn", "usage": usage}
    dump = opened(answer)
    assert [b.pointer for b in FORMAT.each_block(dump.table, dump.source, [0])] == ["/output/message/content/0"]
    usages = dump.table.usages
    assert (usages.input.tolist(), usages.cache_read.tolist(), usages.cache_write.tolist(), usages.output.tolist()) == (
        [50],
        [40],
        [3],
        [2],
    )
    assert dump.mode == "prefix"
    both = opened({"messages": [{"role": "user", "content": [{"text": "q"}]}], **answer})
    assert both.table.usages.message.tolist() == [1]
    assert both.table.role.tolist() == [Role.USER, Role.ASSISTANT]


# -- detection ------------------------------------------------------------------------------------------------------------------

TEXT = {"role": "user", "content": [{"text": "hi"}]}


@pytest.mark.parametrize(
    "made",
    [
        {"modelId": "m", "messages": [TEXT]},
        {"messages": [TEXT], "inferenceConfig": {"maxTokens": 5}},
        {"messages": [TEXT], "system": [{"text": "s"}]},
        {"messages": [TEXT], "toolConfig": {"tools": []}},
        {"messages": [{"role": "assistant", "content": [CALL]}, {"role": "user", "content": [RESULT]}]},
        [TEXT],
        [{"role": "assistant", "content": [CALL]}],
        {"output": {"message": {"role": "assistant", "content": [CALL]}}, "stopReason": "tool_use"},
    ],
)
def test_it_is_told_by_its_keys(made: Any) -> None:
    found = detect(Source.of(json.dumps(made).encode(), "x.json"))
    assert found[0].format == "bedrock-converse"
    assert len(found) == 1 or found[0].score - found[1].score >= 0.25


def test_an_invoke_request_is_anthropics() -> None:
    made = {"anthropic_version": "bedrock-2023-05-31", "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]}
    assert detect(Source.of(json.dumps(made).encode(), "x.json"))[0].format == "anthropic-messages"


def test_samples_hold_what_was_counted(shared: Path) -> None:
    folder = shared / "samples" / "bedrock_converse"
    want = {"parallelToolCalls": (2, 2, 0), "complexReasoning": (0, 0, 0), "toolCallRequest": (1, 0, 0)}
    for path in sorted(folder.glob("*.json")):
        dump = FORMAT.parse(Source.open(path))
        found = counts(make_view(dump.transcripts[0]))
        name = next(name for name in want if name in path.name)
        assert (found["tool_calls"], found["tool_results"], found["orphan_results"]) == want[name]
        assert b"".join(FORMAT.write(dump, dump.transcripts)) == path.read_bytes()


# -- edits ----------------------------------------------------------------------------------------------------------------------


def after(dump: Dump, *edits: Edit) -> Transcript:
    return apply(dump.transcripts[0], [Change("an edit", "rule:none", "loses", edits)], PROVIDERS["bedrock"]).transcript


def written(dump: Dump, *edits: Edit) -> str:
    return b"".join(FORMAT.write(dump, [after(dump, *edits)])).decode()


def rows(*numbers: int) -> np.ndarray[Any, Any]:
    return np.asarray(numbers, np.int32)


ASKS = {"role": "assistant", "content": [CALL, {"toolUse": {"toolUseId": "t2", "name": "look", "input": {}}}]}
MADE = {"toolResult": {"toolUseId": "t2", "content": [{"text": "[no result]"}], "status": "error"}}


@pytest.mark.parametrize("indent", [None, 1, 2, 4, "\t"])
def test_edits_are_spliced_in_the_style_of_the_file(indent: Any) -> None:
    request = {
        "modelId": "m",
        "messages": [ASKS, {"role": "user", "content": [RESULT, {"text": "go on"}]}],
        "inferenceConfig": {"maxTokens": 5},
    }
    dump = opened(request, indent)

    def want(*content: Any, first: Any = ASKS) -> str:
        return json.dumps({**request, "messages": [first, {"role": "user", "content": list(content)}]}, indent=indent)

    missing = Made(Kind.TOOL_RESULT, Role.USER, "[no result]", 1, True)
    assert written(dump, Insert(HeadOf(1), missing)) == want(RESULT, MADE, {"text": "go on"})
    assert written(dump, drop(3)) == want(RESULT)
    assert written(dump, Set(0, "call_id", "new"), Set(2, "call_id", "new")) == want(
        {"toolResult": {"toolUseId": "new", "content": [{"text": "ok"}]}}, {"text": "go on"},
        first={"role": "assistant", "content": [{"toolUse": {**CALL["toolUse"], "toolUseId": "new"}}, ASKS["content"][1]]},
    )  # fmt: skip
    assert written(dump, Set(2, "content", "(empty)")) == want(
        {"toolResult": {"toolUseId": "t1", "content": [{"text": "(empty)"}]}}, {"text": "go on"}
    )
    assert written(dump, Replace(rows(2), Stub("gone"))) == want(
        {"toolResult": {"toolUseId": "t1", "content": [{"text": "gone"}]}}, {"text": "go on"}
    )
    assert written(dump, Set(2, "block.is_error", True)) == want(
        {"toolResult": {"toolUseId": "t1", "content": [{"text": "ok"}], "status": "error"}}, {"text": "go on"}
    )
    assert written(dump, Set(3, "text", "é")) == want(RESULT, {"text": "é"}).replace("\\u00e9", "é")
    assert written(dump, Move(2, After(3, join=True))) == want({"text": "go on"}, RESULT)
    named = {"toolUse": {**CALL["toolUse"], "name": "n", "input": {"a": 1}}}
    assert written(dump, Set(0, "name", "n"), Set(0, "input", {"a": 1})) == want(
        RESULT, {"text": "go on"}, first={"role": "assistant", "content": [named, ASKS["content"][1]]}
    )
    assert written(dump) == json.dumps(request, indent=indent)


def test_members_that_are_not_edited_keep_their_bytes() -> None:
    data = (
        b'[{"role": "user" ,"content":[ {"toolResult":{"content": [{"text":"a\\u0062"}, {"json":{"n": 1.50}}],"toolUseId":"t","x":1e5}} ]}]'
    )
    dump = opened(data)
    assert written(dump, Set(0, "call_id", "u")) == data.decode().replace('"t"', '"u"')
    assert written(dump, Replace(rows(0), Cap(200))) == data.decode()


def test_a_cap_cuts_texts_in_order_and_leaves_media() -> None:
    image = {"image": {"format": "png", "source": {"bytes": PIXEL}}}
    parts = [{"text": "a" * 150}, image, {"json": {"b": "c" * 300}}]
    dump = opened([{"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": parts}}]}])
    found = json.loads(written(dump, Replace(rows(0), Cap(300))))[0]["content"][0]["toolResult"]["content"]
    assert found[:2] == parts[:2]
    assert found[2]["text"].startswith('{"b":"ccc')
    assert sum(len(part.get("text", "")) for part in found) == 300


def test_texts_that_stand_deeper_are_set_where_they_stand() -> None:
    guarded = {"guardContent": {"text": {"text": "a", "qualifiers": ["query"]}}}
    cited = {"citationsContent": {"content": [{"text": "a"}, {"text": "b"}], "citations": [1]}}
    dump = opened([{"role": "user", "content": [guarded, cited]}])
    assert json.loads(written(dump, Set(0, "text", "x"), Set(1, "text", "y")))[0]["content"] == [
        {"guardContent": {"text": {"text": "x", "qualifiers": ["query"]}}},
        {"citationsContent": {"content": [{"text": "y"}], "citations": [1]}},
    ]


def test_a_made_message_has_a_list_of_blocks() -> None:
    dump = opened([TEXT])
    assert json.loads(written(dump, Insert(End(), Made(Kind.TEXT, Role.USER, "Continue."))))[1:] == [
        {"role": "user", "content": [{"text": "Continue."}]}
    ]
    empty = opened([{"role": "user", "content": []}])
    assert json.loads(written(empty, Set(0, "content", "(empty)"))) == [{"role": "user", "content": [{"text": "(empty)"}]}]
    assert json.loads(written(empty, Set(0, "text", "(empty)"))) == [{"role": "user", "content": [{"text": "(empty)"}]}]


def test_tools_below_their_config_are_taken_away_one_by_one() -> None:
    tools = [{"toolSpec": {"name": name, "inputSchema": {"json": {}}}} for name in "ab"]
    made = {"messages": [TEXT], "toolConfig": {"toolChoice": {"auto": {}}, "tools": tools}}
    for indent in (None, 2):
        dump = opened(made, indent)
        one = {**made, "toolConfig": {"toolChoice": {"auto": {}}, "tools": tools[1:]}}
        assert written(dump, drop(0)) == json.dumps(one, indent=indent)
        assert written(dump, drop(0, 1)) == json.dumps({"messages": [TEXT]}, indent=indent)


def test_tools_that_are_declared_stand_in_the_table_and_in_the_request() -> None:
    made = {"messages": [{"role": "assistant", "content": [CALL]}, {"role": "user", "content": [RESULT]}]}
    dump = opened(made)
    config = {"tools": [{"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}]}
    tool = Made(Kind.TOOLS, Role.SYSTEM, compact(config["tools"][0]))
    edits = SetRequest("/toolConfig", config), Insert(Before(0), tool)
    assert json.loads(written(dump, *edits)) == {**made, "toolConfig": config}
    view = make_view(after(dump, *edits))
    assert view.kind.tolist() == [Kind.TOOLS, Kind.TOOL_CALL, Kind.TOOL_RESULT]
    assert view.message.tolist() == [-1, 0, 1]


def test_an_answer_is_changed_where_it_stands() -> None:
    answer = {"output": {"message": {"role": "assistant", "content": [{"text": "Hi."}, CALL]}}, "stopReason": "tool_use"}
    dump = opened(answer, 2)
    changed = {"output": {"message": {"role": "assistant", "content": [{"text": "Ho."}, CALL]}}, "stopReason": "tool_use"}
    assert written(dump, Set(0, "text", "Ho.")) == json.dumps(changed, indent=2)
    answered = json.loads(written(dump, Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.USER, "[no result]", 1, True))))
    assert [message["role"] for message in answered["messages"]] == ["assistant", "user"]
    assert answered["messages"][0] == answer["output"]["message"]
    assert "output" not in answered
    asked = opened({"messages": [TEXT], **answer}, 2)
    assert json.loads(written(asked, drop(1, 2))) == {"messages": [TEXT], "stopReason": "tool_use"}


def test_a_status_is_taken_away() -> None:
    result = {"toolResult": {"toolUseId": "t1", "content": [{"text": "ok"}], "status": "success"}}
    dump = opened([{"role": "user", "content": [result]}])
    assert json.loads(written(dump, Set(0, "block.status", DELETE)))[0]["content"] == [RESULT]
    assert Mark.STATUS in dump.table.marks
    assert not len(after(dump, Set(0, "block.status", DELETE)).table.marks[Mark.STATUS])


@pytest.mark.parametrize(
    ("edit", "left"),
    [
        (Set(0, "content", [{"json": [1]}]), {Mark.JSON_ODD}),
        (Set(0, "content", [{"json": {"a": 1}}]), set()),
        (Set(0, "content", "x"), set()),
        (Replace(rows(0), Stub("x")), set()),
        (Set(0, "call_id", "x"), {Mark.JSON_ODD, Mark.VIDEO}),
    ],
)
def test_marks_follow_what_edits_put_there(edit: Edit, left: set[str]) -> None:
    parts = [{"json": [1]}, {"video": {"format": "mp4", "source": {}}}]
    dump = opened([{"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": parts}}]}])
    table = after(dump, edit).table
    assert {word for word, marked in table.marks.items() if len(marked)} == left


# -- any document ---------------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_rows_say_what_blocks_say_and_stand_where_they_stand(seed: int) -> None:
    made = document(seed)
    dump = opened(styled(made, seed))
    table = dump.table
    for number, block in enumerate(FORMAT.each_block(table, dump.source, range(len(table)))):
        assert (block.row, block.kind, block.role) == (number, table.kind[number], table.role[number])
        assert table.types[table.type[number]] == block.type
        assert table.ids.text(int(table.key[number])) == block.call_id
        name = len(block.name or "") if block.kind == Kind.TOOL_CALL else 0
        assert table.size[number] == sum(map(len, block.texts)) + name
        if block.kind == Kind.TOOL_RESULT:
            assert bool(table.flags[number] & Flag.MEDIA) == bool(block.media)
            assert bool(table.flags[number] & Flag.ERROR) == block.error
        assert block.pointer is not None
        found: Any = made
        for token in block.pointer.split("/")[1:]:
            found = found[int(token)] if isinstance(found, list) else found[token]
        if block.kind != Kind.EMPTY:
            assert compact(found) == compact(block.value)
    kinds = table.records.kind[table.records.kind != RecordKind.HEAD]
    assert len(kinds) == len(made["messages"]) + ("output" in made)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_without_an_edit_the_bytes_are_the_same(seed: int) -> None:
    data = styled(document(seed), seed)
    dump = opened(data)
    assert b"".join(FORMAT.write(dump, dump.transcripts)) == data


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same_transcript(seed: int) -> None:
    dump = opened(styled(document(seed), seed))
    transcript, edits = edited(dump, seed)
    writing = FORMAT.write_plan(dump, [transcript])
    data = b"".join(writing.chunks())
    assert len(data) == writing.size
    again = FORMAT.parse(Source.of(data))
    assert state(again, again.transcripts[0]) == state(dump, transcript), edits
    tally = writing.tally
    assert tally.same + tally.changed + tally.relinked + tally.dropped == sum(dump.records.values())
