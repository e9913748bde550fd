"""What strategies make of OpenAI's Responses, where items lean on each other by more than pairs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.pipeline.apply import apply
from app.pipeline.plan import judged
from tests.responses import request
from tests.strategies.laws import Opened, opened, written
from tests.strategies.test_laws import ranked

STEP = "r#{0} | f#{0} {0} | o {0}"


def one(drawing: str, **members: Any) -> Opened:
    made = request(drawing, **members)
    for item in made["input"]:
        if item["type"] == "reasoning":
            item["summary"] = [{"type": "summary_text", "text": "thought " * 20}]
        if item["type"] == "function_call_output":
            item["output"] = "found " * 50
    return opened(made, "openai-responses")


def after(it: Opened, spec: str, budget: int | None = None) -> list[dict[str, Any]]:
    settled, plan = ranked(it, spec).settle(budget)
    checked, result = judged(it.dump, settled, plan, None, "complete", it.counter)
    assert checked.verdict == "accept"
    made: list[dict[str, Any]] = json.loads(written(it, result))["input"]
    return made


def words(items: list[dict[str, Any]]) -> str:
    short = {"function_call": "f", "function_call_output": "o", "reasoning": "r", "compaction": "k", "tool_search_output": "ot"}
    return " ".join(
        short.get(item.get("type", ""), item.get("role", item.get("type", ""))[:1]) + ("#" if item.get("id") else "") for item in items
    )


def test_a_step_leaves_with_its_reasoning() -> None:
    it = one(f"u | {STEP.format(1)} | {STEP.format(2)} | r#3 | a#3 | u | {STEP.format(4)}")
    assert words(after(it, "evict-steps", 0)) == "u u r# f# o"
    assert words(after(it, "evict-exchanges", 0)) == "u r# f# o"


def test_what_loses_its_reasoning_is_sent_by_value() -> None:
    it = one("u | r#1 | a#1 | f#1 1 | f#2 2 | o 1 | o 2 | r#3 | a#3 | u | r#4 | f#4 4 | o 4")
    assert words(after(it, "drop-reasoning", None)) == "u a f f o o a u r# f# o"
    assert words(after(it, "drop-reasoning+stub-tool-results:keep_last=0", None)) == "u a f f o o a u r# f# o"


def test_what_keeps_its_reasoning_keeps_its_id() -> None:
    it = one("u | r#1 | f#1 1 | o 1 | f#2 2 | o 2 | r#3 | a#3 | u | a")
    first = ranked(it, "drop-reasoning").ranking.rungs[1]
    assert words(after(it, "drop-reasoning", int(first))) == "u f o f# o r# a# u a"


def test_a_copy_is_still_known_for_one() -> None:
    it = one("u | r#1 | f#1 1 | o 1 | a | u | r#2 | f#1 1 | u | a")
    settled, plan = ranked(it, "drop-reasoning").settle(None)
    checked, _ = judged(it.dump, settled, plan, None, "complete", it.counter)
    assert plan.length == 2
    assert checked.new_findings == 0


def test_a_compaction_of_the_provider_begins_an_exchange() -> None:
    it = one("u | f 1 | o 1 | k#1 | f 2 | o 2 | f 3 | o 3")
    assert it.view.groups.exchanges == 2
    assert words(after(it, "evict-exchanges", 0)) == "k# f o f o"
    assert words(after(it, "evict-steps", 0)) == "u k# f o"


@pytest.mark.parametrize("spec", ["stub-tool-results:keep_last=0", "cap-tool-results:max_chars=200"])
def test_screenshots_and_found_tools_are_left_alone(spec: str) -> None:
    made = request("u | x 1 | ox 1 | t 2 | ot 2 | f 3 | o 3 | u | a")
    made["input"][4]["tools"] = [{"type": "function", "name": "n" * 300}]
    made["input"][6]["output"] = "long " * 100
    it = opened(made, "openai-responses")
    found = after(it, spec)
    assert found[2] == made["input"][2]
    assert found[4] == made["input"][4]
    assert len(found[6]["output"]) <= 200


def test_hosted_calls_leave_with_their_step() -> None:
    it = one(f"u | r#1 | w#1 | r#2 | m#1 | a | u | {STEP.format(3)} | u | a")
    assert it.view.groups.closed.tolist() == [True, True, False]
    assert words(after(it, "evict-steps", 0)) == "u u u a"


def test_a_summary_stands_in_the_list_as_messages() -> None:
    it = one(f"s | u | {STEP.format(1)} | a | u | {STEP.format(2)} | u | a")
    settled, plan = ranked(it, "summarize-prefix:text=short").settle(0)
    result = apply(it.view.transcript, [settled.change(plan)], it.provider).transcript
    made = json.loads(written(it, result))["input"]
    assert [(item["role"], item["type"]) for item in made[:3]] == [("system", "message"), ("user", "message"), ("assistant", "message")]
    assert made[1]["content"].endswith("short")
