"""What an edit adds is written as what stands around it."""

from __future__ import annotations

import json

import pytest

from app.formats._scan import scan_array, scan_object
from app.formats._splice import rewrite_array, rewrite_object, set_pointer
from app.formats._style import Style, escapes, style_of
from app.model.edits import DELETE


def test_a_style_is_read_off_a_container() -> None:
    made = {"a": {"b": 1, "c": [1, 2]}, "d": 2}
    for style in (
        Style(": ", ", ", ""), Style(":", ",", ""), Style(": ", ", ", "  "), Style(": ", ", ", "\t"), Style(": ", ", ", "    ", "\r\n"),
    ):  # fmt: skip
        data = style.dumps(made)
        found = style_of(data, scan_object(data), Style("?", "?"))
        assert (found.colon, found.comma, found.unit) == (style.colon, style.comma, style.unit)
        assert found.newline == (style.newline if style.unit else "\n")
        assert json.loads(data) == made


def test_values_are_written_in_it() -> None:
    assert Style().dumps({"a": ["é", 1]}) == '{"a": ["é", 1]}'.encode()
    assert Style(":", ",", ascii=True).dumps({"a": "é"}) == b'{"a":"\\u00e9"}'
    assert Style(":", ",").dumps("\ud800x") == b'"\\ud800x"'
    assert Style(": ", ", ", "  ", "\r\n").dumps({"a": [1]}, "  ") == b'{\r\n    "a": [\r\n      1\r\n    ]\r\n  }'
    assert Style(unit="\t").object([("a", b"1"), ("b", b"[]")], "\t") == b'{\n\t\t"a": 1,\n\t\t"b": []\n\t}'
    assert Style().array([b"1", b"2"]) == b"[1, 2]"
    assert Style(unit="  ").array([]) == b"[]"


def test_escapes_are_told_from_raw_text() -> None:
    assert escapes(b'"\\u00e9"') is True
    assert escapes('"é \\u00e9"'.encode()) is False
    assert escapes(b'"\\u000a \\n"') is None


@pytest.mark.parametrize(
    ("items", "want"),
    [
        ([0, 1, 2], b"[ 1 , 2,\n3 ]"),
        ([1, 2], b"[ 2,\n3 ]"),
        ([0, 2], b"[ 1 , 3 ]"),
        ([(0, b"9"), 1], b"[ 9 , 2 ]"),
        ([b"8", 0, 1, 2], b"[ 8 , 1 , 2,\n3 ]"),
        ([0, 1, 2, b"7"], b"[ 1 , 2,\n3 , 7 ]"),
        ([2, 0], b"[ 3 , 1 ]"),
        ([], b"[]"),
    ],
)
def test_an_array_keeps_what_stands_between_its_elements(items: list[int | bytes | tuple[int, bytes]], want: bytes) -> None:
    data = b"[ 1 , 2,\n3 ]"
    assert rewrite_array(data, scan_array(data), items, Style()) == want


def test_an_empty_array_is_filled_in_the_style_around_it() -> None:
    data = b'{\n  "a": []\n}'
    assert rewrite_array(data, scan_array(data, 9), [b"1", b"2"], Style(unit="  ")) == b"[\n    1,\n    2\n  ]"
    assert rewrite_array(b"[]", scan_array(b"[]"), [b"1", b"2"], Style(":", ",")) == b"[1,2]"


def test_an_object_keeps_what_stands_between_its_members() -> None:
    data = b'{ "a" :1.50 ,"b": 2 , "c":3 }'
    found = scan_object(data)
    assert rewrite_object(data, found, {"b": b"9"}, Style()) == b'{ "a" :1.50 ,"b": 9 , "c":3 }'
    assert rewrite_object(data, found, {"b": None}, Style()) == b'{ "a" :1.50 , "c":3 }'
    assert rewrite_object(data, found, {"a": None}, Style()) == b'{ "b": 2 , "c":3 }'
    assert rewrite_object(data, found, {"c": None, "d": b"4"}, Style()) == b'{ "a" :1.50 ,"b": 2 ,"d": 4 }'
    assert rewrite_object(data, found, {"a": None, "b": None, "c": None}, Style()) == b"{}"
    assert rewrite_object(b"{}", scan_object(b"{}"), {"a": b"1"}, Style()) == b'{"a": 1}'
    twice = b'{"a":1,"a":2}'
    assert rewrite_object(twice, scan_object(twice), {"a": b"3"}, Style()) == b'{"a":1,"a":3}'
    assert rewrite_object(twice, scan_object(twice), {"a": None}, Style()) == b"{}"


def test_a_pointer_sets_makes_and_takes_away() -> None:
    data = b'{"a": {"b": [1, 2]}, "x": 1.50}'
    style = Style()
    assert set_pointer(data, ["a", "b", "1"], 9, style) == b'{"a": {"b": [1, 9]}, "x": 1.50}'
    assert set_pointer(data, ["a", "b", "0"], DELETE, style) == b'{"a": {"b": [2]}, "x": 1.50}'
    assert set_pointer(data, ["a", "b", "-"], 3, style) == b'{"a": {"b": [1, 2, 3]}, "x": 1.50}'
    assert set_pointer(data, ["a"], DELETE, style) == b'{"x": 1.50}'
    assert set_pointer(data, ["y", "z"], True, style) == b'{"a": {"b": [1, 2]}, "x": 1.50, "y": {"z": true}}'
    assert set_pointer(data, ["x", "deeper"], 1, style) == data
    assert set_pointer(data, ["q"], DELETE, style) == data
    assert set_pointer(b'{"a": []}', ["a", "0"], {"k": 1}, style) == b'{"a": [{"k": 1}]}'
