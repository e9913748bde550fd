"""A filter: an expression over blocks as a tree, what of an order it holds for, and where one that cannot be read goes wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from app.model.errors import InspectorError
from app.model.table import Ints

Way = Literal["only", "mark"]  # hide what does not match, or dim it


@dataclass(frozen=True)
class Range:
    """From a number to another, both included; None: to the end."""

    low: int | None
    high: int | None


@dataclass(frozen=True)
class Pattern:
    """A regular expression, case ignored."""

    text: str


Value = str | int | Range | Pattern | None


@dataclass(frozen=True)
class Test:
    """One condition: `tool == read_file`; `op` "" and no value where the name alone is one (`finding`)."""

    __test__ = False  # no case of a test runner

    name: str
    op: str = ""
    value: Value = None


@dataclass(frozen=True)
class Not:
    part: Node


@dataclass(frozen=True)
class And:
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Or:
    parts: tuple[Node, ...]


Node = Test | Not | And | Or


@dataclass(frozen=True)
class Problem:
    """Where an expression cannot be read: from `start`, `length` characters; what is wrong there, and what could stand there."""

    start: int
    length: int
    said: str
    expected: str = ""

    @property
    def words(self) -> str:
        return f"{self.said}; expected {self.expected}" if self.expected else self.said


class FilterError(InspectorError):
    """An expression that cannot be read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.words)
        self.problem = problem


@dataclass(frozen=True)
class Completion:
    """What could stand in place of the characters from `start` to `end`: what is put in, and what it means."""

    start: int
    end: int
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Filter:
    """An expression in force. `mask` along the positions of the view that it was made for: None while texts are still being looked
    through. `way`: what a person chose; None: what the expression calls for."""

    text: str
    tree: Node
    mask: Ints | None = None
    tokens: int = 0  # of the blocks that match
    chosen: Way | None = None
    looked: float | None = None  # part of the texts that were looked through, None where none are
    shown: Ints = field(default_factory=lambda: np.empty(0, np.int64))  # positions that match, rising

    @property
    def way(self) -> Way:
        """Words that are looked for are marked where they stand; conditions hide what does not meet them."""
        if self.chosen is not None:
            return self.chosen
        return "mark" if isinstance(self.tree, Test) and self.tree.name == "text" else "only"

    @property
    def matches(self) -> int:
        return len(self.shown)


def tests(tree: Node) -> list[Test]:
    """All conditions of an expression, from left to right."""
    if isinstance(tree, Test):
        return [tree]
    parts = (tree.part,) if isinstance(tree, Not) else tree.parts
    return [test for part in parts for test in tests(part)]


def conjuncts(tree: Node | None) -> tuple[Node, ...]:
    """The parts that must all hold."""
    if tree is None:
        return ()
    return tree.parts if isinstance(tree, And) else (tree,)


def joined(parts: tuple[Node, ...]) -> Node | None:
    """An expression of parts that must all hold; None of none."""
    flat = tuple(inner for part in parts for inner in conjuncts(part))
    if len(flat) < 2:
        return flat[0] if flat else None
    return And(flat)
