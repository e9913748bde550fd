"""A reader as data: what the program that owns a dump makes of it when it goes on with it. It warns; the verdict is the provider's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from app.model.table import Ints
from app.model.transcript import Transcript


@dataclass(frozen=True)
class Break:
    """A record at which the way from the last record back to the first one ends too early. `names`: it names a record that the file does
    not have (else it names none, or one that leads back to itself). `above`: the record that stands before it in the conversation."""

    record: int
    names: bool
    above: int


@dataclass(frozen=True)
class Aside:
    """Records of a conversation that stand beside that way: the first of them, the last, and how many of them hold messages. `above`: the
    record before the first one, `then`: the record of the way behind the last one; -1 where putting them on the way would not do."""

    first: int
    last: int
    messages: int
    above: int
    then: int


@dataclass(frozen=True, eq=False)
class Resumed:
    """What a reader makes of one transcript. `reached` of `messages` records that hold messages which would be sent are read. `breaks` from
    the last record backwards. `twins`: records that bear one id, for each id. `unreadable`: lines, by a record of each, that are no JSON.
    `rival`: a record of another branch that is the newest of all; -1 none."""

    reader: Reader
    reached: int
    messages: int
    breaks: tuple[Break, ...] = ()
    asides: tuple[Aside, ...] = ()
    twins: tuple[Ints, ...] = ()
    unreadable: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    rival: int = -1


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
