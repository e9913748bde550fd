"""What is pinned, in words, and whether a row is: look-ups in a state, no Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.model.kinds import Kind
from app.model.pins import Pins
from app.model.state import State
from app.model.table import Ints
from app.model.view import View
from widgets.visible import line
from widgets.words import counted


@dataclass(frozen=True)
class Pinned:
    """One pin: its words, the row to go to (-1: nowhere now), and the pins without it."""

    words: str
    row: int
    without: Pins


def unit_rows(view: View, unit: str, row: int) -> Ints:
    """The rows of the exchange or the step in which a row stands, or itself; none where it stands in no such."""
    at = view.at(row)
    if at < 0:
        return np.empty(0, np.int32)
    if unit == "block":
        return np.asarray([row], np.int32)
    group = view.groups.exchange if unit == "exchange" else view.groups.step
    return view.rows[group == group[at]] if group[at] >= 0 else np.empty(0, np.int32)


def holder(state: State, unit: str, row: int) -> int:
    """The row that holds the pin of the unit in which a row stands, -1 where that is not pinned."""
    if state.view is None:
        return -1
    held: frozenset[int] = getattr(state.pins, f"{unit}s")
    if not held:
        return -1
    return next((one for one in unit_rows(state.view, unit, row).tolist() if one in held), -1)


def tool_of(state: State, row: int) -> str:
    """The tool that a call calls, or whose result a row is; "" for other rows."""
    view = state.view
    at = view.at(row) if view is not None else -1
    if view is None or at < 0 or view.kind[at] not in (Kind.TOOL_CALL, Kind.TOOL_RESULT):
        return ""
    partner = int(view.links.partner[at])
    for position in (at, partner):
        if position >= 0 and view.name[position] >= 0:
            return view.transcript.table.names[view.name[position]]
    return ""


def each(state: State) -> list[Pinned]:
    """The pins that were set one by one, in the order of the transcript."""
    view, pins = state.view, state.pins
    if view is None:
        return []
    groups = view.groups
    found: list[tuple[int, Pinned]] = []
    for unit in ("exchange", "step", "block"):
        for row in sorted(getattr(pins, f"{unit}s")):
            at = view.at(row)
            words = _unit_words(view, unit, at)
            without = pins.with_row(unit, row, False)  # type: ignore[arg-type]
            found.append((at if at >= 0 else len(view), Pinned(words, row if at >= 0 else -1, without)))
    if pins.prompt:
        first = int(groups.first[min(int(groups.zero), groups.exchanges - 1)]) if groups.exchanges else -1
        found.append((first, Pinned("the first prompt", int(view.rows[first]) if first >= 0 else -1, _without_prompt(pins))))
    found.sort(key=lambda pair: pair[0])
    return [one for _, one in found] + [_tool(view, pins, name) for name in sorted(pins.tools)]


def _without_prompt(pins: Pins) -> Pins:
    return Pins(pins.exchanges, pins.steps, pins.blocks, pins.tools, False, pins.protected)


def _unit_words(view: View, unit: str, at: int) -> str:
    if at < 0:
        return f"a {unit} that a change has taken out"
    groups = view.groups
    exchange, step = int(groups.exchange[at]), int(groups.step[at])
    place = " · ".join([groups.label(exchange)] * (exchange >= 0) + [groups.step_label(step)] * (step >= 0 and unit != "exchange"))
    kind = Kind(int(view.kind[at])).word
    return {"exchange": f"{place}, the whole exchange", "step": f"{place}, the step"}.get(unit, f"{place}, {kind}".removeprefix(", "))


def _tool(view: View, pins: Pins, name: str) -> Pinned:
    names = view.transcript.table.names
    number = names.index(name) if name in names else -1
    calls = np.flatnonzero((view.kind == Kind.TOOL_CALL) & (view.name == number)) if number >= 0 else np.empty(0, np.int64)
    answered = int((view.links.partner[calls] >= 0).sum())
    row = int(view.rows[calls[0]]) if len(calls) else -1
    return Pinned(f"tool {line(name, 60)}, {counted(answered, 'result')}", row, pins.with_tool(name, False))


def summary(state: State) -> str:
    """`pinned E4, E31`, `pinned 3, protected: 41 rows in all`, `none pinned`: for a line that has little room."""
    view, pins = state.view, state.pins
    if view is None:
        return ""
    labels = [view.groups.label(index) for index in sorted(state.pinned) if index < view.groups.exchanges]
    others = pins.count - len(pins.exchanges)
    said = []
    if labels or others:
        many = ", ".join(labels[:3]) + (" …" if len(labels) > 3 else "")
        said.append(f"pinned {many}" + (f"{' + ' if labels else ''}{others}" if others else ""))
    if pins.protected:
        kept = left_alone(state)
        said.append(f"protected{': ' if said else ' '}{counted(kept, 'row')}{' in all' if said else ''}" if kept else "protected")
    return ", ".join(said) or "none pinned"


def left_alone(state: State) -> int:
    """Rows that no plan touches, partners included; one that several entries hold counts once. The one count, wherever it is said."""
    view = state.view
    return int(np.count_nonzero(view.pins)) if view is not None and (state.pinned or view.held is not None) else 0
