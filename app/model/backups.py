"""What was kept of a file before it was written over."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Backup:
    """`NAME.bak-number`. `written`: when its bytes were last written, seconds since 1970; `same`: it is what the file holds now."""

    path: str
    number: int
    size: int
    written: float
    same: bool


@dataclass(frozen=True)
class Backups:
    """The backups beside a file, the newest first."""

    path: str
    found: tuple[Backup, ...]


@dataclass(frozen=True)
class WentBack:
    """A backup's bytes stand in the file again. `kept`: the backup of what they replaced, "" where nothing stood there; `back`: the command
    that undoes it, `resume` as in InPlace."""

    path: str
    backup: str
    size: int
    kept: str
    back: str
    resume: str
