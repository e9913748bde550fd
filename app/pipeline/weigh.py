"""Token counts of a table laid along a transcript's order."""

from __future__ import annotations

import numpy as np

from app.model.kinds import Flag
from app.model.provider import Provider
from app.model.tokens import Tokens
from app.model.view import View


def weigh(view: View, tokens: Tokens, provider: Provider) -> View:
    """Sets `view.tokens` (along positions) and `view.message_overhead` (along dense messages), and gives the view back."""
    view.tokens = tokens.own[view.rows]
    message = view.message
    count = int(message.max()) + 1 if len(message) else 0
    overhead = np.full(count, provider.overhead.message, np.int32)
    named = np.unique(message[((view.flags & Flag.NAMED) != 0) & (message >= 0)])
    overhead[named] += provider.overhead.name
    view.message_overhead = overhead
    return view
