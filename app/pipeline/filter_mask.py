"""A filter's tree as a mask over the positions of a view: one numpy pass for each condition, a million rows within a frame or two.

Conditions on texts are not answered here: their blocks must be read (filter_text.py). Until they are, `bounds` tells what holds
whatever they come to and what may hold, so that only the blocks on which it hangs are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from app.model.edits import Cap, Stub
from app.model.filter import And, Not, Pattern, Range, Test, tests
from app.model.filter import Node as Tree
from app.model.filter_names import KINDS
from app.model.findings import Report
from app.model.ids import Ids
from app.model.kinds import ROLES, Flag, Kind
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


def mask(tree: Tree, scope: Scope, texts: Mapping[Test, Ints] | None = None) -> Ints:
    """Where an expression holds. `texts`: the masks of its conditions on texts; one that is missing holds nowhere."""
    if isinstance(tree, Test):
        return _text(tree, scope, texts or {}) if tree.name == "text" else _TESTS[tree.name](tree, scope)
    if isinstance(tree, Not):
        return ~mask(tree.part, scope, texts)
    joins = np.logical_and if isinstance(tree, And) else np.logical_or
    found = mask(tree.parts[0], scope, texts)
    for part in tree.parts[1:]:
        found = joins(found, mask(part, scope, texts))
    return found


def bounds(tree: Tree, scope: Scope) -> tuple[Ints, Ints]:
    """Where an expression holds whatever its conditions on texts come to, and where it may hold."""
    if isinstance(tree, Test):
        if tree.name == "text":
            return np.zeros(len(scope), bool), np.ones(len(scope), bool)
        found = mask(tree, scope)
        return found, found
    if isinstance(tree, Not):
        sure, may = bounds(tree.part, scope)
        return ~may, ~sure
    joins = np.logical_and if isinstance(tree, And) else np.logical_or
    sure, may = bounds(tree.parts[0], scope)
    for part in tree.parts[1:]:
        other, also = bounds(part, scope)
        sure, may = joins(sure, other), joins(may, also)
    return sure, may


def on_texts(tree: Tree) -> list[Test]:
    """The conditions of an expression that need blocks to be read, each once."""
    return list(dict.fromkeys(test for test in tests(tree) if test.name == "text"))


def uses(tree: Tree, *names: str) -> bool:
    return any(test.name in names for test in tests(tree))


def _text(test: Test, scope: Scope, texts: Mapping[Test, Ints]) -> Ints:
    found = texts.get(test)
    return found if found is not None and len(found) == len(scope) else np.zeros(len(scope), bool)


# -- words --------------------------------------------------------------------------------------------------------------------------


def fits(test: Test) -> Callable[[str], bool]:
    """Whether a word is what a condition asks for; that it is not is asked with the mask turned round."""
    value = test.value
    if isinstance(value, Pattern):
        search = re.compile(value.text, re.I).search
        return lambda word: search(word) is not None
    asked = str(value).casefold()
    if test.op == "~":
        return lambda word: asked in word.casefold()
    return lambda word: word.casefold() == asked


def _turned(test: Test, found: Ints) -> Ints:
    return ~found if test.op == "!=" else found


def _words(test: Test, words: Mapping[str, int], column: Ints) -> Ints:
    """By a column of small numbers, each of which has a word."""
    fit = fits(test)
    wanted = [number for word, number in words.items() if fit(word)]
    found = column == wanted[0] if len(wanted) == 1 else np.isin(column, wanted)
    return _turned(test, found)


def _kind(test: Test, scope: Scope) -> Ints:
    return _words(test, {word: int(kind) for word, kind in KINDS.items()}, scope.view.kind)


def _role(test: Test, scope: Scope) -> Ints:
    return _words(test, {word: int(role) for word, role in ROLES.items()}, scope.view.role)


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


def _tool(test: Test, scope: Scope) -> Ints:
    column = scope.column("tool")
    if not test.op:
        return column >= 0
    fit, names = fits(test), scope.view.transcript.table.names
    wanted = np.zeros(len(names) + 1, bool)  # the last: none
    wanted[:-1] = [fit(name) for name in names]
    return _turned(test, wanted[column])


def _id(test: Test, scope: Scope) -> Ints:
    view, table = scope.view, scope.view.transcript.table
    if not test.op:
        return view.key >= 0
    found = _holds_id(test, table.ids, view.key)
    if table.item is not None:
        found = found | _holds_id(test, table.item_ids, table.item[view.rows])
    return _turned(test, found)


def _holds_id(test: Test, ids: Ids, column: Ints) -> Ints:
    if test.op != "~":
        number = ids.number(str(test.value))
        return column == number if number >= 0 else np.zeros(len(column), bool)
    wanted = np.zeros(len(ids) + 1, bool)
    fit = fits(test)
    wanted[:-1] = [fit(ids.text(number) or "") for number in range(len(ids))]
    return wanted[column]


# -- findings -------------------------------------------------------------------------------------------------------------------------


def _finding(test: Test, scope: Scope) -> Ints:
    report = scope.report
    if not test.op:
        rows = [] if report is None else [report.error_rows, report.warning_rows]
        return scope.found(lambda rule, severity: True) | scope.at(np.concatenate([np.empty(0, np.int64), *rows]))
    fit = fits(test)
    return _turned(test, scope.found(lambda rule, severity: fit(rule)))


def _severity(test: Test, scope: Scope) -> Ints:
    fit, report = fits(test), scope.report
    found = scope.found(lambda rule, severity: fit(severity))
    for word in ("error", "warning"):
        if report is not None and fit(word):
            found |= scope.at(report.error_rows if word == "error" else report.warning_rows)
    return _turned(test, found)


# -- numbers --------------------------------------------------------------------------------------------------------------------------


def _number(test: Test, scope: Scope) -> Ints:
    """Compares a column; what has no number (-1) is met by no comparison, and so by every `!=`."""
    column, value = scope.column(test.name), test.value
    if isinstance(value, Range):
        found = column >= (0 if value.low is None else value.low)
        if value.high is not None:
            found &= column <= value.high
        return _turned(test, found)
    assert isinstance(value, int)
    if test.op in ("==", "!="):
        return _turned(test, column == value)
    if test.op in (">", ">="):
        return column > value if test.op == ">" else column >= value
    found = column < value if test.op == "<" else column <= value
    return found & (column >= 0)


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


# -- plans, changes, partners ----------------------------------------------------------------------------------------------------------


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


def _plan(test: Test, scope: Scope) -> Ints:
    state = scope.column("plan")
    if not test.op:
        return state > 0
    return _words(test, {"kept": 0, "dropped": 1, "stubbed": 2, "capped": 3, "replaced": 4}, state)


def _pinned(test: Test, scope: Scope) -> Ints:
    return np.isin(scope.view.groups.exchange, list(scope.pinned)) if scope.pinned else np.zeros(len(scope), bool)


def _changed(test: Test, scope: Scope) -> Ints:
    transcript = scope.view.transcript
    rows = transcript.touched() | transcript.moved
    return scope.at(np.fromiter(rows, np.int64, len(rows)))


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


def _partner(test: Test, scope: Scope) -> Ints:
    state = scope.column("partner")
    if not test.op:
        return (state == 1) | (state == 3)
    return _words(test, {"none": 2, "late": 3}, state)


def _failed(test: Test, scope: Scope) -> Ints:
    return (scope.view.flags & Flag.ERROR) != 0


_COLUMNS: dict[str, Callable[[Scope], Ints]] = {
    "tokens": _tokens, "carried": _carried, "chars": lambda scope: scope.view.size, "exchange": _exchange, "request": _request,
    "step": _request, "span": _span, "line": _line, "tool": _names, "plan": _plan_states, "partner": _partners,
}  # fmt: skip

_TESTS: dict[str, Callable[[Test, Scope], Ints]] = {
    "kind": _kind, "role": _role, "tool": _tool, "finding": _finding, "rule": _finding, "severity": _severity, "id": _id, "plan": _plan,
    "pinned": _pinned, "changed": _changed, "partner": _partner, "failed": _failed,
    **dict.fromkeys(("tokens", "carried", "chars", "exchange", "request", "step", "span", "line"), _number),
}  # fmt: skip
