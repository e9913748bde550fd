"""Replay: a session walked request by request under a strategy, compacted whenever a request would be larger than the trigger.

Between two compactions nothing but appending happens, so that the next trigger is one bisection in running sums; a strategy is asked only
where it is due, and only of what the request carries then. What it decides is really applied, as edits over the same table.

The provider's cache is taken to hold the request before, whole: of the next one it gives what both have in common from the front, message
by message, and all behind that is written. Time between requests, the least size of a cached prefix and places of cache marks are not
looked at (strategies.md 5.2 measures the same; its shape is what tests hold this to).

A text that a strategy puts in is counted where it is short; that of a long one, and of a result that is cut, goes by its characters.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from app.model.block import Block
from app.model.dump import Dump
from app.model.edits import Cap, Change, Insert, Replace, Set
from app.model.errors import InspectorError
from app.model.findings import Report
from app.model.plan import Plan
from app.model.prices import Prices
from app.model.provider import Provider
from app.model.replay import Compaction, Replay, Run, Setup
from app.model.table import Ints
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.apply import apply
from app.pipeline.blocks import Blocks
from app.pipeline.rank import Arranged, arrange
from app.pipeline.requests import Requests, requests_of, weight_of
from app.pipeline.spec import Spec, read_spec, written
from app.pipeline.talk import PARTS, Parts
from app.pipeline.view import make_view
from app.presets import Part

LONG: Final = 2_000  # characters of a text that is not counted any more
KEPT: Final = 64_000_000  # characters of decoded blocks that are kept while strategies take turns
SUMMARY: Final = 1_500  # tokens of the summary that a system's model would have written (as in strategies.md 5.1)
NEVER: Final = np.iinfo(np.int32).max

Walk = Generator[None, None, Run]


@dataclass(eq=False)
class Context:
    """What the requests carry at some point: rows in order, with the edits so far. `own`: tokens along the table; `marks`: along the
    table, a number for what an edit put in place of a row's content (0: as it was)."""

    transcript: Transcript
    order: Ints
    own: Ints
    marks: Ints

    def total(self, provider: Provider) -> int:
        return weight_of(self.transcript.table, self.order, self.own, provider)

    def grown(self, rows: Ints) -> Context:
        return replace(self, order=np.concatenate([self.order, rows])) if len(rows) else self


