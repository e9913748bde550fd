"""Two transcripts compared: nothing where they are the same, exactly the edits where one was made of the other, either way round."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.compared import Aspect, Compared, What, linked_words
from app.model.edits import After, Cap, Change, Drop, Edit, End, Insert, Made, Replace, Set, Stub
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.before_after import before_after
from app.pipeline.compare import One, compared, opened
from app.pipeline.compared_words import words
from app.pipeline.count import after_edits
from app.pipeline.load import load
from app.pipeline.names import judge_of, provider_named
from app.pipeline.view import make_view
from tests.strategies.random_requests import request, session

WIRES = {"anthropic": "anthropic-messages", "openai-chat": "openai-chat"}


def one_of(data: bytes, hint: str | None = None, name: str = "a.json") -> One:
    dump = load(Source.of(data, name), hint)
    return opened(dump, dump.opened, provider_named(judge_of(dump.table)), name)


def of_request(value: Any, hint: str | None = None) -> One:
    return one_of(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), hint)


def told_apart(value: Any, number: list[int]) -> Any:
    """A request in which no two texts are the same, so that there is one right answer."""
    if isinstance(value, dict):
        kept = ("id", "tool_use_id", "tool_call_id", "type", "role", "model", "name", "arguments", "media_type", "data", "url", "signature")
        return {key: item if key in kept else told_apart(item, number) for key, item in value.items()}
    if isinstance(value, list):
        return [told_apart(item, number) for item in value]
    if isinstance(value, str) and value:
        number[0] += 1
        return f"{number[0]}th text {value} " + f"w{number[0]} " * 9
    return value


def what_of(found: Compared) -> dict[int, What]:
    """What became of each row of the first."""
    return {int(row): What(int(what)) for row, what in zip(found.rows_a, found.what, strict=True) if row >= 0}


@pytest.mark.parametrize("wire", sorted(WIRES))
@pytest.mark.parametrize("seed", range(6))
def test_a_transcript_is_the_same_as_itself(wire: str, seed: int) -> None:
    one = of_request(request(seed, wire, damages=seed % 3), WIRES[wire])
    found = compared(one, one)
    assert found.same
    assert (found.counts, found.renamed) == ({"same": len(one.rows)}, 0)
    assert (found.common.blocks, found.common.messages, found.common.places) == (len(one.rows), found.sides[0].messages, (None, None))
    assert found.a.tolist() == found.b.tolist() == list(range(len(one.rows)))


def test_a_session_is_the_same_as_itself() -> None:
    one = one_of(session(3), name="a.jsonl")
    assert compared(one, one).same


@st.composite
def edits(draw: st.DrawFn, transcript: Transcript) -> list[Edit]:
    table = transcript.table
    rows = [row for row in transcript.sent.tolist() if table.kind[row] in (Kind.TEXT, Kind.TOOL_RESULT, Kind.TOOL_CALL) and table.size[row]]
    if not rows:
        return []
    made: list[Edit] = []
    for row in draw(st.lists(st.sampled_from(rows), max_size=4, unique=True)):
        array, kind = np.asarray([row], np.int32), int(table.kind[row])
        choices: list[Edit] = [Drop(array)]
        if kind == Kind.TOOL_RESULT:
            choices.append(Replace(array, Stub("[gone]")))
            choices += [Replace(array, Cap(220))] if table.size[row] > 400 else []
        if kind == Kind.TOOL_CALL:
            choices.append(Set(row, "input", {"another": row}))
        if kind == Kind.TEXT:
            choices.append(Set(row, "text", f"{row}th text that somebody wrote in its place"))
        made.append(draw(st.sampled_from(choices)))
    if draw(st.booleans()):
        made.append(Insert(draw(st.sampled_from([After(rows[-1]), End()])), Made(Kind.TEXT, Role.USER, "inserted by hand")))
    return made


@settings(max_examples=15, deadline=None)
@given(st.data(), st.sampled_from(sorted(WIRES)), st.integers(0, 50))
def test_what_was_edited_is_what_differs(data: st.DataObject, wire: str, seed: int) -> None:
    """The edited one is written and read again: nothing of the comparison knows of the edits."""
    base = of_request(told_apart(request(seed, wire), [0]), WIRES[wire])
    provider = provider_named(wire)
    drawn = data.draw(edits(base.transcript))
    after = base.transcript
    for edit in drawn:
        after = apply(after, [Change("drawn", "test", "loses", (edit,))], provider).transcript
    data_again = b"".join(FORMATS[base.dump.format].write(base.dump, [after]))
    second = one_of(data_again, WIRES[wire], "b.json")
    found = compared(base, second)
    tokens = after_edits(base.dump, base.tokens, after, provider)
    expected = before_after(base, One(base.dump, make_view(after, tokens, provider), tokens, "after"))
    texts = {edit.row for edit in drawn if isinstance(edit, Set) and edit.field == "text"}
    mine, theirs = what_of(found), what_of(expected)
    for row, what in theirs.items():
        if row in texts and what == What.REWRITTEN:  # whether another text stands for the old one is a guess
            assert mine[row] in (What.REWRITTEN, What.CAPPED, What.GONE), row
        else:
            assert mine[row] == what, (row, mine[row], what)
    inserted = sum(isinstance(edit, Insert) for edit in drawn)
    guessed = sum(mine.get(row) == What.GONE and theirs.get(row) == What.REWRITTEN for row in texts)
    assert found.counts.get("added", 0) == inserted + guessed
    assert found.same is (not drawn)
    back = compared(second, base)
    pairs = sorted((int(b), int(a)) for a, b in zip(found.a, found.b, strict=True) if min(a, b) >= 0)
    assert sorted((int(a), int(b)) for a, b in zip(back.a, back.b, strict=True) if min(a, b) >= 0) == pairs


def steps(count: int, prefix: str = "t", start: int = 0) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for n in range(start, start + count):
        out += [
            {"role": "user", "content": f"question number {n}"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": f"{prefix}{n}", "name": "read", "input": {"n": n, "path": "x"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"{prefix}{n}", "content": f"result {n} " * 60}]},
            {"role": "assistant", "content": f"answer number {n}"},
        ]
    return out


def anthropic(messages: list[dict[str, Any]], **more: Any) -> One:
    return of_request({"model": "m", "max_tokens": 9, "messages": messages, **more}, "anthropic-messages")


def test_ids_that_are_renamed_throughout_are_no_difference() -> None:
    found = compared(anthropic(steps(5)), anthropic(steps(5, "other_")))
    assert (found.same, found.renamed) == (True, 5)
    mixed = steps(5, "other_")
    mixed[6]["content"][0]["tool_use_id"] = "other_3"  # a result that answers another call
    found = compared(anthropic(steps(5)), anthropic(mixed))
    assert found.counts["changed"] >= 1
    assert set(found.aspect[found.what == What.CHANGED].tolist()) == {Aspect.ID}


def test_a_result_that_is_linked_anew_is_one_difference_and_no_rename() -> None:
    astray = steps(3)
    astray[6]["content"][0]["tool_use_id"] = "elsewhere"
    for one, other, ids in ((astray, steps(3), ("elsewhere", "t1")), (steps(3), astray, ("t1", "elsewhere"))):
        first, second = anthropic(one), anthropic(other)
        found = compared(first, second)
        assert (found.differences, found.renamed) == (1, 0)
        said = words(found, first, second, int(np.flatnonzero(found.what == What.CHANGED)[0]))
        assert said.linked == ids
        assert linked_words(ids) == f"linked anew: call id {ids[0]} -> {ids[1]}"


def test_a_compaction_is_told_as_what_it_did() -> None:
    before, after = steps(6), steps(6)
    after[2]["content"][0]["content"] = "[old result cleared]"
    after[6]["content"][0]["content"] = ("result 1 " * 60)[:200] + "… 340 characters left out"
    after[9]["content"][0]["input"] = {"n": 2, "path": "y"}
    del after[12:16]
    after.insert(0, {"role": "user", "content": "a summary of what was before"})
    first, second = anthropic(before), anthropic(after)
    found = compared(first, second)
    assert found.counts == {"same": 17, "gone": 4, "added": 1, "stubbed": 1, "capped": 1, "changed": 1}
    line = int(np.flatnonzero(found.what == What.CHANGED)[0])
    assert found.aspect[line] == Aspect.ARGUMENTS
    said = words(found, first, second, line)
    assert (said.name, said.before, said.after) == ("call read", '{"n":2,"path":"x"}', '{"n":2,"path":"y"}')
    assert said.at == ("/messages/9/content/0", "/messages/10/content/0")
    assert found.common.blocks == 0
    gone = [section for section in found.sections if section.counts[What.GONE]]
    assert [(section.label, section.counts[What.GONE]) for section in gone] == [("E4", 4)]
    assert found.sections[0].second
    assert sum(section.before for section in found.sections) == found.sides[0].tokens


def test_where_they_part_is_told_to_the_byte() -> None:
    before, after = steps(3), steps(3)
    after[4]["content"] = "question NUMBER 1"
    found = compared(anthropic(before), anthropic(after))
    assert (found.common.messages, found.common.blocks) == (4, 4)
    assert found.common.places == ("/messages/4/content", "/messages/4/content")
    whole = [orjson_size(block) for message in before[:4] for block in _blocks(message)]
    assert found.common.bytes == sum(whole) + len('"question ')


def _blocks(message: dict[str, Any]) -> list[Any]:
    content = message["content"]
    return content if isinstance(content, list) else [content]


def orjson_size(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())


def test_what_moved_is_no_loss() -> None:
    after = steps(4)
    after = [*after[:1], *after[4:8], *after[1:4], *after[8:]]
    found = compared(anthropic(steps(4)), anthropic(after))
    assert set(found.counts) == {"same", "moved"}
    assert found.counts["moved"] <= 4


def test_the_same_on_another_wire() -> None:
    first = anthropic(steps(3), system="be brief")
    chat: list[dict[str, Any]] = [{"role": "system", "content": "be brief"}]
    for message in steps(3):
        for block in _blocks(message):
            if isinstance(block, str):
                chat.append({"role": message["role"], "content": block})
            elif block["type"] == "tool_use":
                function = {"name": block["name"], "arguments": json.dumps(dict(reversed(block["input"].items())))}
                call = {"id": block["id"], "type": "function", "function": function}
                chat.append({"role": "assistant", "content": None, "tool_calls": [call]})
            else:
                chat.append({"role": "tool", "tool_call_id": block["tool_use_id"], "content": block["content"]})
    second = of_request({"model": "m", "messages": chat}, "openai-chat")
    assert compared(first, second).same
    chat[2]["tool_calls"][0]["function"]["arguments"] = '{"n": 99}'
    assert compared(first, of_request({"model": "m", "messages": chat}, "openai-chat")).counts["changed"] == 1


def test_nothing_and_something() -> None:
    empty, one = anthropic([{"role": "user", "content": "x"}]), anthropic(steps(1))
    found = compared(empty, one)
    assert found.counts == {"gone": 1, "added": 4}
    assert len(found) == 5


def test_long_ones_are_compared_in_seconds() -> None:
    """6,000 blocks a side within the time that this test has; a bench has the figure for 100,000."""
    first = anthropic(steps(1_500))
    many = steps(1_500, "u")
    del many[400:440]
    second = anthropic(many)
    start = time.process_time()
    found = compared(first, second)
    assert time.process_time() - start < 2
    assert (found.counts, found.renamed) == ({"same": 5_960, "gone": 40}, 1_490)
