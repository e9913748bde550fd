"""Google's generateContent: what is read of it, and what comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.formats._flags import id_flags, text_flags
from app.formats._json import compact, loads
from app.model.dump import Dump
from app.model.edits import DELETE, Before, Cap, Change, Drop, Edit, End, HeadOf, Insert, Made, Move, Replace, Set, Stub
from app.model.errors import UnreadableError
from app.model.kinds import ARGS_SHIFT, Args, Flag, Kind, Mark, Role
from app.model.source import Source
from app.model.table import RecordKind, Table
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.detect import detect
from app.pipeline.load import load
from app.providers import PROVIDERS
from tests.formats.edits import edited, state
from tests.formats.wild import styled
from tests.formats.wild_gemini import document

GEMINI = FORMATS["gemini"]
CALL = {"functionCall": {"name": "look", "args": {"q": 1}, "id": "c1"}, "thoughtSignature": "c2ln"}
RESPONSE = {"functionResponse": {"name": "look", "response": {"output": "found"}, "id": "c1"}}


def opened(made: Any, indent: int | None = 1) -> Dump:
    return GEMINI.parse(Source.of(json.dumps(made, indent=indent, ensure_ascii=False).encode()))


def blocks(dump: Dump) -> list[tuple[Kind, Role, str, str | None]]:
    found = GEMINI.each_block(dump.table, dump.source, range(len(dump.table)))
    return [(block.kind, block.role, block.text, block.pointer) for block in found]


def after(dump: Dump, *edits: Edit) -> Transcript:
    return apply(dump.transcripts[0], [Change("t", "rule:t", "exact", edits)], PROVIDERS["gemini"]).transcript


def np_rows(*rows: int) -> Any:
    return np.asarray(rows, np.int32)


def written(dump: Dump, *edits: Edit) -> Any:
    return loads(b"".join(GEMINI.write(dump, [after(dump, *edits)])))


def one_call(*more: Any) -> dict[str, Any]:
    contents = [{"role": "user", "parts": [{"text": "hi"}]}, {"role": "model", "parts": [CALL]}, {"role": "user", "parts": [RESPONSE]}]
    return {"contents": [*contents, *more]}


# -- what is read -------------------------------------------------------------------------------------------------------------


def test_a_request() -> None:
    made = {
        "model": "gemini-2.5-flash",
        "systemInstruction": {"parts": [{"text": "be brief"}]},
        "tools": [{"functionDeclarations": [{"name": "look"}]}, {"googleSearch": {}}],
        **one_call({"role": "model", "parts": [{"text": "thinking", "thought": True}, {"text": "so"}]}),
    }
    dump = opened(made)
    assert blocks(dump) == [
        (Kind.SYSTEM, Role.SYSTEM, "be brief", "/systemInstruction/parts/0"),
        (Kind.TOOLS, Role.SYSTEM, '{"name":"look"}', "/tools/0/functionDeclarations/0"),
        (Kind.TOOLS, Role.SYSTEM, '{"googleSearch":{}}', "/tools/1/googleSearch"),
        (Kind.TEXT, Role.USER, "hi", "/contents/0/parts/0"),
        (Kind.TOOL_CALL, Role.ASSISTANT, '{"q":1}', "/contents/1/parts/0"),
        (Kind.TOOL_RESULT, Role.USER, "found", "/contents/2/parts/0"),
        (Kind.REASONING, Role.ASSISTANT, "thinking", "/contents/3/parts/0"),
        (Kind.TEXT, Role.ASSISTANT, "so", "/contents/3/parts/1"),
    ]
    assert dump.transcripts[0].model == "gemini-2.5-flash"
    assert dump.mode is None
    assert dump.records == {"shown": 4, "hidden": 0, "unparsed": 0}


def test_both_spellings_say_the_same() -> None:
    snake = {
        "contents": [
            {"role": "model", "parts": [{"function_call": CALL["functionCall"], "thought_signature": "c2ln"}]},
            {"role": "user", "parts": [{"function_response": RESPONSE["functionResponse"]}]},
            {"role": "user", "parts": [{"inline_data": {"mime_type": "image/png", "data": ""}}, {"file_data": {"file_uri": "gs://a"}}]},
        ]
    }
    camel = json.loads(
        json.dumps(snake).replace("function_call", "functionCall").replace("thought_signature", "thoughtSignature")
        .replace("function_response", "functionResponse").replace("inline_data", "inlineData").replace("mime_type", "mimeType")
        .replace("file_data", "fileData")
    )  # fmt: skip
    one, other = opened(snake), opened(camel)
    assert blocks(one) == blocks(other)
    assert [one.table.types[i] for i in one.table.type] == [other.table.types[i] for i in other.table.type]
    assert (one.table.flags == other.table.flags).all()


@pytest.mark.parametrize("path", [(), ("request",), ("body",), ("request", "body")])
def test_wrappers_are_looked_through(path: tuple[str, ...]) -> None:
    made: Any = one_call()
    for key in reversed(path):
        made = {"model": "gemini-3-pro", "project": "p", key: made, "more": 1}
    dump = opened(made)
    base = "".join(f"/{key}" for key in path)
    assert [pointer for *_, pointer in blocks(dump)] == [f"{base}/contents/{n}/parts/0" for n in range(3)]
    assert dump.transcripts[0].model == ("gemini-3-pro" if path else None)


def test_an_answer_stands_behind_the_contents_wherever_it_is() -> None:
    answer = {
        "candidates": [{"content": {"parts": [{"text": "so"}]}}],
        "usageMetadata": {"promptTokenCount": 90, "cachedContentTokenCount": 50, "candidatesTokenCount": 4, "thoughtsTokenCount": 3},
        "modelVersion": "gemini-3-flash-preview",
    }
    for made, pointer in (
        ({**one_call(), **answer}, "/candidates/0/content/parts/0"),
        ({"response": answer, "request": one_call()}, "/response/candidates/0/content/parts/0"),
        ({"request": {"body": one_call()}, "response": {"status": 200, "body": answer}}, "/response/body/candidates/0/content/parts/0"),
    ):
        dump = opened(made)
        assert blocks(dump)[3] == (Kind.TEXT, Role.ASSISTANT, "so", pointer)
        assert dump.transcripts[0].model == "gemini-3-flash-preview"
        assert dump.mode == "prefix"
        usages = dump.table.usages
        figures = (usages.message, usages.input, usages.cache_read, usages.output)
        assert [column.tolist() for column in figures] == [[3], [90], [50], [7]]


def test_chunks_of_an_event_stream_are_one_answer() -> None:
    events = [
        {"candidates": [{"content": {"parts": [{"text": "a b"}], "role": "model"}}]},
        {"candidates": [{"content": {"parts": [{"text": " c"}]}}], "modelVersion": "gemini-3-pro"},
        {"candidates": [{"content": {"parts": [CALL]}}], "usageMetadata": {"promptTokenCount": 7}},
    ]
    stream = "".join(f"data: {json.dumps({'response': event})}\n\n" for event in events)
    for key, chunks in (("chunks", [stream[:30], stream[30:]]), ("chunks", [{"data": stream}]), ("response", events), ("response", stream)):
        dump = load(Source.of(json.dumps({"request": one_call(), key: chunks}).encode()))
        found = blocks(dump)[3:]
        assert found == [(Kind.TEXT, Role.ASSISTANT, "a b c", f"/{key}"), (Kind.TOOL_CALL, Role.ASSISTANT, '{"q":1}', f"/{key}")]
        assert dump.transcripts[0].model == "gemini-3-pro"
        assert dump.table.usages.input.tolist() == [7]


@pytest.mark.parametrize(
    ("part", "kind", "word", "text", "flags"),
    [
        ({}, Kind.OTHER, "(empty)", "{}", 0),
        ({"text": ""}, Kind.TEXT, "text", "", Flag.TEXT_EMPTY),
        ({"thoughtSignature": "c2ln"}, Kind.OTHER, "(empty)", '{"thoughtSignature":"c2ln"}', Flag.SIGNED),
        ({"text": None, "functionCall": {"name": "x"}}, Kind.TOOL_CALL, "functionCall", "", Flag.ID_ABSENT),
        ({"executableCode": {"code": "1+1"}}, Kind.TOOL_CALL, "executableCode", "1+1", Flag.SERVER),
        ({"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "no"}}, Kind.TOOL_RESULT, "codeExecutionResult", "no",
         Flag.SERVER | Flag.ERROR),
        ({"toolCall": {"toolType": "X", "args": {}, "id": "s"}}, Kind.TOOL_CALL, "toolCall", "{}", Flag.SERVER),
        ({"functionResponse": {"name": "x", "response": {"error": "no"}}}, Kind.TOOL_RESULT, "functionResponse", "no", Flag.ERROR),
        ({"functionResponse": {"name": "x", "response": {"a": "b", "c": 1}}}, Kind.TOOL_RESULT, "functionResponse", '{"a":"b","c":1}', 0),
        ({"functionResponse": {"name": "x", "response": {}}}, Kind.TOOL_RESULT, "functionResponse", "", 0),
        ({"functionResponse": {"name": "x"}}, Kind.TOOL_RESULT, "functionResponse", "", Flag.CONTENT_NULL),
        ({"functionCall": "odd"}, Kind.OTHER, "functionCall", '{"functionCall":"odd"}', Flag.TYPE_ODD),
        ({"brandNew": 1}, Kind.OTHER, "brandNew", '{"brandNew":1}', Flag.TYPE_ODD),
        ("bare", Kind.OTHER, "(string)", '"bare"', Flag.TYPE_ODD),
    ],
)  # fmt: skip
def test_parts(part: Any, kind: Kind, word: str, text: str, flags: int) -> None:
    dump = opened({"contents": [{"role": "model", "parts": [part]}]})
    table = dump.table
    assert blocks(dump)[0][:3] == (kind, Role.ASSISTANT, text)
    assert table.types[table.type[0]] == word
    assert int(table.flags[0]) & flags == flags


def test_marks() -> None:
    contents = [
        {"role": "assistant", "parts": [{"text": "a"}]},
        {"parts": [{"text": "b"}]},
        {"parts": [CALL]},
        {"role": "user", "parts": [{"functionResponse": {"name": "x", "response": "21 C"}}]},
        {"role": "model", "parts": [{**CALL, "thoughtSignature": mark} for mark in ("YWI=YWI=", "skip_thought_signature_validator")]},
    ]
    table = opened({"contents": contents}).table
    assert {word: rows.tolist() for word, rows in table.marks.items()} == {
        Mark.ROLE: [0], Mark.ROLE_ABSENT: [1, 2], Mark.JSON_ODD: [3], Mark.SIGNATURE: [4],
    }  # fmt: skip
    assert table.role.tolist() == [Role.ASSISTANT, Role.USER, Role.ASSISTANT, Role.USER, Role.ASSISTANT, Role.ASSISTANT]


# -- detection ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(150))
def test_documents_are_known_by_their_content(seed: int) -> None:
    shape, made = document(seed)
    contents = made if isinstance(made, list) else None
    if contents is not None and not any(isinstance(c, dict) and isinstance(c.get("parts"), list) and c["parts"] for c in contents):
        return  # nothing in it speaks for any wire
    found = detect(Source.of(styled(made, seed), "a.json"))
    assert found[0].format == "gemini", shape
    assert found[0].score >= 0.85


@pytest.mark.parametrize(
    "made",
    [
        {"sessionId": "s", "projectHash": "h", "messages": [{"type": "gemini", "content": "x", "id": "1"}]},
        {"history": [{"role": "user", "parts": [{"text": "x"}]}]},
        [{"id": "1", "role": "user", "parts": [{"type": "text", "text": "x"}]}],
        [{"role": "user", "parts": [{"type": "text", "content": "x"}]}],
        [{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "x"}]}],
        [{"candidates": [{"content": {"parts": [{"text": "x"}]}}]}],
        {"messages": [{"role": "user", "content": "x"}], "contents": [{"role": "user", "parts": [{"text": "x"}]}]},
        {"model": "gpt-5", "messages": [{"role": "user", "content": "x"}]},
    ],
)
def test_what_looks_like_it_is_not_taken_for_it(made: Any) -> None:
    try:
        found = detect(Source.of(json.dumps(made).encode(), "a.json"))
    except UnreadableError:
        return
    assert "gemini" not in [confidence.format for confidence in found]


def test_the_samples_are_known(shared: Path) -> None:
    for path in sorted((shared / "samples" / "gemini").iterdir()):
        found = detect(Source.open(path))
        assert found[0].format == "gemini", path.name
        assert not [other for other in found[1:] if found[0].score - other.score < 0.25], path.name


# -- laws -----------------------------------------------------------------------------------------------------------------------


@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_row_says_what_its_block_says(seed: int) -> None:
    dump = GEMINI.parse(Source.of(styled(document(seed)[1], seed)))
    table = dump.table
    found = list(GEMINI.each_block(table, dump.source, range(len(table))))
    assert [block.row for block in found] == list(range(len(table)))
    for row, block in enumerate(found):
        flags = int(table.flags[row])
        assert (block.kind, block.role, block.record) == (table.kind[row], table.role[row], table.record[row])
        assert table.types[table.type[row]] == block.type
        assert (table.names[table.name[row]] if table.name[row] >= 0 else None) == block.name
        assert table.ids.text(int(table.key[row])) == block.call_id
        named = len(block.name or "") if block.kind == Kind.TOOL_CALL else 0
        assert table.size[row] == sum(map(len, block.texts)) + named
        if block.kind in (Kind.TEXT, Kind.SYSTEM, Kind.REASONING):
            assert flags & (Flag.TEXT_EMPTY | Flag.TEXT_BLANK | Flag.TEXT_TRAILING) == text_flags(block.text)
        if block.kind in (Kind.TOOL_CALL, Kind.TOOL_RESULT):
            assert bool(flags & Flag.ID_ABSENT) == (block.call_id is None)
            assert block.call_id is None or flags & id_flags(block.call_id) == id_flags(block.call_id)
        if block.kind == Kind.TOOL_CALL:
            assert (Args((flags & Flag.ARGS) >> ARGS_SHIFT) in (Args.NONE, Args.NULL)) == (not block.texts)
        if block.kind == Kind.TOOL_RESULT:
            assert bool(flags & Flag.MEDIA) == bool(block.media)
            assert bool(flags & Flag.ERROR) == block.error


@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_pointers_and_places_are_true(seed: int) -> None:
    _, made = document(seed)
    data = styled(made, seed)
    dump = GEMINI.parse(Source.of(data))
    table = dump.table
    for record in range(len(table.records)):
        assert compact(GEMINI.value(table, dump.source, record)) == compact(_at(made, table.pointer(record)))
    for block in GEMINI.each_block(table, dump.source, range(len(table))):
        assert block.pointer is not None
        found = _at(made, block.pointer)
        if block.record not in table.extra["streams"] and block.kind != Kind.EMPTY:
            assert compact(found) == compact(block.value)


def _at(made: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        made = made[int(token)] if isinstance(made, list) else made[token]
    return made


@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_without_an_edit_the_bytes_are_the_same(seed: int) -> None:
    data = styled(document(seed)[1], seed)
    dump = GEMINI.parse(Source.of(data))
    writing = GEMINI.write_plan(dump, dump.transcripts)
    assert b"".join(writing.chunks()) == data
    assert writing.tally.same == sum(dump.records.values())


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same_transcript(seed: int) -> None:
    dump = GEMINI.parse(Source.of(styled(document(seed)[1], seed)))
    transcript, edits = edited(dump, seed)
    writing = GEMINI.write_plan(dump, [transcript])
    data = b"".join(writing.chunks())
    assert len(data) == writing.size
    json.loads(data)
    again = GEMINI.parse(Source.of(data))
    assert state(again, again.transcripts[0]) == state(dump, transcript), edits
    tally = writing.tally
    assert tally.same + tally.changed + tally.relinked + tally.dropped == sum(dump.records.values())


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_contents_that_no_edit_touched_keep_their_bytes(seed: int) -> None:
    source = Source.of(styled(document(seed)[1], seed))
    dump = GEMINI.parse(source)
    transcript, edits = edited(dump, seed)
    out = b"".join(GEMINI.write(dump, [transcript]))
    base, touched, live = dump.table, transcript.touched() | transcript.moved, set(transcript.order.tolist())
    numbers = transcript.table.message
    for record in range(len(base.records)):
        rows = [row for row in range(len(base)) if base.record[row] == record]
        if not rows or base.records.kind[record] == RecordKind.HEAD or not live.issuperset(rows) or touched.intersection(rows):
            continue
        others = [row for row in live if row not in rows and numbers[row] in base.message[rows]]
        if base.pointer(record).endswith("/content") and "role" not in json.loads(source.read(*_span(base, record))):
            continue  # one that goes into the list says there whose it is
        same = (numbers[rows] == base.message[rows]).all() and (transcript.table.role[rows] == base.role[rows]).all()
        if same and not others and record not in base.extra["streams"]:
            assert source.read(*_span(base, record)) in out, edits


def _span(table: Table, record: int) -> tuple[int, int]:
    return int(table.records.offset[record]), int(table.records.length[record])


def test_samples_and_recorded_requests_come_back(shared: Path) -> None:
    for path in sorted((shared / "samples" / "gemini").iterdir()):
        dump = load(Source.open(path))
        assert b"".join(GEMINI.write(dump, dump.transcripts)) == path.read_bytes()
    for number, line in enumerate((shared / "recorded" / "gemini.jsonl").read_text(encoding="utf-8").splitlines()):
        data = styled(json.loads(line)["request"], number)
        dump = load(Source.of(data))
        assert dump.format == "gemini"
        assert b"".join(GEMINI.write(dump, dump.transcripts)) == data
        transcript, edits = edited(dump, number)
        again = GEMINI.parse(Source.of(b"".join(GEMINI.write(dump, [transcript]))))
        assert state(again, again.transcripts[0]) == state(dump, transcript), edits


# -- edits ----------------------------------------------------------------------------------------------------------------------


def test_a_made_result_is_written_in_the_spelling_of_its_call() -> None:
    call = {"function_call": {"name": "look", "args": {}, "id": "c1"}, "thought_signature": "c2ln"}
    dump = opened({"contents": [{"role": "user", "parts": [{"text": "hi"}]}, {"parts": [call], "role": "model"}]})
    edits = Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.USER, "[none]", 1, True))
    assert written(dump, edits)["contents"][2] == {
        "role": "user",
        "parts": [{"function_response": {"id": "c1", "name": "look", "response": {"error": "[none]"}}}],
    }
    bare = {"functionCall": {"name": "look"}}
    dump = opened({"contents": [{"role": "model", "parts": [bare]}, {"role": "user", "parts": [{"text": "and?"}]}]})
    out = written(dump, Insert(HeadOf(0), Made(Kind.TOOL_RESULT, Role.USER, "[none]", 0)))["contents"]
    assert out[1]["parts"] == [{"functionResponse": {"name": "look", "response": {"output": "[none]"}}}]
    assert out[2]["parts"] == [{"text": "and?"}]


def test_other_texts_keep_the_shape_of_a_response() -> None:
    image = {"inlineData": {"mimeType": "image/png", "data": ""}}

    def response(held: Any, content: Any) -> Any:
        part = {"functionResponse": {"name": "look", "response": held, "parts": [image]}}
        dump = opened({"contents": [{"role": "model", "parts": [CALL]}, {"role": "user", "parts": [part]}]})
        rows = after(dump, Replace(np_rows(1), content))
        return loads(b"".join(GEMINI.write(dump, [rows])))["contents"][1]["parts"][0]["functionResponse"]

    assert response({"result": "found"}, Stub("[gone]")) == {"name": "look", "response": {"result": "[gone]"}}
    assert response({"a": 1, "b": 2}, Stub("[gone]")) == {"name": "look", "response": {"output": "[gone]"}}
    assert response({"error": "no", "code": 5}, Stub("[gone]")) == {"name": "look", "response": {"error": "[gone]"}}
    capped = response({"output": "x" * 900}, Cap(300))
    assert capped["parts"] == [image]
    assert len(capped["response"]["output"]) == 300
    assert response({"output": "short"}, Cap(300)) == {"name": "look", "response": {"output": "short"}, "parts": [image]}


def test_fields_are_set_where_they_stand() -> None:
    dump = opened(one_call(), indent=None)
    edits = (
        Set(1, "call_id", "n1"), Set(1, "name", "seek"), Set(1, "input", {"z": 2}), Set(1, "block.signature", "YWI="),
        Set(2, "call_id", DELETE), Set(2, "name", "seek"), Set(2, "content", {"items": [1]}), Set(0, "text", "hello"),
    )  # fmt: skip
    assert written(dump, *edits)["contents"] == [
        {"role": "user", "parts": [{"text": "hello"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "seek", "args": {"z": 2}, "id": "n1"}, "thoughtSignature": "YWI="}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "seek", "response": {"items": [1]}}}]},
    ]
    contents = [{"role": "assistant", "parts": [{"text": "a"}]}, {"parts": {"text": "b"}}]
    out = written(opened({"contents": contents}), Set(0, "role", "assistant"), Set(1, "role", "user"))["contents"]
    assert out == [{"role": "model", "parts": [{"text": "a"}]}, {"parts": {"text": "b"}, "role": "user"}]


def test_only_the_edited_value_changes_in_a_content() -> None:
    content = '{ "parts" : [ {"text" : "old", "videoMetadata":{"fps":1.50} } ,{"text":"\\u00e9"}] ,  "role":"user"}'
    data = f'{{"contents":[ {content} ]}}'.encode()
    dump = GEMINI.parse(Source.of(data))
    transcript = dump.transcripts[0].with_(fields={0: {"text": "new"}})
    assert b"".join(GEMINI.write(dump, [transcript])) == data.replace(b'"old"', b'"new"')


def test_an_answer_is_changed_where_it_stands_and_goes_into_the_list_when_others_follow() -> None:
    made = {"request": one_call(), "response": {"candidates": [{"content": {"parts": [CALL]}, "index": 0}, {"finishReason": "SAFETY"}]}}
    dump = opened(made)
    renamed = written(dump, Set(3, "name", "seek"))
    assert renamed["response"]["candidates"][0]["content"]["parts"][0]["functionCall"]["name"] == "seek"
    assert renamed["request"] == made["request"]
    dropped = written(dump, Drop(np_rows(3)))
    assert dropped["response"]["candidates"] == [{"finishReason": "SAFETY"}]
    followed = written(dump, Insert(HeadOf(3), Made(Kind.TOOL_RESULT, Role.USER, "[none]", 3)))
    assert followed["response"]["candidates"] == [{"finishReason": "SAFETY"}]
    assert [content["role"] for content in followed["request"]["contents"]] == ["user", "model", "user", "model", "user"]


def test_an_edited_answer_of_chunks_becomes_a_content() -> None:
    stream = "".join(f"data: {json.dumps({'candidates': [{'content': {'parts': [part]}}]})}\n\n" for part in ({"text": "a"}, CALL))
    dump = opened({"request": one_call(), "chunks": [stream]})
    out = written(dump, Set(4, "name", "seek"))
    assert out["chunks"] == []
    assert out["request"]["contents"][3] == {
        "role": "model",
        "parts": [{"text": "a"}, {**CALL, "functionCall": {**CALL["functionCall"], "name": "seek"}}],
    }
    assert written(dump, Drop(np_rows(0)))["chunks"] == [stream]
    assert written(dump, Drop(np_rows(3, 4)))["chunks"] == []


def test_one_content_in_place_of_the_list() -> None:
    dump = opened({"contents": {"role": "user", "parts": {"text": "hi"}}})
    assert blocks(dump) == [(Kind.TEXT, Role.USER, "hi", "/contents/parts")]
    assert written(dump, Set(0, "text", "ho")) == {"contents": {"role": "user", "parts": {"text": "ho"}}}
    more = written(dump, Insert(End(), Made(Kind.TEXT, Role.ASSISTANT, "so")))
    assert more == {"contents": [{"role": "user", "parts": {"text": "hi"}}, {"role": "model", "parts": [{"text": "so"}]}]}


def test_heads_are_changed_where_they_stand() -> None:
    made = {
        "system_instruction": {"parts": [{"text": "a"}, {"text": "b"}]},
        "tools": [{"functionDeclarations": [{"name": "x y"}, {"name": "z"}]}, {"googleSearch": {}}],
        **one_call(),
    }
    dump = opened(made)
    out = written(dump, Drop(np_rows(0)), Set(1, "text", "c"), Set(2, "name", "x_y"), Drop(np_rows(4)))
    assert out["system_instruction"] == {"parts": [{"text": "c"}]}
    assert out["tools"] == [{"functionDeclarations": [{"name": "x_y"}, {"name": "z"}]}]
    assert "system_instruction" not in written(dump, Drop(np_rows(0, 1)))
    assert written(dump, Drop(np_rows(2, 3)))["tools"] == [{"googleSearch": {}}]
    assert "tools" not in written(dump, Drop(np_rows(2, 3, 4)))


def test_a_moved_part_keeps_its_bytes() -> None:
    dump = opened(one_call({"role": "user", "parts": [{"text": "and"}, RESPONSE]}))
    out = written(dump, Move(4, Before(2, join=True)))["contents"]
    assert out[2]["parts"] == [RESPONSE, RESPONSE]
    assert out[3]["parts"] == [{"text": "and"}]


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9, 0.99])
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_file_that_ends_early_is_opened_as_far_as_it_goes(cut: float, wrapped: bool) -> None:
    made: Any = one_call(*[{"role": "user", "parts": [{"text": f"more {n}"}]} for n in range(20)])
    whole = json.dumps({"model": "m", "request": made, "x": 1} if wrapped else made, indent=1).encode()
    data = whole[: int(len(whole) * cut)]
    dump = load(Source.of(data))
    assert dump.format == "gemini"
    assert dump.records["unparsed"] == 1
    assert b"".join(GEMINI.write(dump, dump.transcripts)) == data
    assert any("ends early" in why for why in dump.whys)
