"""Pairs as Bedrock makes them: all results in the one message behind the calls, in any order, whatever stands beside them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from app.model.findings import Mode
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.converse import drawn
from tests.generate import ANTHROPIC
from tests.providers.slow_next_message import findings

PAIRS = (
    "tool-call-unanswered", "tool-call-partially-answered", "tool-call-trailing", "tool-call-id-duplicate", "tool-result-orphan",
    "tool-result-id-missing", "tool-result-duplicate", "tool-result-not-adjacent", "tool-results-split-across-messages",
    "block-role-mismatch",
)  # fmt: skip
BEDROCK = PROVIDERS["bedrock"]


def opened(request: dict[str, Any], hint: str = "bedrock-converse") -> Any:
    return load(Source.of(json.dumps(request).encode(), "x.json"), hint)


def found(request: dict[str, Any], mode: Mode = "complete", hint: str = "bedrock-converse") -> set[tuple[str, str]]:
    dump = opened(request, hint)
    report = check(make_view(dump.transcripts[0]), BEDROCK, None, mode, dump, all_findings=True)
    return {(f.rule, f.at) for f in report.findings if f.rule in PAIRS}


def short(drawing: str, mode: Mode = "complete") -> str:
    """Rules and places, short: `split 3.0`."""
    words = {"tool-results-split-across-messages": "split", "tool-call-partially-answered": "partial", "tool-call-id-duplicate": "twice"}
    return " ".join(
        f"{words.get(rule, rule.split('-', 2)[-1])} {at.removeprefix('/messages/').replace('/content/', '.')}"
        for rule, at in sorted(found(drawn(drawing), mode), key=lambda pair: (pair[1], pair[0]))
    )


@pytest.mark.parametrize(
    ("drawing", "want"),
    [
        ("u:q | a:call 1,call 2 | u:result 2,result 1,go on", ""),  # any order, text behind (zeroclaw-labs/zeroclaw#1476)
        ("u:q | a:call 1,call 2 | u:go on,result 2,image,result 1", ""),  # what may stand beside is another rule's
        ("u:q | a:call 1,call 2 | u:result 1 | u:result 2", "split 3.0"),
        ("u:q | a:call 1,call 2 | u:result 1 | u:wait | u:result 2", "split 4.0"),
        ("u:q | a:call 1,call 2 | u:result 1 | a:hm | u:result 2", "not-adjacent 4.0"),
        ("u:q | a:call 1 | u:wait | u:result 1", "not-adjacent 3.0"),
        ("u:q | a:call 1 | a:call 2 | u:result 1,result 2", "not-adjacent 3.0"),
        ("u:q | a:call 1 | u:go on", "unanswered 1.0"),
        ("u:q | a:call 1,call 2 | u:result 1,go on | a:ok", "partial 1"),
        ("u:q | a:call 1,call 2", "trailing 1.0 trailing 1.1"),
        ("u:q | a:call 1 | u:result 1,result 1", "duplicate 2.1"),
        ("u:q | a:call 1 | u:result 1 | u:result 1", "duplicate 3.0"),
        ("u:q | a:call 1,call 1 | u:result 1,result 1", "twice 1.1"),
        ("u:q | a:call 2 | u:result 1,result 2", "orphan 2.0"),
        ("u:result 1 | a:ok | u:q", "orphan 0.0"),
        ("u:q | a:call 1 | u:result 1 | a:call 1 | u:result 1", ""),  # one id in two turns
        ("u:q | a:call 1,result 1 | u:go on", "unanswered 1.0 mismatch 1.1"),
        ("u:q | a:server s,found s,text", ""),  # Nova's own tools: call and result in one message
    ],
)
def test_pairs(drawing: str, want: str) -> None:
    assert short(drawing) == want


def test_so_far_an_open_call_at_the_end_is_pending() -> None:
    assert short("u:q | a:call 1,call 2", "prefix") == ""
    assert short("u:q | a:call 1,call 2 | u:result 1", "prefix") == ""
    assert short("u:q | a:call 1,call 2 | u:result 1,go on", "prefix") == "partial 1"


def test_on_a_wire_of_one_message_a_result_their_run_is_one() -> None:
    calls = [{"id": i, "type": "function", "function": {"name": "look", "arguments": "{}"}} for i in ("a1", "a2")]
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": None, "tool_calls": calls}]
    messages += [{"role": "tool", "tool_call_id": i, "content": "ok"} for i in ("a1", "a2")]
    assert found({"messages": messages}, hint="openai-chat") == set()
    anthropic = {"messages": [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": i, "name": "look", "input": {}} for i in ("a1", "a2")]},
        *({"role": "user", "content": [{"type": "tool_result", "tool_use_id": i, "content": "ok"}]} for i in ("a1", "a2")),
    ]}  # fmt: skip
    assert found(anthropic, hint="anthropic-messages") == {("tool-results-split-across-messages", "/messages/3/content/0")}


@settings(max_examples=20, deadline=None)
@given(drawing=ANTHROPIC)
def test_an_independent_checker_agrees(drawing: str) -> None:
    request = drawn(drawing.replace("s:", "u:"))
    for mode in ("complete", "prefix"):
        assert found(request, mode) == findings(request, mode), mode  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("drawing", "want"),
    [
        ("u:q | a:call 1,call 2,call 3 | u:result 1 | u:result 3,more | u:result 2", "result 1,result 3,result 2 | more"),
        ("u:q | a:call 1,call 2 | u:result 1 | u:result 9,result 2", "result 1,result 2"),
        ("u:q | a:call 1 | u:wait | u:result 1", "result 1,wait"),
        ("u:q | a:call 1 | a:call 2 | u:result 1,result 2", "result 1 | call 2 | result 2"),
    ],
)
def test_results_move_into_the_message_behind_their_calls(drawing: str, want: str) -> None:
    dump = opened(drawn(drawing))
    _, mended = repair(dump.transcripts[0], dump, BEDROCK, None, "complete", "all")
    view = make_view(mended)
    words: dict[int, list[str]] = {}
    for row, message in zip(view.rows.tolist(), view.message.tolist(), strict=True):
        if message >= 2:
            kind = {2: "call", 3: "result"}.get(int(mended.table.kind[row]))
            text = f"{kind} {mended.table.ids.text(int(mended.table.key[row]))}" if kind else _text(dump, mended, row)
            words.setdefault(message, []).append(text)
    assert " | ".join(",".join(blocks) for _, blocks in sorted(words.items())) == want


def _text(dump: Any, transcript: Any, row: int) -> str:
    from app.pipeline.look import block

    return block(dump, transcript, row).text
