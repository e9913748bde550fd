"""What is made of a dump so that it may leave the room: its shape, a small transcript that still fails, a redacted copy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.model.state import Written


@dataclass(frozen=True)
class Filled:
    """What was written in place of the contents of a file, and what reading it again gave. Counts are of the whole file."""

    path: str
    texts: int  # strings that were filled
    numbers: int
    ids: int  # different ids that were renamed
    rows: int  # blocks that were compared
    findings: int  # the same before and after
    renamed: bool  # tool names too
    summary: str  # one paragraph to copy


@dataclass(frozen=True)
class Minimal:
    """The smallest transcript that was found to fail the same rule. `text`: the file itself, contents filled; `markdown`: the report."""

    rule: str
    at: str  # where the rule fails in it
    blocks_before: int
    blocks: int
    checks: int  # how often it was really checked on the way
    whole: bool  # False: time ran out or it was stopped; it fails all the same, and may be smaller
    text: str
    markdown: str
    suffix: str  # of the file to save it as


SensitiveKind = Literal["secret", "personal", "own word", "not searched"]


@dataclass(frozen=True)
class Sensitive:
    """One thing that would be taken out, wherever it stands. `shown`: shortened, so that the list itself gives little away; `pattern`: what
    found it; `places`: JSON pointers of the first few; `count`: of all. `mark`: what would stand there, as long as it was."""

    number: int
    kind: SensitiveKind
    name: str  # "e-mail address", "GitHub token", ...
    pattern: str
    shown: str
    mark: str
    count: int
    places: tuple[str, ...]


@dataclass(frozen=True)
class Searched:
    """What a search for secrets and personal data found in a dump."""

    found: tuple[Sensitive, ...]
    strings: int  # that were searched
    patterns: int
    own: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()  # own words that stand nowhere


@dataclass(frozen=True)
class Redacted:
    """What was taken out, and what reading it again gave."""

    path: str
    places: int
    things: int
    left: int  # things that were found and left in, as asked
    findings: int
    summary: str
    kept: tuple[str, ...] = field(default=())  # names of what was left in


@dataclass(frozen=True, eq=False)
class InPlace:
    """A repair written over the source. `backup`: what stood there; `back`: the command that puts it back; `resume`: the one with which the
    program that owns the session goes on with it, "" where none is known."""

    written: Written
    backup: str
    back: str
    resume: str
