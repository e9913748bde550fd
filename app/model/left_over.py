"""What a run that crashed has left for the file that was opened."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LeftOver:
    """`titles`: the changes that were in force and not written. `same`: the bytes of the file are those that they were made for; else
    they cannot be laid over it again."""

    path: str
    titles: tuple[str, ...]
    same: bool
