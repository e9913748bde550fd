"""Token counts beside a table, and how they are known."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.model.table import Ints

COUNTERS = ("o200k_base", "cl100k_base", "chars/4")


@dataclass(eq=False)
class Tokens:
    """For each row of the table: its own tokens (a call's overhead included, a message's not) and whether that is counted or estimated."""

    counter: str
    own: Ints  # int32
    exact: Ints  # bool

    def grown(self, own: list[int], exact: bool = True) -> Tokens:
        return Tokens(
            self.counter,
            np.concatenate([self.own, np.asarray(own, np.int32)]),
            np.concatenate([self.exact, np.full(len(own), exact)]),
        )


@dataclass(frozen=True)
class Calibration:
    """Recorded over counted, of what was appended between requests. `factor` is the median, `low` and `high` its quartiles;
    `offset` what the first request has beyond its own blocks (*not in the dump*: system, tools, template). Shown, never multiplied
    into a count."""

    factor: float
    offset: int
    requests: int
    low: float = 1.0
    high: float = 1.0


@dataclass(frozen=True, eq=False)
class Recorded:
    """What the dump records, by step: input of its request, of it read from cache and written to it; -1 where none."""

    input: Ints
    cache_read: Ints
    cache_write: Ints
    output: Ints = field(default_factory=lambda: np.empty(0, np.int64))
