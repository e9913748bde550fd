"""The flattening: two bisections against a list that is written out row by row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.kinds import Kind, Role
from app.model.state import Ghost, State
from app.model.view import View
from tests.widgets.states import bot, broken_state, call, huge_state, make_state, result, row_of, small_state, user
from widgets.exchange_layout import Layout, carried_over
from widgets.exchange_tree import BLOCK, EXCHANGE, GHOST, STEP, Entity, Tree


def view_of(state: State) -> View:
    assert state.view is not None
    return state.view


@st.composite
def sessions(draw: st.DrawFn) -> State:
    """Sessions with prompts, parallel calls, late and missing results, and results without a call."""
    messages, n = [], 0
    for _ in range(draw(st.integers(1, 5))):
        if draw(st.booleans()) or not messages:
            messages.append(user("a prompt"))
        for _ in range(draw(st.integers(0, 4))):
            calls = [call(f"c{n + i}", "tool", n=n + i) for i in range(draw(st.integers(0, 3)))]
            answered = [c.id for c in calls if draw(st.booleans())]
            n += len(calls)
            messages.append(bot("words", *calls) if draw(st.booleans()) or not calls else bot(*calls))
            if draw(st.integers(0, 4)) == 0:
                messages.append(bot("later words"))
            if answered:
                messages.append(user(*[result(str(key), "text") for key in draw(st.permutations(answered))]))
            if draw(st.integers(0, 5)) == 0:
                messages.append(user(result(f"lost{n}", "text")))
    return make_state(messages)


def written_out(layout: Layout) -> list[tuple[object, ...]]:
    """All rows, one by one, ghosts left out: kind, top, child, position."""
    tree, rows = layout.tree, []
    for top in range(tree.tops):
        rows.append((EXCHANGE, top, -1, int(tree.top_first[top])))
        if not layout.open_top[top]:
            continue
        for child in range(int(tree.top_child[top]), int(tree.top_child[top + 1])):
            first, end = int(tree.child_first[child]), int(tree.child_first[child + 1])
            if tree.child_step[child] < 0:
                rows += [] if tree.folded[child] else [(BLOCK, top, child, first)]
                continue
            rows.append((STEP, top, child, first))
            rows += [(BLOCK, top, child, at) for at in range(first, end)] if layout.open_child[child] else []
    return rows


def shown(layout: Layout) -> list[Entity]:
    return [layout.entity(row) for row in range(layout.rows)]


@settings(max_examples=60, deadline=None)
@given(sessions(), st.data())
def test_rows_are_those_of_a_list_written_out(state: State, data: st.DataObject) -> None:
    layout = Layout(Tree(view_of(state)))
    for _ in range(data.draw(st.integers(1, 8))):
        if data.draw(st.integers(0, 4)) == 0:
            layout.set_level(data.draw(st.integers(1, 3)))
        else:
            entity = layout.entity(data.draw(st.integers(0, layout.rows - 1)))
            before = layout.rows
            delta = layout.set_open(entity, data.draw(st.booleans()))
            assert layout.rows == before + delta
        rows = shown(layout)
        assert [(e.kind, e.top, e.child, e.position) for e in rows] == written_out(layout)
        assert [layout.row_of_entity(e) for e in rows] == list(range(layout.rows))


@settings(max_examples=60, deadline=None)
@given(sessions(), st.data())
def test_ghosts_stand_before_their_position_and_move_nothing_else(state: State, data: st.DataObject) -> None:
    view = view_of(state)
    layout = Layout(Tree(view))
    layout.set_level(3)
    calls = np.flatnonzero(view.kind == Kind.TOOL_CALL).tolist()
    ghosts = []
    for position in data.draw(st.lists(st.integers(0, len(view)), max_size=4)):
        of = data.draw(st.sampled_from([-1, *[c for c in calls if c < position]]))
        ghosts.append(Ghost(position, Kind.TOOL_RESULT if of >= 0 else Kind.TEXT, "made", 5, of))
    layout.set_ghosts(ghosts)
    rows = shown(layout)
    assert sorted(e.ghost for e in rows if e.kind == GHOST) == list(range(len(ghosts)))  # all open: all are seen
    assert [(e.kind, e.top, e.child, e.position) for e in rows if e.kind != GHOST] == written_out(layout)
    assert [layout.row_of_entity(e) for e in rows] == list(range(layout.rows))
    for row, entity in enumerate(rows):
        if entity.kind == GHOST:
            blocks_before = [e.position for e in rows[:row] if e.kind == BLOCK]
            blocks_behind = [e.position for e in rows[row:] if e.kind == BLOCK]
            assert all(at < entity.position for at in blocks_before)
            assert all(at >= entity.position for at in blocks_behind)


def test_a_ghost_in_a_closed_step_is_not_seen_and_comes_with_it() -> None:
    state = broken_state()
    view, layout = view_of(state), Layout(Tree(view_of(state)))
    at = view.at(row_of(state, "t3"))
    layout.set_ghosts([Ghost(at + 3, Kind.TOOL_RESULT, "made", 21, at)])
    assert layout.shown_ghosts == 0
    top = layout.entity(layout.row_of(at))
    layout.set_open(top, True)
    assert layout.shown_ghosts == 0
    step = layout.entity(layout.row_of(at))
    assert (step.kind, layout.set_open(step, True)) == (STEP, 7)  # a text, three calls, two results and the one made up
    found = layout.entity(layout.row_of(at) + 3)
    assert (found.kind, found.depth, found.position) == (GHOST, 2, at + 3)


def test_a_made_up_result_stays_in_the_exchange_of_its_call_also_at_its_end() -> None:
    state = make_state([user("one"), bot(call("a", "tool")), user("two"), bot("words")])
    layout = Layout(Tree(view_of(state)))
    layout.set_level(3)
    layout.set_ghosts([Ghost(2, Kind.TOOL_RESULT, "made", 21, 1), Ghost(2, Kind.TEXT, "words between", 4)])
    assert [(e.kind, e.top, e.depth) for e in shown(layout)] == [
        (EXCHANGE, 0, 0), (STEP, 0, 1), (BLOCK, 0, 2), (GHOST, 0, 2), (GHOST, 1, 0), (EXCHANGE, 1, 0), (STEP, 1, 1), (BLOCK, 1, 2),
    ]  # fmt: skip


def test_a_prompt_is_shown_by_its_exchange_and_what_stands_beside_the_messages_by_one_row() -> None:
    state = small_state()
    tree = Tree(view_of(state))
    assert tree.top_exchange.tolist() == [-1, 0, 1, 2]
    assert np.flatnonzero(tree.folded).tolist() == [2, 5, 9]
    assert tree.head.tolist() == [0, 2, 8, 17]
    layout = Layout(tree)
    layout.set_level(2)
    assert [e.kind for e in shown(layout)][:3] == [EXCHANGE, BLOCK, BLOCK]


def test_a_prompt_alone_holds_no_rows() -> None:
    state = make_state([user("refused"), user("asked again"), bot("an answer")])
    tree = Tree(view_of(state))
    assert [tree.has_children(top) for top in range(2)] == [False, True]


def test_an_injected_text_does_not_speak_for_its_exchange() -> None:
    from app.model.kinds import Flag
    from tests.widgets.states import Message, Part

    note = Part(Kind.TEXT, "<system-reminder>", flags=Flag.INJECTED)
    state = make_state([user("words"), bot("answer"), Message(Role.USER, (Part(Kind.TEXT, "<reminder>"), Part(Kind.TEXT, "the question")))])
    view = view_of(state)
    view.flags[2] = note.flags
    tree = Tree(view)
    assert tree.head.tolist() == [0, 3]
    assert not tree.folded[tree.child_of(3)]  # the prompt is not the first block: it keeps a row of its own, in the order of the wire


def test_what_is_open_is_carried_over_by_row_ids() -> None:
    state = broken_state()
    view = view_of(state)
    old = Layout(Tree(view))
    at = view.at(row_of(state, "t1"))
    old.set_open(old.entity(old.row_of(at)), True)
    old.set_open(old.entity(old.row_of(at)), True)
    keep = view.groups.exchange >= 20  # the oldest exchanges were dropped: all positions are other ones
    rows = view.rows[keep]
    transcript = view.transcript.with_(order=rows)
    groups = type(view.groups)(view.groups.exchange[keep] - 20, view.groups.step[keep], view.groups.first[20:] - (~keep).sum(), False,
                               view.groups.step_first, view.groups.step_exchange, view.groups.closed, view.groups.refused[20:])  # fmt: skip
    tree = Tree(View(transcript, groups, view.links))
    new = carried_over(old, view.rows, tree, rows)
    assert np.flatnonzero(new.open_top).tolist() == [10]
    assert [rows[tree.child_first[c]] for c in np.flatnonzero(new.open_child)] == [row_of(state, "t1") - 1]


def test_an_empty_transcript_has_no_rows() -> None:
    layout = Layout(Tree(view_of(make_state([]))))
    layout.set_level(3)
    layout.set_ghosts([Ghost(0, Kind.TEXT, "made", 1)])
    assert layout.rows == 1
    assert layout.entity(0).kind == GHOST
    with pytest.raises(IndexError):
        layout.entity(1)


def test_rows_of_many_children_at_once_are_those_asked_for_singly() -> None:
    state = broken_state()
    layout = Layout(Tree(view_of(state)))
    layout.set_open(layout.entity(layout.row_of_top(31)), True)
    layout.set_ghosts([Ghost(int(layout.tree.top_first[5]), Kind.TEXT, "made", 1)])
    children = np.arange(layout.tree.children)
    assert layout.rows_of_children(children).tolist() == [layout.row_of(int(layout.tree.child_first[c])) for c in children]


def test_opening_and_closing_at_scale_is_exact() -> None:
    state = huge_state(20_000)
    layout = Layout(Tree(view_of(state)))
    layout.set_level(3)
    rng = np.random.default_rng(5)
    for _ in range(200):
        layout.set_open(layout.entity(int(rng.integers(layout.rows))), bool(rng.integers(2)))
    top_cum, child_cum = layout._top_cum.copy(), layout._child_cum.copy()
    layout.recount()
    assert (layout._top_cum == top_cum).all()
    assert (layout._child_cum == child_cum).all()
