"""A page to read, in passages: plain text, and what each part of it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Style = Literal["title", "heading", "text", "small", "code"]


@dataclass(frozen=True)
class Passage:
    """`style`: *code* keeps its lines and stands in a font of one width; *small* is of less weight; line feeds in the others begin a new
    line. Never markup."""

    style: Style
    text: str
