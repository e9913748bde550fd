"""Plain find: the rows of a transcript whose text, tool name or call id holds a string, whatever its case."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.model.block import Block
from app.model.dump import Dump
from app.model.table import Ints
from app.model.view import View
from app.pipeline import look
from app.pipeline.names import format_named

LOOK = 2000  # rows between two looks at whether anybody still wants to know


def holds(block: Block, folded: str) -> bool:
    return any(folded in text.casefold() for text in (*block.texts, block.name or "", block.call_id or ""))


def find(dump: Dump, view: View, text: str, wanted: Callable[[], bool] = lambda: True) -> Ints:
    """Positions of the rows that hold `text`, in order. Stops early, with what it has, where nobody wants to know any more."""
    folded = text.casefold()
    if not folded:
        return np.empty(0, np.int32)
    transcript = view.transcript
    touched = transcript.touched()
    shape = format_named(dump.format)
    plain = [int(r) for r in view.rows.tolist() if r not in touched and transcript.table.record[r] >= 0]
    hits = {row for row in touched if view.at(row) >= 0 and holds(look.block(dump, transcript, row), folded)}
    for start in range(0, len(plain), LOOK):
        if not wanted():
            break
        hits.update(b.row for b in shape.each_block(dump.table, dump.source, plain[start : start + LOOK]) if holds(b, folded))
    return np.sort(np.asarray([view.at(row) for row in hits], np.int32))


def step(hits: Ints, position: int, backwards: bool) -> int:
    """Index in `hits` of the next one behind (or in front of) a position, around the end; -1 where there is none."""
    if not len(hits):
        return -1
    if backwards:
        return int(np.searchsorted(hits, position, side="left") - 1) % len(hits)
    return int(np.searchsorted(hits, position, side="right")) % len(hits)
