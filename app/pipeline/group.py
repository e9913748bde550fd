"""Exchanges and steps: who asked what, and what each request added.

A real user message starts an exchange (it has the user role, no tool result in it, and is not wholly injected); so does a slash command
and, on any wire, a compaction summary. What stands before the first one is exchange 0, system text aside. A step is a run of assistant
messages with every result paired with a call in it, wherever that stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.model.block import Block
from app.model.kinds import Flag, Kind, Role
from app.model.table import Ints
from app.model.transcript import Transcript
from app.model.view import Groups, Links, dense

Look = Callable[[int], Block]


def group(transcript: Transcript, links: Links, look: Look | None = None) -> Groups:
    """Groups along the whole order. `look` decodes a block: it settles whether two prompts around a refusal have the same words, where
    their columns agree; without it equal columns (blocks, kinds and characters) are taken for equal words."""
    lines = _Lines(transcript, links)
    starts, refused_at = _starts(lines, look)
    exchange, first, zero = _exchanges(lines, starts)
    step, step_first = _steps(lines, exchange)
    counted = np.bincount(exchange[refused_at], minlength=len(first)) if len(refused_at) else np.zeros(len(first), np.int64)
    waits = (lines.kind == Kind.TOOL_CALL) & (links.partner < 0) & ~lines.has(Flag.ANSWERED)
    open_calls = np.bincount(step[waits & (step >= 0)], minlength=len(step_first))
    closed = open_calls == 0
    closed[-1:] = False
    return Groups(
        exchange=exchange, step=step, first=first, zero=zero, step_first=step_first, step_exchange=exchange[step_first], closed=closed,
        refused=counted.astype(np.int32),
    )  # fmt: skip


def numbered(groups: Groups, rows: Ints, opened: Groups, opened_rows: Ints) -> Groups:
    """Groups after edits that bear the numbers of the dump as opened: a hole says that something was taken out there. An exchange (a
    step) has the number of the first of its rows that the dump held; -1 where it held none of them."""
    width = int(max(rows.max(initial=-1), opened_rows.max(initial=-1))) + 2
    exchange, step = np.full(width, -1, np.int32), np.full(width, -1, np.int32)
    exchange[opened_rows] = np.where(opened.exchange >= 0, opened.exchange + (0 if opened.zero else 1), -1)
    step[opened_rows] = np.where(opened.step >= 0, opened.step + 1, -1)
    return replace(
        groups,
        opened_as=_first_number(groups.exchange, exchange[rows], groups.exchanges),
        step_opened_as=_first_number(groups.step, step[rows], groups.steps),
    )


def _first_number(group: Ints, number: Ints, count: int) -> Ints:
    """For each group the first number that is one."""
    found = np.full(count, -1, np.int32)
    known = np.flatnonzero((group >= 0) & (number >= 0))[::-1]
    found[group[known]] = number[known]  # the last write wins: the first row
    return found


class _Lines:
    """Columns along the order."""

    def __init__(self, transcript: Transcript, links: Links) -> None:
        table, rows = transcript.table, transcript.order
        self.transcript, self.links, self.rows = transcript, links, rows
        self.kind, self.role, self.flags = table.kind[rows], table.role[rows], table.flags[rows]
        self.inside = (self.kind != Kind.SYSTEM) & (self.kind != Kind.TOOLS)
        self.message = np.full(len(rows), -1, np.int32)
        self.message[self.inside] = dense(table.message[rows][self.inside])
        self.messages = int(self.message.max(initial=-1)) + 1
        self.results = (self.kind == Kind.TOOL_RESULT) & ((self.flags & Flag.SERVER) == 0)

    def any(self, mask: Ints) -> Ints:
        """For each message whether a row of it is in the mask."""
        found = np.zeros(self.messages, bool)
        found[self.message[mask & self.inside]] = True
        return found

    def has(self, flag: int) -> Ints:
        return (self.flags & flag) != 0


# -- exchanges ----------------------------------------------------------------------------------------------------------------


def _starts(lines: _Lines, look: Look | None) -> tuple[Ints, Ints]:
    """Positions at which exchanges start, and those of prompts that only say again what was refused."""
    spoken = lines.any(~lines.has(Flag.INJECTED)) | lines.any(lines.has(Flag.PROMPT))
    asks = lines.any(lines.role == Role.USER) & ~lines.any(lines.results) & spoken
    asks |= lines.any(lines.has(Flag.SUMMARY))
    number = np.where(lines.inside, lines.message, -1)
    seen = np.concatenate([[-1], np.maximum.accumulate(number)[:-1]]) if len(number) else number
    heads = np.flatnonzero(lines.inside & (number > seen))  # first position of each message, in order
    starts = heads[asks]
    again = _repeated(lines, starts, asks, look)
    return starts[~again], starts[again]


def _repeated(lines: _Lines, starts: Ints, asks: Ints, look: Look | None) -> Ints:
    """Mask over `starts`: the words of the prompt before, once more, with a refusal and nothing else between them."""
    again = np.zeros(len(starts), bool)
    behind = [r.after for r in lines.transcript.refusals if r.after >= 0]
    if len(starts) < 2 or not behind:
        return again
    refused = np.flatnonzero(np.isin(lines.rows, behind))
    between = np.searchsorted(refused, starts[1:]) - np.searchsorted(refused, starts[:-1])
    other = lines.inside & ~asks[np.maximum(lines.message, 0)] & ~lines.has(Flag.INJECTED)
    others = np.concatenate([[0], np.cumsum(other)])
    for number in np.flatnonzero((between > 0) & (others[starts[1:]] == others[starts[:-1]])).tolist():
        again[number + 1] = _same_words(lines, int(starts[number]), int(starts[number + 1]), look)
    return again


def _same_words(lines: _Lines, one: int, other: int, look: Look | None) -> bool:
    table = lines.transcript.table
    rows = [lines.rows[lines.message == lines.message[position]] for position in (one, other)]
    if len(rows[0]) != len(rows[1]) or any((column[rows[0]] != column[rows[1]]).any() for column in (table.kind, table.size)):
        return False
    return look is None or all(look(int(a)).texts == look(int(b)).texts for a, b in zip(*rows, strict=True))


def _exchanges(lines: _Lines, starts: Ints) -> tuple[Ints, Ints, bool]:
    """For each position its exchange, for each exchange its first position, and whether there is an exchange 0."""
    begins = np.zeros(len(lines.rows), np.int32)
    begins[starts] = 1
    exchange = np.cumsum(begins, dtype=np.int32) - 1
    exchange[~lines.inside] = -1
    before = lines.inside & (exchange < 0) & (lines.role != Role.SYSTEM) & (lines.role != Role.DEVELOPER)
    if not before.any():
        return exchange, starts.astype(np.int32), False
    exchange[exchange >= 0] += 1
    exchange[before] = 0
    return exchange, np.concatenate([[np.flatnonzero(before)[0]], starts]).astype(np.int32), True


# -- steps --------------------------------------------------------------------------------------------------------------------


def _steps(lines: _Lines, exchange: Ints) -> tuple[Ints, Ints]:
    """For each position its step, and for each step its first position."""
    wire = np.flatnonzero(lines.inside)
    if (np.diff(lines.message[wire]) < 0).any():  # parts of one message that lie apart count where the message stands
        wire = wire[np.argsort(lines.message[wire], kind="stable")]
    speaks = (lines.role == Role.ASSISTANT)[wire]
    where = exchange[wire]
    begins = speaks & ~np.concatenate([[False], speaks[:-1] & (where[1:] == where[:-1])]) if len(wire) else speaks
    partner = lines.links.partner
    answers = lines.results & (partner >= 0)
    answers[answers] = lines.role[partner[answers]] == Role.ASSISTANT
    stray = (lines.results & ~answers)[wire]
    begins |= _requestless(where, begins, stray)
    number = np.cumsum(begins, dtype=np.int32) - 1
    step = np.full(len(lines.rows), -1, np.int32)
    placed = speaks & ~lines.results[wire] | stray
    step[wire[placed]] = number[placed]
    step[answers] = step[partner[answers]]
    beside = _beside_results(lines, step)
    step[beside >= 0] = step[beside[beside >= 0]]
    return step, wire[begins].astype(np.int32)


def _requestless(where: Ints, begins: Ints, stray: Ints) -> Ints:
    """Mask over the wire: the first stray result of an exchange, where no step stands before it. The run of them is a step."""
    found = np.zeros(len(where), bool)
    strays = np.flatnonzero(stray & (where >= 0))
    if not len(strays):
        return found
    exchanges = int(where.max()) + 1
    first_step = np.full(exchanges, len(where), np.int64)
    runs = np.flatnonzero(begins & (where >= 0))[::-1]
    first_step[where[runs]] = runs
    first_stray = np.full(exchanges, len(where), np.int64)
    first_stray[where[strays[::-1]]] = strays[::-1]
    found[first_stray[first_stray < first_step]] = True
    return found


def _beside_results(lines: _Lines, step: Ints) -> Ints:
    """For each other block of a user message with results: the position of the last result in it, else -1."""
    beside = np.full(len(step), -1, np.int64)
    results = np.flatnonzero(lines.results & (lines.role != Role.ASSISTANT))
    if len(results):
        last = np.full(lines.messages, -1, np.int64)
        last[lines.message[results]] = results
        others = np.flatnonzero(lines.inside & ~lines.results & (lines.role != Role.ASSISTANT))
        beside[others] = last[lines.message[others]]
    return beside
