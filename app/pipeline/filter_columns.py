"""What the conditions of a filter are asked of: columns along the positions of a view, made when one is asked for and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from app.model.edits import Cap, Stub
from app.model.findings import Report
from app.model.kinds import Flag, Kind
from app.model.plan import Plan
from app.model.table import Ints
from app.model.view import Groups, View
from app.pipeline.names import format_named

BEYOND = 2**31 - 1  # the number of what stands behind the last request


@dataclass(eq=False)
class Scope:
    """What conditions are asked of: a view and what is known of it. Columns are made when one is asked for, and kept."""

    view: View
    report: Report | None = None
    plan: Plan | None = None  # None: nobody has touched the budget
    pinned: frozenset[int] = frozenset()
    _kept: dict[str, Ints] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.view)

    def column(self, name: str) -> Ints:
        """Numbers along positions by the name of a condition; -1 where there is none."""
        if name not in self._kept:
            self._kept[name] = _COLUMNS[name](self)
        return self._kept[name]

    @cached_property
    def partner(self) -> Ints:
        return self.view.links.partner

    def at(self, rows: Ints) -> Ints:
        """Mask of some rows of the table."""
        found = np.zeros(len(self), bool)
        if len(rows):
            at = self.view.positions(np.asarray(rows))
            found[at[at >= 0]] = True
        return found

    def found(self, fits: Callable[[str, str], bool]) -> Ints:
        """Mask of rows with a finding whose rule and severity fit."""
        report = self.report
        if report is None:
            return np.zeros(len(self), bool)
        rows = [finding.row for finding in report.findings if fits(finding.rule, finding.severity)]
        parts = [np.asarray(rows, np.int64)]
        parts += [of.astype(np.int64) for rule, of in report.errors_of.items() if fits(rule, "error")]
        return self.at(np.concatenate(parts))


def _names(scope: Scope) -> Ints:
    """The tool of a call, and of the call that a result answers."""
    view = scope.view
    of_kind = np.zeros(256, bool)
    of_kind[[Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TOOLS]] = True
    name = np.where(of_kind[view.kind], view.name, -1)
    results = np.flatnonzero((view.kind == Kind.TOOL_RESULT) & (name < 0))
    partner = scope.partner[results]
    name[results] = np.where(partner >= 0, view.name[partner], -1)
    return name


def _tokens(scope: Scope) -> Ints:
    found = scope.view.tokens
    return found if found is not None else np.full(len(scope), -1, np.int32)


def _carried(scope: Scope) -> Ints:
    """Tokens times the requests that carried a block: those sent after it was there, up to the next recorded compaction or the end."""
    view, count = scope.view, len(scope)
    first = view.groups.step_first.astype(np.int64)
    walls = np.unique([at for wall in view.transcript.walls if (at := view.at(wall.row)) >= 0] + [count]).astype(np.int64)
    begun = np.append(0, np.cumsum(np.bincount(first, minlength=count)))[: count + 1]  # requests that begin before each position
    ends = begun[walls[walls.searchsorted(np.arange(count), "right")]] if len(walls) > 1 else begun[-1]
    return (ends - begun[1:]) * scope.column("tokens")


def _exchange(scope: Scope) -> Ints:
    groups = scope.view.groups
    if not groups.exchanges:
        return np.full(len(scope), -1, np.int32)
    numbers = groups.opened_as if groups.opened_as is not None else np.arange(groups.exchanges, dtype=np.int32) + (0 if groups.zero else 1)
    return np.where(groups.exchange >= 0, numbers[groups.exchange], -1)


def _step_numbers(groups: Groups) -> Ints:
    return groups.step_opened_as if groups.step_opened_as is not None else np.arange(1, groups.steps + 1, dtype=np.int32)


def _request(scope: Scope) -> Ints:
    groups = scope.view.groups
    if groups.step_opened_as is not None and groups.steps:
        return np.where(groups.step >= 0, groups.step_opened_as[groups.step], -1)
    found = groups.step + 1
    found[found == 0] = -1
    return found


def _span(scope: Scope) -> Ints:
    """The number of the request that a block is of, or, for one of none, of the next request: as the chart counts what each added."""
    found, groups = scope.column("request").copy(), scope.view.groups
    loose = np.flatnonzero(found < 0)
    first = np.maximum.accumulate(groups.step_first) if groups.steps else groups.step_first
    numbers = np.append(_step_numbers(groups), BEYOND)
    found[loose] = numbers[first.searchsorted(loose, "right")]
    return found


def _line(scope: Scope) -> Ints:
    table = scope.view.transcript.table
    if not getattr(format_named(table.format), "lines", table.format == "claude-code"):
        return np.full(len(scope), -1, np.int32)
    record = table.record[scope.view.rows]
    return np.where(record >= 0, table.records.place[np.maximum(record, 0)] + 1, -1)


def _plan_states(scope: Scope) -> Ints:
    """0 kept, 1 dropped, 2 stubbed, 3 capped, 4 replaced."""
    state = np.zeros(len(scope), np.int8)
    plan = scope.plan
    if plan is None or len(plan.ranking.actions.drop_at) != len(scope) or not plan.length:
        return state
    actions = plan.ranking.actions
    what = actions.replaced(plan.length)
    codes = np.array([2 if isinstance(c, Stub) else 3 if isinstance(c, Cap) else 4 for c in actions.contents] + [0], np.int8)
    state[:] = codes[what]
    state[plan.dropped] = 1
    return state


def _partners(scope: Scope) -> Ints:
    """0 neither call nor result, 1 with its partner, 2 without, 3 with one that stands elsewhere than it must."""
    view, partner = scope.view, scope.partner
    paired = ((view.kind == Kind.TOOL_CALL) | (view.kind == Kind.TOOL_RESULT)) & ~view.server
    paired &= (view.flags & Flag.ANSWERED) == 0
    state = np.where(paired, np.where(partner >= 0, 1, 2), 0).astype(np.int8)
    exchange = view.groups.exchange
    results = np.flatnonzero((view.kind == Kind.TOOL_RESULT) & (partner >= 0))
    calls = partner[results]
    late = (calls > results) | (exchange[calls] != exchange[results]) | (view.groups.step[calls] != view.groups.step[results])
    state[results[late]] = 3
    state[calls[late]] = 3
    return state


_COLUMNS: dict[str, Callable[[Scope], Ints]] = {
    "tokens": _tokens, "carried": _carried, "chars": lambda scope: scope.view.size, "exchange": _exchange, "request": _request,
    "step": _request, "span": _span, "line": _line, "tool": _names, "plan": _plan_states, "partner": _partners,
}  # fmt: skip
