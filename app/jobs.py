"""What is asked of the helper process, and what it answers. Plain values; every one carries the generation of the dump it is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from app.model.dump import Dump
from app.model.edits import Change, Layer
from app.model.explained import Explained, Recalled
from app.model.findings import Mode, Report
from app.model.pins import Held, Pins
from app.model.plan import Checked, Ranking
from app.model.sighting import Sighting
from app.model.source import Stamp
from app.model.state import Ghost, Preview, Written
from app.model.survey import Surveyed
from app.model.table import Ints
from app.model.tokens import Calibration, Recorded, Tokens
from app.model.transcript import Transcript
from app.model.view import Groups, Links, Totals
from app.shared_memory import Laid


@dataclass(frozen=True)
class Job:
    generation: int


@dataclass(frozen=True)
class Load(Job):
    """Reads a file, or `data` that came from elsewhere under a name."""

    path: str | None
    name: str
    data: bytes | None = None
    hint: str | None = None


@dataclass(frozen=True, eq=False)
class Analyse(Job):
    """Applies the layers to transcript `index` and says what stands there: groups, ties, tokens, findings under both questions."""

    serial: int
    index: int
    layers: tuple[Layer, ...]
    provider: str
    model: str | None
    mode: Mode
    counter: str
    pins: Pins


@dataclass(frozen=True)
class Rank(Job):
    """Ranks strategies on what was analysed last: name to parameters."""

    serial: int
    specs: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]


@dataclass(frozen=True)
class Commit(Job):
    """Really applies and checks one strategy at a budget."""

    serial: int
    strategy: str
    params: tuple[tuple[str, Any], ...]
    budget: int


@dataclass(frozen=True, eq=False)
class Try(Job):
    """Applies a repair to look at it: all that `level` allows, or one change."""

    serial: int
    level: Literal["safe", "all"] = "safe"
    change: Change | None = None


@dataclass(frozen=True, eq=False)
class Save(Job):
    """Exports the dump with the layers of each edited transcript (index to layers)."""

    path: str
    layers: dict[int, tuple[Layer, ...]]
    provider: str
    model: str | None
    mode: Mode
    allow_broken: bool
    wire: str = ""  # another wire that the transcript at `index` is written in; "" the dump in its own format
    index: int = 0


@dataclass(frozen=True)
class Explain(Job):
    """Looks for what an error text of a provider speaks of."""

    serial: int
    text: str


@dataclass(frozen=True, eq=False)
class Ask(Job):
    """A question of a panel (app/questions/), by name; `on` false: no longer wanted. Tickets grow: the newest of a name counts."""

    serial: int
    about: str
    what: tuple[Any, ...] = ()
    ticket: int = 0
    on: bool = True


@dataclass(frozen=True)
class Count(Job):
    """Counts exactly, newest exchange first, between other jobs."""

    counter: str


@dataclass(frozen=True)
class Survey(Job):
    """Looks at every transcript of the dump for the chooser, in this order, between other jobs; `on` false: no longer wanted."""

    provider: str
    mode: Mode
    counter: str
    order: tuple[int, ...] = ()
    on: bool = True


@dataclass(frozen=True)
class Seek(Job):
    """Looks for sessions in the places where common agents keep theirs, and into each of them, the newest first, between other jobs;
    `on` false: no longer wanted."""

    on: bool = True


@dataclass(frozen=True)
class Cancel(Job):
    """Nothing of this generation or an older one is wanted any more."""


# -- answers ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    generation: int


@dataclass(frozen=True)
class Progressed(Answer):
    label: str
    fraction: float | None


@dataclass(frozen=True, eq=False)
class Loaded(Answer):
    """The dump without its source; later answers name its table and orders. A large one travels laid out in shared memory; whoever
    receives the answer finds it opened."""

    dump: Dump | Laid
    stamp: Stamp


@dataclass(frozen=True, eq=False)
class Analysed(Answer):
    serial: int
    transcript: Transcript
    links: Links
    groups: Groups
    tokens: Tokens
    totals: Totals
    recorded: Recorded
    calibration: Calibration | None
    report: Report
    other: Report
    skipped: tuple[tuple[Change, str], ...]
    held: Held = field(default_factory=Held.nothing)  # what the pins come to
    recalled: tuple[Recalled, ...] = ()


@dataclass(frozen=True, eq=False)
class Ranked(Answer):
    serial: int
    rankings: dict[str, Ranking]


@dataclass(frozen=True, eq=False)
class Committed(Answer):
    serial: int
    strategy: str
    budget: int
    checked: Checked
    ghosts: tuple[Ghost, ...] = ()


@dataclass(frozen=True, eq=False)
class Tried(Answer):
    serial: int
    preview: Preview | None  # None: there is nothing that could be mended this way
    why: str = ""


@dataclass(frozen=True, eq=False)
class Saved(Answer):
    written: Written


@dataclass(frozen=True, eq=False)
class Told(Answer):
    """What an error text comes to."""

    serial: int
    text: str
    explained: Explained


@dataclass(frozen=True, eq=False)
class Answered(Answer):
    """What a question came to: a part of it where `done` is false; `error` is one line where it failed."""

    serial: int
    about: str
    what: tuple[Any, ...]
    answer: Any
    done: bool = True
    error: str = ""
    ticket: int = 0  # of the question; an older one of the same name is of the past


@dataclass(frozen=True)
class Heard(Answer):
    """How far a question is: 0 to 1, None where nobody knows."""

    serial: int
    about: str
    fraction: float | None
    ticket: int = 0


@dataclass(frozen=True, eq=False)
class Counted(Answer):
    """With the last ones comes the calibration on them, of what was analysed last: `fitted_to` its serial."""

    counter: str
    rows: Ints
    own: Ints
    left: int
    calibration: Calibration | None = None
    fitted_to: int = -1


@dataclass(frozen=True)
class Noticed(Answer):
    """Some transcripts that were looked at for the chooser, and how many are left."""

    provider: str
    mode: Mode
    found: tuple[Surveyed, ...]
    left: int


@dataclass(frozen=True)
class Sighted(Answer):
    """Sessions that were found, or looked into since; `left` are still to be looked into, -1 while they are still being found."""

    found: tuple[Sighting, ...]
    left: int


@dataclass(frozen=True)
class Failed(Answer):
    """One clear line. `job` is the kind of job that failed."""

    job: str
    line: str
    unexpected: bool = False


@dataclass(frozen=True)
class Idle(Answer):
    """All jobs that had come are answered but for counting; `done` is how many came in this process's life."""

    done: int
