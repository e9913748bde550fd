"""A filter's tree as a mask over the positions of a view: one numpy pass for each condition, a million rows within a frame or two.

Conditions on texts are not answered here: their blocks must be read (filter_text.py). Until they are, `bounds` tells what holds
whatever they come to and what may hold, so that only the blocks on which it hangs are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np

from app.model.filter import And, Not, Pattern, Range, Test, tests
from app.model.filter import Node as Tree
from app.model.filter_names import KINDS
from app.model.ids import Ids
from app.model.kinds import ROLES, Flag
from app.model.table import Ints
from app.pipeline.filter_columns import Scope


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


def _tool(test: Test, scope: Scope) -> Ints:
    column = scope.column("tool")
    if not test.op:
        return column >= 0
    fit, names = fits(test), scope.view.transcript.table.names
    wanted = np.zeros(len(names) + 1, bool)  # the last: none
    wanted[:-1] = [fit(name) for name in names]
    numbers = np.flatnonzero(wanted)
    return _turned(test, column == numbers[0] if len(numbers) == 1 else wanted[column])


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


# -- plans, changes, partners ----------------------------------------------------------------------------------------------------------


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


def _partner(test: Test, scope: Scope) -> Ints:
    state = scope.column("partner")
    if not test.op:
        return (state == 1) | (state == 3)
    return _words(test, {"none": 2, "late": 3}, state)


def _failed(test: Test, scope: Scope) -> Ints:
    return (scope.view.flags & Flag.ERROR) != 0


_TESTS: dict[str, Callable[[Test, Scope], Ints]] = {
    "kind": _kind, "role": _role, "tool": _tool, "finding": _finding, "rule": _finding, "severity": _severity, "id": _id, "plan": _plan,
    "pinned": _pinned, "changed": _changed, "partner": _partner, "failed": _failed,
    **dict.fromkeys(("tokens", "carried", "chars", "exchange", "request", "step", "span", "line"), _number),
}  # fmt: skip
