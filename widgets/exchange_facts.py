"""What the rows of the list say beside words, as arrays along positions: calls, outcomes, findings, tokens, models."""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from app.model.findings import Report
from app.model.kinds import Flag, Kind, Role
from app.model.plan import Ranking
from app.model.state import State
from app.model.table import Ints
from app.model.view import View
from widgets.exchange_tree import BLOCK, EXCHANGE, GHOST, STEP, Entity, RowKind, Tree

PIPS_SHOWN = 6
_AGAIN = "call-repeated"  # the rule that finds a call made before
_OPEN = ("tool-call-unanswered", "tool-call-partially-answered", "tool-call-trailing")  # rules that find a call without a result
BARS_OF_EXCHANGES = 4  # with fewer exchanges than this, bars of steps and blocks have a scale of their own


class Pip(IntEnum):
    """What became of one call."""

    ANSWERED = 1
    MISSING = 2  # no result
    ELSEWHERE = 3  # its result stands behind another request, in another exchange, or before it
    ORPHAN = 4  # a result without a call
    SURPLUS = 5  # a further result for a call that is answered


class Outcome(IntEnum):
    NONE = 0  # system text and tools
    ANSWERED = 1
    OPEN = 2
    BROKEN = 3
    REFUSED = 4
    INTERRUPTED = 5
    WALL = 6


class Pips(NamedTuple):
    """The first six calls, what is amiss before what is not where there are more; and how many more."""

    shown: tuple[Pip, ...]
    more: int
    counts: tuple[int, ...]  # by Pip, index 0 unused


class Found(NamedTuple):
    errors: int
    warnings: int
    notes: int


NOTHING = Found(0, 0, 0)
NO_PIPS = Pips((), 0, (0,) * (len(Pip) + 1))


