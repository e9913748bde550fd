"""OpenAI's Responses: what is read of each item, and what comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.formats._flags import id_flags
from app.formats._json import compact, loads
from app.model.block import Block
from app.model.dump import Dump
from app.model.edits import DELETE, Before, Cap, Change, Drop, Edit, End, HeadOf, Insert, Made, Move, Replace, Set, Stub
from app.model.items import OUTPUTS
from app.model.kinds import ARGS_SHIFT, Args, Flag, Kind, Role
from app.model.source import Source
from app.model.table import RecordKind
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.load import load
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.edits import edited, state
from tests.formats.wild import PIXEL, styled
from tests.formats.wild_responses import document

RESPONSES = FORMATS["openai-responses"]
CALL = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "look", "arguments": '{"q":1}'}
OUTPUT = {"type": "function_call_output", "call_id": "call_1", "output": "found"}
HELLO = {"role": "user", "content": "hello"}
SEALED = Flag.SIGNED | Flag.REDACTED
STRING = int(Args.STRING) << ARGS_SHIFT
FREE = int(Args.FREE) << ARGS_SHIFT


def opened(made: Any, indent: int | None = 1) -> Dump:
    return RESPONSES.parse(Source.of(json.dumps(made, indent=indent, ensure_ascii=False).encode()))


def blocks(dump: Dump) -> list[Block]:
    return list(RESPONSES.each_block(dump.table, dump.source, range(len(dump.table))))


def shown(dump: Dump) -> list[tuple[Kind, Role, str, str | None]]:
    """Kind, role, text and pointer of each row in the order of the transcript."""
    found = (RESPONSES.block(dump.transcripts[0], int(row), dump.source) for row in dump.transcripts[0].order)
    return [(block.kind, block.role, block.text, block.pointer) for block in found]


def after(dump: Dump, *edits: Edit) -> Transcript:
    return apply(dump.transcripts[0], [Change("t", "rule:t", "loses", edits)], PROVIDERS["openai-responses"]).transcript


def written(dump: Dump, *edits: Edit) -> str:
    return b"".join(RESPONSES.write(dump, [after(dump, *edits)])).decode()


def rows(*numbers: int) -> Any:
    return np.asarray(numbers, np.int32)


# -- items --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "want"),
    [
        (HELLO, [(Kind.TEXT, "text", Role.USER, "/content", ("hello",), 0)]),
        ({"type": "message", **HELLO}, [(Kind.TEXT, "text", Role.USER, "/content", ("hello",), 0)]),
        (
            {"role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "http://x/y"}]},
            [
                (Kind.TEXT, "input_text", Role.USER, "/content/0", ("a",), Flag.CONTENT_LIST),
                (Kind.MEDIA, "input_image", Role.USER, "/content/1", (), Flag.CONTENT_LIST),
            ],
        ),
        (
            {
                "role": "assistant",
                "content": [{"type": "output_text", "text": "a ", "annotations": []}, {"type": "refusal", "refusal": "no"}],
            },
            [
                (Kind.TEXT, "output_text", Role.ASSISTANT, "/content/0", ("a ",), Flag.CONTENT_LIST | Flag.TEXT_TRAILING),
                (Kind.TEXT, "refusal", Role.ASSISTANT, "/content/1", ("no",), Flag.CONTENT_LIST),
            ],
        ),
        ({"role": "user", "content": ""}, [(Kind.TEXT, "text", Role.USER, "/content", ("",), Flag.TEXT_EMPTY)]),
        ({"role": "user", "content": None}, [(Kind.EMPTY, "empty", Role.USER, "", (), Flag.CONTENT_NULL)]),
        ({"role": "user", "content": []}, [(Kind.EMPTY, "empty", Role.USER, "", (), Flag.CONTENT_LIST | Flag.CONTENT_NONE)]),
        ({"role": "user", "content": {"a": 1}}, [(Kind.EMPTY, "(object)", Role.USER, "/content", ('{"a":1}',), Flag.CONTENT_ODD)]),
        (
            {"role": "user", "content": [{"type": "new"}]},
            [(Kind.OTHER, "new", Role.USER, "/content/0", ('{"type":"new"}',), Flag.CONTENT_LIST | Flag.TYPE_ODD)],
        ),
        (CALL, [(Kind.TOOL_CALL, "function_call", Role.ASSISTANT, "", ('{"q":1}',), STRING)]),
        (OUTPUT, [(Kind.TOOL_RESULT, "function_call_output", Role.TOOL, "", ("found",), 0)]),
        (
            {"type": "custom_tool_call", "call_id": "c", "name": "patch", "input": "*** a"},
            [(Kind.TOOL_CALL, "custom_tool_call", Role.ASSISTANT, "", ("*** a",), FREE)],
        ),
        (
            {"type": "local_shell_call", "call_id": "c", "action": {"command": ["ls"]}},
            [(Kind.TOOL_CALL, "local_shell_call", Role.ASSISTANT, "", ('{"command":["ls"]}',), FREE)],
        ),
        (
            {
                "type": "reasoning",
                "id": "rs_1",
                "summary": [{"type": "summary_text", "text": "so"}],
                "content": [],
                "encrypted_content": "gA",
            },
            [(Kind.REASONING, "reasoning", Role.ASSISTANT, "", ("so",), Flag.SIGNED)],
        ),
        (
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gA"},
            [(Kind.REASONING, "reasoning", Role.ASSISTANT, "", (), Flag.SIGNED | Flag.REDACTED)],
        ),
        (
            {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "a"}, {"type": "input_image"}]},
            [(Kind.TOOL_RESULT, "function_call_output", Role.TOOL, "", ("a",), Flag.CONTENT_LIST | Flag.MEDIA)],
        ),
        (
            {"type": "function_call_output", "call_id": "c", "output": {"a": 1}},
            [(Kind.TOOL_RESULT, "function_call_output", Role.TOOL, "", ('{"a":1}',), Flag.CONTENT_ODD)],
        ),
        (
            {"type": "function_call_output", "call_id": "c"},
            [(Kind.TOOL_RESULT, "function_call_output", Role.TOOL, "", (), Flag.CONTENT_NULL)],
        ),
        (
            {"type": "shell_call_output", "call_id": "c", "output": [{"stdout": "a", "stderr": "", "outcome": {}}]},
            [(Kind.TOOL_RESULT, "shell_call_output", Role.TOOL, "", ("a",), Flag.CONTENT_LIST)],
        ),
        (
            {"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot", "image_url": "data:,"}},
            [(Kind.TOOL_RESULT, "computer_call_output", Role.TOOL, "", (), Flag.CONTENT_ODD | Flag.MEDIA)],
        ),
        (
            {"type": "apply_patch_call_output", "call_id": "c", "status": "failed", "output": "no"},
            [(Kind.TOOL_RESULT, "apply_patch_call_output", Role.TOOL, "", ("no",), Flag.ERROR)],
        ),
        (
            {"type": "web_search_call", "id": "ws_1", "action": {"query": "x"}},
            [(Kind.TOOL_CALL, "web_search_call", Role.ASSISTANT, "", ('{"query":"x"}',), Flag.SERVER | Flag.ANSWERED)],
        ),
        (
            {"type": "mcp_call", "id": "mcp_1", "name": "ask", "arguments": "{}", "output": "yes", "error": None},
            [(Kind.TOOL_CALL, "mcp_call", Role.ASSISTANT, "", ("{}", "yes"), Flag.SERVER | Flag.ANSWERED)],
        ),
        (
            {"type": "tool_search_call", "call_id": None, "execution": "server", "arguments": {}},
            [(Kind.TOOL_CALL, "tool_search_call", Role.ASSISTANT, "", ("{}",), Flag.SERVER | int(Args.OBJECT) << ARGS_SHIFT)],
        ),
        (
            {"type": "tool_search_output", "call_id": "c", "execution": "client", "tools": []},
            [(Kind.TOOL_RESULT, "tool_search_output", Role.TOOL, "", ("[]",), Flag.CONTENT_ODD)],
        ),
        ({"type": "program", "call_id": "c", "code": "x"}, [(Kind.TOOL_CALL, "program", Role.ASSISTANT, "", ("x",), Flag.SERVER)]),
        ({"type": "compaction", "encrypted_content": "gA"}, [(Kind.OTHER, "compaction", Role.OTHER, "", (), Flag.SUMMARY | SEALED)]),
        (
            {"type": "additional_tools", "role": "developer", "tools": [1]},
            [(Kind.OTHER, "additional_tools", Role.DEVELOPER, "", ("[1]",), 0)],
        ),
        (
            {"type": "item_reference", "id": "fc_1"},
            [(Kind.OTHER, "item_reference", Role.ASSISTANT, "", ('{"type":"item_reference","id":"fc_1"}',), 0)],
        ),
        ({"type": "ghost_snapshot"}, [(Kind.OTHER, "ghost_snapshot", Role.OTHER, "", ('{"type":"ghost_snapshot"}',), Flag.TYPE_ODD)]),
        ({"role": "user", "content": "x", "tool_calls": []}, [(Kind.TEXT, "text", Role.USER, "/content", ("x",), Flag.UNKNOWN_KEYS)]),
    ],
)
def test_an_item(item: dict[str, Any], want: list[tuple[Any, ...]]) -> None:
    dump = opened({"input": [item]})
    found = blocks(dump)
    got = [(b.kind, b.type, b.role, (b.pointer or "").removeprefix("/input/0"), b.texts, int(dump.table.flags[b.row])) for b in found]
    assert got == want


def test_calls_have_the_name_of_their_tool_or_of_their_kind() -> None:
    calls = [CALL, {"type": "shell_call", "call_id": "a", "action": {}}, {"type": "tool_search_call", "call_id": "b", "arguments": {}}]
    assert [b.name for b in blocks(opened(calls))] == ["look", "shell", "tool_search"]


def test_pictures_are_looked_into() -> None:
    url = f"data:image/png;base64,{PIXEL}"
    held = [
        {"role": "user", "content": [{"type": "input_image", "image_url": url}, {"type": "input_file", "file_data": url}]},
        {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_image", "image_url": url}]},
        {"type": "computer_call_output", "call_id": "d", "output": {"type": "computer_screenshot", "image_url": url}},
        {"type": "image_generation_call", "id": "ig_1", "result": PIXEL},
    ]
    media = [m for b in blocks(opened(held)) for m in b.media]
    assert [(m.mime, m.width, m.height) for m in media] == [("image/png", 5, 7)] * 5


def test_an_items_own_id_is_another_thing_than_its_call_id() -> None:
    made = [CALL, OUTPUT, {"role": "assistant", "id": "msg_1", "content": [{"type": "output_text", "text": t} for t in "ab"]}, HELLO]
    table = opened({"input": made, "tools": [{"type": "web_search"}]}).table
    assert table.item is not None
    own = [table.item_ids.text(int(number)) for number in table.item]
    assert own == [None, "fc_1", None, "msg_1", "msg_1", None]
    assert [table.ids.text(int(key)) for key in table.key] == [None, "call_1", "call_1", None, None, None]


# -- documents ------------------------------------------------------------------------------------------------------------------


def test_a_request() -> None:
    dump = opened({"model": "gpt-5", "instructions": "be brief", "tools": [{"type": "web_search"}], "input": [HELLO, CALL, OUTPUT]})
    assert shown(dump) == [
        (Kind.SYSTEM, Role.SYSTEM, "be brief", "/instructions"),
        (Kind.TOOLS, Role.SYSTEM, '{"type":"web_search"}', "/tools/0"),
        (Kind.TEXT, Role.USER, "hello", "/input/0/content"),
        (Kind.TOOL_CALL, Role.ASSISTANT, '{"q":1}', "/input/1"),
        (Kind.TOOL_RESULT, Role.TOOL, "found", "/input/2"),
    ]
    assert dump.transcripts[0].model == "gpt-5"
    assert dump.mode is None
    assert dump.records == {"shown": 3, "hidden": 0, "unparsed": 0}


def test_an_answer_is_asked_whether_it_is_well_formed_so_far() -> None:
    usage = {"input_tokens": 30, "input_tokens_details": {"cached_tokens": 10}, "output_tokens": 4}
    dump = opened({"object": "response", "model": "gpt-5", "instructions": None, "output": [CALL, CALL], "usage": usage})
    assert [pointer for *_, pointer in shown(dump)] == ["/output/0", "/output/1"]
    assert dump.mode == "prefix"
    found = dump.table.usages
    assert (found.message.tolist(), found.input.tolist(), found.cache_read.tolist(), found.output.tolist()) == ([0], [30], [10], [4])


def test_what_was_sent_and_what_came_back() -> None:
    dump = opened({"output": [CALL], "input": [HELLO], "usage": {"input_tokens": 5}, "object": "response"})
    assert [pointer for *_, pointer in shown(dump)] == ["/input/0/content", "/output/0"]
    assert dump.mode == "prefix"
    assert dump.table.usages.message.tolist() == [1]


@pytest.mark.parametrize("answered", [False, True])
def test_a_string_in_place_of_the_list(answered: bool) -> None:
    dump = opened({"model": "gpt-5", "input": "<system-reminder>x</system-reminder>", **({"output": [CALL]} if answered else {})})
    assert shown(dump)[0] == (Kind.TEXT, Role.USER, "<system-reminder>x</system-reminder>", "/input")
    assert [pointer for *_, pointer in shown(dump)[1:]] == (["/output/0"] if answered else [])
    assert int(dump.table.flags[0]) == Flag.INJECTED
    assert dump.mode == ("prefix" if answered else None)


def test_a_list_that_has_the_newest_item_first() -> None:
    answer = {"role": "assistant", "content": [{"type": "output_text", "text": t} for t in "ab"]}
    dump = opened({"object": "list", "data": [answer, OUTPUT, CALL, HELLO], "has_more": False})
    assert [text for _, _, text, _ in shown(dump)] == ["hello", '{"q":1}', "found", "a", "b"]
    assert any("newest" in why for why in dump.whys)
    assert json.loads(written(dump, Drop(rows(0, 1))))["data"] == [OUTPUT, CALL, HELLO]
    gone = json.loads(written(dump, Drop(rows(2, 3))))
    assert gone["data"] == [answer, HELLO]
    made = json.loads(written(dump, Insert(End(), Made(Kind.TEXT, Role.USER, "more"))))
    assert made["data"] == [{"role": "user", "content": "more"}, answer, OUTPUT, CALL, HELLO]


def test_a_list_in_order_is_left_in_order() -> None:
    dump = opened({"object": "list", "data": [HELLO, CALL, OUTPUT]})
    assert [kind for kind, *_ in shown(dump)] == [Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT]
    assert dump.mode == "prefix"


def test_counts() -> None:
    made = [
        {"type": "compaction", "encrypted_content": "gA"},
        HELLO,
        {"type": "reasoning", "summary": []},
        {"type": "web_search_call", "id": "ws_1"},
        {"type": "program", "call_id": "p", "code": "x"},
        CALL,
        OUTPUT,
        {"type": "tool_search_call", "call_id": None, "execution": "server", "arguments": {}},
        {"type": "tool_search_output", "call_id": None, "execution": "server", "tools": []},
        {"type": "tool_search_call", "call_id": "t", "execution": "client", "arguments": {}},
        {"type": "tool_search_output", "call_id": "t", "execution": "client", "tools": []},
        {"type": "custom_tool_call", "call_id": "c2", "name": "x", "input": ""},
        {"type": "mcp_approval_request", "id": "mcpr_1"},
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_1"},
        {"type": "function_call_output", "call_id": "nobody", "output": ""},
    ]
    found = counts(make_view(opened({"input": made}).transcripts[0]))
    assert found == {
        "records": 15, "unparsed_records": 0, "messages": 15, "blocks": 15, "exchanges": 2, "steps": 3, "tool_calls": 3, "tool_results": 3,
        "server_tool_calls": 3, "unanswered_calls": 1, "orphan_results": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("made", "want"),
    [
        ({"model": "gpt-5", "input": [HELLO], "store": False}, "openai-responses"),
        ({"model": "gpt-5", "input": [CALL]}, "openai-responses"),
        ({"model": "gpt-4.1", "input": "hi", "instructions": "x"}, "openai-responses"),
        ({"object": "response", "output": []}, "openai-responses"),
        ({"object": "list", "data": [OUTPUT]}, "openai-responses"),
        ([CALL, OUTPUT], "openai-responses"),
        ([{"type": "custom_tool_call", "call_id": "c", "name": "n", "input": "i"}], "openai-responses"),
        ([{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}], "openai-responses"),
        ([HELLO, {"role": "assistant", "content": "x", "tool_calls": [{"id": "a"}]}], "openai-chat"),
        ({"model": "gpt-5", "messages": [HELLO], "input": "x"}, "openai-chat"),
        ({"type": "message", "role": "assistant", "content": [], "model": "claude-x"}, "anthropic-messages"),
    ],
)  # fmt: skip
def test_detected_by_content(made: Any, want: str) -> None:
    assert detect(Source.of(json.dumps(made).encode()))[0].format == want


@pytest.mark.parametrize("made", [{"object": "list", "data": [{"id": "file-1", "object": "file"}]}, {"model": "x", "output": {"a": 1}}])
def test_lists_of_something_else_are_left_alone(made: Any) -> None:
    assert load(Source.of(json.dumps(made).encode())).format == "records"


# -- what is written ------------------------------------------------------------------------------------------------------------


def test_a_made_output_is_of_the_family_of_its_call() -> None:
    calls = [{"type": word, "call_id": f"c{number}"} for number, word in enumerate(OUTPUTS) if word != "computer_call"]
    dump = opened({"input": calls})
    made = [Insert(HeadOf(row), Made(Kind.TOOL_RESULT, Role.TOOL, "none", row, True)) for row in range(len(calls))]
    found = json.loads(written(dump, *made))["input"][len(calls) :]
    outcome = {"type": "exit", "exit_code": 1}
    assert found == [
        {"type": "function_call_output", "call_id": "c0", "output": "none"},
        {"type": "custom_tool_call_output", "call_id": "c1", "output": "none"},
        {"type": "local_shell_call_output", "call_id": "c2", "output": "none"},
        {"type": "shell_call_output", "call_id": "c3", "output": [{"stdout": "", "stderr": "none", "outcome": outcome}]},
        {"type": "apply_patch_call_output", "call_id": "c4", "status": "failed", "output": "none"},
        {"type": "function_call_output", "call_id": "c6", "output": "none"},
    ]
    transcript = after(dump, *made)
    assert [item["type"] for item in found] == [
        RESPONSES.block(transcript, int(row), dump.source).type for row in transcript.order[len(calls) :]
    ]


def test_edits_of_members_are_spliced() -> None:
    data = '{"input": [{"type":"function_call",  "id":"fc_1","call_id":"c","name":"f","arguments":"{}"}, {"role":"user","content":"x"}]}'
    dump = RESPONSES.parse(Source.of(data.encode()))
    assert written(dump, Set(0, "message.id", DELETE)) == data.replace('  "id":"fc_1",', "")
    assert written(dump, Set(0, "call_id", "d")) == data.replace('"c"', '"d"')
    assert written(dump, Set(0, "input", {"a": 1})) == data.replace('"{}"', '"{\\"a\\":1}"')
    assert written(dump, Set(1, "role", "developer")) == data.replace('"user"', '"developer"')
    assert written(dump, Move(1, Before(0))) == (
        '{"input": [{"role":"user","content":"x"}, {"type":"function_call",  "id":"fc_1","call_id":"c","name":"f","arguments":"{}"}]}'
    )


def test_ids_that_were_deleted_are_gone_from_the_columns() -> None:
    dump = opened([CALL, {"role": "assistant", "id": "msg_1", "content": [{"type": "output_text", "text": t} for t in "ab"]}])
    table = after(dump, Set(1, "message.id", DELETE), Set(0, "message.id", "fc_2")).table
    assert table.item is not None
    assert [table.item_ids.text(int(n)) for n in table.item] == ["fc_2", None, None]


@pytest.mark.parametrize(
    ("output", "content", "want"),
    [
        ("long " * 100, Stub("gone"), "gone"),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image"}], Stub("gone"), [{"type": "input_text", "text": "gone"}]),
        ({"a": 1}, Stub("gone"), "gone"),
        ([{"type": "input_image"}, {"type": "input_text", "text": "x" * 300}], Cap(200), None),
    ],
)
def test_outputs_keep_their_shape(output: Any, content: Any, want: Any) -> None:
    dump = opened([CALL, {**OUTPUT, "output": output}])
    found = json.loads(written(dump, Replace(rows(1), content)))[1]["output"]
    if want is not None:
        assert found == want
    else:
        assert found[0] == {"type": "input_image"}
        assert len(found[1]["text"]) <= 200
        assert found[1]["text"].endswith("the next part]")


def test_what_a_shell_printed_is_cut_stream_by_stream() -> None:
    part = {"stdout": "o" * 300, "stderr": "e" * 300, "outcome": {"type": "exit", "exit_code": 0}}
    dump = opened([{"type": "shell_call", "call_id": "c", "action": {}}, {"type": "shell_call_output", "call_id": "c", "output": [part]}])
    found = json.loads(written(dump, Replace(rows(1), Cap(400))))[1]["output"]
    assert found[0]["outcome"] == part["outcome"]
    assert found[0]["stdout"] == part["stdout"]
    assert len(found[0]["stdout"]) + len(found[0]["stderr"]) <= 400
    stubbed = json.loads(written(dump, Replace(rows(1), Stub("gone"))))[1]["output"]
    assert stubbed == [{"stdout": "gone", "stderr": "", "outcome": part["outcome"]}]


@pytest.mark.parametrize("word", ["tool_search", "computer_call"])
def test_an_output_without_a_text_becomes_one_that_has_it(word: str) -> None:
    held = {"tools": [{"name": "a"}], "execution": "client"} if word == "tool_search" else {"output": {"type": "computer_screenshot"}}
    dump = opened([{"type": f"{word}_output", "call_id": "c", **held}])
    want = [{"type": "function_call_output", "call_id": "c", "output": "gone"}]
    assert json.loads(written(dump, Replace(rows(0), Stub("gone")))) == want
    assert json.loads(written(dump, Set(0, "content", "gone"))) == want


def test_a_string_stays_one_while_it_is_all_that_there_is() -> None:
    dump = opened({"model": "gpt-5", "input": "hello"}, indent=None)
    assert written(dump, Set(0, "text", "bye")) == '{"model": "gpt-5", "input": "bye"}'
    more = json.loads(written(dump, Insert(End(), Made(Kind.TEXT, Role.ASSISTANT, "yes"))))
    assert more["input"] == [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "yes"}]
    both = json.loads(written(dump, Set(0, "role", "developer")))
    assert both["input"] == [{"role": "developer", "content": "hello"}]


def test_made_messages_name_their_type_where_others_do() -> None:
    dump = opened([{"type": "message", **HELLO}])
    made = Insert(End(), Made(Kind.TEXT, Role.ASSISTANT, "yes"))
    assert json.loads(written(dump, made))[1] == {"type": "message", "role": "assistant", "content": "yes"}


def test_an_output_put_into_an_answer_is_said() -> None:
    dump = opened({"object": "response", "output": [CALL]})
    writing = RESPONSES.write_plan(dump, [after(dump, Insert(HeadOf(0), Made(Kind.TOOL_RESULT, Role.TOOL, "none", 0, True)))])
    assert json.loads(b"".join(writing.chunks()))["output"] == [CALL, {**OUTPUT, "output": "none"}]
    assert [what for _, what in writing.tally.notes if "send it as `input`" in what]


def test_an_answer_that_others_follow_goes_into_the_list() -> None:
    dump = opened({"input": [HELLO], "output": [CALL, {"type": "reasoning", "summary": []}]})
    found = json.loads(written(dump, Insert(End(), Made(Kind.TEXT, Role.USER, "more"))))
    assert found["input"] == [HELLO, CALL, {"type": "reasoning", "summary": []}, {"role": "user", "content": "more"}]
    assert found["output"] == []
    assert json.loads(written(dump, Drop(rows(1)))) == {"input": [HELLO], "output": [{"type": "reasoning", "summary": []}]}


# -- whatever comes ---------------------------------------------------------------------------------------------------------------


def wild(seed: int) -> Dump:
    return RESPONSES.parse(Source.of(styled(document(seed), seed)))


@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_row_says_what_its_block_says(seed: int) -> None:
    dump = wild(seed)
    table = dump.table
    found = blocks(dump)
    assert [block.row for block in found] == list(range(len(table)))
    for row, block in enumerate(found):
        assert (block.kind, block.role, block.record) == (table.kind[row], table.role[row], table.record[row])
        assert table.types[table.type[row]] == block.type
        assert (table.names[table.name[row]] if table.name[row] >= 0 else None) == block.name
        assert table.ids.text(int(table.key[row])) == block.call_id
        named = len(block.name or "") if block.kind == Kind.TOOL_CALL else 0
        assert table.size[row] == sum(map(len, block.texts)) + named
        flags = int(table.flags[row])
        told = block.value.get("call_id") if isinstance(block.value, dict) and block.kind in (Kind.TOOL_CALL, Kind.TOOL_RESULT) else None
        if isinstance(told, str):
            assert flags & id_flags(told) == id_flags(told)
        if table.records.kind[table.record[row]] == RecordKind.MESSAGE and block.kind == Kind.TOOL_RESULT and block.media:
            assert flags & Flag.MEDIA


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_without_an_edit_the_bytes_are_the_same(seed: int) -> None:
    data = styled(document(seed), seed)
    dump = RESPONSES.parse(Source.of(data))
    assert b"".join(RESPONSES.write(dump, dump.transcripts)) == data


def _nameless(transcript: Transcript, row: int) -> bool:
    return transcript.table.types[int(transcript.table.type[row])] not in ("function_call", "custom_tool_call")


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same_transcript(seed: int) -> None:
    dump = wild(seed)
    transcript, edits = edited(dump, seed)
    if any(isinstance(edit, Set) and edit.field == "name" and _nameless(transcript, edit.row) for edit in edits):
        return  # there is no place for it
    writing = RESPONSES.write_plan(dump, [transcript])
    data = b"".join(writing.chunks())
    assert len(data) == writing.size
    again = RESPONSES.parse(Source.of(data))
    mine, theirs = state(dump, transcript), state(again, again.transcripts[0])
    if again.table.extra["layout"].reverse != dump.table.extra["layout"].reverse:
        return  # so few items are left that their order tells nothing
    assert theirs == mine, edits
    tally = writing.tally
    assert tally.same + tally.changed + tally.relinked + tally.dropped == sum(dump.records.values())


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_records_that_no_edit_touched_keep_their_bytes(seed: int) -> None:
    dump = wild(seed)
    transcript, edits = edited(dump, seed)
    out = b"".join(RESPONSES.write(dump, [transcript]))
    table, touched = dump.table, transcript.touched() | transcript.moved
    live = set(transcript.order.tolist())
    for record in np.flatnonzero(table.records.kind == RecordKind.MESSAGE).tolist():
        mine = np.flatnonzero(table.record == record).tolist()
        same = transcript.table.role[mine].tolist() == table.role[mine].tolist()
        if live.issuperset(mine) and not touched.intersection(mine) and same:
            held = dump.source.read(int(table.records.offset[record]), int(table.records.length[record]))
            assert held in out, edits


@pytest.mark.parametrize("folder", ["openai_responses"])
def test_real_dumps_come_back(folder: str, shared: Path) -> None:
    found = sorted((shared / "samples" / folder).glob("*.json"))
    assert found
    for path in found:
        dump = load(Source.open(path))
        assert dump.format == "openai-responses"
        assert b"".join(RESPONSES.write(dump, dump.transcripts)) == path.read_bytes()


def test_recorded_requests_come_back(shared: Path) -> None:
    for line in (shared / "recorded" / "openai-responses.jsonl").read_bytes().splitlines():
        request = loads(line)["request"]
        data = compact(request).encode()
        dump = load(Source.of(data))
        assert dump.format == "openai-responses"
        assert b"".join(RESPONSES.write(dump, dump.transcripts)) == data
