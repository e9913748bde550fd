"""System messages inside the list of messages: their runs, and where one may go (Anthropic)."""

from __future__ import annotations

import numpy as np

from app.model.edits import After, Change, Edit, Move, Set
from app.model.kinds import Role
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._scene import Site


def runs(reading: Reading) -> tuple[Ints, Ints]:
    """First and last turn of each run of system messages."""
    system = reading.turn_role == Role.SYSTEM
    before = np.concatenate([[False], system[:-1]]) if len(system) else system
    behind = np.concatenate([system[1:], [False]]) if len(system) else system
    return np.flatnonzero(system & ~before), np.flatnonzero(system & ~behind)


def first_of(reading: Reading, turns: Ints) -> Ints:
    """Position of the first block of each turn."""
    return reading.wire[reading.turn_start[turns]]


def moves(site: Site) -> list[Change]:
    """The run of system messages goes behind a user turn that an assistant message follows, or that ends the list: the next such
    turn, else the one before."""
    reading, turn = site.reading, site.turn
    role = reading.turn_role
    found: list[Change] = []
    fits = [t for t in np.flatnonzero(role == Role.USER).tolist() if _next_role(role, t) in (Role.ASSISTANT, None)]
    behind, before = [t for t in fits if t > turn], [t for t in fits if t < turn]
    if behind or before:
        firsts, lasts = runs(reading)
        index = int(np.searchsorted(lasts, turn))
        anchor = site.row_of(int(reading.of_turn(behind[0] if behind else before[-1])[-1]))
        edits: list[Edit] = []
        for system in range(int(firsts[index]), int(lasts[index]) + 1):
            for number, at in enumerate(reading.of_turn(system).tolist()):
                edits.append(Move(site.row_of(at), After(anchor, join=number > 0)))
                anchor = site.row_of(at)
        found.append(site.change("Move it behind a turn of the user", "exact", *edits))
    found.append(site.change("Make it a message of the user", "adds", Set(site.row, "role", "user")))
    return found


def _next_role(role: Ints, turn: int) -> int | None:
    """Role of the turn behind one, system messages passed over; None at the end."""
    for further in role[turn + 1 :].tolist():
        if further != Role.SYSTEM:
            return int(further)
    return None
