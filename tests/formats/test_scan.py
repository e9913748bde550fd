"""Spans of values are found without decoding, at any depth, and agree with a decoder."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats._json import NotJson, compact, compact_size, has_surrogate, loads, loads_odd, shown
from app.formats._scan import Malformed, Torn, scan_array, scan_object, value_end
from tests.formats.wild import styled, value

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(made=JSON, seed=st.integers(0, 99))
def test_a_value_ends_where_it_ends(made: object, seed: int) -> None:
    data = styled(made, seed).strip()
    assert value_end(data + b" ,1", 0) == len(data)
    if isinstance(made, dict):
        found = scan_object(data)
        assert found.end == len(data)
        assert {m.key: json.loads(data[m.start : m.end]) for m in found.members} == made
        assert all(json.loads(data[m.key_start : m.key_end]) == m.key for m in found.members)
    if isinstance(made, list):
        assert [json.loads(data[start:end]) for start, end in scan_array(data).spans] == made


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 9999), cut=st.floats(0, 1))
def test_what_is_cut_off_is_torn(seed: int, cut: float) -> None:
    data = json.dumps({"a": [value(random.Random(seed))]}).encode()
    short = data[: int(cut * (len(data) - 1))]
    with pytest.raises(Torn if short else (Torn, Malformed)):
        value_end(short, 0)
    with pytest.raises((Torn, Malformed)):
        scan_object(short)


def test_a_hundred_thousand_levels() -> None:
    data = b"[" * 100_000 + b"]" * 100_000
    assert value_end(data, 0) == 200_000
    with pytest.raises(Torn):
        value_end(data[:150_000], 0)
    with pytest.raises(NotJson, match="nested too deep"):
        loads(data)


@pytest.mark.parametrize(("data", "where"), [(b'{"a" 1}', 5), (b'{"a":1 "b":2}', 7), (b"{a:1}", 1), (b'{"a":}', 5)])
def test_what_is_no_json_is_named_by_its_place(data: bytes, where: int) -> None:
    with pytest.raises(Malformed) as caught:
        scan_object(data)
    assert caught.value.pos == where


def test_of_a_key_that_stands_twice_readers_take_the_last() -> None:
    member = scan_object(b'{"a":1,"b":2,"a":3}').get("a")
    assert member is not None
    assert (member.start, member.end) == (17, 18)


# -- decoding ---------------------------------------------------------------------------------------------------------------


def test_what_orjson_refuses_is_decoded_all_the_same() -> None:
    assert loads_odd(b'{"a": 1}') == ({"a": 1}, False)
    assert loads_odd(b'["\\ud83d"]') == (["\ud83d"], True)
    value, odd = loads_odd(b"[NaN, -Infinity]")
    assert odd
    assert str(value) == "[nan, -inf]"
    assert loads(b"123456789012345678901234567890") in (123456789012345678901234567890, 1.2345678901234568e29)
    assert loads(b"[" + b"9" * 5000 + b"]") == [float("inf")]


@pytest.mark.parametrize(("data", "pos"), [(b'{"a":1,}', 7), (b'{"\xc3\xa9":x}', 6), (b'"\xff"', 1), (b"", 0)])
def test_a_fault_has_its_place_in_bytes(data: bytes, pos: int) -> None:
    with pytest.raises(NotJson) as caught:
        loads(data)
    assert caught.value.pos == pos


def test_compact_json_of_anything() -> None:
    assert compact({"b": [1, "é"], "a": None}) == '{"b":[1,"é"],"a":null}'
    assert compact(["\ud800", 2**70]) == '["\ud800",1180591620717411303424]'
    deep: object = 1
    for _ in range(5000):
        deep = {"a": [deep]}
    assert compact(deep) == '{"a":[' * 5000 + "1" + "]}" * 5000
    assert compact_size({"é": "☃"}) == len('{"é":"☃"}')
    assert compact_size(deep) == 5000 * 8 + 1


def test_lone_surrogates_are_seen() -> None:
    assert has_surrogate("a\udc00")
    assert not has_surrogate("a𝒳é")


def test_keys_are_shown_on_one_line() -> None:
    assert shown(["a\nb", "c"]) == "a\\u000ab, c"
    assert shown([]) == "none"
    assert shown(list("abcdefghij")).endswith("h, ...")
