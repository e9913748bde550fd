"""A provider's words brought together with a transcript: which defect they speak of, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from app.model.transcript import Refusal


@dataclass(frozen=True)
class Candidate:
    """A rule that an error may speak of. `at`: JSON pointer of the place that the transcript shows, None where it shows no such defect;
    `row`: of that place, -1 none; `meaning`: what the rule says, `why`: what speaks for it, each one clause; `judged`: whether this
    program has a rule of that name."""

    rule: str
    at: str | None
    ids: tuple[str, ...] = ()
    row: int = -1
    meaning: str = ""
    why: str = ""
    judged: bool = True


@dataclass(frozen=True)
class Named:
    """An id that an error names, and where it stands in the transcript: row and pointer of its first place there."""

    id: str
    row: int
    at: str


@dataclass(frozen=True)
class Explained:
    """What an error text comes to. `words`: the provider's sentence out of what was given; `candidates`, best first; `known`: its words,
    or an id that it names, lead to a rule; `elsewhere`: what it is about where that is not the transcript; `named`: its ids that the
    transcript has, `strange`: those that it has not."""

    words: str
    candidates: tuple[Candidate, ...] = ()
    known: bool = False
    elsewhere: str = ""
    named: tuple[Named, ...] = ()
    strange: tuple[str, ...] = ()

    @property
    def best(self) -> Candidate | None:
        """The first candidate, where the words lead to it and the transcript shows it."""
        first = self.candidates[0] if self.candidates and self.known else None
        return first if first is not None and first.at is not None else None


@dataclass(frozen=True)
class Recalled:
    """A refusal that a dump records, as often as it stands there in a row, and what it comes to. `then`: the defect that it speaks of was
    there when it was sent and is there no more."""

    refusal: Refusal
    times: int
    explained: Explained
    then: bool = False
    records: tuple[int, ...] = ()  # of all of them

    @property
    def puzzling(self) -> bool:
        """No rule explains it, and it is about nothing else either."""
        return not self.explained.known and not self.explained.elsewhere

    @property
    def stands(self) -> Candidate | None:
        """The defect that it speaks of, where the transcript still has it."""
        return None if self.then else self.explained.best
