"""What holds of every preset on random requests: it promises what comes out, makes nothing worse, and leaves alone what is pinned."""

import os

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.pipeline.check import check
from app.pipeline.plan import judged, make
from app.pipeline.view import make_view
from app.presets import PRESETS
from tests.presets.small import SMALL
from tests.strategies.laws import opened, read, recounted, written
from tests.strategies.random_requests import WIRES, request

SAFE = [name for name, preset in PRESETS.items() if not preset.breaks_pairs]
AGAIN = {
    "autogen-head-and-tail", "codex-compact", "gemini-compress", "langchain-summarize", "openhands-condense", "pi-keep-recent",
    "anthropic-compact", "opencode-compact", "roo-sliding",
}  # fmt: skip
"""Presets that count what they put in themselves, so that a second run goes on."""

examples = int(os.environ.get("LAW_EXAMPLES", "15"))
some = settings(max_examples=examples, deadline=None)
drawn = {"seed": st.integers(0, 10_000), "wire": st.sampled_from(WIRES), "exchanges": st.integers(1, 5)}


def test_every_preset_has_small_parameters() -> None:
    assert set(SMALL) == set(PRESETS)


@given(name=st.sampled_from(sorted(PRESETS)), budget=st.sampled_from([None, 0, 10**9]), **drawn)
@some
def test_a_preset_promises_what_comes_out_whatever_the_budget(name, budget, seed, wire, exchanges):
    one = opened(request(seed, wire, exchanges), wire)
    assume(len(one.view))
    arranged, plan = make(one.dump, one.view, [(name, SMALL[name])], budget, one.provider, one.counter)
    checked, after = judged(one.dump, arranged, plan, None, "complete", one.counter)
    assert plan.length == len(plan.ranking.actions.saved)
    assert checked.tokens_after == plan.after
    assert recounted(one, after) == plan.after


@given(name=st.sampled_from(SAFE), **drawn)
@some
def test_no_pair_is_parted_and_nothing_new_is_wrong(name, seed, wire, exchanges):
    one = opened(request(seed, wire, exchanges), wire)
    assume(len(one.view))
    before = check(one.view, one.provider, None, "complete", one.dump.source)
    arranged, plan = make(one.dump, one.view, [(name, SMALL[name])], None, one.provider, one.counter)
    checked, after = judged(one.dump, arranged, plan, None, "complete", one.counter, before)
    if checked.new_findings:
        report = check(make_view(after, None, one.provider, source=one.dump.source), one.provider, None, "complete", one.dump.source)
        had = {found.rule for found in before.findings if found.severity == "error"}
        assert {found.rule for found in report.findings if found.severity == "error"} - had <= PRESETS[name].may_leave
    again = read(written(one, after), one.wire, one.counter)
    if name not in AGAIN:
        _, second = make(again.dump, again.view, [(name, SMALL[name])], None, again.provider, again.counter)
        assert second.length == 0


@given(name=st.sampled_from(sorted(PRESETS)), pin=st.integers(0, 2), **drawn)
@some
def test_what_is_pinned_is_left_alone(name, pin, seed, wire, exchanges):
    one = opened(request(seed, wire, exchanges), wire, pinned=frozenset([pin]))
    assume(pin < one.view.groups.exchanges)
    _, plan = make(one.dump, one.view, [(name, SMALL[name])], None, one.provider, one.counter)
    held = one.view.groups.exchange == pin
    assert not (plan.dropped | plan.replaced)[held].any()
    partners = one.view.links.partner[held]
    assert not plan.dropped[partners[partners >= 0]].any()


@given(name=st.sampled_from([name for name in SAFE if PRESETS[name].takes == "results"]), damages=st.integers(1, 6), **drawn)
@some
def test_a_damaged_request_gets_no_worse_by_shorter_results(name, damages, seed, wire, exchanges):
    one = opened(request(seed, wire, exchanges, damages), wire)
    assume(len(one.view))
    arranged, plan = make(one.dump, one.view, [(name, SMALL[name])], None, one.provider, one.counter)
    checked, _ = judged(one.dump, arranged, plan, None, "complete", one.counter)
    assert checked.new_findings == 0
    assert not plan.dropped.any()
    assert np.isin(np.flatnonzero(plan.replaced), np.flatnonzero(one.view.results | one.view.calls)).all()
