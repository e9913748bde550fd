"""Spans by the decoder are those of the scanner."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import _fast_spans
from app.formats._scan import scan_array, scan_object

_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=True), st.text(max_size=30), st.sampled_from(['"\\', "é", "𝄞 "])
)
_VALUES = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4), max_leaves=12
)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_fast_spans, "_SMALL", 0)
    monkeypatch.setattr(_fast_spans, "_FIRST", 4)


@settings(max_examples=60, deadline=None)
@given(value=st.lists(_VALUES, max_size=5) | st.dictionaries(st.text(max_size=4), _VALUES, max_size=5),
       indent=st.sampled_from([None, 1, "\t"]),
       ascii=st.booleans(), before=st.sampled_from([b"", b" \n", b'["\xc3\xa9", ']))  # fmt: skip
def test_they_are_the_same(value: Any, indent: Any, ascii: bool, before: bytes) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    data, start, end = before + text + b" , 5]", len(before), len(before) + len(text)
    if isinstance(value, list):
        assert _fast_spans.elements(data, start, end) == scan_array(data, start).spans
    else:
        assert _fast_spans.members(data, start, end, lambda *_: -1) == {m.key: (m.start, m.end) for m in scan_object(data, start).members}
