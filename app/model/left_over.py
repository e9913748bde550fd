"""What a run that crashed has left for the file that was opened."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LeftOver:
    """`titles`: the changes that were in force and not written; `pins`: how many pins and protections were set. `same`: the bytes of the
    file are those that they were made for; else they cannot be laid over it again, and are kept for `days` days."""

    path: str
    titles: tuple[str, ...]
    same: bool
    pins: int = 0
    days: int = 0
