"""Where a transcript can be cut by messages, what each place parts, and the seams beside it. numpy only, no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from app.model.table import Ints
from app.model.view import View
from widgets.chart_data import Contents
from widgets.words import short


class Seam(NamedTuple):
    """A place that parts nothing: its label, where it stands, and how many tokens lie between it and the cut."""

    label: str
    position: int
    tokens: int


class Cut(NamedTuple):
    """A place between two messages: the first `position` that would be sent, the place on the axis, in columns, results that lose their
    call and the request that they are of; the nearest seam before, which keeps more, and behind, which drops more."""

    position: int
    column: float
    orphans: int
    request: str
    before: Seam | None
    behind: Seam | None

    @property
    def safe(self) -> bool:
        return not self.orphans


@dataclass(eq=False)
class Cuts:
    """All of them, for what a chart shows of a view. Made once for it; a move is a handful of bisections."""

    live: Contents
    columns: int

    @property
    def view(self) -> View:
        return self.live.view

    @cached_property
    def starts(self) -> Ints:
        """Positions at which a message begins that is sent, and the end."""
        view = self.view
        inside = view.in_messages.copy()
        inside[: view.start] = False
        begins = inside & (np.diff(view.message, prepend=-2) != 0)
        return np.append(np.flatnonzero(begins), len(view))

    @cached_property
    def _anchors(self) -> Ints:
        """The position at the left edge of each column."""
        found = self.live.boundary.searchsorted(np.arange(self.columns + 1, dtype=self.live.boundary.dtype), "right") - 1
        found[0], found[-1] = 0, len(self.view)
        return np.maximum.accumulate(np.maximum(found, 0))

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints]:
        """Calls and their results, by position, where the result comes behind."""
        partner = self.view.links.partner
        calls = np.flatnonzero(partner > np.arange(len(partner)))
        return calls, partner[calls]

    @cached_property
    def crossing(self) -> Ints:
        """At each position, how many pairs a cut there parts."""
        calls, results = self._pairs
        count = len(self.view)
        steps = np.bincount(calls + 1, minlength=count + 2) - np.bincount(results + 1, minlength=count + 2)
        return np.cumsum(steps[: count + 1])

    @cached_property
    def _seams(self) -> tuple[Ints, bool]:
        """Positions of seams, and whether they are those of exchanges: of requests where there are few exchanges."""
        groups = self.view.groups
        whole = [np.flatnonzero(self.crossing[where] == 0) for where in (groups.first, groups.step_first)]
        first, step = groups.first[whole[0]], groups.step_first[whole[1]]
        return (first, True) if len(first) > 2 else (np.unique(np.append(first, step)), False)

    @cached_property
    def _summed(self) -> Ints:
        """Tokens before each position, with the overhead of messages."""
        view = self.view
        own = np.zeros(len(view) + 1, np.int64)
        if view.tokens is not None:
            own[1:] = view.tokens
        own[1:][self.live.overhead_at] += self.live.overhead
        return np.cumsum(own)

    # -- asked at each move -------------------------------------------------------------------------------------------------------

    def at(self, column: float) -> Cut | None:
        """The place between messages that is nearest to a place on the axis."""
        starts = self.starts
        if len(starts) < 2:
            return None
        wanted = float(np.interp(column, np.arange(self.columns + 1), self._anchors))
        behind = min(int(starts.searchsorted(wanted)), len(starts) - 1)
        before = max(behind - 1, 0)
        return self.of(before if wanted - starts[before] < starts[behind] - wanted else behind)

    def step(self, cut: Cut, steps: int) -> Cut | None:
        """So many messages on."""
        return self.of(min(max(int(self.starts.searchsorted(cut.position)) + steps, 0), len(self.starts) - 1))

    def of(self, index: int) -> Cut:
        position = int(self.starts[index])
        orphans = int(self.crossing[position])
        seams, _ = self._seams
        at = int(seams.searchsorted(position, "right"))
        before = self._seam(int(seams[at - 1]), position) if at else None
        behind = self._seam(int(seams[at]), position) if at < len(seams) else None
        return Cut(position, self.column(position), orphans, self._request(position) if orphans else "", before, behind)

    def column(self, position: int) -> float:
        """The place on the axis of a position."""
        anchors = self._anchors
        at = min(max(int(anchors.searchsorted(position, "right")) - 1, 0), self.columns - 1)
        wide = int(anchors[at + 1] - anchors[at])
        return at + (position - int(anchors[at])) / wide if wide > 0 else float(at)

    def _seam(self, seam: int, position: int) -> Seam:
        groups = self.view.groups
        exchange = int(np.searchsorted(groups.first, seam))
        if exchange < groups.exchanges and int(groups.first[exchange]) == seam:
            label = groups.label(exchange)
        else:
            label = groups.step_label(int(np.searchsorted(groups.step_first, seam)))
        return Seam(label, seam, abs(int(self._summed[seam] - self._summed[position])))

    def _request(self, position: int) -> str:
        """The request whose results lose their calls."""
        calls, results = self._pairs
        parted = np.flatnonzero((calls < position) & (results >= position))
        step = int(self.view.groups.step[calls[parted[0]]]) if len(parted) else -1
        return self.view.groups.step_label(step) if step >= 0 else ""


def said(cut: Cut) -> str:
    """`Cutting here orphans 2 results of r171`."""
    if cut.safe:
        return "Cutting here parts no call from its result"
    results = "1 result" if cut.orphans == 1 else f"{cut.orphans:,} results"
    return f"Cutting here orphans {results}" + (f" of {cut.request}" if cut.request else "")


def beside(cut: Cut) -> str:
    """`nearest seams: ◂ E33 keeps 1.2k more · E34 ▸ drops 4.7k more`."""
    parts = []
    if cut.before is not None and cut.before.position != cut.position:
        parts.append(f"◂ {cut.before.label} keeps {short(cut.before.tokens)} more")
    if cut.behind is not None:
        parts.append(f"{cut.behind.label} ▸ drops {short(cut.behind.tokens)} more")
    if cut.before is not None and cut.before.position == cut.position:
        return f"this is the seam before {cut.before.label}" + (f"; the next: {parts[-1]}" if parts else "")
    return "nearest seams: " + " · ".join(parts) if parts else "there is no seam to cut at"
