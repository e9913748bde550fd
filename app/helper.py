"""What the helper process does: it holds the dump and answers jobs (app/jobs.py), counting tokens whenever nothing else is asked.

One thread reads jobs, so that a cancel or a newer load is seen while work is under way; all else is one loop.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import IO, Any

import numpy as np

from app import heap, jobs
from app.model.dump import Dump
from app.model.errors import InspectorError, UnreadableError
from app.model.findings import Mode
from app.model.plan import Ranking
from app.model.source import Source
from app.model.table import Ints
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import Groups, View
from app.rounds import Rounds
from app.shared_memory import Laid, Layout
from app.worker import NOTHING, Shared, read, write

SLICE = 200_000  # characters counted between two looks at the queue: about 30 ms


NOTHING_TO_MEND = {
    "safe": "Nothing here can be mended without losing something; choose a fix by hand.",
    "all": "There is nothing to mend.",
}


class Cancelled(Exception):
    """What is being done is no longer wanted."""


class Desk:
    """The dump that is open here, and what was made of it last. Answers go to `say`."""

    def __init__(
        self,
        say: Callable[[Any], None],
        wanted: Callable[[int], bool] = lambda generation: True,
        pressing: Callable[[], bool] = lambda: False,
    ) -> None:
        self._say, self._wanted = say, wanted
        self.generation = -1
        self.dump: Dump | None = None
        self.tokens: Tokens | None = None  # of the dump's own table, by the counter in use
        self.view: View | None = None
        self._spec: jobs.Analyse | None = None
        self._layout: Layout | None = None
        self._opened_as: tuple[int, Groups] | None = None  # a transcript's index and its groups before all edits
        self._hits: tuple[tuple[int, str], Ints] = ((-1, ""), np.empty(0, np.int32))
        self._left: Ints = np.empty(0, np.int32)  # rows that wait to be counted, next one last
        self.rounds = Rounds(say, pressing)

    @property
    def counting(self) -> bool:
        return len(self._left) > 0

    def do(self, job: jobs.Job) -> None:
        """Does one job and answers; whatever goes wrong becomes one line."""
        name = type(job).__name__
        try:
            getattr(self, f"_do_{name.lower()}")(job)
        except Cancelled:
            self._left = np.empty(0, np.int32)
            self.rounds.stop()
        except InspectorError as error:
            self._say(jobs.Failed(job.generation, name, str(error)))
        except MemoryError:
            self._say(jobs.Failed(job.generation, name, "there is not enough memory for this file; close other programs and open it again"))
        except Exception as error:  # a defect of ours: one line for the person, the rest for the log
            sys.excepthook(type(error), error, error.__traceback__)
            where = self.dump.source.name if self.dump is not None else "no file"
            line = f"{where}: {name.strip('_').lower()} failed ({type(error).__name__}: {error}); please report it"
            self._say(jobs.Failed(job.generation, name, line, True))

    def _open(self) -> Dump:
        if self.dump is None:
            raise InspectorError("no file is open")
        return self.dump

    def rest(self) -> None:
        """Lets go of what can be made again, and gives the system its memory back."""
        if self.view is not None:
            self.view.release()
        heap.give_back()

    # -- loading --------------------------------------------------------------------------------------------------------------

    def _do_cancel(self, job: jobs.Cancel) -> None:
        self._left = np.empty(0, np.int32)
        self.rounds.stop()

    def _do_load(self, job: jobs.Load) -> None:
        from app.pipeline import load

        self._left = np.empty(0, np.int32)
        self.rounds.stop()
        source = Source.open(job.path) if job.path is not None else Source.of(job.data or b"", job.name)

        def progress(fraction: float) -> None:
            if not self._wanted(job.generation):
                raise Cancelled
            self._say(jobs.Progressed(job.generation, "reading", fraction))

        dump = load.load(source, job.hint, progress)  # what was open stays open until this one is
        if not dump.transcripts:
            raise UnreadableError(f"{source.name}: {dump.format}, {sum(dump.records.values()):,} records, and no conversation in it")
        self.generation, self.tokens, self.view, self._spec, self._opened_as = job.generation, None, None, None, None
        self.rounds.forget()
        self.dump, sent = self._laid_out(dump)
        self._say(jobs.Loaded(job.generation, sent, source.stamp))

    def _laid_out(self, dump: Dump) -> tuple[Dump, Dump | Laid]:
        """A dump of which both processes hold the columns together, and what is sent of it; a copy where that is not to be had."""
        bare = Dump(**{**dump.__dict__, "source": None})
        if self._layout is not None:
            self._layout.close()
            self._layout = None
        try:
            self._layout = Layout(bare)
            ours: Dump = self._layout.laid.opened()
        except OSError:
            return dump, bare
        ours.source = dump.source
        return ours, self._layout.laid

    # -- analysing ------------------------------------------------------------------------------------------------------------

    def _do_analyse(self, job: jobs.Analyse) -> None:
        from app.pipeline import count
        from app.pipeline.apply import apply_layers
        from app.pipeline.check import check
        from app.pipeline.names import provider_named
        from app.pipeline.recall import recall
        from app.pipeline.view import make_view

        dump, provider = self._open(), provider_named(job.provider)
        if self.tokens is None or self.tokens.counter != job.counter or (self._spec and self._spec.provider != job.provider):
            self.tokens = count.estimate(dump.table, provider, job.counter)
        applied = apply_layers(dump.transcripts[job.index], job.layers, provider)
        tokens = count.after_edits(dump, self.tokens, applied.transcript, provider)
        view = make_view(applied.transcript, tokens, provider, frozenset(), dump.source)
        view.groups = self._numbered(view, job.index)
        view.pinned = pinned_exchanges(view, job.pins)
        other: Mode = "prefix" if job.mode == "complete" else "complete"
        report = check(view, provider, job.model, job.mode, dump.source)
        second = check(view, provider, job.model, other, dump.source)
        recorded = count.recorded(view)
        recalled = recall(view, provider, job.model, dump.source) if applied.transcript.refusals else ()
        self.view, self._spec = view, job
        self._say(
            jobs.Analysed(
                job.generation, job.serial, view.transcript, view.links, view.groups, tokens, count.totals(view, tokens, provider),
                recorded, count.calibrate(view, tokens, provider, recorded), report, second, tuple(applied.skipped), view.pinned,
                recalled,
            )
        )  # fmt: skip

    def _numbered(self, view: View, index: int) -> Groups:
        """Exchanges and steps keep the numbers that they had when the dump was opened."""
        from app.pipeline.group import numbered
        from app.pipeline.view import make_view

        if view.transcript is self._open().transcripts[index]:
            self._opened_as = (index, view.groups)
            return view.groups
        base = self._open().transcripts[index]
        if self._opened_as is None or self._opened_as[0] != index:
            self._opened_as = (index, make_view(base, source=self._open().source).groups)
        return numbered(view.groups, view.rows, self._opened_as[1], base.order)

    # -- plans ------------------------------------------------------------------------------------------------------------------

    def _do_rank(self, job: jobs.Rank) -> None:
        if self.view is None or self._spec is None or self._spec.serial != job.serial:
            return
        self._say(jobs.Ranked(job.generation, job.serial, {name: self._ranking(name, dict(params)) for name, params in job.specs}))

    def _ranking(self, name: str, params: dict[str, Any]) -> Ranking:
        """Estimated while counts are estimates, exact once they are: the vocabulary is loaded by then."""
        from app.pipeline import look
        from app.pipeline.names import format_named, provider_named
        from app.pipeline.rank import rank
        from app.tokens import counter

        dump, view, spec = self._open(), self.view, self._spec
        assert view is not None
        assert spec is not None
        counted = self.tokens is not None and not self.counting and bool(self.tokens.exact.all())
        count = counter(spec.counter) if counted else None

        def record(row: int) -> Any:
            table = view.transcript.table
            return format_named(dump.format).value(table, dump.source, int(table.record[row]))

        block = partial(look.block, dump, view.transcript)
        return rank(view, [(name, params)], provider_named(spec.provider), count, block, record)

    def _do_commit(self, job: jobs.Commit) -> None:
        from app.pipeline.names import provider_named
        from app.pipeline.plan import commit

        spec = self._spec
        if self.view is None or spec is None or spec.serial != job.serial:
            return
        provider = provider_named(spec.provider)
        checked, after = commit(
            self._open(), self.view, [(job.strategy, dict(job.params))], job.budget, provider, spec.model, spec.mode, spec.counter
        )
        from app.pipeline.ghosts import of_transcripts

        ghosts = of_transcripts(self.view, after, None)
        self._say(jobs.Committed(job.generation, job.serial, job.strategy, job.budget, checked, ghosts))

    # -- repairs ----------------------------------------------------------------------------------------------------------------

    def _do_try(self, job: jobs.Try) -> None:
        from app.model.edits import Layer
        from app.pipeline import count
        from app.pipeline.apply import apply
        from app.pipeline.check import check
        from app.pipeline.ghosts import preview
        from app.pipeline.names import provider_named
        from app.pipeline.repair import repair
        from app.pipeline.view import make_view

        dump, spec, view = self._open(), self._spec, self.view
        if view is None or spec is None or self.tokens is None:
            return
        provider = provider_named(spec.provider)
        after: Transcript
        if job.change is not None:
            applied = apply(view.transcript, [job.change], provider)
            if applied.skipped:
                self._say(jobs.Tried(job.generation, job.serial, None, f"This change cannot be made: {applied.skipped[0][1]}."))
                return
            layer, after = Layer(job.change.title, ((job.change,),)), applied.transcript
        else:
            layer, after = repair(view.transcript, dump.source, provider, spec.model, spec.mode, job.level)
        if not layer.changes:
            self._say(jobs.Tried(job.generation, job.serial, None, NOTHING_TO_MEND[job.level]))
            return
        tokens = count.after_edits(dump, self.tokens, after, provider)
        result = make_view(after, tokens, provider, frozenset(), dump.source)
        report = check(result, provider, spec.model, spec.mode, dump.source)
        cost = count.totals(result, tokens, provider).total - count.totals(view, self._tokens_now(view), provider).total
        self._say(jobs.Tried(job.generation, job.serial, preview(view, after, layer, report, tokens.own, cost)))

    def _tokens_now(self, view: View) -> Tokens:
        """The counts of the transcript as it stands."""
        from app.pipeline import count
        from app.pipeline.names import provider_named

        assert self.tokens is not None
        assert self._spec is not None
        return count.after_edits(self._open(), self.tokens, view.transcript, provider_named(self._spec.provider))

    # -- the rest -----------------------------------------------------------------------------------------------------------------

    def _do_save(self, job: jobs.Save) -> None:
        from app.pipeline.apply import apply_layers
        from app.pipeline.export import export
        from app.pipeline.names import provider_named
        from app.pipeline.translate import translate

        dump, provider = self._open(), provider_named(job.provider)
        transcripts = [
            apply_layers(base, job.layers[i], provider).transcript if i in job.layers else base for i, base in enumerate(dump.transcripts)
        ]
        if job.wire:
            written = translate(dump, transcripts[job.index], job.path, job.wire, job.allow_broken)
        else:
            written = export(dump, transcripts, job.path, provider, job.model, job.mode, job.allow_broken)
        self._say(jobs.Saved(job.generation, written))

    def _do_find(self, job: jobs.Find) -> None:
        from app.pipeline.find import find, step

        if self.view is None:
            return
        key = (job.serial, job.text)
        if self._hits[0] != key:
            self._hits = (key, find(self._open(), self.view, job.text, lambda: self._wanted(job.generation)))
        hits = self._hits[1]
        index = step(hits, self.view.at(job.start), job.backwards)
        row = int(self.view.rows[hits[index]]) if index >= 0 else -1
        self._say(jobs.Found(job.generation, job.serial, job.text, row, index + 1, len(hits)))

    def _do_explain(self, job: jobs.Explain) -> None:
        from app.pipeline.explain import explain
        from app.pipeline.names import provider_named

        spec, view = self._spec, self.view
        if view is not None and spec is not None and spec.serial == job.serial:
            told = explain(job.text, view, provider_named(spec.provider), spec.model, self._open())
            self._say(jobs.Told(job.generation, job.serial, job.text, told))

    def _do_count(self, job: jobs.Count) -> None:
        """Puts what is not exact in line: the transcript on screen first, its newest rows first."""
        dump, tokens = self._open(), self.tokens
        if tokens is None:
            return
        rows = self.view.rows[self.view.rows < len(dump.table)] if self.view is not None else np.empty(0, np.int32)
        open_rows = rows[~tokens.exact[rows]]
        rest = np.setdiff1d(np.flatnonzero(~tokens.exact).astype(np.int32), open_rows)
        self._left = np.concatenate([rest, open_rows])  # taken from the end
        if not self.counting:
            self._say(jobs.Counted(job.generation, tokens.counter, np.empty(0, np.int32), np.empty(0, np.int32), 0))

    def _do_survey(self, job: jobs.Survey) -> None:
        self.rounds.survey(job, self._open())

    def _do_seek(self, job: jobs.Seek) -> None:
        self.rounds.seek(job)

    def _do__glance(self, job: jobs.Job) -> None:
        self.rounds.glance(self.dump, self.generation)

    def _do__slice(self, job: jobs.Job) -> None:
        """Counts some rows and says so."""
        from app.pipeline import count
        from app.pipeline.names import provider_named
        from app.pipeline.weigh import weigh

        dump, tokens, spec = self._open(), self.tokens, self._spec
        assert tokens is not None
        assert spec is not None
        sizes = np.cumsum(dump.table.size[self._left[::-1][:4000]] + 40)
        taken = max(1, int(np.searchsorted(sizes, SLICE)))
        rows = np.sort(self._left[len(self._left) - taken :])
        self._left = self._left[: len(self._left) - taken]
        own = count.exact(dump, rows, provider_named(spec.provider), tokens.counter)
        tokens.own[rows] = own
        tokens.exact[rows] = True
        if not self.counting and self.view is not None:  # plans are made on what is exact now
            provider = provider_named(spec.provider)
            weigh(self.view, count.after_edits(dump, tokens, self.view.transcript, provider), provider)
        self._say(jobs.Counted(self.generation, tokens.counter, rows, own, len(self._left)))


def pinned_exchanges(view: View, rows: frozenset[int]) -> frozenset[int]:
    """The exchanges in which pinned rows stand now; a row that an edit dropped pins nothing."""
    at = [view.at(row) for row in rows]
    return frozenset(int(view.groups.exchange[i]) for i in at if i >= 0 and view.groups.exchange[i] >= 0)


class Queue:
    """Jobs as they come in, the superseded ones left out; a thread fills it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._jobs: queue.Queue[jobs.Job | None] = queue.Queue()
        self._newest = -1
        self._cancelled = -1
        self.taken = 0
        self._stream = stream
        threading.Thread(target=self._fill, daemon=True, name="jobs").start()

    def _fill(self) -> None:
        while True:
            try:
                job = read(self._stream, NOTHING)
            except (EOFError, OSError):
                self._newest = sys.maxsize  # nobody is there to be answered: what is under way stops at its next look
                self._jobs.put(None)
                return
            self._newest = max(self._newest, job.generation)
            if isinstance(job, jobs.Cancel):
                self._cancelled = job.generation
            elif isinstance(job, jobs.Load):
                self._cancelled = min(self._cancelled, job.generation - 1)
            self._jobs.put(job)

    def wanted(self, generation: int) -> bool:
        return generation >= self._newest and generation > self._cancelled

    def pressing(self) -> bool:
        """Whether a job waits."""
        return not self._jobs.empty()

    def next(self, wait: bool) -> list[jobs.Job] | None:
        """The jobs that are there; waits for one if asked to. None: the other side has gone. `taken` counts all that ever came."""
        try:
            got = [self._jobs.get(block=wait)]
        except queue.Empty:
            return []
        while True:
            try:
                got.append(self._jobs.get_nowait())
            except queue.Empty:
                break
        self.taken += len(got)
        return None if None in got else newest([job for job in got if job is not None])


