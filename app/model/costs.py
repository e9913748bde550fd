"""Cost of carry: tokens of a block times the requests that carried it, and what is said of blocks that cost more than they should."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

NoteKind = Literal["oversized", "uncapped-list", "stack-trace", "silent-cut", "asked-again"]
NOTE_WORDS: Final[dict[str, str]] = {
    "oversized": "oversized result", "uncapped-list": "uncapped list", "stack-trace": "stack trace as an error",
    "silent-cut": "cut without a word", "asked-again": "same call, same answer",
}  # fmt: skip


@dataclass(frozen=True)
class Note:
    """What is wrong with how large a block is, with its size, and what would do."""

    kind: NoteKind
    words: str


@dataclass(frozen=True)
class BlockCost:
    """One block: its row, kind (a word), tool, the head of its words, its tokens, how many requests carried it, and both multiplied."""

    row: int
    kind: str
    tool: str
    head: str
    tokens: int
    requests: int
    carried: int
    share: float  # of all that was carried
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class ToolCost:
    """All blocks of one tool: calls, tokens of calls and results, carried in all, share of all that was carried, and notes on them."""

    tool: str
    calls: int
    tokens: int
    carried: int
    share: float
    notes: int


@dataclass(frozen=True)
class Costs:
    """What a transcript's blocks cost in all of its requests, the dearest first. `carried`: sum of the tokens of its `requests`;
    `overhead`: the part of it that stands on no block. `looked`: how many results were looked into for notes, of `results`."""

    blocks: tuple[BlockCost, ...]
    tools: tuple[ToolCost, ...]
    count: int  # blocks in all
    requests: int
    carried: int
    overhead: int
    tokens: int  # of all blocks, once
    counter: str
    exact: bool
    notes: dict[str, int]
    looked: int
    results: int
    unsent: bool = False  # the last request is the one to be sent
