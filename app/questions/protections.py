"""The rows of each entry of the list that is offered to be protected."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from app.model.pins import PROTECTION_NAMES
from app.model.table import Ints

if TYPE_CHECKING:
    from app.desk import Desk


def answer(desk: Desk) -> Generator[dict[str, Ints], None, dict[str, Ints]]:
    """By the name of each entry its rows, in the order of the transcript; each entry is sent as soon as it is known."""
    from app.pipeline.blocks import Blocks
    from app.pipeline.protect import protections

    view = desk.view
    assert view is not None
    assert desk.dump is not None
    look = Blocks(desk.dump, view.transcript)
    found = {}
    for name in PROTECTION_NAMES:
        found[name] = view.rows[np.flatnonzero(protections(view, look, [name])[name])]
        yield dict(found)
    return found
