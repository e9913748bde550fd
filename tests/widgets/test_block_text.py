"""What the viewer makes of a block: never slow, never more than asked, nothing hidden."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.block import Block, Media
from app.model.edits import Cap, Change, Layer, Replace, Set, Stub, drop
from app.model.kinds import Kind, Role
from app.model.state import Preview
from tests.widgets.desk import change, report
from tests.widgets.states import evict_exchanges, planned, row_of, small_state, stub_results
from widgets.block_text import PARAGRAPH, TURN, changed_texts, cut, diff_of, json_of, raw_of, text_of

NOTHING: frozenset[int] = frozenset()
BIG = 12_000_000


def quick(act: Callable[[], object], limit: float = 0.1) -> None:
    """CPU time, the better of two runs: the machine may be busy with something else."""
    spent = []
    for _ in range(2):
        start = time.process_time()
        act()
        spent.append(time.process_time() - start)
    assert min(spent) < limit


@given(st.text(alphabet=st.sampled_from("ab\n\u202e\u200b😀"), max_size=6_000), st.integers(0, 6_000))
def test_cut_shows_the_head_and_says_what_is_left(text: str, limit: int) -> None:
    shown = cut(text, limit)
    assert shown.left == max(0, len(text) - limit)
    assert max(map(len, shown.text.split("\n"))) <= PARAGRAPH * 9  # a hidden character is up to nine
    for start, length in shown.spans:
        word = shown.text[start : start + length]
        assert word == TURN or (word[0], word[-1]) == ("‹", "›")
    back = shown.text
    for start, length in reversed(shown.spans):
        word = back[start : start + length]
        back = back[:start] + ("" if word == TURN else chr(int(word[3:-1], 16))) + back[start + length + (1 if word == TURN else 0) :]
    assert back == text[:limit]


def test_a_long_line_is_broken_and_marked() -> None:
    shown = cut("x" * 5_000, 20_000)
    assert shown.text == f"{'x' * 2_000}{TURN}\n{'x' * 2_000}{TURN}\n{'x' * 1_000}"
    assert shown.spans == ((2_000, 1), (4_002, 1))


@pytest.mark.parametrize("text", ["x" * BIG, "a b\n" * (BIG // 4), "\u202e" * BIG])
def test_a_line_of_12_mb_does_not_block(text: str) -> None:
    quick(lambda: cut(text, 20_000))
    quick(lambda: json_of({"content": text}, 20_000))
    data = text.encode()
    quick(lambda: raw_of(data, 20_000))
    quick(lambda: diff_of((text,), ("other",), "t"), 0.5)


def test_a_call_is_read_with_its_name_and_media_by_size() -> None:
    call = Block(0, Kind.TOOL_CALL, "tool_use", Role.ASSISTANT, ('{"id":"in_1"}',), name="get_invoice")
    assert text_of(call) == 'get_invoice\n{"id":"in_1"}'
    result = Block(0, Kind.TOOL_RESULT, "tool_result", Role.USER, ("one", "two"), media=(Media("image/png", 800, 600, 12_345),))
    assert text_of(result) == "one\ntwo\n[image/png 800 × 600, 12,345 bytes]"


def test_json_is_laid_out_whole_where_it_is_short() -> None:
    value = {"a": [1, 2.5, None, True], "ü": "x\ny", "deep": {"b": []}}
    shown = json_of(value, 20_000)
    assert json.loads(shown.text) == value
    assert shown.left == 0


def test_json_that_is_long_says_what_is_missing() -> None:
    shown = json_of({"content": "x" * 50_000, "after": 1}, 1_000)
    assert shown.left >= 49_000
    assert "more characters" in shown.text
    assert json_of(list(range(100_000)), 1_000).text.rstrip("]\n").endswith('more items"')


def test_json_of_great_depth_is_no_error() -> None:
    value: object = 1
    for _ in range(900):
        value = [value]
    assert "deeper levels are shown under Raw" in json_of(value, 20_000).text


def test_raw_shows_bytes_that_are_no_text_and_cuts_between_characters() -> None:
    assert raw_of(b'{"a":"\xff"}', 100).text == '{"a":"\\xff"}'
    shown = raw_of("ä€😀".encode() * 10, 17)
    assert shown.text == "ä€😀ä€"
    assert shown.left == 90 - 14


@given(st.text(max_size=40), st.integers(0, 60))
def test_raw_never_splits_a_character(text: str, limit: int) -> None:
    data = text.encode()
    shown = raw_of(data, limit)
    assert data[: len(data) - shown.left].decode() is not None


def test_a_diff_shows_what_goes_and_what_comes() -> None:
    shown = diff_of(("a\nb\nc",), ("a\nB\nc",), "since the file was opened")
    assert [tag for tag, _ in shown.tags] == ["said", "said", "same", "gone", "new", "same"]
    assert shown.text.split("\n")[2:] == ["  a", "− b", "+ B", "  c"]
    assert [tag for tag, _ in diff_of(("x",), None, "t").tags] == ["said", "gone"]
    assert diff_of(("x",), ("x",), "t").text.endswith("The words are the same.")


def test_what_the_plan_would_make_of_a_block() -> None:
    state = small_state()
    state = planned(state, stub_results(state, keep_last=0), 1)
    row = row_of(state, "c1")
    assert state.view is not None
    result = int(state.view.rows[state.view.links.partner[state.view.at(row)]])
    block = state.dump.table.extra["blocks"](result)  # type: ignore[union-attr]
    said, texts = changed_texts(state, block) or ("", None)
    assert said == "planned by stub-tool-results: stub"
    assert texts == ["[tool result removed to save context; call the tool again if you need it]"]
    assert changed_texts(state, state.dump.table.extra["blocks"](row)) is None  # type: ignore[union-attr]
    dropped = planned(small_state(), evict_exchanges(small_state()), 1)
    assert changed_texts(dropped, block) == ("planned by evict-exchanges", None)


def test_what_a_preview_would_make_of_a_block_goes_before_the_plan() -> None:
    state = small_state()
    block = Block(7, Kind.TOOL_RESULT, "tool_result", Role.USER, ("x" * 1_000,))
    rows = np.asarray([7], np.int32)

    def with_edit(*edits: object) -> object:
        layer = Layer("R", ((Change("Mend it", "rule:x", "loses", edits),),))  # type: ignore[arg-type]
        return changed_texts(state.with_(preview=Preview(layer, (), NOTHING, NOTHING, NOTHING, report())), block)

    assert with_edit(drop(7)) == ("previewed: Mend it", None)
    assert with_edit(Replace(rows, Stub("gone"))) == ("previewed: Mend it", ["gone"])
    assert with_edit(Replace(rows, Cap(300))) == ("previewed: Mend it", Cap(300).of(["x" * 1_000]))
    assert with_edit(Set(7, "content", "new")) == ("previewed: Mend it", ["new"])
    assert with_edit(Set(7, "call_id", "toolu_2")) == ("previewed: Mend it", ["x" * 1_000, "call_id: toolu_2"])
    assert with_edit(drop(8)) is None
    assert change().effect == "loses"
