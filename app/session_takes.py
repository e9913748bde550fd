"""How what was judged and counted is taken into what is shown, without holding the window.

A judged transcript of a million blocks takes a quarter of a second to lay out for list and chart. So a large one is laid out in steps
between two turns of the event loop, and shown when all is there; what the helper process says meanwhile waits its turn. Exact counts come
in slices: what is new is added, nothing is summed up anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from app import jobs
from app.model.state import Changed, State
from app.model.table import Ints
from app.model.view import Totals, View
from app.pipeline.names import provider_named
from app.session_asks import Helper
from app.session_follow import Follows
from app.worker import Worker

LARGE = 100_000  # rows from which a transcript is laid out in steps
COUNTS_SHOWN = 0.25  # s between two refreshes of the totals while counts come in ...
COUNTS_REST = 10  # ... and at least so many times what a refresh takes: a large file must not keep the window busy with itself


class Takes(Follows):
    """`coming(state, steps)`: what will be shown soon; whoever has something to make ready for it adds an iterator that does a step of it
    at each turn."""

    coming = Signal(object, object)

    def __init__(self, parent: QObject | None = None, worker: Callable[[Callable[[Any], None]], Helper] = Worker) -> None:
        super().__init__(parent, worker)
        self._edited: Ints = np.empty(0, bool)  # rows of the table whose own counts an edit replaced
        self._count_exactly = True  # benchmarks of memory leave the vocabularies out
        self._steps: Iterator[None] | None = None  # of an answer that is being taken
        self._steps_of = (-1, -1)  # its generation and serial
        self._behind: list[Any] = []  # answers that came meanwhile
        self._counted: list[Ints] = []  # rows counted since the totals were shown
        self._counts_next = 0.0

    # -- in steps -----------------------------------------------------------------------------------------------------------------

    def _take(self, answer: Any) -> None:
        if self._steps is not None:
            self._behind.append(answer)
        else:
            super()._take(answer)

    def _go_on(self) -> None:
        """The next step; after the last one what came meanwhile. Steps towards what nobody waits for any more are left."""
        if self._steps is None:
            return
        if self._steps_of == (self._generation, self._serial) and next(self._steps, self) is not self:
            QTimer.singleShot(0, self, self._go_on)
            return
        self._steps = None
        self._slow_ended()
        while self._behind and self._steps is None:
            super()._take(self._behind.pop(0))

    # -- what was judged ----------------------------------------------------------------------------------------------------------

    def _take_analysed(self, answer: jobs.Analysed) -> None:
        steps = self._laid_out(answer)
        if len(answer.transcript.order) < LARGE:
            for _ in steps:
                pass
            return
        self._steps, self._steps_of = steps, (self._generation, self._serial)
        QTimer.singleShot(0, self, self._go_on)

    def _laid_out(self, answer: jobs.Analysed) -> Iterator[None]:
        from app.pipeline import weigh

        view = View(answer.transcript, answer.groups, answer.links, pinned=answer.held.exchanges, held=answer.held.rows)
        weigh.weigh(view, answer.tokens, provider_named(self.state.provider))
        yield
        new = {
            "transcript": answer.transcript, "view": view, "tokens": answer.tokens, "totals": answer.totals, "recorded": answer.recorded,
            "calibration": answer.calibration, "report": answer.report, "other": answer.other, "skipped": answer.skipped,
            "pinned": answer.held.exchanges, "held": answer.held, "pins": self.pins, "recalled": answer.recalled,
            "progress": None, "rankings": {}, "checked": {}, "plan": None, "ghosts": (),
        }  # fmt: skip
        parts: list[Iterator[None]] = []
        self.coming.emit(self.state.with_(**new), parts)
        for part in parts:
            yield from part
        edited = weigh.edited_rows(answer.transcript)
        yield
        self._waiting.discard("Analyse")
        newer = self._shown_now()
        self.state = self.state.with_(**newer)
        self._edited = edited
        self._counted = []
        first = self.state.report is None
        self._set(Changed.ALL | Changed.SURVEY if newer else Changed.ALL, **new, selected=self._still(answer, first))
        self._rank()
        if first:
            self.look_aside()
        if self._count_exactly and not answer.tokens.exact.all():
            self._ask(jobs.Count(self._generation, self.state.counter))

    def _still(self, answer: jobs.Analysed, first: bool) -> int:
        """The selected row where it is still live; on opening the faulty block that the dump's own refusal speaks of, else the first, so
        that nobody has to look for it."""
        errors = [f.row for f in answer.report.findings if f.severity == "error"]
        if first and errors and self.state.selected < 0:
            named = [one.stands.row for one in answer.recalled if one.stands is not None]
            return next((row for row in reversed(named) if row in errors), errors[0])
        row = self.state.selected
        order = answer.transcript.order
        return row if row >= 0 and bool((order == row).any()) else -1

    # -- what was counted ---------------------------------------------------------------------------------------------------------

    def _take_counted(self, answer: jobs.Counted) -> None:
        """Counts come in slices; totals are refreshed a few times a second, plans once at the end and never during a drag."""
        state = self.state
        tokens, view = state.tokens, state.view
        if tokens is None or view is None or answer.counter != tokens.counter:
            return
        plain = ~self._edited[answer.rows]  # what an edit changed was counted with it
        tokens.own[answer.rows[plain]] = answer.own[plain]
        tokens.exact[answer.rows] = True
        self._counted.append(answer.rows[plain])
        now = time.monotonic()
        if answer.left and now < self._counts_next:
            return
        rows, self._counted = np.concatenate(self._counted), []
        fitted = {"calibration": answer.calibration} if answer.fitted_to == self._serial else {}
        self._set(Changed.TOKENS, totals=recounted(state, rows), **fitted)
        spent = time.monotonic() - now
        self._counts_next = now + spent + max(COUNTS_SHOWN, COUNTS_REST * spent)
        if not answer.left:
            self._waiting.discard("Count")
            self._rank()


def recounted(state: State, rows: Ints) -> Totals:
    """The totals once some rows of the table have other counts (`state.tokens`), which are put into the view as well. What a message costs
    beside its blocks stays."""
    view, tokens, totals = state.view, state.tokens, state.totals
    assert view is not None
    assert view.tokens is not None
    assert tokens is not None
    assert totals is not None
    at = np.flatnonzero(_mask(view.positions(rows), len(view)))
    more = tokens.own[view.rows[at]] - view.tokens[at].astype(np.int64)
    at, more = at[more != 0], more[more != 0]
    view.tokens = view.tokens.copy()  # who holds the old ones sees what is new
    view.tokens[at] += more.astype(np.int32)
    sent = at >= view.start
    return Totals(
        total=totals.total + int(more[sent].sum()),
        not_sent=totals.not_sent + int(more[~sent].sum()),
        counter=tokens.counter,
        exact=bool(tokens.exact[view.transcript.sent].all()),
        by_step=_grown(totals.by_step, view.groups.step[at], more),
        by_exchange=_grown(totals.by_exchange, view.groups.exchange[at], more),
    )


def _mask(at: Ints, count: int) -> Ints:
    """Positions as a mask, those that are none (-1) left out."""
    found = np.zeros(count + 1, bool)
    found[at] = True
    return found[:count]


def _grown(sums: Ints, group: Ints, more: Ints) -> Ints:
    inside = group >= 0
    grown = sums.copy()
    np.add.at(grown, group[inside], more[inside])
    return grown
