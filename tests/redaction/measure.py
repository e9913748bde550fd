"""Recall and precision of redaction over the table: what of the things that must go does go, and how much of what goes had to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from app.pipeline.sensitive import USER, Finder, Hit, users
from tests.redaction import lookalikes, truths


@dataclass
class Measured:
    """`missed`: (kind, text, what should have gone); `wrong`: (kind, text, what went)."""

    wanted: Counter[str] = field(default_factory=Counter)
    missed: list[tuple[str, str, str]] = field(default_factory=list)
    hits: int = 0
    wrong: list[tuple[str, str, str]] = field(default_factory=list)
    lookalikes: int = 0

    @property
    def recall(self) -> float:
        return 1 - len(self.missed) / self.wanted.total()

    @property
    def precision(self) -> float:
        return 1 - len(self.wrong) / self.hits


def hits(text: str) -> list[Hit]:
    """As in a file that has this text alone."""
    return Finder(dict.fromkeys(users([text.encode()]), USER)).hits(text)


def measure() -> Measured:
    """The whole table."""
    made = Measured()
    for kind, text, wanted in truths.rows():
        found = hits(text)
        covered = {at for hit in found for at in range(hit.start, hit.end)}
        places: set[int] = set()
        done = 0
        for one in wanted:
            start = text.index(one, done)
            done = start + len(one)
            places |= set(range(start, done))
            made.wanted[kind] += 1
            if not set(range(start, done)) <= covered:
                made.missed.append((kind, text, one))
        made.hits += len(found)
        made.wrong += [(kind, text, text[hit.start : hit.end]) for hit in found if not places & set(range(hit.start, hit.end))]
    for kind, text in lookalikes.rows():
        found = hits(text)
        made.lookalikes += 1
        made.hits += len(found)
        made.wrong += [(kind, text, text[hit.start : hit.end]) for hit in found]
    return made
