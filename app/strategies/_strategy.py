"""What a strategy is: its parameters, its actions as arrays, and the words for what it keeps.

A strategy module defines `STRATEGY`, an instance of a subclass of Strategy. It does not see the budget: it yields its actions in the
order in which it would do them, and a budget cuts them (app/pipeline/rank.py). Its module's docstring is its help.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from app.model.block import Block
from app.model.edits import Edit
from app.model.errors import InspectorError
from app.model.plan import Actions
from app.model.provider import Provider
from app.model.table import Ints
from app.model.view import View
from app.strategies._guard import Guard, guard


@dataclass(frozen=True)
class Param:
    """A parameter with its default. Its kind is the default's: a whole number (at least `least`) or a text (one of `choices`)."""

    name: str
    default: int | str
    help: str
    least: int = 0
    choices: tuple[str, ...] = ()
    blank: bool = True  # a text may be empty

    def read(self, value: Any, strategy: str) -> int | str:
        """The value as given in a spec (text) or in JSON. InspectorError with one clear line where it will not do."""
        where = f"{strategy}: {self.name}"
        if isinstance(self.default, int):
            try:
                number = int(value) if not isinstance(value, bool | float) else None
            except (TypeError, ValueError):
                number = None
            if number is None or number < self.least:
                raise InspectorError(f"{where} must be a whole number of at least {self.least}, not {value!r}")
            return number
        if not isinstance(value, str):
            raise InspectorError(f"{where} must be a text, not {value!r}")
        if self.choices and value not in self.choices:
            raise InspectorError(f"{where} must be one of {', '.join(self.choices)}, not {value!r}")
        if not self.blank and not value.strip():
            raise InspectorError(f"{where} must not be blank: providers refuse empty text")
        return value


LIVE_SIGNED: Final = Param(
    "live_signed", "keep", "whether the live exchange is left whole where it holds signed reasoning", choices=("keep", "drop")
)


@dataclass(frozen=True, eq=False)
class Ask:
    """What a strategy is asked to rank. `view` has tokens and the messages' overhead. `count`: tokens of one text, estimated where
    `rough`; `grown(first, pieces, last)`: tokens of `first`, some pieces and `last`, for one piece, two, ... all of them, where texts end
    and begin at line breaks. `block` decodes a row; None where nothing is at hand. `raw` gives the record of a row as the file has it."""

    view: View
    provider: Provider
    params: Mapping[str, Any]
    count: Callable[[str], int]
    grown: Callable[[str, Sequence[str], str], Ints]
    block: Callable[[int], Block] | None = None
    rough: bool = False
    raw: Callable[[int], Any] | None = None

    @cached_property
    def guard(self) -> Guard:
        return guard(self.view, self.provider)

    @property
    def tokens(self) -> Ints:
        tokens = self.view.tokens
        assert tokens is not None, "a view is ranked after it was counted"
        return tokens

    @property
    def overhead(self) -> Ints:
        overhead = self.view.message_overhead
        assert overhead is not None, "a view is ranked with the overhead of its messages"
        return overhead


class Strategy:
    """Base of all strategies.

    `place`: where it stands in lists. `unit`: its own counted thing, in words. `breaks_pairs`: it imitates a broken pass and does not
    follow partners. `prefix`: what it takes lies before a cut. `gated`: it goes by gates of its own and is done whole, whatever the budget.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    place: ClassVar[int]
    unit: ClassVar[str]
    breaks_pairs: ClassVar[bool] = False
    prefix: ClassVar[bool] = False
    gated: ClassVar[bool] = False
    params: ClassVar[tuple[Param, ...]] = ()

    def actions(self, ask: Ask) -> Actions:
        """All that it would do, oldest first; see Actions."""
        raise NotImplementedError

    def keeps(self, ask: Ask, actions: Actions) -> tuple[Ints, int]:
        """How many of its units stay whole after n actions (int32, n from 0), and how many there are."""
        raise NotImplementedError

    def words(self, params: Mapping[str, Any], kept: int, units: int) -> str:
        """What it keeps, in words."""
        noun, space, rest = self.unit.partition(" ")
        if not units:
            return f"no {self.unit}"
        return f"{kept:,} of {counted(units, noun[:-1], noun)}{space}{rest}"

    def act(self, length: int, gone: int) -> str:
        """What `length` actions do, in words that can follow the name: "drop 30 exchanges". `gone`: units that are not whole any more."""
        raise NotImplementedError

    def closing_costs(self, ask: Ask, actions: Actions, length: int) -> Ints:
        """Exact tokens of the closing edits after 1 to `length` actions."""
        return np.zeros(length, np.int64)

    def closing(self, ask: Ask, actions: Actions, length: int, dropped: Ints) -> tuple[Edit, ...]:
        """What is inserted once, when the plan is applied. `dropped`: mask over positions of all that the plan takes."""
        return ()

    def beside(self, ask: Ask, dropped: Ints) -> tuple[Edit, ...]:
        """What has to change in rows that stay when those in `dropped` (mask over positions) go; it costs nothing."""
        return ()

    def edits(self, ask: Ask, actions: Actions) -> tuple[Edit, ...] | None:
        """All edits of one that is done whole; None: they follow from its actions."""
        return None

    def read_params(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter, those not given at their default."""
        known = {param.name: param for param in self.params}
        for key in given:
            if key not in known:
                there = f"it takes {', '.join(known)}" if known else "it takes none"
                raise InspectorError(f"{self.name}: there is no parameter {key!r}; {there}")
        return {name: param.read(given[name], self.name) if name in given else param.default for name, param in known.items()}


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
