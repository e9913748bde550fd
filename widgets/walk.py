"""Where the keys of Go lead: from a row to the next finding, exchange or partner. Look-ups over arrays, at any size."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from app.model.findings import Report
from app.model.kinds import Kind
from app.model.state import State
from app.model.table import Ints
from app.model.view import View


def finding(state: State, backwards: bool = False) -> int:
    """The row of the next finding, counted from the selected row: the errors in their order, then the warnings, then the notes, then the
    first error again: "Go to it F8" leads to what the verdict speaks of. -1 where there is none."""
    view, report = state.view, state.report
    kinds = [places for places in _places(view, report) if len(places)] if view is not None and report is not None else []
    if view is None or not kinds:
        return -1
    here = view.at(state.selected)
    mine = next((number for number, places in enumerate(kinds) if _holds(places, here)), -1)
    if here < 0:
        return int(view.rows[kinds[-1][-1] if backwards else kinds[0][0]])
    if mine < 0:
        return _next(kinds[0], state, backwards, wrap=True)
    found = _next(kinds[mine], state, backwards, wrap=False)
    if found >= 0:
        return found
    beyond = kinds[(mine + (-1 if backwards else 1)) % len(kinds)]
    return int(view.rows[beyond[-1 if backwards else 0]])


def _holds(places: Ints, here: int) -> bool:
    at = int(np.searchsorted(places, here))
    return here >= 0 and at < len(places) and int(places[at]) == here


def exchange(state: State, backwards: bool = False) -> int:
    """The first row of the next exchange; from inside one, back is its own beginning. -1 at the ends."""
    return _next(state.view.groups.first, state, backwards, wrap=False) if state.view is not None else -1


def partner(state: State) -> int:
    """The row tied to the selected one, -1 where none."""
    view = state.view
    position = view.at(state.selected) if view is not None else -1
    if view is None or position < 0:
        return -1
    tied = int(view.links.partner[position])
    return int(view.rows[tied]) if tied >= 0 else -1


def call(state: State, backwards: bool = False) -> int:
    """The row of the next tool call, tied to a result or not; -1 at the ends."""
    view = state.view
    return _next(_calls(view), state, backwards, wrap=False) if view is not None else -1


@lru_cache(maxsize=2)
def _calls(view: View) -> Ints:
    found: Ints = np.flatnonzero(view.kind == Kind.TOOL_CALL)
    return found


def other(state: State) -> int:
    """The other place that a finding of the selected row speaks of, and from there back; -1 where none does."""
    pairs = _pairs(state.report) if state.report is not None and state.selected >= 0 else {}
    return pairs.get(state.selected, -1)


def hit(state: State, backwards: bool = False) -> int:
    """The row of the next block that matches the filter (round the end), counted from the selected row; -1 where there is none."""
    hits = _hits(state)
    return _next(hits, state, backwards, wrap=True) if hits is not None else -1


def hit_number(state: State) -> tuple[int, int]:
    """Which of the blocks that match the selected one is, from 1 (0: none of them), and how many there are (-1: not known)."""
    hits = _hits(state)
    if hits is None or state.view is None:
        return 0, -1
    here = state.view.at(state.selected) if state.selected >= 0 else -1
    at = int(hits.searchsorted(here))
    return (at + 1 if at < len(hits) and int(hits[at]) == here else 0), len(hits)


def call_id(state: State, row: int = -1) -> str:
    """The call id of a row, of the selected one where none is named; "" where it has none."""
    view, row = state.view, row if row >= 0 else state.selected
    at = view.at(row) if view is not None and row >= 0 else -1
    return (view.transcript.table.ids.text(int(view.key[at])) or "") if view is not None and at >= 0 else ""


def places_of_id(state: State, row: int) -> int:
    """How many blocks bear the call id of a row; 0 where it has none."""
    view = state.view
    at = view.at(row) if view is not None and row >= 0 else -1
    if view is None or at < 0 or view.key[at] < 0:
        return 0
    return int((view.key == view.key[at]).sum())


def _hits(state: State) -> Ints | None:
    known, view = state.filter, state.view
    fits = known is not None and known.mask is not None and view is not None and len(known.mask) == len(view)
    return known.shown if fits and known is not None else None


@lru_cache(maxsize=4)
def _pairs(report: Report) -> dict[int, int]:
    """Of each row that a finding ties to another one that one: where several do, a finding's own row comes first."""
    found: dict[int, int] = {}
    for finding in report.findings:
        if finding.related >= 0:
            found.setdefault(finding.row, finding.related)
    for finding in report.findings:
        if finding.related >= 0:
            found.setdefault(finding.related, finding.row)
    return found


def _next(places: Ints, state: State, backwards: bool, wrap: bool) -> int:
    """Row of the place after (before) the selected one, among ascending positions."""
    view = state.view
    assert view is not None
    if not len(places):
        return -1
    here = view.at(state.selected)
    if backwards:
        found = int(np.searchsorted(places, here, "left")) - 1 if here >= 0 else len(places) - 1
    else:
        found = int(np.searchsorted(places, here, "right"))
    if not 0 <= found < len(places):
        if not wrap:
            return -1
        found %= len(places)
    return int(view.rows[places[found]])


@lru_cache(maxsize=4)
def _places(view: View, report: Report) -> tuple[Ints, ...]:
    """Positions with an error, of the others those with a warning, then those with any other finding: ascending, each once."""
    where = np.full(len(view.transcript.table), -1, np.int64)
    where[view.rows] = np.arange(len(view.rows))
    listed = np.asarray([f.row for f in report.findings], np.int64)
    out: list[Ints] = []
    for rows in (report.error_rows.astype(np.int64), report.warning_rows.astype(np.int64), listed):
        rows = rows[(rows >= 0) & (rows < len(where))]
        places: Ints = np.unique(where[rows])
        out.append(np.setdiff1d(places[places >= 0], np.concatenate([np.zeros(0, np.int64), *out]), assume_unique=True))
    return tuple(out)
