"""What the provider would answer if all before a place were left out, without any regard to calls and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.model.edits import Change, Drop
from app.model.findings import Finding
from app.model.free_cut import FreeCut
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.names import provider_named
from app.pipeline.view import make_view

if TYPE_CHECKING:
    from app.desk import Desk

NEAR = 2_000  # rows behind the cut that are judged: what a cut breaks is at the head of what is left, or lost its call to it
PARTED = 200  # results further away that lost their call


def answer(desk: Desk, position: int) -> FreeCut:
    """Judges the request that begins at a position of the view."""
    view, spec = desk.view, desk.spec
    assert view is not None
    assert desk.dump is not None
    provider = provider_named(spec.provider)
    position = min(max(position, view.start), len(view))
    partner = view.links.partner
    parted = np.flatnonzero((partner >= 0) & (partner < position) & (np.arange(len(view)) >= position))
    kept = ~view.in_messages
    kept[position : position + NEAR] = True
    kept[parted[:PARTED]] = True
    kept[: view.start] = True  # what is not sent anyway stays where it is
    gone = Change("cut", "strategy:free-cut", "loses", (Drop(view.rows[~kept]),))
    after = apply(view.transcript, [gone], provider).transcript
    report = check(make_view(after, source=desk.dump.source), provider, spec.model, "prefix", desk.dump)
    behind = view.rows[position : position + 1]
    head = int(view.message[position]) if len(behind) else -2
    lost = set(view.rows[parted].tolist())
    errors = [found for found in report.findings if found.severity == "error"]
    made = [found for found in errors if _of_the_cut(found, lost, view.at(found.row), view.message, head)]
    if not made:
        return FreeCut(position, 0)
    first = next((found for found in made if found.row in lost), made[0])
    return FreeCut(position, len(made), first.rule, first.message, first.provider_error)


def _of_the_cut(found: Finding, lost: set[int], at: int, message: np.ndarray, head: int) -> bool:  # type: ignore[type-arg]
    """Whether a finding is about a result that lost its call, or about the message that now stands first."""
    return found.row in lost or (at >= 0 and int(message[at]) == head)
