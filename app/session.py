"""The one QObject between the pipeline and the window: a State, intents that change it, and one signal that says what is new.

Whatever takes longer than a frame is a job for the helper process (app/jobs.py); an answer that belongs to an older dump or an older
order is dropped. Dragging the budget asks nobody: it looks up a ranking that is here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from app import jobs
from app.model.block import Block
from app.model.dump import Dump
from app.model.edits import Change, History, Layer
from app.model.errors import InspectorError
from app.model.findings import Finding, Mode
from app.model.source import Source
from app.model.state import Changed, Progress, State
from app.model.table import Ints, RecordKind
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline import count, ghosts, load, look, weigh
from app.pipeline.names import FAMILIES, format_named, provider_named, provider_titles, rule_help
from app.pipeline.view import make_view
from app.worker import Died, Worker

WATCH = 2000  # ms between two looks at whether the open file is still the one that was read
REST = 150  # ms after the last move of a drag before the plan is really checked
COUNTS_SHOWN = 0.25  # s between two refreshes of the totals while counts come in ...
COUNTS_REST = 10  # ... and at least so many times what a refresh takes: a large file must not keep the window busy with itself


class Helper(Protocol):
    """What the session needs of a worker; tests hand in one that answers in this process."""

    def start(self) -> None: ...
    def send(self, job: Any) -> None: ...
    def stop(self) -> None: ...


@dataclass(frozen=True, eq=False)
class _Before:
    """An open file that another one is about to replace."""

    state: State
    source: Source | None
    paste: bytes | None
    hint: str | None
    histories: dict[int, History]
    pins: dict[int, set[int]]


class Session(QObject):
    """State, intents, `changed`, `failed`. All intents return at once."""

    changed = Signal(object, object)  # State, Changed
    failed = Signal(str)
    found = Signal(object)  # jobs.Found
    _answered = Signal(object)

    def __init__(self, parent: QObject | None = None, worker: Callable[[Callable[[Any], None]], Helper] = Worker) -> None:
        super().__init__(parent)
        self.state = State()
        self._generation = 0
        self._serial = 0  # of what was asked to be analysed last; answers on an older order are dropped
        self._source: Source | None = None
        self._before: _Before | None = None  # what was open, until the next file has been read
        self._paste: bytes | None = None
        self._hint: str | None = None
        self._histories: dict[int, History] = {}
        self._pins: dict[int, set[int]] = {}  # first rows of pinned exchanges, by transcript
        self._edited: Ints = np.empty(0, bool)  # rows of the table whose own counts an edit replaced
        self._sent = 0  # jobs that the helper process got in its life
        self._waiting: set[str] = set()  # kinds of jobs that are under way
        self._pins = {}
        self._apply_when_checked = False
        self._deaths = 0
        self._count_exactly = True  # benchmarks of memory leave the vocabularies out
        self._counts_next = 0.0
        self._answered.connect(self._take)
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._commit_all)
        self._watch = QTimer(self, interval=WATCH)
        self._watch.timeout.connect(self._look_at_file)
        self._watch.start()
        self._worker = worker(self._answered.emit)

    # -- what the window reads ------------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether anything that was asked for is still to come, exact counts included."""
        return bool(self._waiting) or self._rest.isActive()

    def block(self, row: int) -> Block:
        """A block as the edits left it, decoded now. InspectorError where the file no longer holds it."""
        dump, transcript = self._open()
        return look.block(dump, transcript, row)

    def raw(self, row: int) -> bytes:
        """The bytes of the record that a row stands in; empty for a row that an edit made."""
        dump, transcript = self._open()
        record = int(transcript.table.record[row])
        return look.raw(dump, dump.table, record) if record >= 0 else b""

    def raw_record(self, record: int) -> bytes:
        dump = self._open()[0]
        return look.raw(dump, dump.table, record)

    def original(self, row: int) -> Block | None:
        """A block as the file has it; None for a row that an edit made."""
        dump, transcript = self._open()
        if row >= len(dump.table):
            return None
        return look.block(dump, self.state.base or transcript, row)

    def pointer(self, row: int) -> str:
        """JSON pointer of a row in the file; "" for a row that an edit made."""
        transcript = self._open()[1]
        if int(transcript.table.record[row]) < 0:
            return ""
        return self.block(row).pointer or transcript.table.pointer(int(transcript.table.record[row]))

    def line(self, row: int) -> int | None:
        """The line of a JSONL file in which a row stands, from 1; None for a document."""
        return self.line_of(int(self._open()[1].table.record[row]))

    def line_of(self, record: int) -> int | None:
        """The line of a JSONL file that a record is, from 1; None for a document, or where there is no such record."""
        dump, _ = self._open()
        if record < 0 or not getattr(format_named(dump.format), "lines", dump.format == "claude-code"):
            return None
        return int(dump.table.records.place[record]) + 1

    def titles(self) -> dict[str, str]:
        """Providers that can judge: name to what people call them."""
        return provider_titles()

    def rule_help(self, rule: str) -> str:
        """What a rule looks for, why, and on which evidence; "" for an unknown one."""
        return rule_help(rule)

    def unparsed(self) -> list[int]:
        """Records that could not be read, in the order of the file."""
        dump, _ = self._open()
        return np.flatnonzero(dump.table.records.kind == RecordKind.UNPARSED).tolist()

    def _open(self) -> tuple[Dump, Transcript]:
        dump, transcript = self.state.dump, self.state.transcript
        if dump is None or transcript is None:
            raise InspectorError("no file is open")
        return dump, transcript

    # -- opening ------------------------------------------------------------------------------------------------------------------

    def warm(self) -> None:
        """Starts the helper process, so that the first file finds it ready."""
        self._worker.start()

    def open(self, path: str, hint: str | None = None) -> None:
        """Opens a file: its head at once, the rest as it comes. `hint`: the format to open it as."""
        self._begin(os.fspath(path), None, hint)

    def paste(self, data: bytes, name: str = "pasted") -> None:
        """Opens bytes that came from the clipboard."""
        self._begin(name, data, None)

    def reload(self) -> None:
        if self.state.path:
            self._begin(self.state.path, self._paste, self._hint)

    def _begin(self, path: str, data: bytes | None, hint: str | None) -> None:
        try:
            source = Source.open(path) if data is None else Source.of(data, path)
        except InspectorError as error:
            self.failed.emit(str(error))
            return
        self._before = _Before(self.state, self._source, self._paste, self._hint, self._histories, self._pins) if self.state.dump else None
        self._generation += 1
        self._source, self._paste, self._hint, self._histories = source, data, hint, {}
        self._pins = {}
        self._apply_when_checked = False
        self._deaths = 0
        self._rest.stop()
        state = State(path=path, counter=self.state.counter, progress=Progress("reading", 0.0))
        first = load.first_look(path, hint) if data is None else None
        self.state = self._first_rows(state, first) if first is not None and first.transcripts else state
        self._waiting = set()
        self._ask(jobs.Load(self._generation, path if data is None else None, path, data, hint))
        self.changed.emit(self.state, Changed.ALL)

    def _step_back(self) -> None:
        """A file that could not be opened costs nothing: what was open before is there again, changes and all."""
        before, self._before = self._before, None
        if before is None:
            self.state = State(counter=self.state.counter)
            self._source = None
        else:
            self.state, self._source = before.state.with_(progress=None), before.source
            self._paste, self._hint, self._histories, self._pins = before.paste, before.hint, before.histories, before.pins
            self._serial += 1
            self._analyse()
        self.changed.emit(self.state, Changed.ALL)

    def _first_rows(self, state: State, dump: Dump) -> State:
        """The head of the file, good for a first screen; nothing of it is judged."""
        chosen = dump.opened
        transcript = dump.transcripts[chosen]
        provider = provider_named(format_named(dump.format).provider)
        tokens = count.estimate(dump.table, provider, state.counter)
        return state.with_(
            dump=dump,
            chosen=chosen,
            base=transcript,
            transcript=transcript,
            provider=provider.name,
            mode=format_named(dump.format).mode,
            model=transcript.model,
            tokens=tokens,
            view=make_view(transcript, tokens, provider),
        )

    def _look_at_file(self) -> None:
        """Says once when the open file is no longer what was read; what is on screen stays, an export from it is refused."""
        if self._source is not None and not self.state.changed_on_disk and self.state.dump is not None and self._source.changed():
            self._set(Changed.PROGRESS, changed_on_disk=True)
            self.failed.emit(f"{self.state.path}: the file has changed since it was read. F5 reads it again and drops your changes.")

    def cancel(self) -> None:
        """Stops what is under way; what is on screen stays."""
        self._ask(jobs.Cancel(self._generation))
        self._waiting.clear()
        self._apply_when_checked = False
        self._set(Changed.PROGRESS, progress=None)

    def close(self) -> None:
        self._worker.stop()

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
            preview=None, pinned=frozenset(), checked={}, rankings={}, selected=-1,
        )  # fmt: skip
        self._analyse()

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

    def pin(self, exchange: int, on: bool = True) -> None:
        """Pins an exchange: no strategy touches it. A pin is held by the exchange's first row, so that it stays with it whatever an edit
        does to the numbers of exchanges."""
        view = self.state.view
        if view is None or not 0 <= exchange < view.groups.exchanges:
            return
        row = int(view.rows[view.groups.first[exchange]])
        pins = self._pins.setdefault(self.state.chosen, set())
        (pins.add if on else pins.discard)(row)
        pinned = self.state.pinned | {exchange} if on else self.state.pinned - {exchange}
        self._set(Changed.PLAN, pinned=frozenset(pinned), checked={})
        self._analyse()

    def _analyse(self) -> None:
        state = self.state
        if state.dump is None or not state.dump.complete:
            return
        self._serial += 1
        self._waiting -= {"Rank", "Commit", "Try"}
        layers = state.history.active
        pins = frozenset(self._pins.get(state.chosen, ()))
        self._ask(
            jobs.Analyse(
                self._generation, self._serial, state.chosen, layers, state.provider, state.model, state.mode, state.counter, pins
            )
        )

    # -- plans ----------------------------------------------------------------------------------------------------------------------

    def set_budget(self, budget: int | None) -> None:
        """Every move of the drag: one look-up. None parks the budget at now, as if nobody had touched it."""
        self.state = self.state.with_(budget=budget, checked={}, preview=None, written=None)
        self._plan(Changed.PLAN | Changed.CHECKED | Changed.PREVIEW)
        self._rest.start()

    def show_strategy(self, name: str) -> None:
        self.state = self.state.with_(shown=name)
        self._plan(Changed.PLAN)
        self._rest.start()

    def set_params(self, name: str, params: dict[str, Any]) -> None:
        """Other parameters for a strategy; it is ranked anew."""
        state = self.state
        self.state = state.with_(params={**state.params, name: params}, checked={k: v for k, v in state.checked.items() if k != name})
        self._rank()

    def _plan(self, what: Changed) -> None:
        state = self.state
        ranking = state.rankings.get(state.shown)
        touched = ranking is not None and state.budget is not None
        plan = ranking.plan(state.budget) if ranking is not None and touched else None
        made = ghosts.of_plan(state.view, plan) if plan is not None and state.view is not None else ()
        self._set(what, plan=plan, ghosts=made)

    def _rank(self) -> None:
        if self.state.view is not None and self.state.report is not None:
            specs = tuple((name, tuple(self.state.params.get(name, {}).items())) for name in FAMILIES)
            self._ask(jobs.Rank(self._generation, self._serial, specs))

    def _commit_all(self) -> None:
        """After a rest: every strategy is really applied at this budget and checked, the one shown first."""
        state = self.state
        if state.budget is None or not state.rankings:
            return
        names = [state.shown, *(n for n in state.rankings if n != state.shown)]
        for name in names:
            if name not in state.checked:
                self._ask(jobs.Commit(self._generation, self._serial, name, tuple(state.params.get(name, {}).items()), state.budget))

    def apply_plan(self) -> None:
        """The shown plan becomes one undo step; its exact edits are made first where they are not there yet."""
        state = self.state
        if state.plan is None or state.plan.length == 0:
            return
        checked = state.checked.get(state.shown)
        if checked is None:
            self._apply_when_checked = True
            self._rest.stop()
            self._commit_all()
            return
        self._push(Layer(checked.change.title, ((checked.change,),)))

    # -- repairs --------------------------------------------------------------------------------------------------------------------

    def preview_repair(self, level: Literal["safe", "all"] = "safe") -> None:
        """All fixes that the level allows, laid out to be looked at."""
        self._ask(jobs.Try(self._generation, self._serial, level))

    def preview_fix(self, finding: Finding, index: int = 0) -> None:
        self._ask(jobs.Try(self._generation, self._serial, change=finding.fixes[index]))

    def preview_change(self, change: Change) -> None:
        self._ask(jobs.Try(self._generation, self._serial, change=change))

    def apply_preview(self) -> None:
        if self.state.preview is not None:
            self._push(self.state.preview.layer)

    def cancel_preview(self) -> None:
        if self.state.preview is not None:
            self._set(Changed.PREVIEW, preview=None)

    # -- history --------------------------------------------------------------------------------------------------------------------

    def _push(self, layer: Layer) -> None:
        self._rewrite(self.state.history.push(layer))

    def undo(self) -> None:
        if self.state.history.can_undo:
            self._rewrite(self.state.history.undo())

    def redo(self) -> None:
        if self.state.history.can_redo:
            self._rewrite(self.state.history.redo())

    def switch_off(self, layer: int) -> None:
        """Takes one layer out of the history; the later ones are applied on what is left, or skipped and reported."""
        history = self.state.history
        layers = tuple(x for i, x in enumerate(history.layers) if i != layer)
        self._rewrite(History(layers, history.cursor - (1 if layer < history.cursor else 0)))

    def _rewrite(self, history: History) -> None:
        self._rest.stop()
        self._apply_when_checked = False
        self._set(
            Changed.HISTORY | Changed.PREVIEW | Changed.PLAN | Changed.CHECKED,
            history=history, preview=None, budget=None, plan=None, ghosts=(), checked={}, written=None,
        )  # fmt: skip
        self._analyse()

    # -- the rest -------------------------------------------------------------------------------------------------------------------

    def select(self, row: int) -> None:
        if row != self.state.selected:
            self._set(Changed.SELECTION, selected=row)

    def export(self, path: str, allow_broken: bool = False) -> None:
        """Writes the dump with the changes of every transcript; never over the source."""
        state = self.state
        layers = {i: h.active for i, h in {**self._histories, state.chosen: state.history}.items() if h.active}
        self._ask(jobs.Save(self._generation, os.fspath(path), layers, state.provider, state.model, state.mode, allow_broken))
        self._set(Changed.PROGRESS, progress=Progress("writing", None, cancel=False))

    def save_report(self, path: str) -> None:
        from app.pipeline.report import save

        try:
            save(self.state, path)
        except InspectorError as error:
            self.failed.emit(str(error))

    def find(self, text: str, backwards: bool = False) -> None:
        """Looks for a text from the selected row on; the answer comes by `found`."""
        if text and self.state.view is not None:
            self._ask(jobs.Find(self._generation, self._serial, text, self.state.selected, backwards))

    # -- answers --------------------------------------------------------------------------------------------------------------------

    def _ask(self, job: jobs.Job) -> None:
        self._waiting.add(type(job).__name__)
        self._sent += 1
        self._worker.send(job)

    def _set(self, what: Changed, **changes: Any) -> None:
        self.state = self.state.with_(**changes)
        self.changed.emit(self.state, what)

    def _take(self, answer: Any) -> None:
        if isinstance(answer, Died):
            self._revive(answer)
            return
        if isinstance(answer, jobs.Idle):
            self._take_idle(answer)
            return
        if answer.generation != self._generation:
            return
        serial = getattr(answer, "serial", self._serial)
        if serial == self._serial:
            getattr(self, f"_take_{type(answer).__name__.lower()}")(answer)

    def _revive(self, died: Died) -> None:
        """A dead helper costs what was under way and nothing else: the file is read again, changes stay."""
        self._waiting.clear()
        self._sent = 0
        self._deaths += 1
        state = self.state
        if self._deaths > 2 or not state.path:
            self.failed.emit(f"The helper process ended ({died.why}) and is not started again for this file; open it again to retry.")
            self._set(Changed.PROGRESS, progress=None)
            return
        self.failed.emit(f"The helper process ended ({died.why}); a new one reads the file once more. Your changes are kept.")
        self._ask(jobs.Load(self._generation, state.path if self._paste is None else None, state.path, self._paste, self._hint))

    def _take_progressed(self, answer: jobs.Progressed) -> None:
        self._set(Changed.PROGRESS, progress=Progress(answer.label, answer.fraction))

    def _take_loaded(self, answer: jobs.Loaded) -> None:
        self._waiting.discard("Load")
        self._before = None
        state = self.state
        dump = answer.dump
        assert self._source is not None
        if answer.stamp != self._source.stamp:
            self.failed.emit(f"{self._source.name}: the file changed while it was being read; open it again")
        dump.source = self._source
        again = state.dump is not None and state.dump.complete  # a second reading after the helper died
        chosen = state.chosen if again else dump.opened
        base = dump.transcripts[chosen]
        shape = format_named(dump.format)
        self.state = state.with_(dump=dump, chosen=chosen, base=base, progress=Progress("judging", None))
        if not again:
            self.state = self.state.with_(provider=shape.provider, mode=shape.mode, model=base.model)
        self.changed.emit(self.state, Changed.DUMP | Changed.PROGRESS)
        self._analyse()

    def _take_analysed(self, answer: jobs.Analysed) -> None:
        self._waiting.discard("Analyse")
        state = self.state
        view = View(answer.transcript, answer.groups, answer.links, pinned=answer.pinned)
        self._edited = weigh.edited_rows(answer.transcript)
        first = state.report is None
        provider = provider_named(state.provider)
        weigh.weigh(view, answer.tokens, provider)
        self._set(
            Changed.ALL,
            transcript=answer.transcript, view=view, tokens=answer.tokens, totals=answer.totals, recorded=answer.recorded,
            calibration=answer.calibration, report=answer.report, other=answer.other, skipped=answer.skipped,
            pinned=answer.pinned, selected=self._still(answer, first), progress=None, rankings={}, checked={}, plan=None, ghosts=(),
        )  # fmt: skip
        self._rank()
        if self._count_exactly and not answer.tokens.exact.all():
            self._ask(jobs.Count(self._generation, state.counter))

    def _still(self, answer: jobs.Analysed, first: bool) -> int:
        """The selected row where it is still live; on opening the first faulty block, so that nobody has to look for it."""
        errors = [f.row for f in answer.report.findings if f.severity == "error"]
        if first and errors:
            return errors[0]
        row = self.state.selected
        order = answer.transcript.order
        return row if row >= 0 and bool((order == row).any()) else -1

    def _take_ranked(self, answer: jobs.Ranked) -> None:
        self._waiting.discard("Rank")
        self.state = self.state.with_(rankings=answer.rankings, checked={})
        self._plan(Changed.RANKINGS | Changed.PLAN | Changed.CHECKED)
        if self.state.budget is not None:
            self._rest.start()

    def _take_committed(self, answer: jobs.Committed) -> None:
        state = self.state
        if answer.budget != state.budget:
            return
        checked = {**state.checked, answer.strategy: answer.checked}
        if len(checked) >= len(state.rankings):
            self._waiting.discard("Commit")
        changes: dict[str, Any] = {"checked": checked}
        if answer.strategy == state.shown and answer.ghosts:
            changes["ghosts"] = answer.ghosts
        self._set(Changed.CHECKED | Changed.PLAN, **changes)
        if self._apply_when_checked and answer.strategy == state.shown:
            self._apply_when_checked = False
            self.apply_plan()

    def _take_tried(self, answer: jobs.Tried) -> None:
        self._waiting.discard("Try")
        if answer.preview is None:
            self.failed.emit(answer.why)
        else:
            self._set(Changed.PREVIEW, preview=answer.preview)

    def _take_saved(self, answer: jobs.Saved) -> None:
        self._waiting.discard("Save")
        self._set(
            Changed.HISTORY | Changed.PROGRESS, written=answer.written, exported_cursor=self.state.history.cursor, progress=None
        )  # fmt: skip

    def _take_found(self, answer: jobs.Found) -> None:
        self._waiting.discard("Find")
        self.found.emit(answer)
        if answer.row >= 0:
            self.select(answer.row)

    def _take_counted(self, answer: jobs.Counted) -> None:
        """Counts come in slices; totals are refreshed a few times a second, plans once at the end and never during a drag."""
        state = self.state
        tokens, view = state.tokens, state.view
        if tokens is None or view is None or answer.counter != tokens.counter:
            return
        plain = ~self._edited[answer.rows]  # what an edit changed was counted with it
        tokens.own[answer.rows[plain]] = answer.own[plain]
        tokens.exact[answer.rows] = True
        now = time.monotonic()
        if answer.left and now < self._counts_next:
            return
        provider = provider_named(state.provider)
        weigh.weigh(view, tokens, provider)
        totals = count.totals(view, tokens, provider)
        fitted = state.calibration if answer.left else count.calibrate(view, tokens, provider, state.recorded)
        self._set(Changed.TOKENS, totals=totals, calibration=fitted)
        spent = time.monotonic() - now
        self._counts_next = now + spent + max(COUNTS_SHOWN, COUNTS_REST * spent)
        if not answer.left:
            self._waiting.discard("Count")
            self._rank()

    def _take_failed(self, answer: jobs.Failed) -> None:
        self._waiting.discard(answer.job)
        if answer.job == "Commit":
            self._apply_when_checked = False
        if answer.job == "Load":
            self._step_back()
        self.failed.emit(answer.line)
        self._set(Changed.PROGRESS, progress=None)

    def _take_idle(self, answer: jobs.Idle) -> None:
        """Nothing is left but counting, where nothing was asked since: jobs that a later one superseded have no answer of their own."""
        if answer.done == self._sent:
            self._waiting &= {"Count"}
