"""What a plan loses: facts whose source goes while something that rests on it stays, and the person's own constraints that go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

LostKind = Literal["constraint", "identifier", "number", "path", "name", "call"]
KINDS: Final[tuple[LostKind, ...]] = ("constraint", "identifier", "number", "path", "name", "call")  # in the order in which they matter
KIND_WORDS: Final[dict[str, tuple[str, str]]] = {
    "constraint": ("constraint", "constraints"), "identifier": ("identifier", "identifiers"), "number": ("number", "numbers"),
    "path": ("path", "paths"), "name": ("name", "names"), "call": ("call to repeat", "calls to repeat"),
}  # fmt: skip
MOST: Final = 400  # items that are listed; the counts are never cut
WORDS: Final = 160  # characters of an item's words


@dataclass(frozen=True)
class LostItem:
    """One thing that is lost: its kind, its words (shortened), the row that states it and goes, the first rows that use it and stay
    (`uses`: how many there are), and why it counts. `by`: who states it."""

    kind: LostKind
    words: str
    stated: int
    by: Literal["person", "result", "model", "other"]
    used: tuple[int, ...]
    uses: int
    why: str


@dataclass(frozen=True)
class Superseded:
    """A result that goes and costs nothing: the same call was made again and that result stays. `same`: both say the same."""

    row: int
    again: int
    tokens: int
    same: bool


@dataclass(frozen=True)
class Lost:
    """What one plan loses, what matters most first. `counts`: all of them by kind, those that are not listed too. `superseded`: the
    first of `superseded_count` results that cost nothing."""

    strategy: str
    budget: int | None
    items: tuple[LostItem, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    superseded: tuple[Superseded, ...] = ()
    superseded_count: int = 0
    superseded_tokens: int = 0

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def left_out(self) -> int:
        return self.total - len(self.items)


def counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def sentence(lost: Lost) -> str:
    """`2 constraints, 5 identifiers, 1 path`; "nothing that a kept prompt, call or answer rests on" where there is nothing."""
    parts = [counted(lost.counts[kind], *KIND_WORDS[kind]) for kind in KINDS if lost.counts.get(kind)]
    return ", ".join(parts) or "nothing that a kept prompt, call or answer rests on"
