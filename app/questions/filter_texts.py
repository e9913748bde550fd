"""Which blocks hold the words or fit the patterns that a filter asks for."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.block import Block
from app.model.errors import InspectorError
from app.model.filter import Pattern, Test
from app.model.table import Ints
from app.pipeline import look
from app.pipeline.names import format_named

if TYPE_CHECKING:
    from app.desk import Desk

SLICE = 1_000_000  # characters read between two looks at whether anybody still wants to know
MOST_ROWS = 2_000
LONGEST = 5.0  # seconds that a pattern may take on one slice before it is given up


def answer(desk: Desk, asked: tuple[Test, ...], rows: Ints) -> Generator[None, None, tuple[Ints, ...]]:
    """For each test the rows, of those given, for which it holds."""
    view = desk.view
    assert view is not None
    assert desk.dump is not None
    transcript, table = view.transcript, view.transcript.table
    touched = transcript.touched()
    fits, patterns = [holds(test) for test in asked], any(isinstance(test.value, Pattern) for test in asked)
    found: list[list[int]] = [[] for _ in asked]
    rows = np.asarray(rows)
    ends = np.cumsum(table.size[rows].astype(np.int64) + 200)
    start = 0
    while start < len(rows):
        below = int(ends[start - 1]) if start else 0
        end = min(max(start + 1, int(ends.searchsorted(below + SLICE, "right"))), start + MOST_ROWS, len(rows))
        with _in_time() if patterns else nullcontext():
            for block in _blocks(desk, rows[start:end], touched):
                for number, fit in enumerate(fits):
                    if fit(block):
                        found[number].append(block.row)
        start = end
        desk.progress(start / len(rows))
        yield None
    return tuple(np.sort(np.asarray(of, np.int32)) for of in found)


def _blocks(desk: Desk, rows: Ints, touched: set[int]) -> Iterator[Block]:
    assert desk.view is not None
    assert desk.dump is not None
    transcript, dump = desk.view.transcript, desk.dump
    plain: list[int] = []
    for row in rows.tolist():
        if row in touched or transcript.table.record[row] < 0:
            yield look.block(dump, transcript, row)
        else:
            plain.append(row)
    if plain:
        yield from format_named(dump.format).each_block(dump.table, dump.source, plain)


def holds(test: Test) -> Callable[[Block], bool]:
    """Whether a block holds the words (whatever their case) or fits the pattern; with == whether they are its whole text."""
    value = test.value
    if isinstance(value, Pattern):
        search = re.compile(value.text, re.I).search
        return lambda block: any(search(text) for text in _texts(block))
    folded = str(value).casefold()
    if test.op == "~":
        return lambda block: any(folded in text.casefold() for text in _texts(block))
    same = test.op == "=="
    return lambda block: (block.text.strip().casefold() == folded.strip()) is same


def _texts(block: Block) -> tuple[str, ...]:
    return (*block.texts, block.name or "", block.call_id or "")


@contextmanager
def _in_time() -> Iterator[None]:
    """Gives up a pattern that does not come to an end, where the system can interrupt one: the engine looks at signals as it goes."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(*_: Any) -> None:
        raise InspectorError("this pattern takes too long on some text; ask for less")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
