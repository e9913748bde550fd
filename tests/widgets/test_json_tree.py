"""The tree of a JSON value: lazy, whole, and copied from exactly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.model import json_look
from app.model.json_look import INSIDE, Members
from widgets.json_tree import LARGE, PAGE, JsonTree
from widgets.json_view import JsonView

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


def model_of(value: Any) -> JsonTree:
    model = JsonTree()
    model.put(value)
    return model


@settings(max_examples=20, deadline=None)
@given(VALUES)
def test_it_is_a_model_as_qt_has_them(value: Any) -> None:
    """The tester looks at every entry, and has each page fetched."""
    model = model_of(value)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    assert tester.model() is model
    assert model.rowCount() == (len(value) if isinstance(value, dict | list) else 1)


def test_pages_come_as_they_are_looked_at() -> None:
    model = model_of({"rows": list(range(1_000)), "b": {}})
    rows = model.index(0, 0)
    assert model.data(model.index(0, 1)) == "[ 1,000 items ]"
    assert model.rowCount(rows) == 0
    model.fetchMore(rows)
    assert model.rowCount(rows) == PAGE
    assert not model.canFetchMore(rows), "a view asks that each time that rows come, whether anybody sees their end or not"
    while model.has_more(model.node(rows)):
        model.fetchMore(rows)
    assert model.rowCount(rows) == 1_000
    assert model.data(model.index(999, 1, rows)) == "999"
    assert not model.hasChildren(model.index(1, 0))


@pytest.mark.parametrize("far", [False, True])
def test_the_next_page_comes_when_the_end_of_one_is_seen(qtbot: QtBot, far: bool) -> None:
    """`far`: the entries are read by somebody else, and come later."""
    held = {"rows": [{"n": n, "text": "x" * 2_000 * far} for n in range(1_000)]}
    value: Any = json.dumps(held) if far else held
    view = JsonView()
    qtbot.addWidget(view)
    pages: list[int] = []

    def answer(path: tuple[int, ...], start: int, count: int) -> None:
        pages.append(start)
        entries = json_look.children(held, path[path.index(INSIDE) + 1 :], start, count)
        QTimer.singleShot(0, view, lambda: view.take(path, start, *entries))

    view.wanted.connect(answer)
    view.resize(400, 300)
    view.show()
    view.put({"content": value})
    content = view.tree.index(0, 0)
    view.expand(content)
    qtbot.waitUntil(lambda: view.tree.rowCount(content) == 1)
    rows = view.tree.index(0, 0, content)
    view.expand(rows)
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() > 0)
    assert view.tree.rowCount(rows) == PAGE
    for page in range(2, 6):
        view.scrollToBottom()
        qtbot.waitUntil(lambda page=page: view.tree.rowCount(rows) == page * PAGE)  # type: ignore[misc]
    assert pages == ([0, 0, 200, 400, 600, 800] if far else [])


def test_a_scalar_is_a_tree_of_one() -> None:
    assert model_of("words").data(model_of("words").index(0, 1)) == '"words"'


def test_what_is_too_long_to_be_read_here_is_asked_for(qtbot: QtBot) -> None:
    text = json.dumps({"rows": ["x" * 100] * 20_000})
    assert len(text) > LARGE
    model = model_of({"content": text})
    content = model.index(0, 0)
    with qtbot.waitSignal(model.wanted) as asked:
        model.fetchMore(content)
    assert asked.args == [(0, INSIDE), 0, PAGE]
    assert not model.canFetchMore(content)
    model.take((0, INSIDE), *(0, *json_look.children(json_look.read(text), (), 0, PAGE)))
    assert model.data(model.index(0, 1, content)) == "[ 20,000 items ]"
    broken = model_of({"content": "{" + "x" * LARGE + "}"})
    broken.fetchMore(broken.index(0, 0))
    broken.fail((0, INSIDE), "no JSON at 1")
    assert not broken.hasChildren(broken.index(0, 0))
    assert broken.data(broken.index(0, 1)).endswith("no JSON in it")


@settings(max_examples=40, deadline=None)
@given(VALUES)
def test_what_is_copied_is_the_value(value: Any) -> None:
    assert json.loads(json_look.written(value)) == value
    assert json.loads(json_look.written(json_look.read(json.dumps(value)))) == value


@settings(max_examples=40, deadline=None)
@given(VALUES, st.text(min_size=1, max_size=2))
def test_what_is_found_holds_what_was_looked_for(value: Any, needle: str) -> None:
    model = model_of(value if isinstance(value, dict | list) else [value])
    for path in json_look.walk(model.value, needle):
        if path is not None:
            index = model.open_to(path)
            assert index.isValid()
            node = model.node(index)
            held = json_look.at(model.value, path)
            text = held if isinstance(held, str) else json.dumps(held)
            assert needle.casefold() in f"{node.seen.key}".casefold() or needle.casefold() in text.casefold()


def test_members_that_stand_twice_are_kept() -> None:
    value = json_look.read('{"a":1,"b":{"c":1,"c":2},"a":3}')
    assert isinstance(value, Members)
    assert json_look.written(value).count('"a"') == 2
    found, total = json_look.children(value, (), 0, 9)
    assert (total, [(one.key, one.twice) for one in found]) == (3, [("a", True), ("b", False), ("a", True)])


@pytest.mark.parametrize(("text", "levels"), [('{"a":[1]}', 2), ("[]", 1), ("{broken}", 0), ("words", 0), ("[1" + " " * 300_000 + "]", -1)])
def test_how_deep_json_in_a_string_is(text: str, levels: int) -> None:
    assert json_look.holds(text) == levels


def test_a_search_in_the_tree_opens_what_it_finds(qtbot: QtBot) -> None:
    view = JsonView()
    qtbot.addWidget(view)
    view.put({"a": [{"deep": {"er": "needle"}}] * 50, "json": json.dumps({"inner": ["NEEDLE"]})}, "/m")
    view.look_for("needle")
    qtbot.waitUntil(lambda: view.done)
    assert len(view.found) == 51
    assert view.copied("path") == ".a[0].deep.er"
    view.go(-1)
    assert view.copied("path") == ".json|fromjson.inner[0]"
    assert view.isExpanded(view.currentIndex().parent())
    assert view.currentIndex() != QModelIndex()


def test_great_depth_is_no_error() -> None:
    value: Any = 1
    for _ in range(900):
        value = [value]
    assert model_of(value).rowCount() == 1
    assert json_look.written(value).count("[") >= 200
    assert json_look.depth(value) == json_look.DEEP
