"""What a chooser says of a transcript before it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.model.findings import Mode


@dataclass(frozen=True)
class Surveyed:
    """Transcript `index` of a dump, as it was opened: its exchanges and requests (steps), the tokens of its request (estimated), its
    findings under the question in front, and how many refusals it records."""

    index: int
    exchanges: int
    requests: int
    tokens: int
    errors: int
    warnings: int
    refusals: int


@dataclass(frozen=True, eq=False)
class Survey:
    """What is known of the transcripts of a dump, by index, judged for `provider` under `mode`; `left` are still to be looked at."""

    provider: str
    mode: Mode
    found: Mapping[int, Surveyed]
    left: int
