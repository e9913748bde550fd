"""What a validator finds: columns first, words for those that are shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from app.model.edits import Change
from app.model.table import Ints

Severity = Literal["error", "warning", "note"]
Mode = Literal["complete", "prefix"]


@dataclass(frozen=True)
class Hit:
    """What a rule's `check` yields, as arrays: the row of each finding and, where the rule wants it, a detail (another row, a class).
    `severity` overrides the rule's own (rules whose weight depends on the model)."""

    rows: Ints
    details: Ints
    severity: Severity

    @classmethod
    def none(cls, severity: Severity = "error") -> Hit:
        return cls(np.empty(0, np.int32), np.empty(0, np.int64), severity)


@dataclass(frozen=True)
class Finding:
    """One finding in words. `at`: JSON pointer in the file; `provider_at`: as the provider's own error would count it;
    `cause` groups findings whose missing or misplaced partner is the same message; `related`: the row of the other place that it speaks of
    (the call before, the result that came first, the misplaced partner), -1 where there is none, and `related_at` its pointer."""

    rule: str
    severity: Severity
    row: int
    at: str
    provider_at: str | None
    ids: tuple[str, ...]
    message: str  # one sentence: what is wrong
    provider_error: str | None  # the provider's likely words
    reason: str  # why the partner is missing, or where it is; "" where the dump does not tell
    fixes: tuple[Change, ...] = ()  # least lossy first
    cause: str = ""
    detail: int = -1
    member: str | None = None
    within: tuple[str, ...] = ()
    related: int = -1
    related_at: str = ""


@dataclass(eq=False)
class Report:
    """What a check gives. `counts` is complete; `findings` are in the order of the transcript, errors first, the first 1,000 of a rule."""

    provider: str
    model: str | None
    mode: Mode
    verdict: Literal["accept", "reject"]
    counts: dict[str, int]
    findings: list[Finding]
    left_out: int
    rules: int  # how many were judged
    not_judged: tuple[str, ...] = ()  # what this check cannot see, in words
    pending: int = 0  # open calls at the very end that are no findings under `prefix`
    error_rows: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    warning_rows: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    errors_of: dict[str, Ints] = field(default_factory=dict)  # all findings of severity error: for each rule their rows

    @property
    def errors(self) -> int:
        return sum(1 for f in self.findings if f.severity == "error")
