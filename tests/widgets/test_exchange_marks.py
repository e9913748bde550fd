"""What a plan, a repair and applied edits make of rows."""

from __future__ import annotations

import numpy as np
import pytest

from app.model.edits import Cap, Layer, Made, Stub
from app.model.kinds import Kind, Role
from app.model.plan import NEVER, Actions, Ranking
from app.model.state import Ghost, Preview, State
from tests.widgets.states import (
    broken_state,
    evict_exchanges,
    ghost_of,
    make_state,
    one_prompt_state,
    planned,
    row_of,
    small_messages,
)
from widgets.exchange_facts import Facts
from widgets.exchange_layout import Layout
from widgets.exchange_tree import Tree
from widgets.row_marks import INSERT, NONE, Mark, Marks


class Marked:
    def __init__(self, state: State, level: int = 3) -> None:
        assert state.view is not None
        self.view = state.view
        self.facts = Facts(Tree(state.view), state)
        self.layout = Layout(self.facts.tree)
        self.layout.set_level(level)
        self.marks = Marks(state, self.facts)

    def top(self, top: int) -> Mark:
        return self.marks.of(self.layout.entity(self.layout.row_of_top(top)))

    def at(self, position: int) -> Mark:
        return self.marks.of(self.layout.entity(self.layout.row_of(position)))

    def step(self, number: int) -> Mark:
        first = int(self.view.groups.step_first[number])
        return self.marks.of(self.layout.entity(self.layout.row_of(first) - int(self.layout.open_child[self.facts.tree.child_of(first)])))


def ranking(
    state: State, drop: dict[int, int], replace: dict[int, int] | None = None, contents: tuple[object, ...] = (), summary: int = -1
) -> Ranking:
    """A ranking that drops or replaces positions at given actions; `summary`: the seam of a closing edit."""
    assert state.view is not None
    drop_at, replace_at = (np.full(len(state.view), NEVER, np.int32) for _ in range(2))
    drop_at[list(drop)] = list(drop.values())
    replace_at[list(replace or {})] = list((replace or {}).values())
    count = max([*drop.values(), *(replace or {}).values()], default=-1) + 1
    actions = Actions(np.full(count, 10), replace_at, drop_at, contents, np.where(replace_at < NEVER, 0, -1).astype(np.int16),  # type: ignore[arg-type]
                      np.zeros(count + 1, np.int64) if summary >= 0 else None, np.full(count, summary, np.int32))  # fmt: skip
    after = state.now - 10 * np.arange(count + 1)
    return Ranking("x", "x", {}, actions, state.now, after, False, summary >= 0, "rows", np.arange(count + 1)[::-1], count)


def test_nothing_is_marked_before_a_person_touched_the_budget() -> None:
    state = broken_state()
    untouched = state.with_(plan=evict_exchanges(state).plan(None), ghosts=(Ghost(0, Kind.TEXT, "a summary", 4),))
    marked = Marked(untouched)
    assert [marked.top(top) for top in range(marked.facts.tree.tops)] == [NONE] * 39
    assert (marked.marks.ghosts, marked.marks.seam, marked.marks.above(200)) == ((), -1, "")


def test_whole_exchanges_leave_and_the_live_one_stays() -> None:
    state = broken_state()
    marked = Marked(planned(state, evict_exchanges(state), 36_000))
    dropped = [top for top in range(39) if marked.top(top).gone]
    assert dropped == list(range(1, 31))
    assert (marked.top(30).word, marked.top(30).sign, marked.top(38).word, marked.top(31)) == ("drop", "cross", "live", NONE)
    assert marked.at(int(marked.facts.tree.top_first[3])).gone
    assert marked.marks.seam == marked.facts.tree.top_first[31]
    assert [marked.marks.above(int(marked.facts.tree.top_first[top])) for top in (1, 5, 38)] == ["", "4 dropped above", "30 dropped above"]


