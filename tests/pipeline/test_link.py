"""Calls and results are tied by the n-th use of an id; by name and order where an id is absent."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.pairs import distinct, nth, one_of, queued
from app.pipeline.link import link
from tests.builders import draw, tiled


def ties(drawing: str, wire: str = "anthropic") -> dict[str, str]:
    """Pointer of each call to the pointer of its result, "-" where there is none."""
    one = draw(drawing, wire)
    links = link(one.transcript)
    place = [block.pointer or "" for block in one.blocks]
    return {place[i]: place[p] if p >= 0 else "-" for i, p in enumerate(links.partner.tolist()) if one.blocks[i].kind.name == "TOOL_CALL"}


def short(found: dict[str, str]) -> str:
    return " ".join(f"{a[10:].replace('/content/', '.')}>{b[10:].replace('/content/', '.')}" for a, b in found.items())


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        ("u:hi | a:call 1,call 2 | u:result 2,result 1", "1.0>2.1 1.1>2.0"),
        ("a:call 1 | u:result 1 | a:call 1 | u:result 1", "0.0>1.0 2.0>3.0"),
        ("a:call 1,call 1 | u:result 1,result 1", "0.0>1.0 0.1>1.1"),
        ("a:call 1 | u:no | a:call 1 | u:result 1", "0.0>3.0 2.0>"),
        ("u:result 1 | a:call 1", "1.0>0.0"),
        ("a:call 1,call 2 | u:result 1", "0.0>1.0 0.1>"),
        ("a:call - a,call - b | u:result -,result -", "0.0>1.0 0.1>1.1"),
        ("a:call 9 | u:go | a:call - | u:result -", "0.0> 2.0>3.0"),  # the request at hand before an older one
        ("a:call 9 | u:go | u:result -", "0.0>2.0"),
        ("a:call - | u:result 9", "0.0>1.0"),
        ("a:call 8 | u:result 9", "0.0>"),  # two ids that differ never meet
        ("u:result - | a:call - | u:result -", "1.0>2.0"),  # a cut head shifts nothing
        ("a:server s,call 1 | u:result 1 | a:found s", "0.0>2.0 0.1>1.0"),
        ("a:server s,found s | u:x | a:server s,found s", "0.0>0.1 2.0>2.1"),
        ("a:server s | u:x | a:server s,found s", "0.0> 2.0>2.1"),
        ("a:server s | u:result s", "0.0>"),
    ],
)
def test_ties(drawing: str, expected: str) -> None:
    assert short(ties(drawing)).replace(">-", ">").replace("> ", "> ") == expected


def test_names_decide_where_ids_are_absent() -> None:
    one = draw("u=go | a:call - | f:result - | a:call - | f:result -", "openai-chat")
    names = one.transcript.table.names
    assert names == ["look"]
    assert ties("u=go | a:call - | f:result - | a:call - | f:result -", "openai-chat") == {
        "/messages/1/function_call": "/messages/2",
        "/messages/3/function_call": "/messages/4",
    }


def test_a_further_result_is_extra_and_no_orphan() -> None:
    links = link(draw("a:call 1 | u:result 1,result 1,result 2").transcript)
    assert links.partner.tolist() == [1, 0, -1, -1]
    assert links.extra.tolist() == [False, False, True, False]


codes = st.lists(st.integers(0, 3), max_size=12)


@given(codes, codes)
def test_nth_is_the_slow_pairing(left: list[int], right: list[int]) -> None:
    waiting = {code: [i for i, c in enumerate(right) if c == code] for code in range(4)}
    expected = [waiting[code].pop(0) if waiting[code] else -1 for code in left]
    of_left, of_right = nth(np.asarray(left, np.int32), np.asarray(right, np.int32))
    assert of_left.tolist() == expected
    assert of_right.tolist() == [expected.index(i) if i in expected else -1 for i in range(len(right))]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 2)), max_size=24))
def test_queued_is_the_slow_queue(events: list[tuple[bool, int]]) -> None:
    waiting: dict[int, list[int]] = {0: [], 1: [], 2: []}
    expected: dict[int, int] = {}
    for at, (opens, code) in enumerate(events):
        if opens:
            waiting[code].append(at)
        elif waiting[code]:
            expected[at] = waiting[code].pop(0)
    left = np.asarray([i for i, (opens, _) in enumerate(events) if opens], np.int64)
    right = np.asarray([i for i, (opens, _) in enumerate(events) if not opens], np.int64)
    code = np.asarray([c for _, c in events], np.int64)
    of_left, of_right = queued(code[left], left, code[right], right)
    assert {int(right[i]): int(left[p]) for i, p in enumerate(of_right) if p >= 0} == expected
    assert {int(left[i]): int(right[p]) for i, p in enumerate(of_left) if p >= 0} == {v: k for k, v in expected.items()}


def test_many_rows_are_linked_at_once() -> None:
    """A loop over rows needs seconds for this; the bound is wide, since other programs may run."""
    transcript = tiled(draw("u:hi | a:text,call 1,call 2 | u:result 2,result 1 | a:text"), 30_000)
    began = time.perf_counter()
    links = link(transcript)
    assert time.perf_counter() - began < 0.5
    assert links.partner[:7].tolist() == [-1, -1, 5, 4, 3, 2, -1]
    assert (links.partner.reshape(-1, 7) == links.partner[:7] + 7 * np.arange(30_000)[:, None] * (links.partner[:7] >= 0)).all()


def test_codes_that_are_one_of_a_few_and_the_different_ones() -> None:
    codes = np.array([3, -1, 3, 7, 0, 7], np.int32)
    for few in ([], [-1], [7, 3], [9]):
        assert one_of(codes, few).tolist() == np.isin(codes, few).tolist()
    for some in (codes, codes[:0], codes[:1], codes.astype(np.uint8)):
        assert distinct(some).tolist() == np.unique(some).tolist()
        assert distinct(some).dtype == some.dtype
