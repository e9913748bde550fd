"""The desk of the helper process: the dump that is open there, what was made of it last, and one method a job (app/jobs.py).

Plans and repairs are in app/desk_plans.py, questions that change nothing in app/asked.py.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from app import heap, jobs
from app.asked import Asked
from app.desk_plans import Plans
from app.model.dump import Dump
from app.model.errors import InspectorError, UnreadableError
from app.model.findings import Mode
from app.model.pins import Held
from app.model.source import Source
from app.model.table import Ints
from app.model.view import Groups, View
from app.rounds import Rounds
from app.shared_memory import Laid, Layout

SLICE = 200_000  # characters counted between two looks at the queue: about 30 ms
TELLING = 0.05  # seconds between two words of how far something is


class Cancelled(Exception):
    """What is being done is no longer wanted."""


class Desk(Plans):
    """The dump that is open here, and what was made of it last. Answers go to `say`."""

    def __init__(
        self,
        say: Callable[[Any], None],
        wanted: Callable[[int], bool] = lambda generation: True,
        pressing: Callable[[], bool] = lambda: False,
        current: Callable[[jobs.Ask], bool] = lambda job: True,
    ) -> None:
        super().__init__(say)
        self._wanted = wanted
        self.generation = -1
        self._layout: Layout | None = None
        self._opened_as: tuple[int, Groups] | None = None  # a transcript's index and its groups before all edits
        self._left: Ints = np.empty(0, np.int32)  # rows that wait to be counted, next one last
        self.rounds = Rounds(say, pressing)
        self.asked = Asked(say, current)
        self.wanted, self.progress = self.asked.wanted, self.asked.progress

    @property
    def spec(self) -> jobs.Analyse:
        """Whom what is open is judged for, with which changes. InspectorError before anything was analysed."""
        if self._spec is None or self.view is None:
            raise InspectorError("nothing has been analysed yet")
        return self._spec

    @property
    def counting(self) -> bool:
        return len(self._left) > 0

    def do(self, job: jobs.Job) -> None:
        """Does one job and answers; whatever goes wrong becomes one line."""
        name = type(job).__name__
        try:
            getattr(self, f"_do_{name.lower()}")(job)
        except Cancelled:
            self._stop()
        except InspectorError as error:
            self._say(jobs.Failed(job.generation, name, str(error)))
        except MemoryError:
            self._say(jobs.Failed(job.generation, name, "there is not enough memory for this file; close other programs and open it again"))
        except Exception as error:  # a defect of ours: one line for the person, the rest for the log
            sys.excepthook(type(error), error, error.__traceback__)
            where = self.dump.source.name if self.dump is not None else "no file"
            line = f"{where}: {name.lower()} failed ({type(error).__name__}: {error}); please report it"
            self._say(jobs.Failed(job.generation, name, line, True))

    def _stop(self) -> None:
        self._left = np.empty(0, np.int32)
        self.rounds.stop()
        self.asked.stop()

    def rest(self) -> None:
        """Lets go of what can be made again, and gives the system its memory back."""
        if self.view is not None:
            self.view.release()
        heap.give_back()

    # -- loading --------------------------------------------------------------------------------------------------------------

    def _do_cancel(self, job: jobs.Cancel) -> None:
        self._stop()

    def _do_load(self, job: jobs.Load) -> None:
        from app.pipeline import load

        self._stop()
        source = Source.open(job.path) if job.path is not None else Source.of(job.data or b"", job.name)

        dump = load.load(source, job.hint, self._progress(job, "reading"))  # what was open stays open until this one is
        if not dump.transcripts:
            many = sum(dump.records.values())
            raise UnreadableError(f"{source.name}: {dump.format}, {many:,} record{'' if many == 1 else 's'}, and no conversation in it")
        self.generation, self.tokens, self.view, self._spec, self._opened_as = job.generation, None, None, None, None
        self.rounds.forget()
        self.dump, sent = self._laid_out(dump)
        self._say(jobs.Loaded(job.generation, sent, source.stamp))

    def _progress(self, job: jobs.Job, label: str) -> Callable[[float], None]:
        """Tells how far a job is; where it is no longer wanted it ends."""

        last = 0.0

        def progress(fraction: float) -> None:
            nonlocal last
            if not self._wanted(job.generation):
                raise Cancelled
            now = time.monotonic()
            if now - last > TELLING or fraction >= 1:  # each is a change of what the window shows
                last = now
                self._say(jobs.Progressed(job.generation, label, fraction))

        return progress

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
        from app.pipeline.blocks import Blocks
        from app.pipeline.check import check
        from app.pipeline.names import provider_named
        from app.pipeline.pins import lay
        from app.pipeline.recall import recall
        from app.pipeline.view import make_view

        dump, provider = self._open(), provider_named(job.provider)
        if self.tokens is None or self.tokens.counter != job.counter or (self._spec and self._spec.provider != job.provider):
            self.tokens = count.estimate(dump.table, provider, job.counter)
        applied = apply_layers(dump.transcripts[job.index], job.layers, provider)
        tokens = count.after_edits(dump, self.tokens, applied.transcript, provider)
        view = make_view(applied.transcript, tokens, provider, frozenset(), dump.source)
        view.groups = self._numbered(view, job.index)
        held = lay(view, job.pins, Blocks(dump, view.transcript)) if job.pins else Held.nothing()
        other: Mode = "prefix" if job.mode == "complete" else "complete"
        report = check(view, provider, job.model, job.mode, dump.source)
        second = check(view, provider, job.model, other, dump.source)
        recorded = count.recorded(view)
        recalled = recall(view, provider, job.model, dump.source) if applied.transcript.refusals else ()
        self.view, self._spec = view, job
        self.generation = job.generation  # a newer file could not be read, and this one is shown again
        self._say(
            jobs.Analysed(
                job.generation, job.serial, view.transcript, view.links, view.groups, tokens, count.totals(view, tokens, provider),
                recorded, count.calibrate(view, tokens, provider, recorded), report, second, tuple(applied.skipped), held,
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
            written = export(
                dump, transcripts, job.path, provider, job.model, job.mode, job.allow_broken, progress=self._progress(job, "writing")
            )
        self._say(jobs.Saved(job.generation, written))

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

    def _do_ask(self, job: jobs.Ask) -> None:
        if self._spec is not None and self._spec.serial == job.serial:
            self.asked.begin(self, job)

    def _do_step(self, job: jobs.Job) -> None:
        self.asked.step()

    def _do_glance(self, job: jobs.Job) -> None:
        self.rounds.glance(self.dump, self.generation)

    def _do_slice(self, job: jobs.Job) -> None:
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
        fitted, serial = None, -1
        if not self.counting and self.view is not None:  # plans are made on what is exact now
            provider = provider_named(spec.provider)
            counted = count.after_edits(dump, tokens, self.view.transcript, provider)
            weigh(self.view, counted, provider)
            fitted, serial = count.calibrate(self.view, counted, provider, count.recorded(self.view)), spec.serial
        self._say(jobs.Counted(self.generation, tokens.counter, rows, own, len(self._left), fitted, serial))


class Slice(jobs.Job):
    """Counting goes through `do` like all else, so that an error in it is one line."""


class Glance(jobs.Job):
    """Looking at what waits to be looked at, in the same way."""


class Step(jobs.Job):
    """Going on with a question, in the same way."""
