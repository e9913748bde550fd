"""What a rule is: a name that says the defect, a check over columns, words and fixes for the findings that are shown."""

from __future__ import annotations

import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit, Severity
from app.model.provider import Defect, Reading
from app.model.table import Ints
from app.rules._scene import Site


@dataclass(frozen=True)
class Said:
    """A finding in words. `message`: one sentence, what is wrong; `reason`: why the partner is missing or where it is, "" where the
    dump does not tell; `ids`: those it is about; `cause`: findings with the same one have one cause; `whole`: the place is the whole
    message; `inner`: what follows the block's pointer in the place; `pointer`: the whole place, where it is no block's. `variant` chooses
    the provider's text, `words` fills it in."""

    message: str
    reason: str = ""
    ids: tuple[str, ...] = ()
    cause: str = ""
    whole: bool = False
    inner: str = ""
    pointer: str = ""
    variant: str = ""
    words: dict[str, str] = field(default_factory=dict)


class Rule(ABC):
    """One defect. `check` reads columns only, or decodes rows that a column has narrowed down; it names rows, never objects.
    `of_an_end`: it speaks of an end of the list, whichever message stands there.
    `by_mode`: whether its findings depend on the mode (so far, or sent now)."""

    name: ClassVar[str]
    summary: ClassVar[str]
    severity: ClassVar[Severity] = "error"
    by_mode: ClassVar[bool] = False
    of_an_end: ClassVar[bool] = False
    everywhere: ClassVar[bool] = False  # judges for every provider: what it finds is no matter of a wire
    of_reader: ClassVar[bool] = False  # speaks of the program that owns the dump (Reader.judges), and for no provider
    any_of: ClassVar[int] = 0  # where given: without one of these flags on some row there is nothing to find, and nothing is looked through

    @abstractmethod
    def check(self, reading: Reading) -> Sequence[Hit]:
        """The rows that have the defect; several hits where its weight differs."""

    @abstractmethod
    def say(self, site: Site) -> Said:
        """One finding in words."""

    def fixes(self, site: Site) -> Iterable[Change]:
        """What would mend a finding, least lossy first; none where nothing would. Whoever wants the first takes the first."""
        return ()

    def related(self, site: Site) -> int:
        """The row of the other place that a finding speaks of; -1 where it speaks of one place."""
        return -1

    @property
    def help(self) -> str:
        """What the rule says, why, and on which evidence."""
        return inspect.cleandoc(sys.modules[type(self).__module__].__doc__ or "")

    def hit(
        self, reading: Reading, positions: Ints, details: Ints | None = None, severity: Severity | None = None, variant: str = ""
    ) -> Hit:
        """A hit at positions of the order. They are reported in that order. Its weight is `severity`, else what the provider says of the
        rule (of `variant`, where that names one kind of its findings), else the rule's own."""
        by = np.argsort(positions, kind="stable") if len(positions) > 1 and (np.diff(positions) < 0).any() else slice(None)
        rows = reading.view.rows[positions[by]]
        more = np.full(len(positions), -1, np.int64) if details is None else details[by].astype(np.int64)
        return Hit(rows.astype(np.int32), more, severity or self.weight(reading, variant))

    def weight(self, reading: Reading, variant: str = "") -> Severity:
        """What a finding weighs for this provider."""
        weights = reading.provider.severities
        return weights.get(f"{self.name}/{variant}") or weights.get(self.name) or self.severity


class PairRule(Rule):
    """A rule whose defect the provider's pairing finds. The detail is the partner's row, -1 where there is none."""

    defect: ClassVar[Defect]
    by_mode = True

    def related(self, site: Site) -> int:
        return site.detail

    def found(self, reading: Reading) -> Ints:
        return np.flatnonzero(reading.defect == self.defect)

    def check(self, reading: Reading) -> Sequence[Hit]:
        positions = self.found(reading)
        if not len(positions):
            return []
        partner = reading.partner[positions]
        rows = np.where(partner >= 0, reading.view.rows[np.maximum(partner, 0)], -1) if len(positions) else partner
        return [self.hit(reading, positions, rows)]
