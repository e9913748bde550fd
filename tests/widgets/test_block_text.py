"""A block in words, and what a plan or a preview would make of it."""

from __future__ import annotations

import numpy as np

from app.model.block import Block, Media
from app.model.edits import Cap, Change, Layer, Replace, Set, Stub, drop
from app.model.kinds import Kind, Role
from app.model.state import Preview
from tests.widgets.desk import change, report
from tests.widgets.states import evict_exchanges, planned, row_of, small_state, stub_results
from widgets.block_text import changed_texts, text_of

NOTHING: frozenset[int] = frozenset()


def test_a_call_is_read_with_its_name_and_media_by_size() -> None:
    call = Block(0, Kind.TOOL_CALL, "tool_use", Role.ASSISTANT, ('{"id":"in_1"}',), name="get_invoice")
    assert text_of(call) == 'get_invoice\n{"id":"in_1"}'
    result = Block(0, Kind.TOOL_RESULT, "tool_result", Role.USER, ("one", "two"), media=(Media("image/png", 800, 600, 12_345),))
    assert text_of(result) == "one\ntwo\n[image/png 800 × 600, 12,345 bytes]"
    elsewhere = Block(0, Kind.MEDIA, "image", Role.USER, media=(Media(""),))
    assert text_of(elsewhere) == "[media, not in the dump]"


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
