"""Steps as units that can be dropped whole."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.model.kinds import Role
from app.model.plan import NEVER
from app.model.table import Ints
from app.strategies._exchanges import Drops, leave_late, numbered
from app.strategies._guard import Guard
from app.strategies._savings import never
from app.strategies._strategy import Ask
from app.strategies._ties import clusters, ties

FIRST: Final = "first-message-not-user"


def step_drops(ask: Ask, guard: Guard, live_signed: str) -> Drops:
    """Closed steps, the oldest first. `live_signed`: "keep" leaves the live exchange whole where it holds signed reasoning."""
    view, groups = ask.view, ask.view.groups
    found = ties(view, ask.provider, guard, groups.step, standing(groups.step_first, len(view)))
    free = free_steps(ask, guard, live_signed)
    lead = _leading_step(ask)
    if lead >= 0:
        free[lead] = False
    joined = clusters(found, free)
    step = groups.step
    cluster = np.where(step >= 0, joined.of[step] if len(joined.of) else -1, -1)
    can = guard.open & (cluster >= 0)
    can[can] = joined.free[cluster[can]]
    action, count = numbered(cluster[can], joined)
    drop_at = never(len(view))
    drop_at[can] = action[cluster[can]]
    leave_late(drop_at, joined, action)
    last = np.append(np.flatnonzero(np.diff(joined.of)), groups.steps - 1)  # last step of each cluster
    ends = np.append(groups.step_first, len(view))[last + 1] if len(joined.of) else last
    seam = np.zeros(count, np.int32)
    done = action < NEVER
    seam[action[done]] = ends[done]
    return Drops(drop_at, seam)


def _leading_step(ask: Ask) -> int:
    """The step that begins what would be sent with a message of the user (results whose calls were cut away), where the provider may refuse
    an assistant's message in its place; -1 where there is none."""
    view, provider, model = ask.view, ask.provider, ask.view.transcript.model
    if model is not None and not provider.judging(FIRST, model):
        return -1
    first = np.flatnonzero(view.in_messages[view.start :])[:1] + view.start
    if not len(first) or provider.severities.get(FIRST) != "error" or view.role[first[0]] == Role.ASSISTANT:
        return -1
    return int(view.groups.step[first[0]])


def standing(step_first: Ints, count: int) -> Ints:
    """For each position the last step that began at or before it, -1 where none did. Not the step that a late result belongs to."""
    begun = np.zeros(count, np.int32)
    begun[step_first] = 1
    return np.cumsum(begun, dtype=np.int32) - 1


def free_steps(ask: Ask, guard: Guard, live_signed: str) -> Ints:
    """Mask over steps: closed, wholly sent, and with no row that must not be touched."""
    groups = ask.view.groups
    inside = groups.step >= 0
    held = inside & ~guard.open & ~guard.system
    free: Ints = groups.closed & (np.bincount(groups.step[held], minlength=groups.steps) == 0)
    if live_signed == "keep" and guard.live_signed:
        free &= groups.step_exchange != guard.live
    return free
