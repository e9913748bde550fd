"""A replay: what holds of every one, and figures of small ones that can be reckoned by hand."""

import os

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.model.errors import InspectorError
from app.model.prices import Prices, prices_of, window_of
from app.model.replay import Replay, Setup, figures
from app.pipeline.names import FAMILIES
from app.pipeline.replay import Session, none, whole
from app.pipeline.replay_walk import Walk
from app.pipeline.spec import read_spec
from app.presets import PRESETS
from app.tokens import counter
from tests.pipeline.naive_replay import sent_and_read
from tests.presets.small import SMALL
from tests.strategies.laws import opened
from tests.strategies.random_requests import WIRES, request

examples = int(os.environ.get("LAW_EXAMPLES", "6"))
some = settings(max_examples=examples, deadline=None)
drawn = {"seed": st.integers(0, 10_000), "wire": st.sampled_from(WIRES), "exchanges": st.integers(2, 6)}
SPECS = sorted([*FAMILIES, *PRESETS, "stub-tool-results+evict-exchanges"])
BREAKS = {"drop-oldest-messages", *(name for name, preset in PRESETS.items() if preset.breaks_pairs)}
LEAVES = {name for name, preset in PRESETS.items() if preset.leaves}  # what that is, is said where one is chosen
SAFE = [name for name in SPECS if name not in BREAKS | LEAVES]


def spec_of(name: str):
    return [(name, SMALL[name])] if name in SMALL else read_spec(name)


def session_of(body: dict, wire: str, pinned: frozenset[int] = frozenset()) -> Session:
    one = opened(body, wire, pinned=pinned)
    return Session(one.dump, one.view, one.provider, None, one.counter, counter(one.counter).count)


def run_of(session: Session, setup: Setup, spec, **more):
    walk = Walk(session, setup, read_spec(spec), **more)
    for _ in walk.kept() if setup.kept else walk.anew():
        pass
    return walk.run()


def tight(session: Session, share: float, target: float) -> Setup:
    """A window in which the session does not fit."""
    sizes = session.requests.sizes
    assume(len(sizes) > 1)
    limit = max(50, int(sizes.max() * share))
    return Setup(limit + 10, 10, max(1, int(limit * 0.9)), max(1, int(limit * 0.9 * target)))


@given(name=st.sampled_from(SPECS), share=st.sampled_from([0.4, 0.7, 1.0]), target=st.sampled_from([0.3, 0.9]),
       damages=st.integers(0, 2), pin=st.sampled_from([None, None, 0]), **drawn)  # fmt: skip
@settings(max_examples=3 * examples, deadline=None)
def test_walking_is_the_same_as_laying_out_every_request(name, share, target, damages, pin, seed, wire, exchanges):
    session = session_of(request(seed, wire, exchanges, damages), wire, frozenset() if pin is None else frozenset([pin]))
    setup = tight(session, share, target)
    run = run_of(session, setup, spec_of(name))
    sent, read = sent_and_read(session, setup, spec_of(name))
    assert run.sent[: run.length].tolist() == sent
    assert run.read[: run.length].tolist() == read


@given(name=st.sampled_from(sorted(PRESETS)), share=st.sampled_from([0.3, 0.5, 0.8]), **drawn)
@settings(max_examples=3 * examples, deadline=None)
def test_a_preset_sees_the_same_whether_its_messages_are_kept_or_made_anew(name, share, seed, wire, exchanges):
    session = session_of(request(seed, wire, exchanges), wire)
    setup = tight(session, share, 0.5)
    kept, anew = (run_of(session, setup, spec_of(name), quick=quick) for quick in (True, False))
    assert kept.sent.tolist() == anew.sent.tolist()
    assert kept.read.tolist() == anew.read.tolist()
    assert [one.row for one in kept.compactions] == [one.row for one in anew.compactions]


@given(name=st.sampled_from(SPECS), **drawn)
@some
def test_below_the_trigger_the_requests_are_as_they_were(name, seed, wire, exchanges):
    session = session_of(request(seed, wire, exchanges), wire)
    run = run_of(session, Setup(10**7, 0, 10**7, 10**6), name)
    plain = none(session, Setup(10**7, 0, 10**7, 10**6))
    assert run.sent.tolist() == plain.sent.tolist() == session.requests.sizes.tolist()
    assert run.read.tolist() == [0, *plain.sent.tolist()][: len(plain.sent)]
    assert not run.compactions


@given(name=st.sampled_from(SPECS), share=st.sampled_from([0.3, 0.6]), target=st.sampled_from([0.2, 0.5, 1.0]), **drawn)
@some
def test_no_request_is_sent_that_is_larger_than_the_window_leaves(name, share, target, seed, wire, exchanges):
    session = session_of(request(seed, wire, exchanges), wire)
    setup = tight(session, share, target)
    run = run_of(session, setup, spec_of(name))
    assert (run.sent[: run.length] <= setup.limit).all()
    assert (run.read[: run.length] <= run.sent[: run.length]).all()
    if run.length < len(run.sent):
        assert run.refused >= 0


@given(name=st.sampled_from(SAFE), share=st.sampled_from([0.3, 0.6]), **drawn)
@settings(max_examples=2 * examples, deadline=None)
def test_no_compaction_of_a_strategy_that_follows_partners_makes_an_error(name, share, seed, wire, exchanges):
    session = session_of(request(seed, wire, exchanges), wire)
    run = run_of(session, tight(session, share, 0.5), spec_of(name), verify=True)
    assert [one.new_errors for one in run.compactions] == [0] * len(run.compactions)


