"""What pins promise, on random requests of every wire: what is held is neither dropped nor replaced, and nothing new is wrong."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.model.pins import PROTECTION_NAMES, Pins
from app.pipeline import counted
from app.pipeline.blocks import Blocks
from app.pipeline.check import check
from app.pipeline.pins import lay
from app.pipeline.plan import judged, make
from app.pipeline.view import make_view
from app.presets import PRESETS
from app.strategies import STRATEGIES
from tests.converse import CLAUDE, NOVA, converse
from tests.presets.small import SMALL
from tests.presets.test_laws import AGAIN
from tests.strategies import random_gemini
from tests.strategies.laws import Opened, budgets, opened, pairs_whole, read, recounted, written
from tests.strategies.random_requests import request

WIRES = ("anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "mistral", "deepseek")
CONVERSE = ("text", "tool_use", "tool_result", "thinking", "redacted_thinking", "image")
SAFE_PRESETS = sorted(name for name, preset in PRESETS.items() if not preset.breaks_pairs)
SAFE_FAMILIES = sorted(name for name, strategy in STRATEGIES.items() if not strategy.breaks_pairs)
EVERY = sorted([*PRESETS, *STRATEGIES])

examples = int(os.environ.get("LAW_EXAMPLES", "4"))
some = settings(max_examples=examples, deadline=None)
drawn: dict[str, Any] = {
    "wire": st.sampled_from(WIRES), "seed": st.integers(0, 10_000), "exchanges": st.integers(1, 5), "pick": st.integers(0, 5),
    "damages": st.sampled_from([0, 0, 0, 1, 2]),
}  # fmt: skip


def case(wire: str, seed: int, exchanges: int, damages: int = 0) -> Opened:
    if wire == "gemini":
        return opened(random_gemini.request(seed, exchanges, damages), wire)
    if wire == "bedrock":
        made = request(seed, "anthropic", exchanges, damages)
        return opened(converse({**made, "messages": [m for m in made["messages"] if _fits(m)]}, CLAUDE if seed % 2 else NOVA), wire)
    if wire in ("mistral", "deepseek"):
        made = request(seed, "openai-chat", exchanges, damages)
        return opened({key: value for key, value in made.items() if key != "model"}, wire)
    return opened(request(seed, wire, exchanges, damages), wire)


def _fits(message: dict[str, Any]) -> bool:
    """Whether Converse has a message of this kind."""
    content = message["content"]
    return message["role"] != "system" and (isinstance(content, str) or all(block["type"] in CONVERSE for block in content or ()))


def pinned(one: Opened, pick: int, seed: int) -> Pins:
    """Some pins of one kind each."""
    view, r = one.view, np.random.default_rng(seed)
    rows = view.rows[view.start :]
    groups = view.groups
    if pick == 0 and groups.exchanges:
        return Pins(exchanges=frozenset([int(view.rows[r.choice(groups.first)])]))
    if pick == 1 and groups.steps:
        return Pins(steps=frozenset([int(view.rows[r.choice(groups.step_first)])]))
    if pick == 2:
        names = [view.transcript.table.names[n] for n in np.unique(view.name[view.name >= 0]).tolist()]
        return Pins(tools=frozenset(names[:1]))
    if pick == 3:
        return Pins(prompt=True, blocks=frozenset([int(r.choice(rows))]))
    if pick == 4:
        return Pins(protected=frozenset(r.choice(PROTECTION_NAMES, 3).tolist()))
    return Pins(blocks=frozenset(int(row) for row in r.choice(rows, min(2, len(rows)), replace=False)))


def laid(one: Opened, pick: int, seed: int) -> None:
    lay(one.view, pinned(one, pick, seed), Blocks(one.dump, one.transcript))


def spec_of(name: str) -> list[tuple[str, dict[str, Any]]]:
    return [(name, SMALL.get(name, {"max_chars": 300} if name.startswith("cap") else {"keep_last": 1} if name.startswith("stub") else {}))]


def plans(one: Opened, name: str):
    """A family at some budgets, a preset once."""
    arranged, plan = make(one.dump, one.view, spec_of(name), None, one.provider, one.counter)
    yield arranged, plan
    if name in STRATEGIES:
        for budget in budgets(arranged, 2):
            yield arranged.settle(budget)


@given(name=st.sampled_from(EVERY), **drawn)
@some
def test_what_is_pinned_is_left_alone_and_its_partners_stay(name, wire, seed, exchanges, pick, damages):
    one = case(wire, seed, exchanges, damages)
    assume(len(one.view) > one.view.start)
    laid(one, pick, seed)
    held = one.view.pins
    for _, plan in plans(one, name):
        assert not (plan.dropped | plan.replaced)[held].any()


@given(name=st.sampled_from(SAFE_FAMILIES), **drawn)
@some
def test_a_family_with_pins_is_exact_and_makes_nothing_worse(name, wire, seed, exchanges, pick, damages):
    one = case(wire, seed, exchanges, damages)
    assume(len(one.view) > one.view.start)
    laid(one, pick, seed)
    before = check(one.view, one.provider, None, "complete", one.dump.source)
    for arranged, plan in plans(one, name):
        checked, after = judged(one.dump, arranged, plan, None, "complete", one.counter, before)
        assert checked.new_findings == 0
        assert checked.tokens_after == plan.after == recounted(one, after)
        assert pairs_whole(one, plan)


@given(name=st.sampled_from(SAFE_PRESETS), pins=st.booleans(), **{key: value for key, value in drawn.items() if key != "damages"})
@some
def test_a_preset_is_exact_and_makes_nothing_worse_on_every_wire(name, pins, wire, seed, exchanges, pick):
    one = case(wire, seed, exchanges)
    assume(len(one.view) > one.view.start)
    if pins:
        laid(one, pick, seed)
    before = check(one.view, one.provider, None, "complete", one.dump.source)
    assume(before.verdict == "accept")
    arranged, plan = make(one.dump, one.view, spec_of(name), None, one.provider, one.counter)
    checked, after = judged(one.dump, arranged, plan, None, "complete", one.counter, before)
    if checked.new_findings:
        result = make_view(after, None, one.provider, source=one.dump.source)
        report = check(result, one.provider, None, "complete", one.dump.source)
        assert {f.rule for f in report.findings if f.severity == "error"} <= PRESETS[name].may_leave  # as is said where it is chosen
    assert checked.tokens_after == plan.after == recounted(one, after)


@given(name=st.sampled_from(sorted(STRATEGIES)), share=st.floats(0, 1), wider=st.floats(0, 1), **drawn)
@some
def test_at_a_larger_budget_a_subset_of_the_actions_is_done(name, share, wider, wire, seed, exchanges, pick, damages):
    one = case(wire, seed, exchanges, damages)
    assume(len(one.view) > one.view.start)
    laid(one, pick, seed)
    arranged, most = make(one.dump, one.view, spec_of(name), None, one.provider, one.counter)
    ranking = arranged.settle(None)[0].ranking
    least = int(ranking.rungs[-1])
    budget = least + int(share * (ranking.before - least))
    small, large = ranking.plan(budget), ranking.plan(budget + int(wider * (ranking.before - budget)))
    assert large.length <= small.length <= most.length
    assert not (large.dropped & ~small.dropped).any()
    assert not (large.replaced & ~(small.replaced | small.dropped)).any()


@given(name=st.sampled_from(["stub-tool-results", "cap-tool-results", "drop-reasoning"]), **drawn)
@some
def test_with_the_same_pins_a_second_run_changes_nothing(name, wire, seed, exchanges, pick, damages):
    one = case(wire, seed, exchanges, damages)
    assume(len(one.view) > one.view.start)
    laid(one, pick, seed)
    arranged, plan = make(one.dump, one.view, spec_of(name), None, one.provider, one.counter)
    _, after = judged(one.dump, arranged, plan, None, "complete", one.counter)
    assume(len(after))
    view, _ = counted(one.dump, after, one.provider, one.counter)
    lay(view, pinned(one, pick, seed), Blocks(one.dump, after))
    _, second = make(one.dump, view, spec_of(name), None, one.provider, one.counter)
    assert second.freed == 0


@given(
    name=st.sampled_from([name for name in SAFE_PRESETS if name not in AGAIN]),
    wire=drawn["wire"], seed=drawn["seed"], exchanges=drawn["exchanges"],
)  # fmt: skip
@some
def test_a_preset_changes_nothing_at_a_second_run_on_every_wire(name, wire, seed, exchanges):
    one = case(wire, seed, exchanges)
    assume(len(one.view) > one.view.start)
    arranged, plan = make(one.dump, one.view, spec_of(name), None, one.provider, one.counter)
    _, after = judged(one.dump, arranged, plan, None, "complete", one.counter)
    assume(len(after))
    again = read(written(one, after), one.wire, one.counter)
    assume(len(again.view) > again.view.start)
    _, second = make(again.dump, again.view, spec_of(name), None, again.provider, again.counter)
    assert second.length == 0
