"""What actions save: rows that are dropped, rows that get less content, and the overhead of messages of which nothing is left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.model.plan import NEVER, Actions
from app.model.table import Ints
from app.strategies._strategy import Ask


def never(count: int) -> Ints:
    return np.full(count, NEVER, np.int32)


def saved(ask: Ask, count: int, drop_at: Ints) -> Ints:
    """Tokens that each of `count` actions frees by dropping rows; a message's overhead at the one that takes its last sent row."""
    gone = np.flatnonzero(drop_at < NEVER)
    freed = np.bincount(drop_at[gone], weights=ask.tokens[gone], minlength=count).astype(np.int64)
    last = last_of_messages(ask, drop_at)
    whole = np.flatnonzero((last >= 0) & (last < NEVER))
    if len(whole):
        freed += np.bincount(last[whole], weights=ask.overhead[whole], minlength=count).astype(np.int64)
    return freed


def last_of_messages(ask: Ask, drop_at: Ints) -> Ints:
    """For each dense message the action that takes its last sent row; NEVER where one stays, -1 where none is sent."""
    view = ask.view
    message = view.message[view.start :]
    when = drop_at[view.start :]
    inside = message >= 0
    if not inside.all():
        message, when = message[inside], when[inside]
    last = np.full(len(ask.overhead), -1, np.int32)
    if not len(message):
        return last
    new = np.concatenate([[True], message[1:] != message[:-1]])
    starts = np.flatnonzero(new)
    np.maximum.at(last, message[starts], np.maximum.reduceat(when, starts))  # parts that lie apart meet here
    return last


def dropping(ask: Ask, drop_at: Ints, seam: Ints) -> Actions:
    """Actions that drop rows, without those that would save nothing; `seam` is aligned with the actions."""
    while True:
        freed = saved(ask, len(seam), drop_at)
        useful = freed > 0
        if useful.all():
            return Actions(saved=freed, replace_at=never(len(drop_at)), drop_at=drop_at, seam=seam)
        drop_at, seam = _renumbered(drop_at, useful), seam[useful]


def tidy(actions: Actions) -> Actions:
    """Actions that replace content, without those that would save nothing."""
    useful = actions.saved > 0
    if useful.all():
        return actions
    return replace(
        actions,
        saved=actions.saved[useful],
        replace_at=_renumbered(actions.replace_at, useful),
        seam=None if actions.seam is None else actions.seam[useful],
    )


def _renumbered(at: Ints, useful: Ints) -> Ints:
    number = np.where(useful, np.cumsum(useful) - 1, NEVER).astype(np.int32)
    out = at.copy()
    some = at < NEVER
    out[some] = number[at[some]]
    return out
