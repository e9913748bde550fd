"""The share of places between messages that part a call from its result, counted and by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.cut_risk import CutRisk, cut_risk
from app.pipeline.check import check
from tests.builders import request_of
from tests.strategies.laws import opened
from tests.strategies.random_requests import WIRES, request


def risk_of(text: str) -> CutRisk:
    return cut_risk(opened({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of(text)}, "anthropic").view)


def test_a_place_between_a_call_and_its_result_is_bad() -> None:
    assert risk_of("u:q | a:call toolu_1 | u:result toolu_1 | a:done | u:next") == CutRisk(4, 1)
    assert risk_of("u:q | a:done") == CutRisk(1, 0)
    assert risk_of("u:q") == CutRisk(0, 0)


def test_it_is_said_in_words() -> None:
    assert CutRisk(100, 27).one_in() == 31
    assert CutRisk(100, 27).words() == (
        "27 of 100 places between messages (27 %) part a call from its result; "
        "where 12 in 100 sessions are cut by messages, one in 31 breaks"
    )
    assert CutRisk(3, 0).words() == "no place between messages parts a call from its result (3 places)"
    assert CutRisk(0, 0).words() == ""


@pytest.mark.parametrize("wire", WIRES[:2])
@given(seed=st.integers(0, 5_000), exchanges=st.integers(1, 4))
@settings(max_examples=8, deadline=None)
def test_it_counts_the_cuts_after_which_a_result_is_an_orphan(wire, seed, exchanges):
    body = request(seed, wire, exchanges)
    one = opened(body, wire)
    key = "messages"
    bad = 0
    before = check(one.view, one.provider, None, "complete", one.dump.source).errors_of
    if any("tool" in rule for rule in before):
        return
    for cut in range(1, len(body[key])):
        after = opened({**body, key: body[key][cut:]}, wire)
        errors = check(after.view, after.provider, None, "complete", after.dump.source).errors_of
        bad += any(len(errors.get(rule, ())) for rule in ("tool-result-orphan", "tool-result-id-mismatch"))
    assert cut_risk(one.view).bad == bad