def newest(waiting: list[jobs.Job]) -> list[jobs.Job]:
    """Leaves out what a later job makes pointless: an older load and all that is about it, an older analysis, an older plan."""
    last = {(type(job), getattr(job, "strategy", None)): i for i, job in enumerate(waiting)}
    loads = [i for i, job in enumerate(waiting) if isinstance(job, jobs.Load)]
    first = loads[-1] if loads else 0
    kept = (jobs.Load, jobs.Analyse, jobs.Rank, jobs.Commit, jobs.Find, jobs.Explain, jobs.Count, jobs.Survey, jobs.Seek)
    return [
        job for i, job in enumerate(waiting)
        if i >= first and (not isinstance(job, kept) or last[type(job), getattr(job, "strategy", None)] == i)
    ]  # fmt: skip


def main() -> int:
    """The loop of the helper process: jobs from standard input, answers to standard output, what libraries print to standard error."""
    heap.keep()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    shared = Shared()

    def say(answer: Any) -> None:
        try:
            write(out, answer, shared)
        except BrokenPipeError:
            os._exit(0)
        if isinstance(answer, jobs.Loaded):
            assert desk.dump is not None
            shared.hold(desk.dump)

    waiting = Queue(sys.stdin.buffer)
    desk = Desk(say, waiting.wanted, waiting.pressing)
    import app.pipeline.load  # what every file needs first

    assert app.pipeline.load
    warm = False
    while True:
        got = waiting.next(wait=warm and not desk.counting and not desk.rounds.going)
        if got is None:
            return 0
        for job in got:
            desk.do(job)
        if got:
            if any(isinstance(job, jobs.Load | jobs.Analyse | jobs.Rank) for job in got):
                desk.rest()
            say(jobs.Idle(desk.generation, waiting.taken))
        elif not warm:
            warm = _warm()
        elif desk.rounds.going:
            desk.do(_Glance(desk.generation))
        elif desk.counting:
            desk.do(_Slice(desk.generation))


def _warm() -> bool:
    """Imports what comes after the reading of a file, while nothing is asked."""
    import app.pipeline.apply
    import app.pipeline.check
    import app.pipeline.count
    import app.pipeline.plan
    import app.pipeline.rank
    import app.pipeline.view

    assert app.pipeline
    return True


class _Slice(jobs.Job):
    """Counting goes through `do` like all else, so that an error in it is one line."""


class _Glance(jobs.Job):
    """Looking at what waits to be looked at, in the same way."""
