"""Compares what two transcripts would send: aligned block by block, whichever format either is in.

First blocks are aligned that are equal with their call ids, then, between those, such as are equal but for the id (a second run gives other
ones). What is left on both sides moved where it is equal, and changed where the ids, or the words, tell that one stands for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from app.model.align import Run, align
from app.model.block import Block
from app.model.compared import Aspect, Common, Compared, Side, What
from app.model.dump import Dump
from app.model.kinds import Kind
from app.model.table import Ints
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline import look
from app.pipeline.compared_lines import Line, laid_out
from app.pipeline.fingerprint import Prints, arguments, fingerprints, wire_bytes
from app.pipeline.likeness import alike, became

LOOKED_AT: Final = 4_000  # pairs of blocks whose words are looked at; what is beyond them went and came
_BY_ID: Final = (Kind.TOOL_CALL, Kind.TOOL_RESULT)


@dataclass(eq=False)
class One:
    """One of the two: a transcript with its groups, and the tokens of its table's rows."""

    dump: Dump
    view: View
    tokens: Tokens
    name: str

    @property
    def transcript(self) -> Transcript:
        return self.view.transcript

    @property
    def rows(self) -> Ints:
        return self.transcript.sent

    def block(self, position: int) -> Block:
        return look.block(self.dump, self.transcript, int(self.rows[position]))

    def own(self) -> Ints:
        own: Ints = self.tokens.own[self.rows]
        return own

    def side(self) -> Side:
        messages = self.view.message[self.view.start :]
        count = len(np.unique(messages[messages >= 0]))
        return Side(
            self.name, self.transcript.id, self.dump.format, count, len(self.rows), int(self.own().sum()), bool(self.tokens.exact.all())
        )  # fmt: skip


def compare(first: One, second: One) -> Generator[float, None, Compared]:
    """Yields how far it is, from 0 to 1; InspectorError where a file has changed since it was read."""
    a = yield from _part(fingerprints(first.dump, first.transcript, first.rows), 0.0, 0.45)
    b = yield from _part(fingerprints(second.dump, second.transcript, second.rows), 0.45, 0.9)
    pairing = _Pairing(first, second, a, b)
    pairing.align()
    yield 0.93
    pairing.move()
    yield 0.95
    pairing.change()
    renamed = pairing.rename()
    yield 0.98
    lines = [Line(int(x), int(y), int(what), int(bits)) for x, y, what, bits in pairing.pairs()]
    return laid_out(first, second, lines, _common(first, second, a, b), renamed)


def compared(first: One, second: One, breath: Callable[[float], None] | None = None) -> Compared:
    """The same at once."""
    run = compare(first, second)
    try:
        while True:
            fraction = next(run)
            if breath is not None:
                breath(fraction)
    except StopIteration as stop:
        found: Compared = stop.value
        return found


def _part(run: Generator[float, None, Prints], start: float, end: float) -> Generator[float, None, Prints]:
    try:
        while True:
            yield start + (end - start) * next(run)
    except StopIteration as stop:
        found: Prints = stop.value
        return found


