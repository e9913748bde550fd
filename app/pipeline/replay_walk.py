"""The walk of one strategy through the requests of a session (app/pipeline/replay.py says what a replay is)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from app.model.edits import Change, Insert
from app.model.findings import Report
from app.model.replay import Compaction, Run, Setup
from app.model.table import Ints
from app.model.view import View
from app.pipeline.catalogue import strategy_named
from app.pipeline.rank import arrange
from app.pipeline.replay_session import Context, Session
from app.pipeline.replay_talk import Told, told
from app.pipeline.requests import weight_of
from app.pipeline.spec import written

SUMMARY: Final = 1_500  # tokens of the summary that a system's model would have written (as in strategies.md 5.1)
NEVER: Final = np.iinfo(np.int32).max


class Walk:
    """The walk of one strategy through the requests."""

    def __init__(
        self, session: Session, setup: Setup, links: list[tuple[str, dict[str, Any]]], verify: bool = False, quick: bool = True
    ) -> None:  # fmt: skip
        self.session, self.setup, self.links, self.verify = session, setup, links, verify
        self.told: Told | None = told(session, *links[0]) if quick and setup.kept and len(links) == 1 else None
        self.requests = session.requests
        count = len(self.requests)
        self.sent, self.read = np.full(count, -1, np.int64), np.zeros(count, np.int64)
        self.done: list[Compaction] = []
        self.refused, self.why, self.failed = -1, "", ""
        self.extra = 0.0
        self.last = 0  # tokens that the last compaction left
        self.breaks_pairs = any(strategy_named(name).breaks_pairs for name, _ in links)
        self.units: list[tuple[int, int]] = []  # actions done, and what they freed
        rows = len(session.view.transcript.table)
        self.left, self.changed = np.full(rows, NEVER, np.int32), np.full(rows, NEVER, np.int32)

    def run(self) -> Run:
        actions, freed = (sum(one) for one in zip(*self.units, strict=True)) if self.units else (0, 0)
        return Run(
            spec=written(self.links), strategy="+".join(name for name, _ in self.links), sent=self.sent, read=self.read,
            compactions=tuple(self.done), refused=self.refused, why=self.why, extra=self.extra, breaks_pairs=self.breaks_pairs,
            asks_model=self.asks_model, failed=self.failed, checked=self.verify, unit=freed / actions if actions else 0.0,
            left=self.left, changed=self.changed,
        )  # fmt: skip

    @property
    def asks_model(self) -> bool:
        """Whether the system that is imitated has a model write a summary."""
        return any("summary" in params for _, params in self.links)

    # -- a compaction is remembered -------------------------------------------------------------------------------------------------

    def kept(self) -> Generator[None, None, None]:
        requests, setup = self.requests, self.setup
        context, at, total, self.last = self.session.begin(), 0, 0, 0
        sums, position = requests.sums, 0
        while at < len(requests):
            if requests.segment(at):  # what stood before a wall is gone
                self.last = 0
                context, position = replace(context, order=requests.head_rows), int(requests.starts[at])
                if self.told is not None:
                    self.told.begin(position)
                total, sums = requests.head_tokens, requests.sums
            end = self._segment_end(at)
            sizes = total + setup.beside + sums[requests.bounds[at:end]] - sums[position]
            over = np.flatnonzero(sizes > self._due())
            due = at + (int(over[0]) if len(over) else len(sizes))
            self._append(at, due, sizes)
            if due == end:
                context = context.grown(requests.rows(position, int(requests.bounds[end - 1])))
                at = end
                continue
            before = context.grown(requests.rows(position, int(requests.bounds[due - 1]))) if due > at else context
            asked = context.grown(requests.rows(position, int(requests.bounds[due])))
            context = self._compacted(asked, due, int(sizes[due - at]), before)
            yield
            if self._ends(due):
                return
            self.last = int(self.sent[due])
            position, total = int(requests.bounds[due]), self.last - setup.beside
            sums = self._sums(context, due)
            at = due + 1

    def _due(self) -> int:
        """Requests that are larger are compacted first. One that could not be brought under the trigger has to grow before it is tried
        again."""
        setup, last = self.setup, self.last
        return setup.trigger if last <= setup.trigger else min(setup.limit, last + setup.pause)

    def _segment_end(self, at: int) -> int:
        later = np.flatnonzero(self.requests.starts[at:] != self.requests.starts[at])
        return at + int(later[0]) if len(later) else len(self.requests)

    def _append(self, at: int, due: int, sizes: Ints) -> None:
        """Requests that only go on from the one before."""
        if due == at:
            return
        self.sent[at:due] = sizes[: due - at]
        self.read[at + 1 : due] = self.sent[at : due - 1]
        self.read[at] = self._common(at)

    def _common(self, at: int) -> int:
        """Of a request that was not compacted: what the one before has of it."""
        if at == 0:
            return 0
        return self.requests.head_tokens + self.setup.beside if self.requests.segment(at) else int(self.sent[at - 1])

    def _sums(self, context: Context, due: int) -> Ints:
        """Running sums of what follows a compaction. Where a message lies on both sides of it and its head is gone, its rest brings the
        overhead anew."""
        requests, spanning = self.requests, self.requests.spanning.get(due)
        if not spanning:
            return requests.sums
        table = self.session.view.transcript.table
        held = set(context.transcript.table.message[context.order].tolist())
        sums = requests.sums.copy()
        bound = int(requests.bounds[due])
        rest = table.message[requests.view.rows[bound:]]
        for number in spanning:
            if number not in held:
                first = bound + int(np.argmax(rest == number))
                row = requests.view.rows[first : first + 1]
                sums[first + 1 :] += weight_of(table, row, np.zeros(len(table), np.int64), self.session.provider)
        return sums

    # -- every request is compacted anew ----------------------------------------------------------------------------------------------

    def anew(self) -> Generator[None, None, None]:
        requests, setup = self.requests, self.setup
        sizes = requests.sizes + setup.beside
        last: Context | None = None
        for at in range(len(requests)):
            plain = self.session.begin().grown(requests.rows(int(requests.starts[at]), int(requests.bounds[at])))
            if sizes[at] <= setup.trigger:
                self.sent[at], self.read[at] = sizes[at], self._shared(last, plain, at)
                last = plain
                continue
            last = self._compacted(plain, at, int(sizes[at]), last)
            yield
            if self._ends(at):
                return

    def _shared(self, last: Context | None, now: Context, at: int) -> int:
        if last is None or at == 0:
            return 0
        first = _first_difference(last, now)
        return self._prefix(now, first) if first < len(last.order) else int(self.sent[at - 1])

    # -- one compaction -----------------------------------------------------------------------------------------------------------------

    def _compacted(self, asked: Context, at: int, size: int, last: Context | None) -> Context:
        """Asks the strategy, applies what it decides, and notes it. `last`: what the request before carried."""
        done, actions = self._decided(asked, at)
        after = done.total(self.session.provider) + self.setup.beside if done is not asked else size
        first = _first_difference(last, done) if last is not None else 0
        broken = last is not None and first < len(last.order)
        self.sent[at] = after
        if last is not None and at > 0:
            self.read[at] = self._prefix(done, first) if broken else self._common(at)
        if done is not asked or broken:
            self._note(asked, done, at, size, first if broken else -1, last, actions)
        return done

    def _decided(self, asked: Context, at: int) -> tuple[Context, int]:
        """What a strategy leaves of a context, and how many actions that took; the same context where it does nothing."""
        session = self.session
        if self.told is not None:
            found = self.told.change(asked, int(self.requests.bounds[at]))
            if found is None:
                return asked, 0
            done = self._applied(asked, found[0])
            self.told.settle(asked, done, found[1])
            return done, 1
        view = session.view_of(asked, at)
        arranged = arrange(view, self.links, session.provider, session.counted, session.look(asked), session.raw)
        plan = arranged.ranking.plan(max(0, self.setup.target - self.setup.beside))
        change = arranged.change(plan) if plan.length else None
        return (self._applied(asked, change), plan.length) if change is not None and change.edits else (asked, 0)

    def _applied(self, context: Context, change: Change) -> Context:
        """The change laid over a context; what a model's summary costs is noted."""
        done = self.session.applied(context, change)
        if self.asks_model and any(isinstance(edit, Insert) for edit in change.edits):
            prices, old = self.setup.prices, len(context.own)
            written = max(SUMMARY, int(done.own[old:].sum()))
            self.extra += prices.read * context.total(self.session.provider) + prices.output * written
        return done

    def _prefix(self, context: Context, first: int) -> int:
        """Tokens in front of the message in which a place stands."""
        table, order = context.transcript.table, context.order
        if first < len(order):
            while first > 0 and table.message[order[first]] >= 0 and table.message[order[first - 1]] == table.message[order[first]]:
                first -= 1
        return weight_of(table, order[:first], context.own, self.session.provider) + self.setup.beside

    def _note(self, asked: Context, done: Context, at: int, size: int, first: int, last: Context | None, actions: int) -> None:
        """Enters a compaction. `first`: where it differs from the request before, -1 nowhere."""
        rows = len(self.left)
        column, after, read = int(self.requests.columns[at]), int(self.sent[at]), int(self.read[at])
        present = np.zeros(max(len(done.transcript.table), len(asked.transcript.table)), bool)
        present[done.order] = True
        gone = asked.order[~present[asked.order]]
        other = asked.order[present[asked.order] & (asked.marks[asked.order] != done.marks[asked.order])]
        for when, of in ((self.left, gone), (self.changed, other)):
            base = of[of < rows]
            when[base] = np.minimum(when[base], column)
        changed = int(last.order[first]) if last is not None and first >= 0 else int(gone[0]) if len(gone) else -1
        lost = int(self.sent[at - 1]) - read if at > 0 and first >= 0 else 0
        again = self._again(done, first, last) if first >= 0 else 0
        if actions:
            self.units.append((actions, size - after))
        errors = self._new_errors(asked, done, at) if self.verify else None
        missing = max(0, size - self.setup.target)
        self.done.append(Compaction(column, size, after, changed, read, lost, again, len(gone), len(other), actions, missing, errors))
        if errors and self.refused < 0:
            self.refused, self.why = at, f"{errors:,} new error{'s' if errors > 1 else ''}"

    def _again(self, done: Context, first: int, last: Context | None) -> int:
        """Tokens behind the first change that the request before had as well."""
        if last is None:
            return 0
        had = np.zeros(len(done.transcript.table), bool)
        had[last.order] = True
        rest = done.order[first:]
        return int(done.own[rest[had[rest]]].sum())

    def _new_errors(self, asked: Context, done: Context, at: int) -> int:
        """Errors that a provider would name in a request and would not have named before."""
        from app.pipeline.plan import new_errors

        return new_errors(self._report(self.session.view_of(asked, at)), self._report(self.session.view_of(done, at)))

    def _report(self, view: View) -> Report:
        from app.pipeline.check import check

        key = ("replay", "report")
        if key not in view.readings:
            view.readings[key] = check(view, self.session.provider, self.session.model, "complete", self.session.dump)
        found: Report = view.readings[key]
        return found

    def _ends(self, at: int) -> bool:
        """Whether the session ends here: the provider takes no request that is larger than the window leaves."""
        if self.sent[at] <= self.setup.limit:
            return False
        if self.refused < 0:
            self.refused, self.why = at, "window"
        self.sent[at:] = -1
        return True


def _first_difference(last: Context, now: Context) -> int:
    """The first place at which two requests differ; the length of the shorter one where neither does."""
    count = min(len(last.order), len(now.order))
    a, b = last.order[:count], now.order[:count]
    differs = (a != b) | (last.marks[a] != now.marks[b])
    found = np.flatnonzero(differs)
    return int(found[0]) if len(found) else count


