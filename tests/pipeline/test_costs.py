"""Cost of carry: sums that add up to the requests, walls, notes with their size, and the verb."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import cli
from app.model.block import Block
from app.model.carry import carried, carried_at, last_said, overhead, requests
from app.model.costs import Costs
from app.model.kinds import Kind, Role
from app.pipeline.cost_notes import notes
from app.pipeline.costs import costs
from app.pipeline.requests import requests_of
from tests.losing import body
from tests.strategies.laws import Opened, opened, read
from tests.strategies.random_requests import WIRES, request, session


def cost_of(one: Opened, top: int = 500) -> Costs:
    made = costs(one.dump, one.view, one.counter, True, top)
    while True:
        try:
            next(made)
        except StopIteration as stop:
            return stop.value


def adds_up(one: Opened) -> None:
    view = one.view
    times, each = carried(view), requests(view)
    assert view.tokens is not None
    blocks, over = int((view.tokens.astype(np.int64) * times).sum()), int((overhead(view) * times).sum())
    assert blocks + over == int(each.sum())
    assert [carried_at(view, at) for at in range(len(view))] == times.tolist()
    found = cost_of(one, 10_000)
    assert found.carried == int(each.sum())
    assert sum(cost.carried for cost in found.blocks) + found.overhead == found.carried
    assert all(cost.carried == cost.tokens * cost.requests for cost in found.blocks)
    assert [cost.carried for cost in found.blocks] == sorted((cost.carried for cost in found.blocks), reverse=True)
    assert sum(one.calls for one in found.tools) <= int((view.kind == Kind.TOOL_CALL).sum())


@pytest.mark.parametrize("wire", WIRES)
@given(seed=st.integers(0, 5_000), exchanges=st.integers(1, 5), damages=st.integers(0, 2))
@settings(max_examples=8, deadline=None)
def test_what_is_carried_is_what_the_requests_carry(wire: str, seed: int, exchanges: int, damages: int) -> None:
    adds_up(opened(request(seed, wire, exchanges, damages), wire))


@given(seed=st.integers(0, 5_000), exchanges=st.integers(1, 6))
@settings(max_examples=12, deadline=None)
def test_with_recorded_compactions_too(seed: int, exchanges: int) -> None:
    adds_up(read(session(seed, exchanges), "claude-code"))


def test_by_hand() -> None:
    one = read(body("s: You look.\nu: first\nc: look {}\nr: found it\na: done\nu: second\na: well"), "anthropic")
    # system, prompt, call, result, answer, prompt, answer: three requests
    assert carried(one.view).tolist() == [3, 3, 2, 2, 1, 1, 0]
    found = cost_of(one)
    assert (found.requests, found.count) == (3, 7)
    assert {(cost.kind, cost.requests) for cost in found.blocks} == {
        ("system", 3), ("prompt", 3), ("tool call", 2), ("tool result", 2), ("text", 1), ("prompt", 1), ("text", 0),
    }  # fmt: skip
    [tool] = found.tools
    assert (tool.tool, tool.calls) == ("look", 1)
    assert next(cost for cost in found.blocks if cost.kind == "tool result").tool == "look"


def result(text: str, error: bool = False) -> Block:
    return Block(0, Kind.TOOL_RESULT, "tool_result", Role.USER, (text,), error=error)


TRACE = "Traceback (most recent call last):\n" + "".join(f'  File "/app/x{n}.py", line {n}, in f\n    call()\n' for n in range(12))
ROWS = [{"id": n, "name": f"row {n}", "note": "nothing of interest"} for n in range(30)]


@pytest.mark.parametrize(
    ("block", "kinds", "words"),
    [
        (result("word " * 2_000), ["oversized"], "10,000 characters, where 8,000"),
        (result("word " * 1_500), [], ""),
        (result(json.dumps(ROWS)), ["uncapped-list"], "a list of 30 rows, with no total"),
        (result(json.dumps({"rows": ROWS, "has_more": False})), [], ""),
        (result(json.dumps({"rows": ROWS[:20]})), [], ""),
        (result("\n".join(f"src/module_{n}/file_{n}.py" for n in range(300))), ["uncapped-list"], "a listing of 300 lines"),
        (result("\n".join(f"line {n} of some prose that goes on" for n in range(220))), [], ""),
        (result(TRACE + "ValueError: no", error=True), ["stack-trace"], "a stack trace of 26 lines"),
        (result(TRACE + "ValueError: no"), ["stack-trace"], "26 lines"),
        (result("short\n" * 4 + "Error: file not found", error=True), [], ""),
        (result(json.dumps(ROWS)[:1_600]), ["silent-cut"], "JSON that ends in the middle after 1,600 characters"),
        (result(json.dumps(ROWS)[:1_600] + " [truncated: 300 characters omitted]"), [], ""),
        (result("ab" * 2_000), ["silent-cut"], "exactly 4,000 characters"),
        (result("ab" * 1_999), [], ""),
    ],
)
def test_notes(block: Block, kinds: list[str], words: str) -> None:
    found = notes(block)
    assert [note.kind for note in found] == kinds
    assert not kinds or words in found[0].words


def test_notes_that_are_seen_beside_others() -> None:
    cut = "of what is there " * 300
    script = "\n".join([
        "u: q", 'c: read {"a": 1}', f"r: {cut[:2_505]}", "a: x", 'c: read {"a": 2}', f"r: z{cut[:2_504]}", "a: x",
        'c: list {"b": 1}', f"r: {'again and again. ' * 60}", "a: x", 'c: list {"b": 1}', f"r: {'again and again. ' * 60}", "a: x",
    ])  # fmt: skip
    found = cost_of(read(body(script), "anthropic"))
    told = [note.words for cost in found.blocks for note in cost.notes]
    assert told.count("2 results of this tool end after exactly 2,505 characters, and nothing says so") == 2
    assert told.count("says the same as the result in r3: one of them would do") == 1
    assert found.notes == {"silent-cut": 2, "asked-again": 1}


def test_the_verb(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(body(f"u: first\nc: look {{}}\nr: {'word ' * 2_000}.\na: done\nu: second\na: well"))
    assert cli.main(["costs", str(path), "--json", "--counter", "chars/4", "--top", "2"]) == 0
    found = json.loads(capfdbinary.readouterr()[0])
    assert (found["transcript"], found["requests"], found["blocks_total"], len(found["blocks"])) == ("main", 3, 6, 2)
    assert found["blocks"][0] == {
        "at": "/messages/2/content/0", "kind": "tool result", "tool": "look", "tokens": 2501, "requests": 2, "carried": 5002,
        "share": round(5002 / found["carried"], 6),
        "notes": [{"note": "oversized", "message": "10,001 characters, where 8,000 and a note of what is missing would do"}],
    }  # fmt: skip
    assert found["note_counts"] == {"oversized": 1}
    assert cli.main(["costs", str(path), "--counter", "chars/4"]) == 0
    out = capfdbinary.readouterr()[0].decode()
    assert "tokens carried by 3 requests (chars/4); 6 blocks" in out
    assert "E1 · r1: 10,001 characters" in out
    assert cli.main(["costs", str(path), "--top", "x"]) == 2


def test_what_was_asked_for_again_after_a_compaction() -> None:
    lines: list[dict[str, object]] = []

    def add(kind: str, message: object = None, **more: object) -> None:
        number = len(lines)
        lines.append({
            "parentUuid": f"u{number - 1}" if number else None, "isSidechain": False, "userType": "external", "cwd": "/w",
            "sessionId": "11111111-2222-4333-8444-555555555555", "version": "2.0.14", "type": kind, "uuid": f"u{number}",
            "timestamp": f"2026-03-01T10:00:{number:02d}.000Z", **({"message": message} if message else {}), **more,
        })  # fmt: skip

    def call(key: str, path: str) -> None:
        block = {"type": "tool_use", "id": key, "name": "Read", "input": {"file_path": path}}
        add("assistant", {"id": f"m{key}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [block]})
        add("user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": key, "content": f"text of {path}"}]})

    add("user", {"role": "user", "content": "look at both"})
    call("toolu_1", "a.py")
    call("toolu_2", "b.py")
    told = {"subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": {"trigger": "auto", "preTokens": 900}}
    add("system", None, **{**told, "parentUuid": None, "logicalParentUuid": f"u{len(lines) - 1}"})
    add("user", {"role": "user", "content": "A summary."}, isCompactSummary=True, isVisibleInTranscriptOnly=True)
    call("toolu_3", "b.py")
    call("toolu_4", "c.py")
    found = cost_of(read(b"".join(json.dumps(line).encode() + b"\n" for line in lines), "claude-code"))
    told_of = {cost.head: [note.words for note in cost.notes] for cost in found.blocks if cost.kind == "tool result" and cost.notes}
    assert told_of == {"b.py": ["asked for in r2 as well, before a compaction took what it said"]}


def test_the_request_that_is_to_be_sent_is_one_as_in_a_replay() -> None:
    one = read(body("s: You look.\nu: first\na: done\nu: second"), "anthropic")
    assert carried(one.view).tolist() == [2, 2, 1, 1]
    found = cost_of(one)
    assert (found.requests, found.unsent, found.carried) == (2, True, int(requests_of(one.view, one.provider).sizes.sum()))
    assert last_said(found.requests, found.unsent) == ", the last is the one to be sent"
    assert (last_said(1, True), last_said(5, False)) == (", the one to be sent", "")


def test_a_log_records_its_last_request_as_sent(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    messages: list[dict[str, str]] = []
    path = tmp_path / "log.jsonl"
    with path.open("w") as file:
        for number in range(3):
            messages.append({"role": "user", "content": f"question {number}"})
            file.write(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 10, "messages": messages}) + "\n")
            messages.append({"role": "assistant", "content": f"answer {number}"})
    assert cli.main(["costs", str(path), "--json", "--counter", "chars/4"]) == 0
    costs_ = json.loads(capfdbinary.readouterr()[0])
    assert (costs_["requests"], costs_["last_to_be_sent"]) == (3, False)
    assert cli.main(["replay", str(path), "--counter", "chars/4", "--no-check"]) == 0
    said = capfdbinary.readouterr()[0].decode()
    assert f"3 requests, {costs_['carried']:,} tokens sent without compaction" in said