def test_a_plan_for_other_rows_marks_nothing() -> None:
    state = broken_state()
    other = make_state(small_messages())
    marked = Marked(state.with_(plan=evict_exchanges(other).plan(100), budget=100))
    assert marked.marks.plan is None
    assert not any(marked.top(top).gone for top in range(39))


def test_steps_and_blocks_that_leave_are_counted() -> None:
    state = one_prompt_state(6)
    marked = Marked(planned(state, ranking(state, {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 1, 7: 2}), state.now - 25))
    assert (marked.top(0).word, marked.top(0).gone) == ("2 steps", False)
    assert (marked.step(0).word, marked.step(2).word, marked.step(3)) == ("drop", "1 block", NONE)
    assert marked.marks.above(8) == "7 blocks dropped above"


@pytest.mark.parametrize(("content", "word"), [(Stub("gone"), "stub"), (Cap(900), "cap")])
def test_what_is_shortened(content: object, word: str) -> None:
    state = one_prompt_state(6)
    marked = Marked(planned(state, ranking(state, {}, {3: 0, 6: 1}, (content,)), state.now - 15))
    assert (marked.at(3).word, marked.at(3).gone, marked.at(9)) == (word, False, NONE)
    assert (marked.top(0).word, marked.step(0).word) == (f"2 {word}s", f"1 {word}")
    assert marked.marks.above(12) == "2 shortened above"


def test_what_goes_into_a_summary_says_so() -> None:
    state = broken_state()
    first = int(state.view.groups.first[2]) if state.view else 0
    made = ranking(state, dict.fromkeys(range(1, first), 0), summary=first)
    ghosts = (Ghost(first, Kind.TEXT, "[summary]", 40), Ghost(first, Kind.TEXT, "Understood.", 9))
    marked = Marked(planned(state, made, state.now - 5, ghosts))
    assert (marked.top(1).word, marked.top(1).sign, marked.top(1).gone) == ("summary", "summary", True)
    assert marked.marks.ghosts == ghosts


def test_a_repair_that_is_looked_at_comes_before_a_plan() -> None:
    state = broken_state()
    ghost = ghost_of(state, "t3")
    orphan, moved = row_of(state, "toolu_01A"), row_of(state, "t1")
    assert state.report is not None
    preview = Preview(Layer("repair", ()), (ghost,), frozenset({orphan}), frozenset({moved}), frozenset({moved + 1}), state.report)
    marked = Marked(planned(state, evict_exchanges(state), 36_000).with_(preview=preview))
    assert [marked.at(row).word for row in (orphan, moved, moved + 1)] == ["drop", "moved", "changed"]
    assert (marked.at(orphan).gone, marked.at(orphan).colour) == (True, "error")
    assert (marked.top(31).word, marked.top(31).sign) == ("1 insert", "plus")
    marked.layout.set_ghosts(marked.marks.ghosts)
    assert marked.marks.of(marked.layout.entity(marked.layout.row_of_ghost(0))) == INSERT


def test_pins_are_shown_whatever_the_budget() -> None:
    state = broken_state().with_(pinned=frozenset({4}))
    assert (Marked(state).top(5).word, Marked(state).top(38)) == ("pinned", NONE)


def test_applied_edits_stay_visible() -> None:
    state = broken_state()
    assert state.transcript is not None
    assert state.view is not None
    content = np.full(len(state.transcript.table), -1, np.int16)
    content[[9, 11]] = [0, 1]
    state.view.transcript = state.transcript.with_(
        contents=(Stub("gone"), Cap(900)), content=content, moved=frozenset({20}), fields={21: {"name": "x"}},
        made={22: Made(Kind.TOOL_RESULT, Role.USER, "made")},
    )  # fmt: skip
    marked = Marked(state)
    assert [marked.at(row).word for row in (9, 11, 20, 21, 22, 23)] == ["stub", "cap", "moved", "changed", "inserted", ""]
    assert Marked(state, 1).top(int(marked.facts.tree.top_of(20))).word.endswith("edited")
