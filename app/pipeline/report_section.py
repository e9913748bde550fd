"""What a report is made of: one transcript as opened and as edited, and what checks and counts say of both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from app.model.cut_risk import CutRisk, cut_risk
from app.model.dump import Dump
from app.model.edits import Change, Layer
from app.model.explained import Recalled
from app.model.findings import Report
from app.model.table import Ints
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.blocks import Blocks
from app.pipeline.report_rows import Looks
from app.pipeline.view import make_view


@dataclass(frozen=True, eq=False)
class Section:
    """One transcript of a report: as opened, as edited, what a check says before and after (the same where nothing was changed).
    `other_before`, `other_now`: the same under the other question. `own`, `own_after`: tokens of rows by their ids, before and after.
    `pins`: how many rows were pinned. `lost`: what the model no longer knows, as plain values, and as lines of Markdown."""

    base: Transcript
    after: Transcript
    before: Report | None
    now: Report
    layers: tuple[Layer, ...] = ()
    skipped: tuple[tuple[Change, str], ...] = ()
    tokens_before: int | None = None
    tokens_after: int | None = None
    counter: str = ""
    recalled: tuple[Recalled, ...] = ()  # the refusals that the dump records, by the transcript as opened
    other_before: Report | None = None
    other_now: Report | None = None
    own: Ints | None = None
    own_after: Ints | None = None
    pins: int = 0
    lost: tuple[Any, tuple[str, ...]] | None = None

    def view(self, dump: Dump) -> View:
        """Of the transcript as opened; made once."""
        if "view" not in self._kept:
            self._kept["view"] = make_view(self.base, source=dump.source)
        return self._kept["view"]

    @cached_property
    def _kept(self) -> dict[str, View]:
        return {}

    def looks(self, dump: Dump) -> Looks:
        return Looks(self.view(dump), Blocks(dump, self.base), self.own, self.own_after)

    def risk(self, dump: Dump) -> CutRisk:
        """Of the transcript as opened."""
        return cut_risk(self.view(dump))

    @property
    def done(self) -> list[Change]:
        """The changes that were really made."""
        unmade = {id(change) for change, _ in self.skipped}
        return [change for layer in self.layers for change in layer.changes if id(change) not in unmade]
