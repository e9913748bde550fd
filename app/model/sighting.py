"""A session that was found on this machine, before anybody opened it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sighting:
    """A file: the program that keeps it, its size in bytes and when it was last written (seconds since 1970).

    What a look into it told: title, format, transcripts, requests of the one that would be opened, its errors and warnings; -1 and ""
    where nobody has looked. `why`: one clause where it was looked into and not read.
    """

    path: str
    program: str
    size: int
    written: float
    title: str = ""
    format: str = ""
    transcripts: int = -1
    requests: int = -1
    errors: int = -1
    warnings: int = -1
    why: str = ""

    @property
    def seen(self) -> bool:
        return bool(self.why) or self.requests >= 0
