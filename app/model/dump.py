"""A dump: one file with one or more transcripts."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.model.findings import Mode
from app.model.requests import Requested
from app.model.source import Source
from app.model.table import Table
from app.model.transcript import Transcript


@dataclass(frozen=True)
class Confidence:
    """How sure a format is that a file is its own: `score` from 0 to 1, and the keys that matched, in words."""

    format: str
    score: float
    why: str


@dataclass(eq=False)
class Dump:
    """`opened` is the index of the transcript that a window opens first; `whys` say what detection saw and what was odd. `mode`: which
    question such a dump is asked unless told otherwise (an answer by itself was not meant to be sent); None: the one of its format."""

    source: Source
    format: str
    table: Table
    transcripts: list[Transcript]
    opened: int = 0
    whys: list[str] = field(default_factory=list)
    rivals: list[Confidence] = field(default_factory=list)  # formats that fit nearly as well
    complete: bool = True  # False for a first look at the head of a file
    mode: Mode | None = None
    requests: tuple[Requested, ...] = ()  # of a log: each beside the one before it, in order of time

    @property
    def records(self) -> dict[str, int]:
        """Records read = shown + hidden + unparsed (HEAD records are places to read from, not records)."""
        from app.model.table import RecordKind, Shown

        counted = self.table.records.kind != RecordKind.HEAD
        shown = self.table.records.shown[counted]
        return {s.name.lower(): int((shown == s).sum()) for s in Shown}
