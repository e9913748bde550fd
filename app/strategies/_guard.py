"""What strategies leave alone, as masks along positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.model.kinds import Flag, Kind, Role
from app.model.provider import Provider
from app.model.table import Ints
from app.model.view import View

JUDGED_BY: Final = "system-message-position"


@dataclass(frozen=True, eq=False)
class Guard:
    """`open`: rows that may be touched at all: sent, in the list of messages, not pinned and not the partner of a pinned row, not of the
    last real prompt and not of the newest step, whose results the provider has not read yet. `system`: system and developer messages in
    the list, which are pinned as well but may have to go with what they stood beside (`_system.py`)."""

    open: Ints
    system: Ints
    pinned: Ints
    newest: int  # step, -1 none
    newest_exchange: int  # the exchange in which it begins, -1 none
    live: int
    live_signed: bool  # the live exchange holds signed reasoning


def guard(view: View, provider: Provider) -> Guard:
    groups = view.groups
    sent = np.zeros(len(view), bool)
    sent[view.start :] = True
    inside = view.in_messages
    system = sent & inside & ((view.role == Role.SYSTEM) | (view.role == Role.DEVELOPER))
    pinned = view.pins
    if JUDGED_BY in provider.judges:
        _hold_beside(view, system, pinned)
    newest = groups.steps - 1
    closed_to_us = system | pinned | (groups.step == newest if newest >= 0 else False) | _prompt(view)
    live = groups.exchange == groups.live
    return Guard(
        open=sent & inside & ~closed_to_us,
        system=system,
        pinned=pinned,
        newest=newest,
        newest_exchange=int(groups.exchange[groups.step_first[newest]]) if newest >= 0 else -1,
        live=groups.live,
        live_signed=bool((live & sent & (view.kind == Kind.REASONING) & ((view.flags & Flag.SIGNED) != 0)).any()),
    )


def _hold_beside(view: View, system: Ints, pinned: Ints) -> None:
    """A pinned system message whose place is judged holds what it stands between; one that leads has no place to lose."""
    notes = np.flatnonzero(system & pinned)
    others = np.flatnonzero(view.in_messages & ~system & (np.arange(len(view)) >= view.start))
    if not len(notes) or not len(others):
        return
    at = np.searchsorted(others, notes)
    at = at[at > 0]
    pinned[others[at - 1]] = True
    pinned[others[at[at < len(others)]]] = True


def _prompt(view: View) -> Ints:
    """Mask: the last real prompt, and its repetitions after a refusal. Exchange 0 has none."""
    groups, found = view.groups, np.zeros(len(view), bool)
    if groups.live < 0 or (groups.zero and groups.live == 0):
        return found
    first = int(groups.first[groups.live])
    rest = slice(first, None)
    typed = ((view.flags[rest] & Flag.INJECTED) == 0) | ((view.flags[rest] & (Flag.PROMPT | Flag.SUMMARY)) != 0)
    found[rest] = (groups.step[rest] < 0) & (view.role[rest] == Role.USER) & typed
    found |= view.message == view.message[first]
    return found
