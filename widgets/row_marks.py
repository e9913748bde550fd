"""What becomes of a row: by the plan that is shown, by a repair that is looked at, and by what was applied already.

Under a drag this is all that changes. A block's state is a comparison of two numbers; an exchange's or a step's is that of its blocks,
looked at for the rows in view only.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from app.model.edits import Cap, Stub
from app.model.plan import Plan
from app.model.state import Ghost, Preview, State
from app.model.table import Ints
from widgets.exchange_facts import Facts
from widgets.exchange_tree import BLOCK, EXCHANGE, GHOST, Entity
from widgets.words import counted


class Mark(NamedTuple):
    """`sign` names a shape (widgets/shapes.py), `colour` one of the theme; `gone`: the whole row leaves."""

    word: str = ""
    sign: str = ""
    colour: str = "ink_soft"
    gone: bool = False


NONE = Mark()
REPLACED = Mark("replaced", "changed", "green")
INSERT = Mark("insert", "plus", "green")


class Marks:
    """Made for each new State, which is cheap: nothing is looked through before a row asks."""

    def __init__(self, state: State, facts: Facts) -> None:
        self._facts = facts
        self._state = state
        count = facts.tree.count
        plan = state.plan if state.budget is not None else None  # nothing is shown as dropped before a person touched the budget
        if plan is not None and (len(plan.ranking.actions.drop_at) != count or not plan.length):
            plan = None  # ranked for other rows: a new ranking is on its way
        self.plan: Plan | None = plan
        self.active = state.budget is not None
        self.preview: Preview | None = state.preview
        shown = state.preview
        self._dropped = _sorted(shown.dropped if shown else ())
        self._moved = _sorted(shown.moved if shown else ())
        self._changed = _sorted(shown.changed if shown else ())
        self._made_at = _sorted([g.call_position if g.call_position >= 0 else g.position - 1 for g in self.ghosts])

    @property
    def ghosts(self) -> tuple[Ghost, ...]:
        """Rows that are not there yet: of the repair that is looked at, else of the plan."""
        if self._state.preview is not None:
            return self._state.preview.ghosts
        return self._state.ghosts if self.plan is not None else ()

    @property
    def seam(self) -> int:
        """Position before which a prefix is cut; -1 where the plan takes none."""
        return self.plan.seam if self.plan is not None and self.plan.ranking.prefix else -1

    def of(self, entity: Entity) -> Mark:
        """The mark of a row."""
        if entity.kind == GHOST:
            return INSERT
        first, end = self._facts.span(entity)
        if entity.kind == BLOCK:
            found = self._block(entity.position)
        else:
            found = self._preview_of(first, end) or self._plan_of(entity, first, end) or self._applied_of(first, end)
        if found is not None:
            return found
        return self._standing(entity)

    def _standing(self, entity: Entity) -> Mark:
        """What is true of a row whatever the budget: pinned, in part or whole; the live exchange."""
        if entity.kind != EXCHANGE:
            return self._held(entity)
        exchange = int(self._facts.tree.top_exchange[entity.top])
        if exchange in self._state.pinned:
            return Mark("pinned", "pin", "blue")
        if self.active and exchange >= 0 and exchange == self._facts.view.groups.live:
            return Mark("live", "diamond", "ink_soft")
        return self._held(entity)

    def _held(self, entity: Entity) -> Mark:
        """Rows that are pinned one by one, or protected."""
        held = self._facts.view.held
        first, end = self._facts.span(entity)
        many = int(np.count_nonzero(held[first:end])) if held is not None else 0
        if not many:
            return NONE
        return Mark("pinned" if many == end - first else f"{many:,} pinned", "pin", "blue")

    def gone(self, position: int) -> bool:
        """Whether a block leaves."""
        mark = self._block(position)
        return mark is not None and mark.gone

    # -- one block -------------------------------------------------------------------------------------------------------------

    def _block(self, at: int) -> Mark | None:
        preview = self.preview
        if preview is not None:
            if at in preview.dropped:
                return Mark("drop", "cross", "error", gone=True)
            if at in preview.moved:
                return Mark("moved", "moved", "green")
            if at in preview.changed:
                return Mark("changed", "changed", "green")
        if self.plan is not None:
            state = self.plan.state(at)
            if state == "dropped":
                return self._dropped_mark(at)
            if state != "kept":
                return {"stubbed": Mark("stub", "stub"), "capped": Mark("cap", "cap")}.get(state, Mark("summary", "summary", "green"))
        return self._applied(at)

    def _dropped_mark(self, at: int) -> Mark:
        """A row that leaves; before the seam of a summary its words go into that."""
        plan = self.plan
        if plan is not None and plan.ranking.actions.closing is not None and at < plan.seam:
            return Mark("summary", "summary", "ink_soft", gone=True)
        return Mark("drop", "cross", "ink_soft", gone=True)

    def _applied(self, at: int) -> Mark | None:
        transcript, row = self._facts.view.transcript, int(self._facts.view.rows[at])
        if row in transcript.made:
            return Mark("inserted", "plus", "green")
        if row in transcript.moved:
            return Mark("moved", "moved", "green")
        content = transcript.content_of(row)
        if content is not None:
            return Mark("stub", "stub") if isinstance(content, Stub) else Mark("cap", "cap") if isinstance(content, Cap) else REPLACED
        return Mark("changed", "changed", "green") if row in transcript.fields else None

    # -- an exchange or a step ---------------------------------------------------------------------------------------------------

    def _preview_of(self, first: int, end: int) -> Mark | None:
        if self.preview is None:
            return None
        dropped, moved, changed = (_count(at, first, end) for at in (self._dropped, self._moved, self._changed))
        made = _count(self._made_at, first, end)
        if dropped == end - first:
            return Mark("drop", "cross", "error", gone=True)
        parts = [(made, "insert", "inserts", "plus", "green"), (dropped, "drop", "drops", "cross", "error"),
                 (moved, "moved", "moved", "moved", "green"), (changed, "changed", "changed", "changed", "green")]  # fmt: skip
        for count, one, many, sign, colour in parts:
            if count:
                return Mark(f"{count} {one if count == 1 else many}", sign, colour)
        return None

    def _plan_of(self, entity: Entity, first: int, end: int) -> Mark | None:
        plan = self.plan
        if plan is None:
            return None
        actions, length = plan.ranking.actions, plan.length
        gone = actions.drop_at[first:end] < length
        dropped = int(gone.sum())
        if dropped == end - first:
            return self._dropped_mark(first)
        if dropped:
            word = self._how_much(entity, gone, first, dropped)
            return Mark(word, self._dropped_mark(first).sign, "ink_soft")
        changed = np.flatnonzero(actions.replace_at[first:end] < length)
        if not len(changed):
            return None
        word = {"stubbed": "stub", "capped": "cap"}.get(plan.state(first + int(changed[0])), "summary")
        return Mark(word if end - first == 1 else f"{len(changed)} {word}{'s' if len(changed) > 1 else ''}", word)

    def _how_much(self, entity: Entity, gone: Ints, first: int, dropped: int) -> str:
        """How much of an exchange or a step leaves: in steps where whole ones do, else in blocks."""
        tree = self._facts.tree
        if entity.kind == EXCHANGE:
            start, end = int(tree.top_child[entity.top]), int(tree.top_child[entity.top + 1])
            steps = tree.child_step[start:end] >= 0
            whole = np.logical_and.reduceat(gone, tree.child_first[start:end] - first) & steps
            if whole.any():
                return counted(int(whole.sum()), "step")
        return counted(dropped, "block")

    def _applied_of(self, first: int, end: int) -> Mark | None:
        count = _count(self._facts.touched, first, end)
        return Mark(f"{count:,} edited", "changed", "green") if count else None

    # -- above what is in view ---------------------------------------------------------------------------------------------------

    def above(self, position: int) -> str:
        """How much the plan takes above a position, in words; "" where nothing."""
        plan, tree = self.plan, self._facts.tree
        if plan is None or position <= 0:
            return ""
        actions, length = plan.ranking.actions, plan.length
        whole = int((self._facts.last_drops(plan.ranking)[: tree.top_of(position)] < length).sum())
        if whole:
            return f"{whole:,} dropped above"
        blocks = int((actions.drop_at[:position] < length).sum())
        if blocks:
            return f"{counted(blocks, 'block')} dropped above"
        changed = int((actions.replace_at[:position] < length).sum())
        return f"{changed:,} shortened above" if changed else ""


def _sorted(positions: Collection[int]) -> Ints:
    return np.sort(np.fromiter(positions, np.int64, len(positions)))


def _count(at: Ints, first: int, end: int) -> int:
    low, high = at.searchsorted((first, end))
    return int(high - low)
