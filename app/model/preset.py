"""What a person is told of a preset before choosing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class PresetFact:
    """`family`: the strategy whose row it takes. `grade`: how well its rules are known. `counts`: what its limits count. `minimum`: what
    its minimum means. `leaves`: what it may leave wrong on messages that its system would not have written. `settings`: of each parameter
    its name, its default as JSON has it, and its meaning."""

    name: str
    summary: str
    family: str
    imitates: str
    source: str
    grade: str
    counts: str
    minimum: str
    breaks_pairs: bool
    settings: tuple[tuple[str, Any, str], ...]
    leaves: str = ""
