"""Plans and repairs, made in the helper process on what was analysed last."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from app import jobs
from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.plan import Ranking
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import View

NOTHING_TO_MEND = {
    "safe": "Nothing here can be mended without losing something; choose a fix by hand.",
    "all": "There is nothing to mend.",
}


class Plans:
    """What a desk needs to plan and to repair. Answers go to `say`."""

    def __init__(self, say: Callable[[Any], None]) -> None:
        self._say = say
        self.dump: Dump | None = None
        self.tokens: Tokens | None = None  # of the dump's own table, by the counter in use
        self.view: View | None = None
        self._spec: jobs.Analyse | None = None
        self.applied: dict[str, tuple[jobs.Commit, Transcript]] = {}  # what plans came to, until somebody has looked at it

    @property
    def counting(self) -> bool:
        """Whether rows wait to be counted."""
        raise NotImplementedError

    def _open(self) -> Dump:
        if self.dump is None:
            raise InspectorError("no file is open")
        return self.dump

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

        self.applied = {name: held for name, held in self.applied.items() if held[0].serial == job.serial and held[0].budget == job.budget}
        self.applied[job.strategy] = job, after
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
