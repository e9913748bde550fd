"""The one QObject between the pipeline and the window: a State, intents that change it, and one signal that says what is new.

Whatever takes longer than a frame is a job for the helper process (app/jobs.py). What it is made of: what the window reads
(app/session_reads.py), what is asked and how answers come back (app/session_asks.py), plans, repairs and history
(app/session_changes.py), what is looked for and what is written (app/session_questions.py), what was judged and counted
(app/session_takes.py); here, the files that are opened and whom they are judged for.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject

from app import jobs
from app.model.dump import Dump
from app.model.edits import History
from app.model.errors import InspectorError
from app.model.findings import Mode
from app.model.pins import Held, Pins
from app.model.source import Source
from app.model.state import Changed, Progress, State
from app.model.survey import Survey
from app.pipeline.names import format_named, judge_of, provider_named
from app.session_asks import Helper
from app.session_follow import Edges
from app.session_takes import Takes
from app.worker import Died, Worker


@dataclass(frozen=True, eq=False)
class _Before:
    """An open file that another one is about to replace."""

    state: State
    source: Source | None
    paste: bytes | None
    hint: str | None
    histories: dict[int, History]
    pins: dict[int, Pins]
    orphaned: bool


class Session(Takes):
    """State, intents, `changed`, `failed`. All intents return at once."""

    def __init__(self, parent: QObject | None = None, worker: Callable[[Callable[[Any], None]], Helper] = Worker) -> None:
        super().__init__(parent, worker)
        self._before: _Before | None = None  # what was open, until the next file has been read
        self._tried: tuple[str, bytes | None] | None = None  # what was given last: path or name, and bytes that were pasted

    # -- opening ------------------------------------------------------------------------------------------------------------------

    def open(self, path: str, hint: str | None = None) -> None:
        """Opens a file: its head at once, the rest as it comes. `hint`: the format to open it as."""
        self._begin(os.fspath(path), None, hint)

    def paste(self, data: bytes, name: str = "pasted", hint: str | None = None) -> None:
        """Opens bytes that came from the clipboard. `hint`: the format to open them as."""
        self._begin(name, data, hint)

    def open_as(self, format: str) -> None:
        """Opens what was given last, opened or not, as a format by name."""
        if self._tried is not None:
            self._begin(*self._tried, format)

    @property
    def tried(self) -> str:
        """What was given last, opened or not; "" where nothing was."""
        return self._tried[0] if self._tried is not None else ""

    def reload(self) -> None:
        if self.state.path:
            self._begin(self.state.path, self._paste, self._hint)

    def _begin(self, path: str, data: bytes | None, hint: str | None) -> None:
        from app.pipeline import load

        self._tried = path, data
        try:
            source = Source.open(path) if data is None else Source.of(data, path)
        except InspectorError as error:
            self.failed.emit(str(error))
            return
        kept = (self.state, self._source, self._paste, self._hint, self._histories, self._pins, self._orphaned)
        self._before = _Before(*kept) if self.state.dump else None
        self._generation += 1
        self._source, self._paste, self._hint, self._histories = source, data, hint, {}
        self._pins = {}
        self._apply_when_checked = False
        selected = self._kept_row(source, path)
        self._growing, self._edges = None, None
        self._deaths = 0
        self._rest.stop()
        state = State(
            path=path, counter=self.state.counter, progress=Progress("reading", 0.0), filter=self._kept_filter(path), selected=selected
        )  # fmt: skip
        first = load.first_look(path, hint) if data is None else None
        self.state = self._first_rows(state, first) if first is not None and first.transcripts else state
        self._waiting = set()
        self._ask(jobs.Load(self._generation, path if data is None else None, path, data, hint))
        self.changed.emit(self.state, Changed.ALL)

    def _revive(self, died: Died) -> None:
        if self._before is not None:  # the new process reads the next file, and never held this one
            self._before = replace(self._before, orphaned=True)
        super()._revive(died)

    def _step_back(self) -> None:
        """A file that could not be opened costs nothing: what was open before is there again, changes and all."""
        before, self._before = self._before, None
        if before is None:
            self.state = State(counter=self.state.counter)
            self._source = None
        else:
            self.state, self._source = before.state.with_(progress=None), before.source
            self._paste, self._hint, self._histories, self._pins = before.paste, before.hint, before.histories, before.pins
            self._orphaned = before.orphaned
            self._serial += 1
            self._waiting = set()
            if self.state.dump is not None and self.state.dump.complete:
                self._analyse()
            else:  # its reading was given up for the other one
                self.state = self.state.with_(progress=Progress("reading", 0.0))
                self._read_again()
        self.changed.emit(self.state, Changed.ALL)

    def _first_rows(self, state: State, dump: Dump) -> State:
        """The head of the file, good for a first screen; nothing of it is judged."""
        from app.pipeline import count
        from app.pipeline.view import make_view

        chosen = dump.opened
        transcript = dump.transcripts[chosen]
        provider = provider_named(judge_of(dump.table))
        tokens = count.estimate(dump.table, provider, state.counter)
        return state.with_(
            dump=dump,
            chosen=chosen,
            base=transcript,
            transcript=transcript,
            provider=provider.name,
            mode=dump.mode or format_named(dump.format).mode,
            model=transcript.model,
            tokens=tokens,
            view=make_view(transcript, tokens, provider),
        )

    def cancel(self) -> None:
        """Stops what is under way; what is on screen stays."""
        if self._stop_slow():
            return
        self._drop_search()
        self._ask(jobs.Cancel(self._generation))
        self._growing = None
        self._waiting.clear()
        self._apply_when_checked = False
        self._set(Changed.PROGRESS, progress=None)

    # -- whom it is judged for ----------------------------------------------------------------------------------------------------

    def choose(self, index: int) -> None:
        """Another transcript of the dump; each keeps its own changes."""
        dump = self.state.dump
        if dump is None or not 0 <= index < len(dump.transcripts) or index == self.state.chosen:
            return
        self._histories[self.state.chosen] = self.state.history
        base = dump.transcripts[index]
        self.state = self.state.with_(
            chosen=index, base=base, history=self._histories.get(index, History()), model=base.model, budget=None, plan=None, ghosts=(),
            preview=None, recalled=(), pinned=frozenset(), pins=self._pins.get(index, Pins()), held=Held.nothing(), checked={}, rankings={},
            selected=-1,
        )  # fmt: skip
        self._analyse()

    def survey(self, on: bool = True) -> None:
        """Has every transcript of the dump looked at, for the chooser: those around the chosen one first. What is known stays known while
        nobody is judged for another; `on` false stops it."""
        state = self.state
        if state.dump is None or not state.dump.complete:
            return
        if not on:
            if "Survey" in self._waiting:
                self._waiting.discard("Survey")
                self._tell(jobs.Survey(self._generation, state.provider, state.mode, state.counter, on=False))
            return
        known = state.survey
        same = known is not None and (known.provider, known.mode) == (state.provider, state.mode)
        found = known.found if known is not None and same else {}
        order = tuple(sorted(set(range(len(state.dump.transcripts))) - set(found), key=lambda index: abs(index - state.chosen)))
        self._set(Changed.SURVEY, survey=Survey(state.provider, state.mode, found, len(order)))
        if order:
            self._ask(jobs.Survey(self._generation, state.provider, state.mode, state.counter, order))

    def seek(self, on: bool = True) -> None:
        """Looks for sessions on this machine, and into them; `on` false stops it. What was found stays known."""
        if on:
            self._set(Changed.SIGHTED, sighted=(), unseen=-1)
            self._ask(jobs.Seek(self._generation))
        elif "Seek" in self._waiting:
            self._waiting.discard("Seek")
            self._tell(jobs.Seek(self._generation, on=False))

    def judge_for(self, provider: str, model: str | None = None) -> None:
        self.state = self.state.with_(provider=provider, model=model, preview=None, checked={})
        self._analyse()

    def judge_mode(self, mode: Mode) -> None:
        """Which of the two questions is in front: well formed so far, or could be sent now. Both answers are there already."""
        state = self.state
        if mode != state.mode:
            self._set(Changed.FINDINGS | Changed.TARGET, mode=mode, report=state.other, other=state.report)

    def use_counter(self, counter: str) -> None:
        if counter != self.state.counter:
            self.state = self.state.with_(counter=counter, checked={}, budget=None, plan=None, ghosts=())
            self._analyse()

    # -- answers --------------------------------------------------------------------------------------------------------------------

    def _take_loaded(self, answer: jobs.Loaded) -> None:
        if self._growing is not None:
            self._grown(answer)
            return
        self._waiting.discard("Load")
        self._before = None
        state = self.state
        dump = answer.dump
        assert isinstance(dump, Dump)
        assert self._source is not None
        again = state.dump is not None and state.dump.complete  # a second reading after the helper died
        if answer.stamp != self._source.stamp:
            if again:
                self._orphan()
                return
            self.failed.emit(f"{self._source.name}: the file changed while it was being read; open it again")
        stand_in = dump.table.extra.get("stand_in")
        if stand_in is not None:
            self._source.stand(stand_in)
        dump.source = self._source
        self._edges = Edges.of(self._source)
        chosen = state.chosen if again else dump.opened
        base = dump.transcripts[chosen]
        shape = format_named(dump.format)
        self.state = state.with_(dump=dump, chosen=chosen, base=base, progress=Progress("judging", None))
        if not again:
            self.state = self.state.with_(provider=judge_of(dump.table), mode=dump.mode or shape.mode, model=base.model)
        self.changed.emit(self.state, Changed.DUMP | Changed.PROGRESS)
        self._analyse()

    def _take_noticed(self, answer: jobs.Noticed) -> None:
        known = self.state.survey
        if known is None or (known.provider, known.mode) != (answer.provider, answer.mode):
            return
        found = {**known.found, **{one.index: one for one in answer.found}}
        if not answer.left:
            self._waiting.discard("Survey")
        self._set(Changed.SURVEY, survey=Survey(answer.provider, answer.mode, found, answer.left))

    def _take_sighted(self, answer: jobs.Sighted) -> None:
        known = {one.path: one for one in self.state.sighted}
        known.update({one.path: one for one in answer.found})
        if not answer.left:
            self._waiting.discard("Seek")
        self._set(Changed.SIGHTED, sighted=tuple(known.values()), unseen=answer.left)

    def _take_failed(self, answer: jobs.Failed) -> None:
        self._waiting.discard(answer.job)
        if answer.job == "Commit":
            self._apply_when_checked = False
        if answer.job == "Load":
            if self._given_up(answer.line):
                return
            dump = self.state.dump
            if dump is not None and dump.complete and self._before is None:  # read once more after the helper died
                self._orphan()
                return
            self._step_back()
            self.failed.emit(answer.line)
            return
        self.failed.emit(answer.line)
        self._set(Changed.PROGRESS, progress=None)
