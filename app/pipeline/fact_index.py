"""Who says which fact where, as columns over the sent part of a view: made once, asked for every plan.

Only facts that the model itself uses somewhere can be lost, and such as a result tells of and a prompt asks for; so what both say is read
first, and of all other rows nothing else is kept.
Names count where the person says them; so a person's messages are read before all else.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from app.model.block import Block
from app.model.dump import Dump
from app.model.kinds import Flag, Kind, Role
from app.model.table import Ints
from app.model.view import View
from app.pipeline import look
from app.pipeline.constraints import constraints, folded
from app.pipeline.facts import IDENTIFIER, NAME, NUMBER, PATH, fact, names_said, names_used, runs, words_of_call
from app.pipeline.names import format_named

HEAD, PERSON, MODEL, RESULT, OTHER = range(5)
TOGETHER = 400_000  # characters between two looks at whether anybody waits: about 50 ms
ASKED = (IDENTIFIER, PATH)  # of these a prompt that states one asks for what was known about it
KNOWN = 400_000  # runs whose meaning is remembered


@dataclass(frozen=True)
class Constraint:
    position: int
    words: str
    mark: str  # the word that makes it one
    folded: str


@dataclass(eq=False)
class FactIndex:
    """Occurrences in the order of (fact, position): `fact` numbers them from 0; `words` and `kind` are by that number.

    `who`: for each position of the view HEAD, PERSON, MODEL, RESULT or OTHER. `same`: for each call of the view a number that equal calls
    (tool and arguments) share; `said`: for each position of a result a hash of its text, 0 elsewhere.
    """

    fact: Ints
    position: Ints
    words: list[str]
    kind: Ints
    who: Ints
    constraints: list[Constraint]
    calls: Ints  # positions
    same: Ints  # along `calls`
    said: Ints  # int64 along positions

    def numbers(self, text: str) -> set[int]:
        """The facts of the index that a text states."""
        found = {known[1] for run in runs(text) if (known := fact(run)) is not None} | names_used(text)
        return {number for word in found if (number := self._number.get(word)) is not None}

    @cached_property
    def _number(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _by_position(self) -> tuple[Ints, Ints]:
        ends = np.cumsum(np.bincount(self.position, minlength=len(self.who)))
        return np.argsort(self.position, kind="stable"), np.concatenate([[0], ends])

    def at(self, position: int) -> Ints:
        """The occurrences at a position."""
        by, ends = self._by_position
        return by[ends[position] : ends[position + 1]]

    def left(self, position: int, text: str) -> list[int]:
        """Those of the occurrences at a position that a shorter text of it still states."""
        bare = ""
        found = []
        spots = self.at(position)
        for at, number in zip(spots.tolist(), self.fact[spots].tolist(), strict=True):
            word = self.words[number]
            if word in text:
                found.append(at)
            elif self.kind[number] == NUMBER:
                bare = bare or text.replace(",", "")
                if word in bare:
                    found.append(at)
        return found


def speakers(view: View) -> Ints:
    """Who says each row: what is no message is HEAD, what a program put into the person's mouth is OTHER."""
    who = np.full(len(view), OTHER, np.int8)
    user = (view.role == Role.USER) & (view.kind == Kind.TEXT)
    typed = ((view.flags & (Flag.INJECTED | Flag.SUMMARY)) == 0) | ((view.flags & Flag.PROMPT) != 0)
    who[user & typed] = PERSON
    who[(view.role == Role.ASSISTANT) & np.isin(view.kind, (Kind.TEXT, Kind.REASONING))] = MODEL
    who[view.kind == Kind.TOOL_CALL] = MODEL
    who[view.kind == Kind.TOOL_RESULT] = RESULT
    who[~view.in_messages | np.isin(view.role, (Role.SYSTEM, Role.DEVELOPER))] = HEAD
    return who


@dataclass(eq=False)
class _Making:
    """The columns while they grow."""

    numbers: dict[str, int] = field(default_factory=dict)  # fact to number
    kinds: array[int] = field(default_factory=lambda: array("b"))
    facts: array[int] = field(default_factory=lambda: array("i"))
    positions: array[int] = field(default_factory=lambda: array("i"))
    known: dict[str, int] = field(default_factory=dict)  # run to number, -1 none
    names: set[str] = field(default_factory=set)
    constraints: list[Constraint] = field(default_factory=list)
    calls: dict[int, int] = field(default_factory=dict)  # position to hash

    def number(self, kind: int, word: str, grow: bool) -> int:
        found = self.numbers.get(word)
        if found is None:
            if not grow:
                return -1
            found = self.numbers[word] = len(self.numbers)
            self.kinds.append(kind)
        return found

    def put(self, position: int, found: Iterable[int]) -> None:
        for number in found:
            self.facts.append(number)
            self.positions.append(position)

    def of_text(self, text: str, grow: bool) -> set[int]:
        """The facts of a text; `grow`: new ones get a number."""
        out: set[int] = set()
        known = self.known
        for run in runs(text):
            number = known.get(run)
            if number is None:
                told = fact(run)
                number = -1 if told is None else self.number(*told, grow)
                known[run] = number
            if number >= 0:
                out.add(number)
        return out

    def forget(self, least: int = KNOWN) -> None:
        """Runs are looked at anew where others count now, or where they have become too many."""
        if len(self.known) >= least:
            self.known.clear()