class Facts:
    """Made anew with the rows; findings and tokens are put in when they come. Ranges are positions, the end not included."""

    def __init__(self, tree: Tree, state: State, linked: Ints | None = None) -> None:
        """`linked`: what `pips` gave; the tokens are left to `set_tokens` then."""
        assert state.view is not None
        self.tree, self.view = tree, state.view
        self._linked = pips(self.view) if linked is None else linked
        self._report: Report | None = None
        self._judge(None)
        self.models = _models(tree, self.view)
        self._interrupted = _interruptions(tree, self.view)
        self.walls = {at: wall for wall in self.view.transcript.walls if (at := self.view.at(wall.row)) >= 0}
        self._last_drops: tuple[Ranking, Ints] | None = None
        self._message_at = _first_of_messages(self.view)
        self.errors = self.warnings = self.notes = np.empty(0, np.int64)
        self._cum = self._guessed = np.zeros(self.tree.count + 1, np.int64)
        self.scales: dict[RowKind, int] = {}  # tokens of the longest bar
        self.repeats: dict[int, int] = {}  # position of a call that was made before, to that of the one before
        self._repeated: dict[int, list[int]] = {}
        self.set_report(state.report)
        if linked is None:
            self.set_tokens(state)

    # -- what comes later ------------------------------------------------------------------------------------------------------

    def set_report(self, report: Report | None) -> None:
        """Findings as sorted positions; those on rows that are no longer there are left out."""
        if report is self._report:
            return
        none, self._report = np.empty(0, np.int64), report
        self.repeats, self._repeated = {}, {}
        self._judge(report)
        if report is None:
            self.errors = self.warnings = self.notes = none
            return
        for finding in report.findings:
            if finding.rule == _AGAIN and finding.related >= 0:
                here, there = self.view.at(finding.row), self.view.at(finding.related)
                if here >= 0 and there >= 0:
                    self.repeats[here] = there
                    self._repeated.setdefault(there, []).append(here)
        self.errors = _positions(self.view, report.error_rows)
        self.warnings = _positions(self.view, report.warning_rows)
        notes = [found.row for found in report.findings if found.severity == "note"]
        self.notes = _positions(self.view, np.array(notes, np.int64)) if notes else none

    def _judge(self, report: Report | None) -> None:
        """Pips, and partners as the list shows them. A call that is tied to a result by its place alone, since one of them has no id, has
        none where the provider finds none."""
        self.pip, self.partner = self._linked, self.view.links.partner
        if report is not None:
            found = [_positions(self.view, report.errors_of[rule]) for rule in _OPEN if rule in report.errors_of]
            calls = np.concatenate([np.empty(0, np.int64), *found])
            calls = calls[(self.view.kind[calls] == Kind.TOOL_CALL) & (self.partner[calls] >= 0)]
            results = self.partner[calls]
            loose = (self.view.key[calls] < 0) | (self.view.key[calls] != self.view.key[results])
            calls, results = calls[loose], results[loose]
            if len(calls):
                self.pip, self.partner = self.pip.copy(), self.partner.copy()
                self.pip[calls], self.pip[results] = Pip.MISSING, Pip.ORPHAN
                self.partner[calls] = self.partner[results] = -1
        self._most_calls: int | None = None  # found at the first question: columns are measured anew at every width
        self._most_found: Found | None = None
        self.pip_at = np.flatnonzero(self.pip)
        self.amiss_at = np.flatnonzero(self.pip > Pip.ANSWERED)

    def set_tokens(self, state: State) -> None:
        """Running sums of tokens; a message's own cost stands at its first block."""
        view = self.view = state.view if state.view is not None else self.view
        self.counted = view.tokens is not None
        if view.tokens is None:
            return
        cum = np.zeros(len(view.tokens) + 1, np.int64)
        own = cum[1:]
        own[:] = view.tokens
        if view.message_overhead is not None and len(view.message_overhead) == len(self._message_at):
            own[self._message_at] += view.message_overhead
        self._cum = np.cumsum(cum, out=cum)
        tokens = state.tokens
        if tokens is not None and not tokens.exact.all():
            self._guessed = np.zeros(len(cum), np.int32)
            np.cumsum(~tokens.exact[view.rows], out=self._guessed[1:])
        else:
            self._guessed = np.zeros(1, np.int64)
        tops = self.tree.top_exchange >= 0
        large = max(1, int(np.diff(self._cum[self.tree.top_first])[tops].max(initial=1)))
        small = large if int(tops.sum()) >= BARS_OF_EXCHANGES else max(1, int(np.diff(self._cum[self.tree.child_first]).max(initial=1)))
        self.scales = {EXCHANGE: large, STEP: small, BLOCK: small}

    # -- what columns ask for --------------------------------------------------------------------------------------------------

    def most_calls(self) -> int:
        """Pips of the exchange that has most of them."""
        if self._most_calls is None:
            self._most_calls = _most(self.pip_at, self.tree.top_first)
        return self._most_calls

    def most_found(self) -> Found:
        """Findings of each severity, of the exchange that has most of it."""
        if self._most_found is None:
            self._most_found = Found(*(_most(at, self.tree.top_first) for at in (self.errors, self.warnings, self.notes)))
        return self._most_found

    @cached_property
    def most_steps(self) -> int:
        """Requests of the exchange that has most of them."""
        groups = self.view.groups
        return int(np.bincount(groups.step_exchange, minlength=1).max()) if groups.steps else 0

    @cached_property
    def most_blocks(self) -> int:
        return int(np.diff(self.tree.top_first).max(initial=1))

    # -- what a row asks for ---------------------------------------------------------------------------------------------------

    def span(self, entity: Entity) -> tuple[int, int]:
        """First position of a row's blocks and the one behind the last."""
        tree = self.tree
        if entity.kind == EXCHANGE:
            return int(tree.top_first[entity.top]), int(tree.top_first[entity.top + 1])
        if entity.kind == STEP:
            return int(tree.child_first[entity.child]), int(tree.child_first[entity.child + 1])
        if entity.kind == GHOST:
            return entity.position, entity.position
        return entity.position, entity.position + 1

    def tokens(self, first: int, end: int) -> int:
        return int(self._cum[end] - self._cum[first])

    def own(self, position: int) -> int:
        """A block's own tokens: its message's cost stands on none of its blocks, only on steps and exchanges."""
        return int(self.view.tokens[position]) if self.view.tokens is not None else 0

    def guessed(self, first: int, end: int) -> bool:
        """Whether any count in the range is an estimate."""
        return len(self._guessed) > 1 and bool(self._guessed[end] > self._guessed[first])

    def found(self, first: int, end: int) -> Found:
        return Found(*(_inside(at, first, end) for at in (self.errors, self.warnings, self.notes)))

    def pips(self, first: int, end: int) -> Pips:
        low, high = self.pip_at.searchsorted((first, end)).tolist()
        if low == high:
            return NO_PIPS
        here: Ints = self.pip[self.pip_at[low:high]]
        shown: list[int] = here[:PIPS_SHOWN].tolist()
        if len(here) > PIPS_SHOWN:  # a hole is never among those that are left out
            a, b = self.amiss_at.searchsorted((first, end)).tolist()
            wrong: list[int] = self.pip[self.amiss_at[a : min(b, a + PIPS_SHOWN)]].tolist()
            shown = (wrong + [pip for pip in shown if pip == Pip.ANSWERED])[:PIPS_SHOWN]
        counts = np.bincount(here, minlength=len(Pip) + 1).tolist()
        return Pips(tuple(map(Pip, shown)), len(here) - len(shown), tuple(counts))

    def alike(self, position: int) -> list[int]:
        """Positions of the call that a call repeats, and of those that repeat it."""
        before = self.repeats.get(position)
        return ([before] if before is not None else []) + self._repeated.get(position, [])

    def number_of(self, position: int) -> int:
        """A call's number in its step, from 1; a result has its call's, one without a call its own; 0 where there is none."""
        partner = int(self.partner[position])
        at = partner if self.pip[position] == 0 and partner >= 0 else position
        if not self.pip[at]:
            return 0
        first = int(self.tree.child_first[self.tree.child_of(at)])
        low, high = self.pip_at.searchsorted((first, at))
        return int(high - low) + 1

    def outcome(self, top: int) -> Outcome:
        """By weight: broken, refused, begun by a compaction, open, answered. Whether one was interrupted takes its words: see
        `interruption`."""
        tree, exchange = self.tree, int(self.tree.top_exchange[top])
        if exchange < 0:
            return Outcome.NONE
        first, end = int(tree.top_first[top]), int(tree.top_first[top + 1])
        if _inside(self.errors, first, end):
            return Outcome.BROKEN
        refused = self.view.groups.refused
        if exchange < len(refused) and refused[exchange]:
            return Outcome.REFUSED
        if self.view.flags[tree.head[top]] & Flag.SUMMARY:
            return Outcome.WALL
        last = self._last_said(first, end)
        said = last >= 0 and self.view.role[last] == Role.ASSISTANT and self.view.kind[last] != Kind.TOOL_CALL
        return Outcome.ANSWERED if said else Outcome.OPEN

    def _last_said(self, first: int, end: int) -> int:
        """The last block of a range that is no program's note, -1 none."""
        for begin in (max(first, end - 64), first):
            note = (self.view.role[begin:end] == Role.USER) & ((self.view.flags[begin:end] & Flag.INJECTED) != 0)
            said = np.flatnonzero(~note)
            if len(said):
                return begin + int(said[-1])
        return -1

    def interruption(self, top: int) -> int:
        """Position of a short note of the program in an exchange, which may say that a person interrupted it; -1 none."""
        return int(self._interrupted[top])

    @cached_property
    def touched(self) -> Ints:
        """Positions of rows that applied edits changed, made or moved."""
        transcript = self.view.transcript
        rows = transcript.touched() | transcript.moved
        return _positions(self.view, np.fromiter(rows, np.int64, len(rows)))

    def last_drops(self, ranking: Ranking) -> Ints:
        """For each top the action that takes its last block. Looked through once for a ranking."""
        if self._last_drops is None or self._last_drops[0] is not ranking:
            drops = ranking.actions.drop_at
            self._last_drops = (ranking, np.maximum.reduceat(drops, self.tree.top_first[:-1]) if self.tree.tops else drops)
        return self._last_drops[1]

    def requests(self, top: int) -> int:
        """How many requests an exchange holds."""
        start, end = int(self.tree.top_child[top]), int(self.tree.top_child[top + 1])
        steps = self.tree.child_step[start:end]
        return len(np.unique(steps[steps >= 0]))


