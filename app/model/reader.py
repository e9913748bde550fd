"""A reader as data: what the program that owns a dump makes of it when it goes on with it. It warns; the verdict is the provider's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from app.model.table import Ints
from app.model.transcript import Transcript


def _none(width: int = 1) -> Ints:
    return np.empty((0, width) if width > 1 else 0, np.int64)


@dataclass(frozen=True, eq=False)
class Resumed:
    """What a reader makes of one transcript: `reached` of `messages`, the records that hold messages which would be sent, are read.

    `breaks`: records at which the way from the last record back to the first one ends too early, from the last one backwards, n x 3: the
    record, the one that stands before it in the conversation, and whether it names one that the file does not have (1; 0: it names none, or
    one that leads back to itself). `asides`: runs of records that stand beside that way, n x 5: the first and the last of them, how many of
    them hold messages, and the records before the first and behind the last of them; -1 where putting them on the way would not do.
    `twins`: records that bear one id, those of one id together in the order of the file, where each id begins, and where the last one ends.
    `unreadable`: the first record of each line that is no JSON. `rival`: a record of another branch that is the newest of all; -1 none.
    `headless`: the first record of a file that does not say which session it is, without which the program resumes nothing; -1 none.
    `unread`: records that are JSON and that the program passes over, each with what is wrong, a clause, and the timestamp that it might
    have where that is what is missing, else "". `aborted`: rows of calls that the program answers itself since nothing else does;
    `left_out`: rows of results that it leaves out. `replaced`: the record that holds what is sent in place of all that stands before it;
    -1 none.
    """

    reader: Reader
    reached: int = 0
    messages: int = 0
    breaks: Ints = field(default_factory=lambda: _none(3))
    asides: Ints = field(default_factory=lambda: _none(5))
    twins: tuple[Ints, Ints] = field(default_factory=lambda: (_none(), np.zeros(1, np.int64)))
    unreadable: Ints = field(default_factory=_none)
    rival: int = -1
    headless: int = -1
    unread: dict[int, tuple[str, str]] = field(default_factory=dict)
    aborted: Ints = field(default_factory=_none)
    left_out: Ints = field(default_factory=_none)
    replaced: int = -1


@dataclass(frozen=True)
class Reader:
    """What a reader module is. `format`: whose dumps it reads; `judges`: names of the rules that apply; `resume`: what it makes of a
    transcript of such a dump; `words`: for each rule what the program does, a sentence."""

    name: str
    title: str
    format: str
    judges: frozenset[str]
    resume: Callable[[Reader, Transcript], Resumed]
    words: dict[str, str] = field(default_factory=dict)
