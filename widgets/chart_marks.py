"""What stands at the top edge of the chart: findings and recorded refusals, by request. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from app.model.cache_loss import cache_losses
from app.model.table import Ints
from app.model.tokens import Recorded
from app.model.transcript import Refusal
from app.model.view import View
from widgets.chart_data import Contents
from widgets.chart_model import ChartModel
from widgets.words import counted


@dataclass(frozen=True)
class Mark:
    """A glyph at the top edge: `kind` is error, warning, note, refusal or cache-lost; a click goes to `row`."""

    column: int
    kind: str
    row: int
    text: str


def marks(model: ChartModel) -> list[Mark]:
    """Glyphs for the top edge, at most one of a kind for a column."""
    view, live, report = model.state.view, model.live, model.state.report
    if view is None or live is None:
        return []
    rules: dict[int, str] = {}
    notes = []
    for finding in report.findings if report is not None else ():
        rules.setdefault(finding.row, finding.rule)
        notes += [finding.row] if finding.severity == "note" else []
    out = []
    if report is not None:
        rows = (("error", report.error_rows), ("warning", report.warning_rows), ("note", np.array(notes, np.int64)))
        for kind, at in rows:
            out += _findings(view, live, kind, at, rules)
    return out + _refusals(view, live) + losses(model)


def losses(model: ChartModel) -> list[Mark]:
    """Requests at which the provider's cache was lost, by the usage that the dump records."""
    if model.base is None or model.recorded is None:
        return []
    return list(_lost(model.base.view, model.recorded))


@lru_cache(maxsize=2)
def _lost(view: View, recorded: Recorded) -> tuple[Mark, ...]:
    found = cache_losses(view, recorded)
    return tuple(Mark(loss.step, "cache-lost", int(view.rows[view.groups.step_first[loss.step]]), loss.words) for loss in found)


def _refusals(view: View, live: Contents) -> list[Mark]:
    """Recorded refusals; those of one place are one mark that says how often."""
    times: dict[int, list[Refusal]] = {}
    for refusal in view.transcript.refusals:
        times.setdefault(refusal.after, []).append(refusal)
    out = []
    for after, same in times.items():
        at = view.at(after) if after >= 0 else -1
        row = after if at >= 0 else (int(view.rows[0]) if len(view) else -1)
        status = f" {same[0].status}" if same[0].status else ""
        often = f" {len(same)} times" if len(same) > 1 else ""
        out.append(Mark(int(live.boundary[at + 1]), "refusal", row, f"refused{status} when sent{often}: {same[0].text[:200]}"))
    return out


def _findings(view: View, live: Contents, kind: str, rows: Ints, rules: dict[int, str]) -> list[Mark]:
    """Findings of a severity by column: how many, and the first one's rule."""
    at = view.positions(rows)
    rows, at = rows[at >= 0], at[at >= 0]
    columns = np.where(live.own[at] >= 0, live.own[at], live.boundary[at])
    found, first, counts = np.unique(columns, return_index=True, return_counts=True)
    out = []
    for column, index, count in zip(found.tolist(), first.tolist(), counts.tolist(), strict=True):
        row = int(rows[index])
        rule = f": {rules[row]}" if row in rules else ""
        out.append(Mark(column, kind, row, f"{counted(count, kind)} here{rule}"))
    return out
