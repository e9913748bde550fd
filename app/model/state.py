"""What a window shows, as one immutable value, and which parts of it are new."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Flag, auto
from functools import cache
from typing import Any

from app.model.dump import Dump
from app.model.edits import Change, History, Layer
from app.model.explained import Recalled
from app.model.filter import Filter
from app.model.findings import Mode, Report
from app.model.pins import Aside, Held, Pins
from app.model.plan import Checked, Plan, Ranking
from app.model.replay import Seen
from app.model.sighting import Sighting
from app.model.survey import Survey
from app.model.tokens import Calibration, Recorded, Tokens
from app.model.transcript import Transcript
from app.model.view import Totals, View


class Changed(Flag):
    """Which parts of a State are new. A panel returns at once where none of its own is."""

    DUMP = auto()  # another file, or its whole table after a first look
    TRANSCRIPT = auto()  # another order, or edits: rows, groups and links are new
    FINDINGS = auto()
    TOKENS = auto()  # counts came in
    RANKINGS = auto()  # the strategies were ranked anew
    PLAN = auto()  # the budget or the strategy shown
    CHECKED = auto()  # a plan was really applied and checked
    HISTORY = auto()
    PREVIEW = auto()
    PROGRESS = auto()
    SELECTION = auto()
    TARGET = auto()  # provider, model, mode or counter
    SURVEY = auto()  # more transcripts were looked at for the chooser
    SIGHTED = auto()  # more sessions were found on this machine
    SEEN = auto()  # another request is looked at, as the model saw it
    FILTER = auto()  # another expression, or other blocks that match
    ALL = FILTER | DUMP | TRANSCRIPT | FINDINGS | TOKENS | RANKINGS | PLAN | CHECKED | HISTORY | PREVIEW | PROGRESS | SELECTION | TARGET

    def __or__(self, other: Changed) -> Changed:
        """Kept: a move of the drag asks some two hundred times, and Python looks a value up in a microsecond and a half."""
        return _either(self._value_, other._value_)

    def __and__(self, other: Changed) -> Changed:
        return _both(self._value_, other._value_)


@cache
def _either(one: int, other: int) -> Changed:
    return Changed(one | other)


@cache
def _both(one: int, other: int) -> Changed:
    return Changed(one & other)


@dataclass(frozen=True)
class Progress:
    label: str
    fraction: float | None
    cancel: bool = True


@dataclass(frozen=True, eq=False)
class Ghost:
    """A row that is not there yet: where a previewed repair or the shown plan would put it. `position`: it stands before this one."""

    position: int
    kind: int
    text: str
    tokens: int
    call_position: int = -1


@dataclass(frozen=True, eq=False)
class Preview:
    """A repair that is looked at and not applied: its changes, ghosts, the positions that it drops or moves, the report after it,
    its cost."""

    layer: Layer
    ghosts: tuple[Ghost, ...]
    dropped: frozenset[int]
    moved: frozenset[int]
    changed: frozenset[int]
    report: Report
    tokens: int = 0  # what it adds to the request's total, negative where it frees


@dataclass(frozen=True, eq=False)
class Written:
    """Proof of an export: what was written and what reading it again gave."""

    path: str
    records: int
    same: int
    inserted: int
    relinked: int
    dropped: int
    changed: int
    verdict: str
    summary: str  # one paragraph to copy
    notes: tuple[tuple[str | None, str], ...] = ()  # what was done beyond the edits: pointer of the record in the source, and words


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the window shows. `None` where there is nothing yet."""

    dump: Dump | None = None
    path: str = ""
    chosen: int = 0  # index of the transcript
    base: Transcript | None = None  # as opened
    transcript: Transcript | None = None  # with the active history
    view: View | None = None
    provider: str = "anthropic"
    model: str | None = None
    mode: Mode = "complete"
    report: Report | None = None  # under `mode`
    other: Report | None = None  # under the other mode
    counter: str = "o200k_base"
    tokens: Tokens | None = None
    totals: Totals | None = None
    recorded: Recorded | None = None
    calibration: Calibration | None = None
    rankings: dict[str, Ranking] = field(default_factory=dict)  # by name of strategy or preset, in the order of the plan table
    params: dict[str, dict[str, Any]] = field(default_factory=dict)
    imitated: dict[str, str] = field(default_factory=dict)  # by family the preset that has taken its row
    shown: str = "evict-exchanges"
    budget: int | None = None  # None: parked at now, nobody has touched it
    plan: Plan | None = None
    ghosts: tuple[Ghost, ...] = ()  # of the plan shown
    checked: dict[str, Checked] = field(default_factory=dict)  # by strategy name, for the budget as it stands
    recalled: tuple[Recalled, ...] = ()  # the refusals that the dump records, and what each comes to
    pinned: frozenset[int] = frozenset()  # exchanges
    pins: Pins = field(default_factory=Pins)  # all that a person pinned
    held: Held = field(default_factory=Held.nothing)  # what that comes to
    aside: Aside | None = None  # pins that lie beside the dump, until they are taken or left
    history: History = field(default_factory=History)
    skipped: tuple[tuple[Change, str], ...] = ()
    preview: Preview | None = None
    progress: Progress | None = None
    selected: int = -1  # row id
    seen: Seen | None = None  # what the model saw at the request that is looked at
    filter: Filter | None = None
    changed_on_disk: bool = False  # the open file is no longer what was read
    following: bool = False  # what is written to the open file is taken in
    came_in: int = 0  # records that were taken in that way
    exported_cursor: int = 0  # history cursor at the last export
    written: Written | None = None
    survey: Survey | None = None  # what the chooser knows
    sighted: tuple[Sighting, ...] = ()  # sessions on this machine
    unseen: int = 0  # of them still to be looked into; -1 while they are being found

    def with_(self, **changes: Any) -> State:
        return replace(self, **changes)

    @property
    def now(self) -> int:
        """Tokens of the request as it is."""
        return self.totals.total if self.totals else 0