@dataclass(eq=False)
class Session:
    """What all strategies are replayed on. `count`: tokens of one text. `model`: for the check."""

    dump: Dump
    view: View
    provider: Provider
    model: str | None
    counter: str
    count: Callable[[str], int]
    requests: Requests = field(init=False)
    _counts: dict[str, int] = field(default_factory=dict)
    _blocks: dict[tuple[int, int], Block] = field(default_factory=dict)
    _parts: dict[tuple[int, int], Part] = field(default_factory=dict)
    _room: int = KEPT
    _views: dict[tuple[int, int], View] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.requests = requests_of(self.view, self.provider)
        self._plain = Blocks(self.dump, self.view.transcript)
        pinned = np.isin(self.view.groups.exchange, list(self.view.pinned))
        self._pinned = self.view.rows[pinned]

    # -- where it begins ------------------------------------------------------------------------------------------------------------

    def begin(self) -> Context:
        """Nothing is carried but what stands beside the list."""
        transcript = self.view.transcript.with_(walls=())
        own = np.zeros(len(transcript.table), np.int32)
        own[self.view.rows] = self.view.tokens
        return Context(transcript, self.requests.head_rows, own, np.zeros(len(own), np.int64))

    def look(self, context: Context) -> Callable[[int], Block]:
        """Decodes rows of a context; a block with the same content once for all strategies, while there is room."""
        marks, known, edited = context.marks, self._blocks, Blocks(self.dump, context.transcript)

        def block(row: int) -> Block:
            mark = int(marks[row])
            found = known.get((row, mark))
            if found is None:
                found = edited(row) if mark else self._plain(row)
                self._room -= sum(map(len, found.texts)) + 500
                if self._room > 0:
                    known[row, mark] = found
            return found

        return block

    def view_of(self, context: Context, request: int) -> View:
        """A context as strategies see it. Untouched ones are shared."""
        pristine = not context.marks.any()
        key = (request, len(context.order))
        if pristine and key in self._views:
            return self._views[key]
        transcript = context.transcript.with_(order=context.order, start=0)
        tokens = Tokens(self.counter, context.own, np.ones(len(context.own), bool))
        view = make_view(transcript, tokens, self.provider)
        if len(self._pinned):
            held = view.groups.exchange[np.isin(view.rows, self._pinned)]
            view.pinned = frozenset(np.unique(held[held >= 0]).tolist())
        touched = np.flatnonzero(context.marks)
        view.readings[PARTS] = Parts(self._parts, dict(zip(touched.tolist(), context.marks[touched].tolist(), strict=True)))
        if pristine and len(self._views) < 4:
            self._views[key] = view
        return view

    def counted(self, text: str) -> int:
        """Tokens of a text that a strategy puts in."""
        if len(text) > LONG:
            return -(-len(text) * 10 // 38)
        found = self._counts.get(text)
        if found is None:
            found = self._counts[text] = self.count(text)
        return found

    def raw(self, row: int) -> Any:
        return self._plain.value(int(self.view.transcript.table.record[row]))


# -- all of it ------------------------------------------------------------------------------------------------------------------------


def none(session: Session, setup: Setup) -> Run:
    """Every request as it was, whatever the window."""
    requests = session.requests
    sent = requests.sizes + setup.beside
    read = np.zeros(len(sent), np.int64)
    for k in range(1, len(sent)):
        read[k] = requests.head_tokens + setup.beside if requests.segment(k) else sent[k - 1]
    over = np.flatnonzero(sent > setup.limit)
    first = int(over[0]) if len(over) else -1
    return Run("none", "none", sent, read, (), first, "window" if first >= 0 else "", checked=True)


def replayed(session: Session, setup: Setup, specs: Sequence[str | Spec], verify: bool = False) -> Iterator[Run | None]:
    """The strategies one by one; None in between, so that whoever asked can do something else."""
    for spec in specs:
        walk = replay(session, setup, spec, verify)
        while True:
            try:
                next(walk)
            except StopIteration as done:
                yield done.value
                break
            yield None


def whole(session: Session, setup: Setup, specs: Sequence[str | Spec], verify: bool = False) -> Replay:
    """A replay of all strategies that were asked for, at once."""
    runs = tuple(run for run in replayed(session, setup, specs, verify) if run is not None)
    return Replay(setup, session.requests.columns, none(session, setup), runs, session.requests.walls)


def replay(session: Session, setup: Setup, spec: str | Spec, verify: bool = False) -> Walk:
    """One strategy. A generator: it pauses behind each compaction and gives the run at its end."""
    links = read_spec(spec)
    walk = _Walk(session, setup, links, verify)
    try:
        yield from walk.kept() if setup.kept else walk.anew()
    except InspectorError as error:
        walk.failed = str(error)
    return walk.run()


# -- one strategy -----------------------------------------------------------------------------------------------------------------------


class _Walk:
    """The walk of one strategy through the requests."""

    def __init__(self, session: Session, setup: Setup, links: list[tuple[str, dict[str, Any]]], verify: bool) -> None:
        self.session, self.setup, self.links, self.verify = session, setup, links, verify
        self.requests = session.requests
        count = len(self.requests)
        self.sent, self.read = np.full(count, -1, np.int64), np.zeros(count, np.int64)
        self.done: list[Compaction] = []
        self.refused, self.why, self.failed = -1, "", ""
        self.extra = 0.0
        self.breaks_pairs = False
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
        context, at, total = self.session.begin(), 0, 0
        sums, position = requests.sums, 0
        while at < len(requests):
            if requests.segment(at):  # what stood before a wall is gone
                context, position = self._begun(context), int(requests.starts[at])
                total, sums = requests.head_tokens, requests.sums
            end = self._segment_end(at)
            sizes = total + setup.beside + sums[requests.bounds[at:end]] - sums[position]
            over = np.flatnonzero(sizes > setup.trigger)
            due = at + (int(over[0]) if len(over) else len(sizes))
            self._append(at, due, sizes)
            if due == end:
                context = context.grown(requests.rows(position, int(requests.bounds[end - 1])))
                at = end
                continue
            before = context.grown(requests.rows(position, int(requests.bounds[due - 1])) if due > at else context.order[:0])
            asked = context.grown(requests.rows(position, int(requests.bounds[due])))
            context = self._compacted(asked, due, int(sizes[due - at]), before)
            yield
            if self._ends(due):
                return
            position, total = int(requests.bounds[due]), int(self.sent[due]) - setup.beside
            sums = self._sums(context, due)
            at = due + 1

    def _segment_end(self, at: int) -> int:
        later = np.flatnonzero(self.requests.starts[at:] != self.requests.starts[at])
        return at + int(later[0]) if len(later) else len(self.requests)

    def _begun(self, context: Context) -> Context:
        return replace(context, order=self.requests.head_rows)

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
        session, setup = self.session, self.setup
        view = session.view_of(asked, at)
        arranged = arrange(view, self.links, session.provider, session.counted, session.look(asked), session.raw)
        self.breaks_pairs |= arranged.ranking.breaks_pairs
        plan = arranged.ranking.plan(max(0, setup.target - setup.beside))
        change = arranged.change(plan) if plan.length else None
        done = asked if change is None or not change.edits else self._applied(asked, change)
        after = done.total(session.provider) + setup.beside if done is not asked else size
        first = _first_difference(last, done) if last is not None else 0
        broken = last is not None and first < len(last.order)
        self.sent[at] = after
        if last is None or at == 0:
            self.read[at] = 0
        else:
            self.read[at] = self._prefix(done, first) if broken else self.sent[at - 1]
        if done is not asked or broken:
            self._note(arranged, plan, asked, done, at, size, first if broken else -1, last)
        return done

    def _applied(self, context: Context, change: Change) -> Context:
        """The change laid over a context; tokens of what it made or changed."""
        transcript = context.transcript.with_(order=context.order, start=0)
        after = apply(transcript, [change], self.session.provider).transcript
        old, new = len(transcript.table), len(after.table)
        own = np.concatenate([context.own, np.zeros(new - old, context.own.dtype)])
        marks = np.concatenate([context.marks, np.ones(new - old, np.int64)])
        for row in range(old, new):
            text = after.made[row].text
            own[row], marks[row] = self.session.counted(text) if text else 0, hash((text, int(after.made[row].kind))) or 1
        for edit in change.edits:
            if isinstance(edit, Replace):
                rows = edit.rows[edit.rows < old]
                marks[rows] = hash(edit.content) or 1
                own[rows] = _less(transcript, after, own, rows) if isinstance(edit.content, Cap) else self.session.counted(edit.content.text)
            elif isinstance(edit, Set) and edit.row < old:
                rows = np.asarray([edit.row])
                marks[rows], own[rows] = hash((edit.field, repr(edit.value))) or 1, _less(transcript, after, own, rows)
        inserted = sum(self.session.counted(after.made[row].text) for row in range(old, new))
        if self.asks_model and any(isinstance(edit, Insert) for edit in change.edits):
            prices = self.setup.prices
            self.extra += prices.read * context.total(self.session.provider) + prices.output * max(inserted, SUMMARY)
        return Context(after.with_(walls=()), after.order, own, marks)

    def _prefix(self, context: Context, first: int) -> int:
        """Tokens in front of the message in which a place stands."""
        table, order = context.transcript.table, context.order
        if first < len(order):
            while first > 0 and table.message[order[first]] >= 0 and table.message[order[first - 1]] == table.message[order[first]]:
                first -= 1
        return weight_of(table, order[:first], context.own, self.session.provider) + self.setup.beside

    def _note(
        self, arranged: Arranged, plan: Plan, asked: Context, done: Context, at: int, size: int, first: int, last: Context | None
    ) -> None:  # fmt: skip
        """Enters a compaction."""
        rows = len(self.left)
        column = int(self.requests.columns[at])
        present = np.zeros(max(len(done.transcript.table), len(asked.transcript.table)), bool)
        present[done.order] = True
        gone = asked.order[~present[asked.order]]
        other = asked.order[present[asked.order] & (asked.marks[asked.order] != done.marks[asked.order])]
        for when, of in ((self.left, gone), (self.changed, other)):
            base = of[of < rows]
            when[base] = np.minimum(when[base], column)
        again = self._again(done, first, last) if first >= 0 else 0
        row = int(last.order[first]) if last is not None and 0 <= first < len(last.order) else int(gone[0]) if len(gone) else -1
        if plan.length:
            self.units.append((plan.length, size - int(self.sent[at])))
        errors = self._new_errors(arranged, done, at) if self.verify else None
        self.done.append(
            Compaction(
                column, size, int(self.sent[at]), row, int(self.read[at]), again, len(gone), len(other), plan.length,
                max(0, size - self.setup.target), errors,
            )
        )  # fmt: skip
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

    def _new_errors(self, arranged: Arranged, done: Context, at: int) -> int:
        from app.pipeline.plan import new_errors

        before = self._report(arranged.view)
        return new_errors(before, self._report(self.session.view_of(done, at))) if before is not None else 0

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


def _less(before: Transcript, after: Transcript, own: Ints, rows: Ints) -> Ints:
    """Tokens of rows that became shorter, by their characters."""
    was = np.maximum(before.table.size[rows].astype(np.int64), 1)
    return np.maximum(1, own[rows].astype(np.int64) * after.table.size[rows] // was)


def _first_difference(last: Context, now: Context) -> int:
    """The first place at which two requests differ; the length of the shorter one where neither does."""
    count = min(len(last.order), len(now.order))
    a, b = last.order[:count], now.order[:count]
    differs = (a != b) | (last.marks[a] != now.marks[b])
    found = np.flatnonzero(differs)
    return int(found[0]) if len(found) else count


# -- other targets ----------------------------------------------------------------------------------------------------------------------


def at_targets(setup: Setup, shares: Sequence[float] = (0.95, 0.8, 0.65, 0.5, 0.35, 0.2)) -> list[Setup]:
    """The same with other targets, as shares of the trigger: what less and more overshoot cost."""
    return [replace(setup, target=int(setup.trigger * share)) for share in shares]


def priced(setup: Setup, prices: Prices) -> Setup:
    return replace(setup, prices=prices)
