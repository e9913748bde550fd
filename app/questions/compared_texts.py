"""One line of what was compared last, with the whole texts of either side as far as somebody would read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.model.block import Block
from app.model.kinds import Kind
from app.pipeline.compared_words import sides
from app.questions._compared import kept

if TYPE_CHECKING:
    from app.desk import Desk

MOST = 400_000  # characters of a text that are handed over

Texts = tuple[str, ...] | None


def answer(desk: Desk, about: str, line: int) -> tuple[Texts, Texts]:
    """None where a side has no block for the line."""
    one, other = sides(*kept(desk, about), line)
    return _texts(one), _texts(other)


def _texts(block: Block | None) -> Texts:
    if block is None:
        return None
    out, room = [], MOST
    for text in block.texts:
        out.append(text[:room])
        room -= len(out[-1])
    return (block.name, *out) if block.name and block.kind == Kind.TOOL_CALL else tuple(out)