class _Pairing:
    """For each position of the first its partner in the second (-1 none), what became of it and in what it differs."""

    def __init__(self, first: One, second: One, a: Prints, b: Prints) -> None:
        self._first, self._second, self._a, self._b = first, second, a, b
        self._to = np.full(len(a), -1, np.int64)
        self._from = np.full(len(b), -1, np.int64)
        self._what = np.zeros(len(a), np.uint8)
        self._bits = np.zeros(len(a), np.uint8)

    def _pair(self, x: int, y: int, what: What = What.SAME, bits: int = 0) -> None:
        self._to[x], self._from[y], self._what[x], self._bits[x] = y, x, what, bits

    def align(self) -> None:
        a, b = self._a, self._b
        end_a = end_b = 0
        for run in [*align(a.strict, b.strict), Run(len(a), len(b), 0)]:
            if run.a > end_a and run.b > end_b:
                for inner in align(a.content[end_a : run.a], b.content[end_b : run.b]):
                    self._run(end_a + inner.a, end_b + inner.b, inner.length)
            self._run(run.a, run.b, run.length)
            end_a, end_b = run.a + run.length, run.b + run.length

    def _run(self, x: int, y: int, length: int) -> None:
        self._to[x : x + length] = np.arange(y, y + length)
        self._from[y : y + length] = np.arange(x, x + length)

    def _left(self) -> tuple[Ints, Ints]:
        return np.flatnonzero(self._to < 0), np.flatnonzero(self._from < 0)

    def move(self) -> None:
        """What is equal and stands elsewhere; with its id first."""
        for column in ("strict", "content"):
            left_a, left_b = self._left()
            for x, y in _in_turn(getattr(self._a, column), getattr(self._b, column), left_a, left_b):
                self._pair(x, y, What.MOVED, Aspect.PLACE)

    def change(self) -> None:
        """What stands for one another though its words differ: by the call id, else by place, kind and words."""
        a, b, budget = self._a, self._b, LOOKED_AT
        left_a, left_b = self._left()
        both = [np.isin(prints.kind[left], _BY_ID) & (prints.id[left] != 0) for prints, left in ((a, left_a), (b, left_b))]
        by_id = _in_turn(_mixed(a, self._renamed()), _mixed(b), left_a[both[0]], left_b[both[1]])
        for x, y in by_id[:budget]:
            self._take(x, y, certain=True)
        budget -= len(by_id)
        for x, y in self._by_place():
            if budget <= 0:
                return
            budget -= 1
            self._take(x, y, certain=False)

    def _renamed(self) -> dict[int, int]:
        """Ids of the first by what the second calls them, as far as equal blocks tell."""
        at = np.flatnonzero((self._to >= 0) & (self._a.id != 0))
        return dict(zip(self._a.id[at].tolist(), self._b.id[self._to[at]].tolist(), strict=True))

    def _by_place(self) -> list[tuple[int, int]]:
        """Left-over blocks between the same neighbours, one to one by kind, role and tool."""
        pairs: list[tuple[int, int]] = []
        edge = -1
        spine = [*np.flatnonzero((self._to >= 0) & (self._what == What.SAME)).tolist(), len(self._a)]
        start = 0
        for x in spine:
            y = int(self._to[x]) if x < len(self._a) else len(self._b)
            if x > start and y > edge + 1:
                left_a = np.arange(start, x)[self._to[start:x] < 0]
                left_b = np.arange(edge + 1, y)[self._from[edge + 1 : y] < 0]
                if len(left_a) and len(left_b):
                    for run in align(_signature(self._a, left_a), _signature(self._b, left_b)):
                        pairs += zip(
                            left_a[run.a : run.a + run.length].tolist(), left_b[run.b : run.b + run.length].tolist(), strict=True
                        )  # fmt: skip
            start, edge = x + 1, max(edge, y)
        return pairs

    def _take(self, x: int, y: int, certain: bool) -> None:
        one, other = self._first.block(x), self._second.block(y)
        if not certain and one.kind not in (Kind.SYSTEM, Kind.TOOLS) and not alike(one.text, other.text):
            return
        bits = _differs(one, other)
        self._pair(x, y, became(one, other) if not bits & ~(Aspect.TEXT | Aspect.MEDIA | Aspect.ERROR) else What.CHANGED, bits)

    def rename(self) -> int:
        """How many ids have another name all through; a block whose id does not go with that is linked anew. An id that one side keeps
        is not renamed; of others the call says what its id has become."""
        at = np.flatnonzero((self._to >= 0) & ((self._a.id != 0) | (self._b.id[np.maximum(self._to, 0)] != 0)))
        mine, theirs = self._a.id[at], self._b.id[self._to[at]]
        if self._first.dump.format != self._second.dump.format:  # a wire without ids has nothing to compare
            named = (mine != 0) & (theirs != 0)
            at, mine, theirs = at[named], mine[named], theirs[named]
        there: dict[int, int] = {}
        back: dict[int, int] = {}
        for one in np.lexsort((at, self._a.kind[at] != Kind.TOOL_CALL, mine != theirs)).tolist():
            x, y = int(mine[one]), int(theirs[one])
            if x and y and there.get(x, y) == y and back.get(y, x) == x:
                there[x], back[y] = y, x
                continue
            spot = at[one]
            self._bits[spot] |= Aspect.ID
            if self._what[spot] == What.SAME:
                self._what[spot] = What.CHANGED
        return sum(1 for x, y in there.items() if x != y)

    def pairs(self) -> list[tuple[int, int, int, int]]:
        """All lines: pairs, what went, what came."""
        gone, came = self._left()
        at = np.flatnonzero(self._to >= 0)
        pairs = zip(at.tolist(), self._to[at].tolist(), self._what[at].tolist(), self._bits[at].tolist(), strict=True)
        return [*pairs, *((x, -1, What.GONE, 0) for x in gone.tolist()), *((-1, y, What.ADDED, 0) for y in came.tolist())]


