"""Results as things whose content can be made shorter."""

from __future__ import annotations

import numpy as np

from app.model.edits import Content
from app.model.kinds import Flag
from app.model.plan import Actions
from app.model.table import Ints
from app.strategies._guard import Guard
from app.strategies._savings import never, tidy
from app.strategies._strategy import Ask


def open_results(ask: Ask, guard: Guard) -> Ints:
    """Mask: results that the client gave and that may be touched. Those of server-side tools are left alone, and so are items whose place
    takes no text (a screenshot, tools that were found: OpenAI's Responses)."""
    view = ask.view
    mask: Ints = view.results & guard.open
    if view.transcript.table.item is not None:
        mask &= (view.flags & Flag.CONTENT_ODD) == 0
    return mask


def replacing(ask: Ask, rows: Ints, content: Content, left: Ints) -> Actions:
    """Actions that give one content to one result each. `rows`: positions, oldest first; `left`: what each of them still costs then."""
    view = ask.view
    replace_at = never(len(view))
    replace_at[rows] = np.arange(len(rows), dtype=np.int32)
    return tidy(
        Actions(
            saved=ask.tokens[rows].astype(np.int64) - left,
            replace_at=replace_at,
            drop_at=never(len(view)),
            contents=(content,),
            content=np.zeros(len(view), np.int16),
            seam=(rows + 1).astype(np.int32),
        )
    )