def _positions(view: View, rows: Ints) -> Ints:
    if not len(rows):
        return np.empty(0, np.int64)
    at = view.positions(rows)
    return np.sort(at[at >= 0])


def _first_of_messages(view: View) -> Ints:
    """Position of the first block of each message, in the order of their dense numbers."""
    message = view.message
    if not len(message):
        return np.empty(0, np.int64)
    highest = np.maximum.accumulate(message)
    first = np.ones(len(message), bool)
    first[1:] = message[1:] > highest[:-1]
    found: Ints = np.flatnonzero(first & (message >= 0))
    return found


def _most(at: Ints, firsts: Ints) -> int:
    return int(np.diff(at.searchsorted(firsts)).max(initial=0))


def _inside(at: Ints, first: int, end: int) -> int:
    if not len(at):
        return 0
    low, high = at.searchsorted((first, end))
    return int(high - low)


def pips(view: View) -> Ints:
    """For each position what a pip for it says, 0 for all that are neither calls nor results without one."""
    kind, partner, step = view.kind, view.links.partner, view.groups.step
    count = len(view)
    pip = np.zeros(count, np.uint8)
    lonely = (kind == Kind.TOOL_RESULT) & (partner < 0)
    pip[lonely] = Pip.ORPHAN
    pip[lonely & view.links.extra] = Pip.SURPLUS
    calls = np.flatnonzero(kind == Kind.TOOL_CALL)
    if not len(calls):
        return pip
    steps = np.append(view.groups.step_first.astype(np.int64), count)
    exchanges = np.append(view.groups.first.astype(np.int64), count)
    limit = np.minimum(steps[np.maximum(step[calls], 0) + 1], exchanges[np.maximum(view.groups.exchange[calls], 0) + 1])
    limit = np.where(limit > calls, limit, count)
    to = partner[calls]
    pip[calls] = np.where(to < 0, Pip.MISSING, np.where((to < calls) | (to >= limit), Pip.ELSEWHERE, Pip.ANSWERED))
    pip[calls[(view.flags[calls] & Flag.ANSWERED) != 0]] = Pip.ANSWERED  # it holds its own result
    return pip


def _models(tree: Tree, view: View) -> Ints:
    """For each child the model (index in `Table.models`) where it is another one than before, else -1."""
    table = view.transcript.table
    out = np.full(tree.children, -1, np.int16)
    if len(table.models) < 2:
        return out
    steps = np.flatnonzero(tree.child_step >= 0)
    record = table.record[view.rows[tree.child_first[:-1][steps]]]
    model = np.where(record >= 0, table.records.model[np.maximum(record, 0)], -1)
    known = model >= 0
    steps, model = steps[known], model[known]
    other = np.flatnonzero(model[1:] != model[:-1]) + 1
    out[steps[other]] = model[other]
    return out


def _interruptions(tree: Tree, view: View) -> Ints:
    """For each top the last short injected text of a user role, -1 none. `[Request interrupted by user for tool use]` has 42 characters."""
    found = np.full(tree.tops, -1, np.int64)
    injected = np.flatnonzero(view.flags & Flag.INJECTED)
    kind, role, size = view.kind[injected], view.role[injected], view.size[injected]
    notes = injected[(kind == Kind.TEXT) & (role == Role.USER) & (size <= 64)]
    found[tree.top_first.searchsorted(notes, "right") - 1] = notes  # of several the last
    return found
