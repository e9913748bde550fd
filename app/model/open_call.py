"""A call whose result a person may know, though the transcript does not hold it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Elsewhere:
    """A result recorded under the call's id in a part of the dump that is not in this transcript. `where`: words for a person."""

    row: int
    where: str


@dataclass(frozen=True)
class OpenCall:
    """`call`: its row; `placeholder`: the row of a made-up result that stands for the real one, -1 where nothing does."""

    call: int
    placeholder: int
    name: str
    id: str
    elsewhere: tuple[Elsewhere, ...] = ()
