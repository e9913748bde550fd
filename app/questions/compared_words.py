"""Lines of what was compared last in words: those that are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.model.compared import Words
from app.pipeline.compared_words import words
from app.questions._compared import kept

if TYPE_CHECKING:
    from app.desk import Desk

MOST = 200


def answer(desk: Desk, about: str, lines: tuple[int, ...]) -> dict[int, Words]:
    found, first, second = kept(desk, about)
    return {line: words(found, first, second, line) for line in lines[:MOST] if 0 <= line < len(found)}
