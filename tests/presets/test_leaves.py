"""What a preset says that it may leave wrong: for each a request on which it does, and on which nothing was wrong before."""

from typing import Any

import pytest

from app.pipeline.check import check
from app.pipeline.plan import judged, make
from app.pipeline.view import make_view
from app.presets import PRESETS
from app.presets._preset import LEAVES
from app.rules import RULES
from tests.pipeline.test_pin_laws import case, spec_of
from tests.strategies.laws import Opened, opened

SEEN = (
    ("agent-framework-truncation", "bedrock", 6, "first-message-not-user"),
    ("agent-framework-truncation", "gemini", 9, "tool-call-turn-order"),
    ("agent-framework-window", "bedrock", 8, "first-message-not-user"),
    ("agent-framework-window", "gemini", 8, "tool-call-turn-order"),
    ("autogen-head-and-tail", "anthropic", 58, "tool-result-orphan"),
    ("autogen-head-and-tail", "anthropic", 76, "reasoning-missing"),
    ("langchain-summarize", "anthropic", 58, "tool-result-orphan"),
    ("langchain-summarize", "gemini", 61, "tool-result-count-mismatch"),
    ("openhands-condense", "anthropic", 88, "reasoning-missing"),
    ("sk-truncate", "bedrock", 6, "first-message-not-user"),
    ("sk-truncate", "gemini", 0, "tool-call-turn-order"),
    ("sk-truncate", "anthropic", 76, "reasoning-missing"),
    ("strands-sliding-window", "bedrock", 8, "first-message-not-user"),
    ("strands-sliding-window", "gemini", 0, "tool-call-turn-order"),
    ("strands-sliding-window", "anthropic", 58, "tool-result-orphan"),
)


def use(number: int) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": "look", "input": {"q": "x" * 40}}


def result(number: int, size: int) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "r" * size}


def one_turn_in_two_messages(size: int) -> dict[str, Any]:
    said = [[use(1)], [use(2)]]
    messages = [{"role": "user", "content": "q" * 400}, *({"role": "assistant", "content": one} for one in said)]
    messages.append({"role": "user", "content": [result(1, size), result(2, size)]})
    tool = {"name": "look", "description": "d", "input_schema": {"type": "object"}}
    return {"model": "claude-sonnet-4-5", "max_tokens": 100, "tools": [tool], "messages": messages}


@pytest.mark.parametrize(("name", "wire", "seed", "rule"), SEEN)
def test_what_is_said_of_a_preset_is_seen(name: str, wire: str, seed: int, rule: str) -> None:
    seen(case(wire, seed, 1 + seed % 5), name, spec_of(name), rule)


@pytest.mark.parametrize(
    ("name", "params", "size"),
    [("pi-keep-recent", {"keepRecentTokens": 110}, 200), ("opencode-compact", {"trigger": 1, "context": 2_000}, 3_950)],
)
def test_a_turn_in_two_messages_is_parted(name: str, params: dict[str, Any], size: int) -> None:
    seen(opened(one_turn_in_two_messages(size), "anthropic"), name, [(name, params)], "tool-result-orphan")


def test_all_that_is_said_is_looked_for() -> None:
    assert {name for name, preset in PRESETS.items() if preset.leaves} == {name for name, *_ in SEEN} | {
        "pi-keep-recent",
        "opencode-compact",
    }


def seen(one: Opened, name: str, spec: list[tuple[str, dict[str, Any]]], rule: str) -> None:
    before = check(one.view, one.provider, None, "complete", one.dump.source)
    assert before.verdict == "accept"
    arranged, plan = make(one.dump, one.view, spec, None, one.provider, one.counter)
    checked, after = judged(one.dump, arranged, plan, None, "complete", one.counter, before)
    report = check(make_view(after, None, one.provider, source=one.dump.source), one.provider, None, "complete", one.dump.source)
    assert checked.new_findings
    assert rule in {found.rule for found in report.findings if found.severity == "error"} <= PRESETS[name].may_leave


def test_what_may_be_left_is_said_in_words_and_in_rules_that_there_are() -> None:
    assert set().union(*(rules for _, rules in LEAVES.values())) <= set(RULES)
    for preset in PRESETS.values():
        assert not (preset.leaves and preset.breaks_pairs)
        assert bool(preset.leaves_words) == bool(preset.leaves)
