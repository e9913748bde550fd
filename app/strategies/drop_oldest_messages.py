"""Drops the oldest message that is no system message, whatever hangs on it: the pass that cut many a session between a call and its result.

It imitates a broken pass so that an incident can be reproduced and seen: partners are not followed, and prompts are not spared. The last
message stays, and so do system messages and pinned exchanges.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from app.model.plan import Actions
from app.model.table import Ints
from app.strategies._exchanges import whole_after
from app.strategies._savings import dropping, never
from app.strategies._strategy import Ask, Strategy, counted


class DropOldestMessages(Strategy):
    name: ClassVar[str] = "drop-oldest-messages"
    summary: ClassVar[str] = "drops the oldest messages and follows no partners: reproduces an incident"
    place: ClassVar[int] = 7
    unit: ClassVar[str] = "messages"
    breaks_pairs: ClassVar[bool] = True
    prefix: ClassVar[bool] = True

    def actions(self, ask: Ask) -> Actions:
        view = ask.view
        mask = _messages(ask)
        goes = np.zeros(len(ask.overhead) + 1, bool)
        goes[view.message[mask]] = True
        goes[view.message[mask & ask.guard.pinned]] = False
        goes[view.message[mask][-1:]] = False  # the last one stays
        number = np.cumsum(goes, dtype=np.int32) - 1
        positions = np.flatnonzero(mask & goes[view.message])
        drop_at = never(len(view))
        drop_at[positions] = action = number[view.message[positions]]
        seam = np.zeros(int(goes.sum()), np.int32)
        seam[action] = positions + 1  # the last write wins: the cut stands behind the message's last row
        return dropping(ask, drop_at, seam)

    def keeps(self, ask: Ask, actions: Actions) -> tuple[Ints, int]:
        return whole_after(ask.view.message, _messages(ask), actions.drop_at, len(actions.saved))

    def act(self, length: int, gone: int) -> str:
        return f"drop {counted(length, 'message')}"


def _messages(ask: Ask) -> Ints:
    """Mask: rows of sent messages that are no system messages."""
    view = ask.view
    mask: Ints = view.in_messages & ~ask.guard.system
    mask[: view.start] = False
    return mask


STRATEGY = DropOldestMessages()
