"""System and developer messages in the list stay, unless the provider would then refuse their place.

Anthropic takes one only behind a user message (or an assistant message that ends in a server tool's result) and in front of an assistant
message or the end (live probe of 2026-09-10; 20 recorded requests fit, none breaks it). Whoever drops rows asks here at which action
such a message has to leave with what it stood beside.
"""

from __future__ import annotations

import numpy as np

from app.model.kinds import Role
from app.model.plan import NEVER
from app.model.provider import Provider
from app.model.table import Ints
from app.model.view import View
from app.strategies._guard import JUDGED_BY, Guard

__all__ = ["JUDGED_BY", "with_neighbours"]


def with_neighbours(view: View, provider: Provider, guard: Guard, drop_at: Ints) -> Ints:
    """`drop_at` with the system messages that lose their place; the array given is not written to."""
    if JUDGED_BY not in provider.judges:
        return drop_at
    notes = np.flatnonzero(guard.system & ~guard.pinned)
    others = np.flatnonzero(view.in_messages & ~guard.system & (np.arange(len(view)) >= view.start))
    if not len(notes) or not (drop_at[others] < NEVER).any():
        return drop_at
    when = drop_at[others]
    at = np.searchsorted(others, notes)
    leads = at == 0  # what stands before all else was refused before and is no worse off
    out = drop_at.copy()
    out[notes] = np.where(leads, NEVER, np.minimum(_before(view, others, when, at), _behind(view, others, when, at)))
    return out


def _before(view: View, others: Ints, when: Ints, at: Ints) -> Ints:
    """For each note the action at which what stands in front of it no longer carries it."""
    good = (view.role[others] == Role.USER) | view.server[others]
    stays = np.maximum.accumulate(np.where(when == NEVER, np.arange(len(others)), -1))  # last row at or before that stays
    here = np.maximum(at - 1, 0)
    bad_later = (stays[here] < 0) | ~good[np.maximum(stays[here], 0)]
    return np.where(bad_later | ~good[here], when[here], NEVER)


def _behind(view: View, others: Ints, when: Ints, at: Ints) -> Ints:
    """For each note the action at which what follows it is no longer an assistant's."""
    count = len(others)
    good = view.role[others] == Role.ASSISTANT
    leads = np.concatenate([[True], when[1:] != when[:-1]])  # rows that come to stand behind a note when all before them are gone
    bad = np.flatnonzero(leads & ~good)
    stays = np.minimum.accumulate(np.where(when == NEVER, np.arange(count), count)[::-1])[::-1]  # first row at or behind that stays
    known = at < count
    here = np.minimum(at, count - 1)
    index = np.searchsorted(bad, here, side="right")
    next_bad = np.where(index < len(bad), bad[np.minimum(index, max(0, len(bad) - 1))] if len(bad) else count, count)
    reached = next_bad <= stays[here]
    lost = np.where(~good[here], when[here], np.where(reached & (next_bad < count), when[np.minimum(next_bad, count) - 1], NEVER))
    return np.where(known, lost, NEVER).astype(np.int32)