# -- figures that can be reckoned by hand ---------------------------------------------------------------------------------------------


def steps(count: int, size: int = 400) -> dict:
    """One prompt and so many steps, each of a call and a result of `size` characters; the last result waits for an answer."""
    messages: list[dict] = [{"role": "user", "content": "q" * 40}]
    for number in range(count):
        call = {"type": "tool_use", "id": f"t{number}", "name": "look", "input": {}}
        messages.append({"role": "assistant", "content": [call]})
        messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "r" * size}]})
    return {"model": "claude-sonnet-4-5", "max_tokens": 100, "messages": messages}


def test_requests_carry_what_stands_before_them():
    session = session_of(steps(3), "anthropic")
    prompt, step = 10 + 3, (2 + 3 + 3) + (100 + 3)  # a call: name and {} in characters/4, its overhead, its message's; a result
    assert session.requests.sizes.tolist() == [prompt, prompt + step, prompt + 2 * step, prompt + 3 * step]
    assert session.requests.columns.tolist() == [0, 1, 2, 3]  # the last one is what would be sent now


def test_what_a_compaction_costs():
    session = session_of(steps(5), "anthropic")  # 13, 124, 235, 346, 457, 568
    setup = Setup(500, 0, 400, 250, Prices(0.1, 1.25))
    run = run_of(session, setup, "evict-steps")
    assert run.sent.tolist() == [13, 124, 235, 346, 235, 346]  # two steps of 111 go before the fifth request
    assert run.read.tolist() == [0, 13, 124, 235, 13, 235]
    (one,) = run.compactions
    assert (one.column, one.before, one.after, one.prefix, one.lost) == (4, 457, 235, 13, 333)
    assert one.again == 105  # of the step that stays, without its messages' overhead; the newest step had not been sent
    assert (one.dropped, one.replaced, one.actions, one.deficit) == (4, 0, 2, 207)
    assert run.cost(setup.prices) == pytest.approx(0.1 * 620 + 1.25 * (1299 - 620))
    shown = figures(Replay(setup, session.requests.columns, none(session, setup), (run,)), run)
    assert shown["compactions"][0]["request"] == 5
    assert run.unit == 111
    assert run.lumps == pytest.approx(111 / 207)
    assert run.left[session.view.rows].tolist() == [2**31 - 1, 4, 4, 4, 4, *[2**31 - 1] * 6]


def test_a_session_that_cannot_be_compacted_ends_where_it_no_longer_fits():
    session = session_of(steps(5), "anthropic")
    setup = Setup(300, 0, 200, 100)
    run = run_of(session, setup, "drop-reasoning")
    assert (run.length, run.refused, run.why) == (3, 3, "window")
    assert run.sent.tolist() == [13, 124, 235, -1, -1, -1]
    plain = none(session, setup)
    assert (plain.length, plain.refused) == (6, 3)


def test_a_cut_between_a_call_and_its_result_is_named_at_its_request():
    session = session_of(steps(5), "anthropic")
    run = run_of(session, Setup(500, 0, 450, 440), "drop-oldest-messages", verify=True)
    assert run.sent.tolist() == [13, 124, 235, 346, 436, 436]
    assert run.refused == 4
    assert run.why == "1 new error"
    assert run.compactions[0].new_errors == 1


def test_minimal_overshoot_is_not_the_cheapest():
    """The shape of strategies.md 5.2: freeing little makes many rewrites; clearing at every request costs more than in batches."""
    session = session_of(steps(70, 8_000), "anthropic")  # 70 requests, 140k tokens
    prices = Prices(0.1, 1.25)
    least, half = (whole(session, Setup.of(100_000, 10_000, "100%", target, prices), ["evict-steps"]) for target in ("94%", "50%"))
    assert least.share(least.runs[0]) > half.share(half.runs[0])
    assert len(least.runs[0].compactions) > 3 * len(half.runs[0].compactions)
    often = Setup.of(200_000, 20_000, 80_000, None, prices, kept=False)
    batched, each = whole(session, often, ["swe-agent-last-n:polling=10", "swe-agent-last-n"]).runs
    assert each.breaks > 3 * batched.breaks
    assert each.cost(prices) > batched.cost(prices)


def test_a_setup_says_what_does_not_go_together():
    setup = Setup.of(200_000, 16_000)
    assert (setup.limit, setup.trigger, setup.target) == (184_000, 165_600, 82_800)
    assert Setup.of(200_000, 0, "80%", "25%").target == 40_000
    assert (Setup.of(2, 1).trigger, Setup.of(2, 1).target) == (1, 1)
    for given_, said in (((100, 100), "leaves nothing"), ((100, 0, 101), "over the 100 tokens"), ((100, 0, 50, 60), "over the trigger"),
                         ((100, 0, "lots"), "neither a number")):  # fmt: skip
        with pytest.raises(InspectorError, match=said):
            Setup.of(*given_)


def test_prices_and_windows_by_model():
    assert (prices_of("anthropic", "claude-opus-4-1").write, prices_of("openai-chat", "gpt-4.1-mini").read) == (1.25, 0.25)
    assert prices_of("gemini", None).write == 1.0
    assert Prices().with_(read=0.2).source == "set by you"
    models = ("claude-sonnet-4-5", "claude-opus-4-6", "gpt-4o-mini", "some-model", None)
    assert [window_of(model) for model in models] == [200_000, 1_000_000, 128_000, None, None]
