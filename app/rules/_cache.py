"""Cache marks in the order in which Anthropic counts them: tools, system text, messages."""

from __future__ import annotations

import numpy as np

from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.model.table import Ints


def marked(reading: Reading) -> Ints:
    """Positions of the marked blocks."""
    view = reading.view
    found = (view.flags & Flag.CACHE) != 0
    heads = [np.flatnonzero(found & (view.kind == kind)) for kind in (Kind.TOOLS, Kind.SYSTEM)]
    return np.concatenate([*heads, reading.wire[found[reading.wire]]])
