"""A checker that agrees with itself: random requests and single damages to them, judged a second time by slow plain code.

A seed makes a request that nobody refuses, and one damage to it. An error is found exactly where the slow checkers find one; whatever a
repair can mend it mends, at once and for good; a request without an error comes back byte for byte.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.findings import Mode
from tests import damage
from tests.rules.asked import asked, mended
from tests.slow_blocks import blocks
from tests.slow_checker import findings

WIRES = ("anthropic", "openai-chat")
SEEDS = st.integers(0, 1 << 32)


def slowly(request: dict[str, Any], wire: str, mode: Mode) -> set[tuple[str, str]]:
    return findings(request, wire, mode) | blocks(request, wire, mode=mode)


def errors(request: dict[str, Any], wire: str, mode: Mode) -> set[tuple[str, str]]:
    found = asked(request, wire, mode=mode).report.findings
    return {(finding.rule, finding.at) for finding in found if finding.severity == "error"}


def agrees(request: dict[str, Any], wire: str) -> None:
    modes: tuple[Mode, ...] = ("complete", "prefix")
    for mode in modes:
        assert errors(request, wire, mode) == slowly(request, wire, mode)


@pytest.mark.parametrize("wire", WIRES)
def test_a_damage_is_found_where_slow_code_finds_it(wire: str) -> None:
    @given(SEEDS)
    @settings(max_examples=12, deadline=None)
    def judge(seed: int) -> None:
        rng = Random(seed)
        made = damage.request(rng, wire)
        assert errors(made, wire, "complete") == slowly(made, wire, "complete") == set()
        agrees(damage.damaged(rng, made, wire)[0], wire)

    judge()


@pytest.mark.parametrize("wire", WIRES)
def test_what_has_a_fix_is_mended_at_once_and_for_good(wire: str) -> None:
    @given(SEEDS)
    @settings(max_examples=8, deadline=None)
    def heal(seed: int) -> None:
        rng = Random(seed)
        broken, _ = damage.damaged(rng, damage.request(rng, wire), wire)
        before = errors(broken, wire, "complete")
        after = mended(broken, wire)  # a second repair has nothing to do, and what is read again is what was shown
        left = [finding for finding in after.after.report.findings if finding.severity == "error"]
        assert not [finding.rule for finding in left if finding.fixes]
        assert slowly(after.request, wire, "complete") == {(finding.rule, finding.at) for finding in left}
        if not before:
            assert after.out == json.dumps(broken, ensure_ascii=True, indent=1).encode()

    heal()


KNOWN = [("anthropic", 660), ("anthropic", 2160)]
"""Seeds whose damage once was judged or mended wrongly."""


@pytest.mark.parametrize(("wire", "seed"), KNOWN)
def test_seeds_that_once_were_wrong(wire: str, seed: int) -> None:
    rng = Random(seed)
    broken, _ = damage.damaged(rng, damage.request(rng, wire), wire)
    agrees(broken, wire)
    after = mended(broken, wire)
    assert not [finding.rule for finding in after.after.report.findings if finding.severity == "error" and finding.fixes]


# -- what random requests have little of --------------------------------------------------------------------------------------------------


@st.composite
def members(draw: st.DrawFn) -> dict[str, Any]:
    """A request of few messages with members beside them of all kinds."""
    rng = Random(draw(SEEDS))
    made = damage.request(rng, "anthropic")
    tools = made["tools"]
    for tool in tools:
        if rng.random() < 0.6:
            tool["defer_loading"] = rng.random() < 0.8
        if rng.random() < 0.2:
            tool["cache_control"] = rng.choice([{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}])
    if rng.random() < 0.3:
        tools.append(dict(rng.choice(tools)))
    if rng.random() < 0.3:
        tools.remove(damage.SEARCH) if damage.SEARCH in tools else None
    if rng.random() < 0.3:
        made["container"] = rng.choice([None, "container_1", {"id": "container_1"}])
    if rng.random() < 0.3:
        made["system"] = rng.choice(
            ["be brief", [{"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral", "ttl": "1h"}}]]
        )
    if rng.random() < 0.2:
        made[rng.choice(["response_format", "stream_options", "reasoning_effort", "metadata", "top_k"])] = {}
    if rng.random() < 0.2:
        made["thinking"] = rng.choice([{"type": "disabled"}, {"type": "adaptive"}, {"type": "enabled", "budget_tokens": 1024}])
    for message in made["messages"]:
        content = message["content"] if isinstance(message["content"], list) else []
        for block in content:
            if rng.random() < 0.1:
                block["cache_control"] = rng.choice([{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}])
            if block["type"] == "tool_result" and rng.random() < 0.2:
                block["content"] = [{"type": "tool_reference", "tool_name": rng.choice([*damage.TOOLS, "gone"])}]
            if rng.random() < 0.05:
                block[rng.choice(["index", "id", "tool_calls", "refusal"])] = 0
        if rng.random() < 0.05:
            message[rng.choice(["id", "tool_calls", "reasoning_content"])] = "x"
    return made


@given(members())
@settings(max_examples=20, deadline=None)
def test_members_of_the_request_say_what_slow_code_says(made: dict[str, Any]) -> None:
    agrees(made, "anthropic")
    after = mended(made)
    assert not [finding.rule for finding in after.after.report.findings if finding.severity == "error" and finding.fixes]