def read(dump: Dump, view: View, progress: Callable[[float], None] = lambda fraction: None) -> Generator[None, None, FactIndex]:
    """Reads the sent part of a view; comes back between any two pieces of work of some 50 ms."""
    who, making = speakers(view), _Making()
    who[: view.start] = OTHER
    said = np.zeros(len(view), np.int64)
    sent = np.arange(view.start, len(view))
    size = view.size.astype(np.int64) + 40
    whole, done = max(1, int(size[sent].sum())), 0
    touched = view.transcript.touched() | view.transcript.moved
    for phase in ((PERSON,), (MODEL,), (HEAD, RESULT, OTHER)):
        spots = sent[np.isin(who[sent], phase)]
        making.forget(0)
        for piece in _pieces(spots, size[spots]):
            for position, block in _blocks(dump, view, piece, touched):
                _take(making, position, block, int(who[position]), said)
            done += int(size[piece].sum())
            progress(min(1.0, done / whole))
            making.forget()
            yield
    return _finished(making, who, said)


def _take(making: _Making, position: int, block: Block, who: int, said: Ints) -> None:
    call = block.kind == Kind.TOOL_CALL
    text = words_of_call(block.text) if call else block.text
    found = making.of_text(text, who in (PERSON, MODEL))
    if who in (PERSON, HEAD):
        making.constraints += [Constraint(position, words, mark, folded(words)) for words, mark in constraints(text)]
    if who == PERSON:
        names = names_said(text)
        making.names |= names
        found |= {making.number(NAME, name, True) for name in names}
    elif who in (MODEL, HEAD) and making.names:
        found |= {making.numbers[name] for name in names_used(text) & making.names}
    if call:
        making.calls[position] = hash((block.name, block.text)) or 1
    elif who == RESULT:
        said[position] = hash(block.texts) or 1
    making.put(position, found)


def _finished(making: _Making, who: Ints, said: Ints) -> FactIndex:
    facts, positions = np.array(making.facts, np.int32), np.array(making.positions, np.int32)
    used = np.zeros(len(making.numbers), bool)
    used[facts[who[positions] == MODEL]] = True
    asked, told = np.zeros_like(used), np.zeros_like(used)
    asked[facts[who[positions] == PERSON]] = True
    told[facts[who[positions] == RESULT]] = True
    used |= asked & told & np.isin(np.array(making.kinds, np.int8), ASKED)
    facts, positions = facts[used[facts]], positions[used[facts]]
    by = np.lexsort((positions, facts))
    calls = np.array(sorted(making.calls), np.int32)
    same = np.unique([making.calls[at] for at in calls.tolist()], return_inverse=True)[1] if len(calls) else calls
    return FactIndex(
        facts[by], positions[by], list(making.numbers), np.array(making.kinds, np.int8), who, making.constraints, calls, same, said
    )  # fmt: skip


def _pieces(spots: Ints, size: Ints) -> Iterable[Ints]:
    if not len(spots):
        return []
    ends = np.searchsorted(np.cumsum(size), np.arange(TOGETHER, int(size.sum()) + TOGETHER, TOGETHER))
    return [piece for piece in np.split(spots, np.unique(np.minimum(ends + 1, len(spots)))) if len(piece)]


def _blocks(dump: Dump, view: View, positions: Ints, touched: set[int] | frozenset[int]) -> Iterable[tuple[int, Block]]:
    """Blocks of many positions as the edits left them; neighbours of one record are parsed once."""
    transcript = view.transcript
    rows = view.rows[positions].tolist()
    plain = [(at, row) for at, row in zip(positions.tolist(), rows, strict=True) if row not in touched]
    for at, row in zip(positions.tolist(), rows, strict=True):
        if row in touched:
            yield at, look.block(dump, transcript, row)
    each = format_named(dump.format).each_block(dump.table, dump.source, [row for _, row in plain])
    for (at, _), block in zip(plain, each, strict=True):
        yield at, block
