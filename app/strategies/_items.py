"""Items that a server binds to each other by the ids it gave them (OpenAI's Responses): what was emitted with a reasoning item."""

from __future__ import annotations

import numpy as np

from app.model.edits import DELETE, Edit, Set
from app.model.kinds import Kind, Role
from app.model.table import Ints
from app.model.view import View


def without_ids(view: View, dropped: Ints) -> tuple[Edit, ...]:
    """Edits that take away the ids of items that stay while their reasoning is in `dropped` (mask over positions): then they are sent by
    value, and nothing asks for the reasoning. An id that two items share stays: by it a copy is known for one."""
    item = view.transcript.table.item
    if item is None:
        return ()
    stays = view.in_messages & ~dropped & (view.kind != Kind.REASONING) & (view.role == Role.ASSISTANT)
    stays[: view.start] = False
    led, own = _led_by(view), item[view.rows]
    at = np.flatnonzero(stays & (own >= 0) & (led >= 0) & ~_shared(view, own))
    at = at[dropped[led[at]]]
    first = at[np.unique(view.message[at], return_index=True)[1]]
    return tuple(Set(int(row), "message.id", DELETE) for row in view.rows[first].tolist())


def _shared(view: View, own: Ints) -> Ints:
    """Mask over positions: items whose own id another item bears too."""
    pairs = np.unique(np.stack([own, view.message]), axis=1)
    _, inverse, counts = np.unique(pairs[0], return_inverse=True, return_counts=True)
    often = np.zeros(int(own.max(initial=-1)) + 2, bool)
    often[pairs[0][counts[inverse] > 1]] = True
    return np.asarray(often[own])


def _led_by(view: View) -> Ints:
    """For each position the last reasoning before it in its run of the assistant's items, -1 where there is none."""
    places = np.arange(len(view))
    begins = np.maximum.accumulate(np.where(view.role != Role.ASSISTANT, places, -1))
    last = np.maximum.accumulate(np.where(view.kind == Kind.REASONING, places, -1))
    return np.where(last > begins, last, -1)