def _mixed(prints: Prints, renamed: dict[int, int] | None = None) -> Ints:
    """Kind and id as one number; ids by their other names where these are known."""
    ids = prints.id if not renamed else np.asarray([renamed.get(one, one) for one in prints.id.tolist()], np.int64)
    mixed: Ints = ids ^ (prints.kind.astype(np.int64) << 56)
    return mixed


def _signature(prints: Prints, at: Ints) -> Ints:
    signature: Ints = prints.name[at] ^ (prints.kind[at].astype(np.int64) << 56) ^ (prints.role[at].astype(np.int64) << 48)
    return signature


def _in_turn(a: Ints, b: Ints, left_a: Ints, left_b: Ints) -> list[tuple[int, int]]:
    """The n-th of each value on one side with the n-th on the other, among those that are left."""
    held: dict[int, list[int]] = {}
    for y in left_b[::-1].tolist():
        held.setdefault(int(b[y]), []).append(y)
    return [(x, held[value].pop()) for x in left_a.tolist() if held.get(value := int(a[x]))]


def _differs(one: Block, other: Block) -> int:
    bits = 0
    if one.kind == Kind.TOOL_CALL:
        bits |= Aspect.NAME if one.name != other.name else 0
        bits |= Aspect.ARGUMENTS if arguments(one.text) != arguments(other.text) else 0
    elif "".join(one.texts) != "".join(other.texts):
        bits |= Aspect.TEXT
    bits |= Aspect.ROLE if one.kind in (Kind.TEXT, Kind.MEDIA) and one.role != other.role else 0
    bits |= Aspect.ERROR if one.error != other.error else 0
    bits |= Aspect.MEDIA if one.media != other.media else 0
    return bits or Aspect.TEXT


def _common(first: One, second: One, a: Prints, b: Prints) -> Common:
    """What both begin with, ids and all: the part that a provider's cache would know again."""
    count = min(len(a), len(b))
    differs = np.flatnonzero(a.strict[:count] != b.strict[:count])
    blocks = int(differs[0]) if len(differs) else count
    messages = first.view.message[first.view.start :]
    if blocks < len(messages) and messages[blocks] >= 0:
        whole = len(np.unique(messages[:blocks][(messages[:blocks] >= 0) & (messages[:blocks] != messages[blocks])]))
    else:
        whole = len(np.unique(messages[:blocks][messages[:blocks] >= 0]))
    size = int(a.bytes[:blocks].sum())
    places: list[str | None] = []
    heads: list[bytes] = []
    for one in (first, second):
        block = one.block(blocks) if blocks < len(one.rows) else None
        places.append(block.pointer if block is not None else None)
        heads.append(wire_bytes(block, block.row in one.transcript.touched()) if block is not None else b"")
    size += _same_bytes(*heads)
    return Common(whole, blocks, size, int(first.own()[:blocks].sum()), (places[0], places[1]))


def _same_bytes(one: bytes, other: bytes) -> int:
    count = min(len(one), len(other))
    x, y = np.frombuffer(one[:count], np.uint8), np.frombuffer(other[:count], np.uint8)
    differs = x != y
    return int(differs.argmax()) if differs.any() else count


def opened(dump: Dump, index: int, provider: Any, name: str, counter: str = "o200k_base") -> One:
    """A transcript of a dump as it was opened, with estimated tokens."""
    from app.pipeline import count
    from app.pipeline.view import make_view

    tokens = count.estimate(dump.table, provider, counter)
    return One(dump, make_view(dump.transcripts[index], tokens, provider, source=dump.source), tokens, name)
