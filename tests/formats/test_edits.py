"""What an edit writes, byte for byte, in the places where it takes some care."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from app.formats import FORMATS
from app.formats._writing import Writing
from app.model.dump import Dump
from app.model.edits import DELETE, After, Before, Cap, Change, Edit, End, HeadOf, Insert, Made, Move, Replace, Set, SetRequest, Stub, drop
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.providers import PROVIDERS

PLACEHOLDER = Made(Kind.TOOL_RESULT, Role.USER, "[no result]", 0, True)


def opened(data: str, name: str = "anthropic-messages") -> Dump:
    return FORMATS[name].parse(Source.of(data.encode()))


def after(dump: Dump, *edits: Edit) -> Transcript:
    provider = PROVIDERS[FORMATS[dump.format].provider]
    return apply(dump.transcripts[0], [Change("an edit", "rule:none", "loses", edits)], provider).transcript


def planned(dump: Dump, *edits: Edit) -> Writing:
    return FORMATS[dump.format].write_plan(dump, [after(dump, *edits)])


def written(dump: Dump, *edits: Edit) -> str:
    return b"".join(planned(dump, *edits).chunks()).decode()


def replace(row: int, content: Any) -> Replace:
    return Replace(np.asarray([row], np.int32), content)


def text(role: Role, words: str) -> Made:
    return Made(Kind.TEXT, role, words)


CALL = '{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}'
RESULT = '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}'
MADE = '{"type":"tool_result","tool_use_id":"t1","content":"[no result]","is_error":true}'


# -- Anthropic ----------------------------------------------------------------------------------------------------------------


def test_a_made_result_in_a_message_of_its_own() -> None:
    dump = opened(f"[{CALL}]")
    assert written(dump, Insert(HeadOf(0), PLACEHOLDER)) == f'[{CALL},{{"role":"user","content":[{MADE}]}}]'


def test_a_made_result_joins_text_that_was_a_string() -> None:
    dump = opened(f'[{CALL},{{"content":"go \\u006fn","role":"user"}}]')
    want = f'[{CALL},{{"content":[{MADE},{{"type":"text","text":"go \\u006fn"}}],"role":"user"}}]'
    assert written(dump, Insert(HeadOf(0), PLACEHOLDER)) == want


def test_a_made_result_in_the_indentation_of_the_file() -> None:
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]}
    made = {"type": "tool_result", "tool_use_id": "t1", "content": "[no result]", "is_error": True}
    for message in ("go on", [], None, [{"type": "text", "text": "go on"}]):
        for indent in (1, 2, 4, "\t"):
            kept = [{"type": "text", "text": "go on"}] if message else []
            before = {"model": "claude-x", "messages": [call, {"role": "user", "content": message}], "max_tokens": 5}
            want = {**before, "messages": [call, {"role": "user", "content": [made, *kept]}]}
            dump = opened(json.dumps(before, indent=indent))
            assert written(dump, Insert(HeadOf(0), PLACEHOLDER)) == json.dumps(want, indent=indent), (message, indent)


@pytest.mark.parametrize("indent", [None, 1, 2, 4, "\t"])
def test_messages_made_in_the_indentation_of_the_file(indent: Any) -> None:
    for messages in ([{"role": "user", "content": "a"}], [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}], []):
        for bare in (False, True):
            before: Any = messages if bare else {"model": "claude-x", "messages": messages}
            more = [*messages, {"role": "user", "content": "more"}]
            want: Any = more if bare else {"model": "claude-x", "messages": more}
            if bare and not messages:
                continue
            assert written(opened(json.dumps(before, indent=indent)), Insert(End(), text(Role.USER, "more"))) == json.dumps(
                want, indent=indent
            )


def test_a_result_that_came_late_goes_home_as_it_stands() -> None:
    late = '{"role":"user","content":[{ "type":"tool_result","tool_use_id":"t1","content":"ok","n":1.50 },{"type":"text","text":"and"}]}'
    dump = opened(f'[{CALL}, {{"role":"user","content":"wait"}}, {{"role":"assistant","content":"hm"}}, {late}]')
    want = (
        f'[{CALL}, {{"role":"user","content":[{{ "type":"tool_result","tool_use_id":"t1","content":"ok","n":1.50 }},'
        '{"type":"text","text":"wait"}]}, {"role":"assistant","content":"hm"}, {"role":"user","content":[{"type":"text","text":"and"}]}]'
    )
    assert written(dump, Move(3, HeadOf(0))) == want


def test_a_message_that_moves_whole_keeps_its_bytes() -> None:
    dump = opened('[{"role":"user","content":"a"}, { "role" : "user", "x": 1.50, "content":"b" }]')
    plan = planned(dump, Move(1, Before(0)))
    assert b"".join(plan.chunks()) == b'[{ "role" : "user", "x": 1.50, "content":"b" }, {"role":"user","content":"a"}]'
    assert (plan.tally.same, plan.tally.changed, plan.tally.inserted, plan.tally.dropped) == (2, 0, 0, 0)


def test_stub_and_cap_keep_the_shape_of_the_content() -> None:
    def result(content: str) -> Dump:
        return opened(f'[{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":{content},"is_error":true}}]}}]')

    def content(dump: Dump, edit: Edit) -> Any:
        return json.loads(written(dump, edit))[0]["content"][0]["content"]

    image = '{"type": "image", "source": {"type": "url", "url": "u"}}'
    listed = (
        f'[{{"type": "text", "text": "{"a" * 150}"}}, {image}, {{"type": "text", "text": "{"b" * 150}"}}, {{"type":"text","text":"c"}}]'
    )
    assert content(result('"long"'), replace(0, Stub("gone"))) == "gone"
    assert content(result(listed), replace(0, Stub("gone"))) == [{"type": "text", "text": "gone"}]
    capped = content(result(listed), replace(0, Cap(250)))
    assert [part["type"] for part in capped] == ["text", "image", "text"]
    assert capped[0]["text"] == "a" * 150
    assert capped[2]["text"].startswith("b")
    assert "characters are missing" in capped[2]["text"]
    assert sum(len(part["text"]) for part in capped if part["type"] == "text") <= 250
    assert image in written(result(listed), replace(0, Cap(250)))
    missing = opened('[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1"}]}]')
    assert content(missing, replace(0, Stub("gone"))) == "gone"


def test_fields_of_blocks_and_messages() -> None:
    dump = opened(f'[{CALL}, {RESULT}, {{"role":"system","content":"s"}}]')
    out = json.loads(
        written(
            dump,
            Set(0, "call_id", "t9"),
            Set(0, "name", "g"),
            Set(0, "input", {"a": 1}),
            Set(1, "call_id", "t9"),
            Set(1, "block.is_error", True),
            Set(2, "role", "user"),
        )
    )
    assert out[0]["content"] == [{"type": "tool_use", "id": "t9", "name": "g", "input": {"a": 1}}]
    assert out[1]["content"] == [{"type": "tool_result", "tool_use_id": "t9", "content": "ok", "is_error": True}]
    assert out[2] == {"role": "user", "content": "s"}
    foreign = opened('[{"role":"user","content":"a","tool_calls":[],"x":1}]')
    assert written(foreign, Set(0, "message.tool_calls", DELETE)) == '[{"role":"user","content":"a","x":1}]'
    empty = opened('[{"role":"user","content":[]},{"role":"user"}]')
    assert written(empty, Set(0, "content", "(empty)"), Set(1, "content", "(empty)")) == (
        '[{"role":"user","content":"(empty)"},{"role":"user","content":"(empty)"}]'
    )


def test_a_cache_mark_is_taken_away() -> None:
    dump = opened('[{"role":"user","content":[{"type":"text","cache_control": {"type":"ephemeral"}, "text":"a"}]}]')
    assert written(dump, Set(0, "block.cache_control", DELETE)) == '[{"role":"user","content":[{"type":"text", "text":"a"}]}]'


def test_system_text_and_tools() -> None:
    system = '[{"type":"text","text":"one"}, {"type":"text","text":"two"}]'
    data = f'{{"system": {system}, "tools": [{{"name":"f"}}], "messages": [{{"role":"user","content":"a"}}]}}'
    dump = opened(data)
    assert written(dump, drop(0)) == data.replace('{"type":"text","text":"one"}, ', "")
    assert written(dump, drop(2)) == data.replace(' "tools": [{"name":"f"}],', "")
    assert written(dump, drop(0, 1)) == data.replace(f'"system": {system}, ', "")
    plain = opened('{"system":"be brief","messages":[{"role":"user","content":"a"}]}')
    assert written(plain, Set(0, "text", "be kind")) == '{"system":"be kind","messages":[{"role":"user","content":"a"}]}'
    assert written(plain, drop(0)) == '{"messages":[{"role":"user","content":"a"}]}'


def test_members_of_the_request() -> None:
    dump = opened(
        '{\n  "model": "claude-x",\n  "messages": [\n    {"role": "system", "content": "s"},\n    {"role": "user", "content": "a"}\n  ]\n}'
    )
    want = '{\n  "model": "claude-x",\n  "messages": [\n    {"role": "user", "content": "a"}\n  ],\n  "system": "s"\n}'
    plan = planned(dump, SetRequest("/system", "s"), drop(0))
    assert b"".join(plan.chunks()).decode() == want
    assert ("/system", "changed") in plan.tally.notes
    assert written(dump, SetRequest("/model", DELETE), SetRequest("/messages/1/content", "b")) == (
        '{\n  "messages": [\n    {"role": "system", "content": "s"},\n    {"role": "user", "content": "b"}\n  ]\n}'
    )
    assert json.loads(written(dump, SetRequest("/thinking/budget~1", 5)))["thinking"] == {"budget/": 5}


def test_a_bare_list_becomes_a_request_where_it_must() -> None:
    dump = opened('[{"role":"system","content":"s"},{"role":"user","content":"a"}]\n')
    assert json.loads(written(dump, SetRequest("/system", "s"), drop(0))) == {"system": "s", "messages": [{"role": "user", "content": "a"}]}


ANSWER = (
    '{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}],'
    '"usage":{"input_tokens":5}}'
)


def test_an_answer_is_changed_where_it_stands() -> None:
    assert written(opened(ANSWER), Set(0, "name", "g")) == ANSWER.replace('"f"', '"g"')


def test_an_answer_that_is_answered_becomes_a_list() -> None:
    plan = planned(opened(ANSWER), Insert(HeadOf(0), PLACEHOLDER))
    out = json.loads(b"".join(plan.chunks()))
    assert set(out) & {"id", "type", "usage", "content"} == set()  # what only an answer has
    assert [m["role"] for m in out["messages"]] == ["assistant", "user"]
    assert any("written as the list messages" in said for _, said in plan.tally.notes)
    again = opened(json.dumps(out))
    assert [Kind(k) for k in again.table.kind] == [Kind.TOOL_CALL, Kind.TOOL_RESULT]


def test_a_torn_rest_stays_behind_what_was_inserted() -> None:
    torn = '{"model":"claude-x","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b'
    dump = opened(torn)
    made = '{"role":"user","content":"more"}'
    assert written(dump, Insert(End(), text(Role.USER, "more"))) == torn.replace("},", "}," + made + ",", 1)
    assert written(dump, SetRequest("/max_tokens", 5)) == torn.replace('{"model"', '{"max_tokens":5,"model"')


def test_byte_order_mark_and_line_ends_stay() -> None:
    data = "\ufeff" + json.dumps([{"role": "user", "content": "a"}], indent=2).replace("\n", "\r\n") + "\r\n"
    out = written(opened(data), Insert(End(), text(Role.USER, "b")))
    assert out == "\ufeff" + json.dumps([{"role": "user", "content": c} for c in "ab"], indent=2).replace("\n", "\r\n") + "\r\n"


# -- OpenAI -------------------------------------------------------------------------------------------------------------------

CHAT = "openai-chat"
SECOND = '{"id":"c2","type":"function","function":{"name":"g","arguments":"{ }"}}'
ASKS = (
    '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}},'
    f"{SECOND}]}}"
)


def test_a_made_result_is_a_message() -> None:
    made = Made(Kind.TOOL_RESULT, Role.TOOL, "[no result]", 1, True)
    out = written(opened(f"[{ASKS}]", CHAT), Insert(HeadOf(1), made))
    assert out == f'[{ASKS},{{"role":"tool","tool_call_id":"c2","content":"[no result]"}}]'


def test_a_call_is_taken_away() -> None:
    dump = opened(f"[{ASKS}]", CHAT)
    assert (
        written(dump, drop(0))
        == '[{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"g","arguments":"{ }"}}]}]'
    )
    said = opened(f"[{ASKS.replace('null', chr(34) + 'hm' + chr(34))}]", CHAT)
    assert written(said, drop(1, 2)) == '[{"role":"assistant","content":"hm"}]'
    assert json.loads(written(said, drop(0)))[0]["content"] is None


def test_arguments_are_written_as_a_string() -> None:
    out = json.loads(written(opened(f"[{ASKS}]", CHAT), Set(0, "input", {"a": "é"}), Set(1, "name", "h"), Set(1, "call_id", "c3")))
    calls = out[0]["tool_calls"]
    assert calls[0]["function"] == {"name": "f", "arguments": '{"a":"é"}'}
    assert (calls[1]["id"], calls[1]["function"]) == ("c3", {"name": "h", "arguments": "{ }"})


def test_results_late_and_shortened() -> None:
    late = '{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"ok"}],"n":1.50}'
    dump = opened(f'[{ASKS},{{"role":"user","content":"wait"}},{late}]', CHAT)
    assert written(dump, Move(3, HeadOf(0))) == f'[{ASKS},{late},{{"role":"user","content":"wait"}}]'
    assert written(dump, replace(3, Stub("gone"))).endswith('"content":[{"type":"text","text":"gone"}],"n":1.50}]')
    assert json.loads(written(dump, Set(3, "content", "text")))[2]["content"] == "text"


def test_reasoning_goes_with_its_copies() -> None:
    message = '{"role":"assistant","reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r"}],"content":"x","refusal":null}'
    assert written(opened(f"[{message}]", CHAT), drop(0)) == '[{"role":"assistant","content":"x","refusal":null}]'


def test_text_joins_a_message() -> None:
    dump = opened('[{"role":"user","content":"a"},{"role":"user","content":"b"}]', CHAT)
    out = json.loads(written(dump, Insert(After(0, join=True), text(Role.USER, "more"))))
    assert out[0] == {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "more"}]}


def test_a_call_of_the_old_kind_is_answered_by_a_function() -> None:
    data = '[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}]'
    out = json.loads(written(opened(data, CHAT), Insert(HeadOf(0), Made(Kind.TOOL_RESULT, Role.TOOL, "[no result]", 0, True))))
    assert out[1] == {"role": "function", "name": "f", "content": "[no result]"}


def test_a_key_inside_a_message_is_taken_away() -> None:
    data = '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"x","tool_calls":[]}]}'
    assert written(opened(data, CHAT), SetRequest("/messages/1/tool_calls", DELETE)) == data.replace(',"tool_calls":[]', "")


def test_choices_are_changed_where_they_stand_or_go_into_the_list() -> None:
    data = f'{{"messages":[{{"role":"user","content":"a"}}],"choices":[{{"index":0,"message":{ASKS}}}],"usage":{{}}}}'
    dump = opened(data, CHAT)
    assert written(dump, Set(1, "name", "h")) == data.replace('"f"', '"h"')
    out = json.loads(written(dump, Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.TOOL, "[no result]", 1, True))))
    assert [m["role"] for m in out["messages"]] == ["user", "assistant", "tool"]
    assert (out["choices"], out["usage"]) == ([], {})
    assert json.loads(written(dump, drop(1, 2)))["choices"] == []
    alone = opened(f'{{"choices":[{{"message":{ASKS}}}]}}', CHAT)
    out = json.loads(written(alone, Insert(HeadOf(0), Made(Kind.TOOL_RESULT, Role.TOOL, "[no result]", 0, True))))
    assert ([m["role"] for m in out["messages"]], "choices" in out) == (["assistant", "tool"], False)


def test_the_tally_adds_up() -> None:
    dump = opened(f'[{ASKS},{{"role":"user","content":"a"}},{{"role":"user","content":"b"}},{{"role":"user","content":"c"}}]', CHAT)
    tally = planned(dump, drop(2), Set(3, "text", "x"), Insert(End(), text(Role.USER, "more"))).tally
    assert (tally.same, tally.changed, tally.inserted, tally.dropped, tally.relinked) == (2, 1, 1, 1, 0)
