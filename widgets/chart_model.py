"""What the chart shows of a state: columns, contents, the fill of the shown plan, words about a request. No Qt.

`refresh` says what is stale. What is dear is made once: columns and contents for an order, savings for a ranking, the look-up for a
ranking at a width; a move of the drag asks the look-up only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Flag, auto

import numpy as np

from app.model.plan import Plan, Ranking
from app.model.state import Changed, State
from app.model.table import Ints
from app.model.tokens import Recorded
from app.model.view import View
from widgets import chart_words
from widgets.chart_data import LAYER_WORDS, LAYERS, Bins, Contents, Layer, Requests, bins, first_over
from widgets.chart_made import Made
from widgets.chart_savings import Lookup, Savings, savings
from widgets.chart_scale import Rungs
from widgets.words import counted, full, short

THINGS = {
    Layer.HEAD: "system text", Layer.RESULT: "tool result", Layer.CALL: "tool call", Layer.REASONING: "reasoning block",
    Layer.TEXT: "text", Layer.USER: "prompt", Layer.MEDIA: "medium", Layer.OTHER: "block",
}  # fmt: skip


class Stale(Flag):
    """What has to be painted anew."""

    NOTHING = 0
    ALL = auto()  # columns, outline, ruler, scale
    MARKS = auto()  # findings, refusals
    PLAN = auto()  # the fill, the margin, the cut
    CURSOR = auto()  # the request of the selected row
    HITS = auto()  # what a filter comes to


@dataclass(frozen=True)
class Point:
    """Recorded input of a request: `read` is the part of it that came from the cache (0 to 1, -1 where that is not recorded)."""

    column: int
    tokens: int
    read: float


class ChartModel:
    """Figures and words; see the module. `width` is that of the plot in pixels."""

    def __init__(self) -> None:
        self.state = State()
        self.width = 1
        self.window: int | None = None
        self.room = 0
        self.axis: Requests | None = None
        self.base: Contents | None = None
        self.live: Contents | None = None
        self.recorded: Recorded | None = None
        self._kept: dict[int, tuple[View, Recorded | None]] = {}  # transcripts as opened and their usage, by index
        self._dump: object = None
        self._view: View | None = None
        self._bins: Bins | None = None
        self._idle: Ints | None = None
        self._last: tuple[Ints, Ints] | None = None
        self._last_of: tuple[Lookup, int] | None = None
        self._savings: Savings | None = None
        self._lookup: Lookup | None = None
        self._rungs: tuple[Ranking, Rungs] | None = None
        self._made: Made | None = None

    # -- what is new ------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> Stale:
        self.state, stale = state, Stale.NOTHING
        if state.dump is not self._dump:
            self._dump = state.dump
            self._kept.clear()
        if state.view is not self._view or changed & (Changed.DUMP | Changed.TRANSCRIPT):
            self._take(state)
            stale |= Stale.ALL
        elif changed & Changed.TOKENS:
            self._weigh(state)
            stale |= Stale.ALL
        if changed & (Changed.FINDINGS | Changed.TRANSCRIPT):
            stale |= Stale.MARKS
        if changed & (Changed.PLAN | Changed.RANKINGS | Changed.CHECKED):
            stale |= Stale.PLAN
        if changed & Changed.SELECTION:
            stale |= Stale.CURSOR
        if changed & Changed.FILTER:
            stale |= Stale.HITS
        return stale

    def _take(self, state: State) -> None:
        """Columns of the transcript as opened, and what is left of it."""
        self._view = view = state.view
        self._bins = self._idle = self._last = self._savings = self._lookup = None
        made, self._made = self._made, None
        self.axis = self.base = self.live = None
        if view is None or view.tokens is None or state.tokens is None or _first_look(state):
            return
        if not state.history.active:
            self._kept[state.chosen] = (view, state.recorded)
        opened, self.recorded = self._kept.get(state.chosen, (view, state.recorded))
        if made is None or not made.fits(opened, view):
            made = Made()
            for _ in made.steps(opened, view, state.tokens.own):
                pass
        self.axis, self.base, self.live = made.axis, made.base, made.live

    def ahead(self, state: State) -> Iterator[None]:
        """Lays the columns out for a state that will be shown, a step at each turn."""
        view = state.view
        if view is None or view.tokens is None or state.tokens is None or _first_look(state):
            return
        same = state.dump is self._dump and bool(state.history.active)
        opened = self._kept.get(state.chosen, (view, None))[0] if same else view
        self._made = Made()
        yield from self._made.steps(opened, view, state.tokens.own)

    def _weigh(self, state: State) -> None:
        """New counts of the same rows."""
        view = state.view
        if self.base is None or self.live is None or view is None or view.tokens is None or state.tokens is None:
            self._take(state)
            return
        same = self.live is self.base
        self.base = self.base.weigh(view.tokens if same else state.tokens.own[self.base.view.rows])
        self.live = self.base if same else self.live.weigh(view.tokens)
        self._idle = self._last = None
        if self._bins is not None:
            shown, self._bins = self._bins, bins(self.base.sizes, self.width)
            if self._lookup is None or not self._lookup.rebase(self.live, shown, self._bins):
                self._lookup = None

    def resize(self, width: int) -> None:
        if width != self.width:
            self.width = max(1, width)
            self._bins = self._idle = self._last = self._lookup = None

    # -- figures ------------------------------------------------------------------------------------------------------------------

    @property
    def bins(self) -> Bins | None:
        if self._bins is None and self.base is not None:
            self._bins = bins(self.base.sizes, self.width)
        return self._bins

    @property
    def plan(self) -> Plan | None:
        """The shown plan, None while the budget is parked."""
        return self.state.plan if self.state.budget is not None else None

    @property
    def ready(self) -> bool:
        """Whether the look-up of the shown strategy is there."""
        ranking = self.state.rankings.get(self.state.shown)
        return ranking is None or (self._lookup is not None and self._savings is not None and self._savings.ranking is ranking)

    def prepare(self) -> None:
        """Makes the look-up of the shown strategy: a tenth of a second for a million blocks, so not within a key."""
        while self.prepare_some():
            pass

    def prepare_some(self) -> bool:
        """A step of that; whether there is another one."""
        ranking, view = self.state.rankings.get(self.state.shown), self.state.view
        at = self.bins
        if ranking is None or view is None or view.tokens is None or self.axis is None or self.live is None or at is None:
            return False
        if len(ranking.actions.drop_at) != len(view):
            return False  # a ranking of an order that is gone
        if self._savings is None or self._savings.ranking is not ranking:
            self._savings, self._lookup = savings(self.axis, self.live, view.tokens, ranking), None
            return True
        if self._lookup is None:
            self._lookup = Lookup(self.axis, self.live, self._savings, at)
        return False

    @property
    def savings(self) -> Savings | None:
        """Those of the shown strategy, where they are made."""
        found = self._savings
        return found if found is not None and found.ranking is self.state.rankings.get(self.state.shown) else None

    def fill(self) -> Ints:
        """Tokens by bin and layer of what would be sent: after all changes and under the shown plan."""
        if self.bins is None or self.live is None:
            return np.zeros((0, LAYERS))
        return self._shown()[0]

    def gone(self) -> Ints:
        """Mask over bins: what that request added is gone, by changes or under the plan."""
        if self.bins is None or self.live is None:
            return np.zeros(0, bool)
        return self._shown()[1]

    def _shown(self) -> tuple[Ints, Ints]:
        """Fill and mask of the plan; those of the last one while the look-up of another strategy is still to come."""
        at, live, plan = self.bins, self.live, self.plan
        assert at is not None
        assert live is not None
        if plan is not None and self._planned(plan):
            assert self._lookup is not None
            if self._last is None or self._last_of != (self._lookup, plan.length):
                self._last = (self._lookup.fill(plan.length), self._lookup.gone(plan.length))
                self._last_of = (self._lookup, plan.length)
        elif plan is None or self._last is None:
            if self._idle is None:
                self._idle = live.totals(at.shows)
            self._last, self._last_of = (self._idle, np.asarray(live.gone[at.shows])), None
        return self._last

    def _planned(self, plan: Plan) -> bool:
        return self._lookup is not None and self._savings is not None and self._savings.ranking is plan.ranking

    @property
    def verb(self) -> str:
        return self.savings.verb if self.savings is not None else "dropped"

    @property
    def things(self) -> str:
        """What the plan touches, counted: `30 exchanges` where it takes a prefix, else `76 tool results`."""
        found, plan = self.savings, self.plan
        if plan is None:
            return ""
        if found is None or found.ranking.prefix:
            return chart_words.touched(plan)
        count, kind = found.things(plan.length)
        return counted(count, THINGS[kind] if kind is not None else "block")

    @property
    def cut(self) -> int | None:
        """Column boundary at which the fill starts, for strategies that take a prefix; None for others."""
        found, axis = self.savings, self.axis
        if found is None or axis is None or not found.ranking.prefix or not len(found.cuts):
            return None
        plan = self.plan
        return max(axis.sent_from, found.cut(plan.length)) if plan is not None and plan.length else axis.sent_from

    def last_dropped(self, size: int) -> str:
        """The last exchange, or request, that is taken out where the request comes to a size; "" where no prefix is taken."""
        found, axis = self.savings, self.axis
        if found is None or axis is None or not found.ranking.prefix or not len(found.cuts):
            return ""
        length = int(np.searchsorted(-np.asarray(found.ranking.after, np.int64), -size))
        column = int(found.cuts[length - 1]) - 1 if 0 < length <= len(found.cuts) else -1
        if column < 0:
            return ""
        return self.exchange(int(axis.exchange[column])) if found.ranking.unit == "exchanges" else self.request(column).partition(" · ")[0]

    def passed(self) -> int:
        """The first request, of those that the model still sees, that was over the budget as opened; -1 while it is parked."""
        base, axis, budget = self.base, self.axis, self.state.budget
        if base is None or axis is None or budget is None or budget >= self.state.now:
            return -1
        return first_over(base.sizes, budget, axis.sent_from)

    def touched(self) -> tuple[int, int] | None:
        """First and last column with rows that the plan only shortens or thins out; None where it takes whole requests."""
        found, plan = self.savings, self.plan
        if found is None or plan is None or not plan.length or found.ranking.prefix:
            return None
        return found.span(plan.length)

    @property
    def rungs(self) -> Rungs | None:
        """The sizes that the shown strategy can reach."""
        ranking = self.state.rankings.get(self.state.shown)
        if ranking is None or not len(ranking.rungs):
            return None
        if self._rungs is None or self._rungs[0] is not ranking:
            self._rungs = (ranking, Rungs(ranking.rungs))
        return self._rungs[1]

    @property
    def offset(self) -> int:
        """Tokens of every request that are not in the dump."""
        found = self.state.calibration
        return max(0, found.offset) if found is not None else 0

    @property
    def room_budget(self) -> int | None:
        """What fits in the model's window beside the answer and what is not in the dump."""
        return None if self.window is None else max(0, self.window - self.room - self.offset)

    def scale_marks(self) -> list[int]:
        """Sizes that the y axis should hold beside *now*."""
        marks = [int(self.base.sizes.max())] if self.base is not None else []
        if self.window is not None:
            marks.append(self.window - self.offset)
        if self.state.budget is not None:
            marks.append(self.state.budget)
        return marks + [point.tokens for point in self.points(1)]

    def points(self, slot: int) -> list[Point]:
        """Recorded input less what is not in the dump, so that it lies on the outline where the counts are right; the largest of each
        `slot` pixels."""
        at, found, axis = self.bins, self.recorded, self.axis
        if at is None or found is None or axis is None or len(found.input) != len(axis.first):
            return []
        there = np.flatnonzero(found.input >= 0)
        if not len(there):
            return []
        tokens = found.input[there].astype(np.int64)
        slots = ((there + 0.5) * at.width / at.columns / slot).astype(np.int64)
        starts = np.flatnonzero(np.diff(slots, prepend=-1))
        largest = np.maximum.reduceat(tokens, starts)
        lengths = np.diff(np.append(starts, len(there)))
        hit = np.where(tokens == np.repeat(largest, lengths), np.arange(len(there)), -1)
        out = []
        for i in np.maximum.reduceat(hit, starts).tolist():
            column, read = int(there[i]), int(found.cache_read[there[i]])
            out.append(Point(column, int(tokens[i]) - self.offset, read / max(1, int(tokens[i])) if read >= 0 else -1.0))
        return out

    # -- places and words ---------------------------------------------------------------------------------------------------------

    def request(self, column: int) -> str:
        """`r203 · E31` as the list numbers them now; `now` for the last column; "" where the request is gone."""
        axis, view = self.axis, self.state.view
        if axis is None or view is None:
            return ""
        if column >= axis.columns - 1:
            return "now"
        at = view.at(int(axis.rows[axis.first[column]]))
        if at < 0 or view.groups.step[at] < 0:
            return ""
        exchange = int(view.groups.exchange[at])
        return view.groups.step_label(int(view.groups.step[at])) + (f" · {view.groups.label(exchange)}" if exchange >= 0 else "")

    def exchange(self, index: int) -> str:
        """Label of an exchange as opened, as the list numbers it now; "" where it is gone."""
        axis, view = self.axis, self.state.view
        opened = self.base.view if self.base is not None else None
        if axis is None or view is None or opened is None:
            return ""
        at = view.at(int(axis.rows[opened.groups.first[index]]))
        return view.groups.label(int(view.groups.exchange[at])) if at >= 0 and view.groups.exchange[at] >= 0 else ""

    def row(self, column: int) -> int:
        """The row that a click on a column goes to, -1 where the request is gone."""
        axis, view = self.axis, self.state.view
        if axis is None or view is None or not len(view) or not 0 <= column < axis.columns:
            return -1
        row = int(axis.rows[axis.first[column]]) if column < axis.columns - 1 else int(view.rows[-1])
        return row if view.at(row) >= 0 else -1

    def column(self, row: int) -> int:
        """The column of the request that added a row, or of the next one; -1 where the row is not live."""
        view, live = self.state.view, self.live
        at = view.at(row) if view is not None else -1
        if live is None or at < 0:
            return -1
        return int(live.own[at]) if live.own[at] >= 0 else int(live.boundary[at])

    def describe(self, column: int) -> list[str]:
        """What is known of a request, a line each: its name first."""
        axis, base = self.axis, self.base
        if axis is None or base is None:
            return []
        name = "the next request, with all that is here" if column == axis.columns - 1 else self.request(column)
        lines = [name or "a request that changes have taken out", f"sent {full(int(base.sizes[column]))} tokens"]
        plan, found = self.plan, self.savings
        if plan is not None and plan.length and found is not None and self.live is not None:
            lines.append(f"under the plan {chart_words.approx(plan)}{full(int(self.live.sizes[column]) - found.at(column, plan))}")
        lines += self._recorded_words(column)
        added = base.added[column]
        if added.sum() > 0:
            parts = [f"{LAYER_WORDS[layer]} {short(int(added[layer]))}" for layer in Layer if added[layer] > 0]
            lines.append(f"new in it {full(int(added.sum()))}: {', '.join(parts)}")
        return lines

    def _recorded_words(self, column: int) -> list[str]:
        found, axis = self.recorded, self.axis
        if found is None or axis is None or column >= len(found.input) or len(found.input) != len(axis.first):
            return []
        sent, read = int(found.input[column]), int(found.cache_read[column])
        if sent < 0:
            return []
        return [f"recorded {full(sent)}" + (f", {round(100 * read / sent)} % of it from the cache" if read >= 0 and sent else "")]


def _first_look(state: State) -> bool:
    """The file is still being read: how large a request is, is not known, and an outline would stand beside no *now*."""
    return state.totals is None and state.dump is not None and not state.dump.complete
