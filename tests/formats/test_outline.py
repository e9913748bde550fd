"""A document is walked element by element: each comes with its value and its true place, whatever its style or damage."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import _window
from app.formats._elements import NOT_JSON
from app.formats._outline import Outline, outline
from app.formats._scan import Torn
from app.model.source import Source
from tests.formats.wild import styled, value


def walked(data: bytes, key: str = "messages") -> tuple[Outline, list[tuple[int, int, Any]]]:
    found: list[tuple[int, int, Any]] = []
    made = outline(Source.of(data), key, lambda offset, length, value, odd: found.append((offset, length, value)), found.clear)
    return made, found


def elements(r: random.Random) -> list[Any]:
    made: list[Any] = []
    for _ in range(r.randrange(8)):
        message = {"role": value(r, 3), "content": value(r), "x": value(r)}
        if r.random() < 0.3:
            message = dict(sorted(message.items()))
        made.append(value(r) if r.random() < 0.1 else message)
    return made


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.sampled_from([16, 200, 1 << 20]), bare=st.booleans())
def test_each_element_with_its_place(seed: int, size: int, bare: bool) -> None:
    r = random.Random(seed)
    listed = elements(r)
    members = [("model", "m"), ("messages", listed), ("other", {"messages": [1], "s": value(r)})]
    r.shuffle(members)
    data = styled(listed if bare else dict(members), seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_window, "SIZE", size)
        made, found = walked(data)
    assert [value for _, _, value in found] == listed
    assert all(json.loads(data[offset : offset + length]) == value for offset, length, value in found)
    assert all(data[offset : offset + length].strip() == data[offset : offset + length] for offset, length, _ in found)
    assert made.rest == -1
    assert made.root.end == len(data.rstrip())
    assert made.keys() == ([] if bare else [key for key, _ in members])


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**6), cut=st.floats(0, 1))
def test_of_a_file_that_is_cut_off_the_complete_elements(seed: int, cut: float) -> None:
    r = random.Random(seed)
    data = styled({"model": "m", "messages": [{"role": "user", "content": value(r)} for _ in range(5)]}, seed)
    _, whole = walked(data)
    end = max(1, int(cut * len(data)))
    made, found = walked(data[:end])
    assert found == whole[: len(found)]
    assert len(found) == sum(offset + length <= end for offset, length, _ in whole)
    assert made.rest >= 0 or end >= len(data.rstrip())


def test_look_alikes_do_not_deceive() -> None:
    inner = {"text": '},{"role": "user", "content": "fake"}],"messages":[{"role": "user"'}
    listed = [{"role": "user", "content": [inner, {"role": "nested", "messages": [inner]}]}, {"role": "assistant", "content": "x"}]
    made = {"s": '"messages":[{"role":', "deep": {"messages": [{"role": "no"}]}, "messages": listed, "tail": [{"role": "no"}]}
    for separators in ((",", ":"), (", ", ": ")):
        _, found = walked(json.dumps(made, separators=separators).encode())
        assert [value for _, _, value in found] == listed


def test_of_a_list_that_stands_twice_the_last_is_read() -> None:
    made, found = walked(b'{"messages":[{"role":"a"}],"x":1,"messages":[{"role":"b"},{"role":"c"}]}')
    assert [value["role"] for _, _, value in found] == ["b", "c"]
    assert made.span is not None
    assert made.span.member == 2
    assert made.notes == ['the key "messages" stands twice; the last one is read, as JSON readers do']
    made, found = walked(b'{"messages":[{"role":"a"}],"messages":"none"}')
    assert found == []
    assert made.span is None


def test_a_key_written_with_escapes_is_the_same_key() -> None:
    _, found = walked(b'{"mess\\u0061ges":[{"role":"a"}]}')
    assert len(found) == 1


@pytest.mark.parametrize("odd", [b'"\\ud800"', b"NaN", b"1e999", b"[" * 1500 + b"]" * 1500])
def test_what_orjson_refuses_costs_its_own_element_only(odd: bytes) -> None:
    data = b'[{"role":"a","x":1},{"role":"b","x":' + odd + b'},{"role":"c","x":2}]'
    _, found = walked(data)
    assert len(found) == 3
    assert (found[0][2], found[2][2]) == ({"role": "a", "x": 1}, {"role": "c", "x": 2})
    assert found[1][2] is NOT_JSON or found[1][2]["role"] == "b"
    assert data[found[1][0] : found[1][0] + found[1][1]] == b'{"role":"b","x":' + odd + b"}"


def test_many_false_candidates_in_one_element() -> None:
    """The signature stands a thousand times inside an element: it is not tried a thousand times."""
    nested = [{"role": "x", "n": n} for n in range(1000)]
    listed = [{"role": "a", "content": nested}, {"role": "b", "content": []}]
    _, found = walked(json.dumps(listed).encode())
    assert [value for _, _, value in found] == listed


class Shrinking(Source):
    """A file of which only the first bytes are there when they are read."""

    there = 0

    def read(self, offset: int, length: int) -> bytes:
        return super().read(offset, max(0, min(length, self.there - offset)))


@pytest.mark.parametrize("there", [0, 1, 20, 60, 300, 5000])
def test_a_file_that_shrinks_while_it_is_walked(there: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_window, "SIZE", 64)
    data = json.dumps([{"role": "a", "n": n} for n in range(1000)]).encode()
    source = Shrinking(None, "x", data)
    source.there = there
    found: list[int] = []
    if there == 0:
        with pytest.raises(Torn):
            outline(source, "messages", lambda offset, length, value, odd: found.append(offset), found.clear)
        return
    made = outline(source, "messages", lambda offset, length, value, odd: found.append(offset), found.clear)
    assert made.rest >= 0
    assert len(found) == data[:there].count(b"}")


def test_what_stands_behind_the_end_is_kept_apart() -> None:
    made, found = walked(b'{"messages":[{"role":"a"}]} \n{"more":1}')
    assert len(found) == 1
    assert made.rest == 29
    assert "byte 29" in made.notes[0]
