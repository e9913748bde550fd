"""What a provider makes of calls and results, against drawings, a slow second opinion, and recorded facts."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings

from app.model.findings import Mode
from app.model.kinds import Kind
from app.model.provider import Defect, Reading
from app.pipeline.read import read
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests import generate
from tests.builders import Drawn, draw, drawn, request_of, tiled
from tests.slow_checker import findings

RULES = {
    Defect.CALL_UNANSWERED: "tool-call-unanswered",
    Defect.CALL_PARTIALLY_ANSWERED: "tool-call-partially-answered",
    Defect.CALL_TRAILING: "tool-call-trailing",
    Defect.CALL_ID_DUPLICATE: "tool-call-id-duplicate",
    Defect.RESULT_ORPHAN: "tool-result-orphan",
    Defect.RESULT_ID_MISMATCH: "tool-result-id-mismatch",
    Defect.RESULT_ID_MISSING: "tool-result-id-missing",
    Defect.RESULT_DUPLICATE: "tool-result-duplicate",
    Defect.RESULT_NOT_FIRST: "tool-result-not-first",
    Defect.RESULT_NOT_ADJACENT: "tool-result-not-adjacent",
    Defect.ROLE_MISMATCH: "block-role-mismatch",
}


def reading(one: Drawn, mode: Mode = "complete") -> Reading:
    return read(make_view(one.transcript), PROVIDERS[one.wire], None, mode)


def defects(one: Drawn, mode: Mode = "complete") -> set[tuple[str, str]]:
    """What the reading says, in the words of the slow checker."""
    found = set()
    for position, value in enumerate(reading(one, mode).defect.tolist()):
        if value in RULES:
            pointer = one.blocks[position].pointer or ""
            whole = value == Defect.CALL_PARTIALLY_ANSWERED
            found.add((RULES[Defect(value)], "/".join(pointer.split("/")[:3]) if whole else pointer))
    return found


def said(drawing: str, wire: str = "anthropic", mode: Mode = "complete") -> str:
    """Rules and places, short: `orphan 2.0`."""
    found = defects(draw(drawing, wire), mode)
    words = [(place.replace("/messages/", "").replace("/content/", ".").replace("/tool_calls/", "."), rule) for rule, place in found]
    return ", ".join(f"{rule.removeprefix('tool-').removeprefix('result-')} {place}" for place, rule in sorted(words))


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        # taken, though naive adjacent checks report it
        ("u:q | a:call 1,call 2 | u:result 2 | u:result 1,text", ""),
        ("u:q | a:text,call 1 | a:call 2 | u:result 1,result 2", ""),
        ("u:q | a:call 1 | u:result 1 | a:call 1 | u:result 1", ""),
        ("a:hello | u:q", ""),
        ("u:q | a:call 1 | u:result 1 | s:note | a:ok", ""),
        ("u:q | a:call 1 | u:none | u:result 1", ""),
        # refused, though naive adjacent checks miss it
        ("u:q | a:call 1 | u:text,result 1", "not-first 2.1"),
        ("u:q | a:call 1,call 2 | u:result 1,text | u:result 2", "not-first 3.0"),
        ("u:q | a:call 1 | u:wait | u:result 1", "not-first 3.0"),
        ("u:q | a:call 1 | u:result 1,result 1", "duplicate 2.1"),
        ("u:q | a:call 1 | u:result 1 | u:result 1", "duplicate 3.0"),
        ("u:q | a:call 1,call 1 | u:result 1,result 1", "call-id-duplicate 1.1"),
        ("u:q | a:call 1 | a:call 1 | u:result 1", "call-id-duplicate 2.0"),
        ("u:q | a:call 1,result 1", "call-trailing 1.0, block-role-mismatch 1.1"),
        ("u:q,call 5 | a:ok", "block-role-mismatch 0.1"),
        ("u:q | a:call 1 | u:result -", "call-unanswered 1.0, id-missing 2.0"),
        ('u:q | a:call 1 | u:result ""', "call-unanswered 1.0, id-missing 2.0"),
        ('u:q | a:call "" | u:result ""', ""),
        ("u:result 1 | a:so", "orphan 0.0"),
        # the table of defects
        ("u:q | a:call 1,call 2 | u:go on", "call-unanswered 1.0, call-unanswered 1.1"),
        ("u:q | a:call 1,call 2 | u:result 2", "call-partially-answered 1"),
        ("u:q | a:call 1,call 2", "call-trailing 1.0, call-trailing 1.1"),
        ("u:q | a:call 1 | u:no | a:so | u:result 1", "not-adjacent 4.0"),
        ("u:q | a:call 1 | s:note | u:result 1", "not-adjacent 3.0"),
        ("u:result 1 | a:call 1 | u:go", "orphan 0.0, call-unanswered 1.0"),
        ("u:q | a:call 1 | u:result 9", "call-unanswered 1.0, orphan 2.0"),
        ("u:q | a:call 1 | u:result 1 | a:call 2 | u:result 1", "call-unanswered 3.0, orphan 4.0"),
        ("u:q | a:call 1 | u:result 1 | a:ok | u:result 1", "duplicate 4.0"),
        ("u:q | a:call 1 | u:result 1,result 2", "orphan 2.1"),
        # calls that the provider answers
        ("u:q | a:server s,found s,text", ""),
        ("u:q | a:server s | a:found s,text", ""),
        ("u:q | a:server s,call 1 | u:result 1", ""),
        ("u:q | a:server s,call 1 | u:result 1 | a:found s,text", ""),
        ("u:q | a:text,server s", ""),
        ("u:q | a:text,server s,text | u:and", "call-unanswered 1.1"),
        ("u:q | a:found s,text | u:and", "orphan 1.0"),
        ("u:q | a:server s,found s | u:result s", "duplicate 2.0"),
        ("u:q | a:server s,call 1 | u:result 1,text", ""),  # text-after-tool-result-with-open-server-tool says it
    ],
)
def test_anthropic(drawing: str, expected: str) -> None:
    assert said(drawing) == expected


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        ("u=q | a:call 1,call 2 | t:result 2 | t:result 1", ""),
        ("u=q | a:call 1 | t:result 1 | s=note", ""),
        ("u=q | a:call - | f:result - | a=ok", ""),
        ("u=q | a:call 1 | u=wait | t:result 1", "not-adjacent 3"),
        ("u=q | a:call 1 | a=wait | t:result 1", "not-adjacent 3"),
        ("u=q | a:call 1 | a:call 2 | t:result 1 | t:result 2", "not-adjacent 3"),
        ("u=q | a:call 1,call 2 | t:result 1 | a=so", "call-partially-answered 1"),
        ("u=q | a:call 1,call 2 | u=so", "call-unanswered 1.0, call-unanswered 1.1"),
        ("u=q | a:call 1", "call-trailing 1.0"),
        ("s=x | t:result 1 | t:result 2 | a=so", "orphan 1, orphan 2"),
        ("u=q | a:call 1 | t:result 9", "call-unanswered 1.0, orphan 2"),
        ("u=q | a:call 1 | t:result 1 | t:result 1", "duplicate 3"),
        ("u=q | a:call 1 | t:result 1 | a:call 2 | t:result 1", "call-unanswered 3.0, id-mismatch 4"),
        ("u=q | a:call 1 | t:result 1 | a=ok | t:result 1", "duplicate 4"),
        ('u=q | a:call 1,call 2 | t:result 1 | t:result ""', "call-partially-answered 1, id-missing 3"),
        ("u=q | a:call 1 | t:result -", "call-unanswered 1.0, id-missing 2"),
        ("t:result 1 | a:call 1 | u=so", "orphan 0, call-unanswered 1.0"),
        ("u:q,call 1 | t:result 1", "block-role-mismatch 0.0, orphan 1"),
        ("u=q | a:call 1,call 1 | t:result 1", "call-id-duplicate 1.1"),
    ],
)
def test_openai_chat(drawing: str, expected: str) -> None:
    assert said(drawing, "openai-chat") == expected


@pytest.mark.parametrize(
    ("drawing", "pending", "left"),
    [
        ("u:q | a:call 1,call 2", 2, ""),
        ("u:q | a:call 1,call 2 | u:result 1", 1, ""),
        ("u:q | a:call 1,call 2 | u:result 1,text", 0, "call-partially-answered 1"),
        ("u:q | a:call 1 | u:so | a:call 2", 1, "call-unanswered 1.0"),
    ],
)
def test_a_prefix_may_end_in_open_calls(drawing: str, pending: int, left: str) -> None:
    assert said(drawing, mode="prefix") == left
    assert reading(draw(drawing), "prefix").pending == pending
    assert reading(draw(drawing), "complete").pending == 0


def test_parts_of_a_message_that_lie_apart_are_read_together() -> None:
    one = draw("u:q | a:call 1 | u:result 1 | a:call 2 | u:result 2 | a:ok")
    message = one.transcript.table.message.copy()
    message[3] = message[1]
    one.transcript = one.transcript.with_(table=one.transcript.table.with_columns(message=message))
    found = reading(one)
    assert not found.defect.any()
    assert found.wire.tolist() == [0, 1, 3, 2, 4, 5]
    assert found.turn.tolist() == [0, 1, 2, 1, 2, 3]
    assert found.wire_block.tolist() == [0, 0, 0, 1, 1, 0]


def test_what_is_no_longer_sent_is_not_judged() -> None:
    one = draw("u:q | a:call 1 | u:so | a:call 2 | u:result 2,result 1")
    one.transcript = one.transcript.with_(start=2)
    found = reading(one)
    assert found.turn.tolist() == [-1, -1, 0, 1, 2, 2]
    assert [Defect(d) for d in found.defect.tolist()] == [Defect.NONE] * 5 + [Defect.RESULT_ORPHAN]


def test_a_dump_of_another_wire_is_read_as_it_would_be_converted() -> None:
    one = draw("s=x | u=q | a:call 1 | a=wait | t:result 1", "openai-chat")
    one.wire = "anthropic"
    assert defects(one) == set()  # the two assistant messages are one turn here
    two = draw("u:q | a:call 1 | u:result 1,text")
    two.wire = "openai-chat"
    assert defects(two) == set()


@given(generate.ANTHROPIC)
@settings(max_examples=150, deadline=None)
def test_anthropic_says_what_the_slow_checker_says(drawing: str) -> None:
    agrees(request_of(drawing), "anthropic")


@given(generate.OPENAI)
@settings(max_examples=150, deadline=None)
def test_openai_chat_says_what_the_slow_checker_says(drawing: str) -> None:
    agrees(request_of(drawing, "openai-chat"), "openai-chat")


@pytest.mark.parametrize("wire", ["anthropic", "openai-chat"])
def test_damaged_transcripts_say_what_the_slow_checker_says(wire: str) -> None:
    @given(generate.damaged(wire))
    @settings(max_examples=100, deadline=None)
    def judge(messages: list[dict[str, Any]]) -> None:
        agrees({"messages": messages}, wire)

    judge()


@pytest.mark.parametrize("wire", ["anthropic", "openai-chat"])
def test_clean_transcripts_have_no_defect(wire: str) -> None:
    @given(generate.clean(wire))
    @settings(max_examples=100, deadline=None)
    def judge(messages: list[dict[str, Any]]) -> None:
        one = drawn({"messages": messages}, wire)
        assert defects(one) == findings(one.request, wire) == set()
        calls = [i for i, block in enumerate(one.blocks) if block.kind == Kind.TOOL_CALL]
        assert all(one.blocks[reading(one).partner[i]].call_id == one.blocks[i].call_id for i in calls)

    judge()


def agrees(request: dict[str, Any], wire: str) -> None:
    one = drawn(request, wire)
    modes: tuple[Mode, ...] = ("complete", "prefix")
    for mode in modes:
        assert defects(one, mode) == findings(request, wire, mode)


def test_a_million_blocks_are_read_at_once() -> None:
    """A loop over blocks needs many seconds for this; the bound is wide, since other programs may run."""
    for drawing in ("u:q | a:call 1,call 2 | u:result 1,result 2", "u:q,result 9 | a:call 1,call 2 | u:text,result 1 | a:call 3"):
        view = make_view(tiled(draw(drawing), 60_000))
        began = time.perf_counter()
        read(view, PROVIDERS["anthropic"], None, "complete")
        assert time.perf_counter() - began < 1.5
