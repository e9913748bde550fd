"""A provider as data: whose rules judge a transcript."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

from app.model.findings import Mode, Severity
from app.model.kinds import Role, quick
from app.model.reader import Resumed
from app.model.table import Ints
from app.model.view import View

Pairing = Literal["leading-run", "contiguous-run", "anywhere", "count", "next-message"]


@dataclass(frozen=True)
class Overhead:
    """Tokens that stand on no text, each with its source in `sources`."""

    message: int = 3
    name: int = 1
    call: int = 3
    sources: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Provider:
    """What a provider module is: mostly data.

    `joins`: roles whose neighbouring messages become one turn before pairing is checked. `pairing`: where results must stand.
    `image_tokens(width, height)`: cost of an image; None, None where its size is not known.
    `words`: for each rule the provider's error text as reported, with {at}, {id}, {ids}, {name} to fill in; a key `rule/variant` holds
    the text for one kind of a rule's findings. `judges`: names of the rules that apply. `not_judged`: what a check cannot see, in words.
    `places`: how the provider writes a place, for "message", "block" and "call", with {turn}, {message}, {block} to fill in.
    `arguments`: what a call's arguments are on its wire. `id_prefix`: how ids begin that we make.
    `name_pattern`: what a tool's name must match whole. `calls_alone`: on a wire of items nothing may stand between calls and their
    outputs but further ones, reasoning neither.

    `wires`: providers whose wire it reads like its own. `on`: the same provider where it reads another wire (an endpoint that is
    compatible with another vendor's), by the provider whose wire that is; see `reads`.
    `family`: of a model's name, where rules depend on it; None where the name does not tell. `only_for`: rules that judge for some
    families alone; where the family is not known they do not. `severities`: weights that differ from the rule's own, by the rule's name
    or by `rule/variant` for one kind of its findings. `strict`: kinds of findings, `rule/variant`, that only some providers refuse.
    `id_pattern`: what a call id must match whole, where alphabet and length at most do not say it. `binds`: of a model, what is known of
    signed reasoning whose block stayed as it was while something before it changed: a clause with its evidence; "" where nothing is.
    """

    name: str
    title: str
    summary: str
    pairing: Pairing
    joins: frozenset[Role]
    answers: Role  # role of the message that holds results
    overhead: Overhead
    image_tokens: Callable[[int | None, int | None], int]
    words: dict[str, str]
    judges: frozenset[str]
    not_judged: tuple[str, ...] = ()
    refuses_prefill: Callable[[str | None], bool] = lambda model: False
    id_max: int | None = None
    id_alphabet: Literal["any", "word", "dotted"] = "any"  # word: [A-Za-z0-9_-], dotted: also . and :
    id_prefix: str = "call_"
    places: dict[str, str] = field(default_factory=dict)
    arguments: Literal["object", "object or none", "string", "any"] = "any"
    name_pattern: str | None = None
    calls_alone: bool = False
    wires: frozenset[str] = frozenset()
    on: Mapping[str, Provider] = field(default_factory=dict)
    family: Callable[[str | None], str | None] = lambda model: None
    only_for: Mapping[str, frozenset[str]] = field(default_factory=dict)
    severities: Mapping[str, Severity] = field(default_factory=dict)
    strict: frozenset[str] = frozenset()
    id_pattern: str | None = None
    binds: Callable[[str | None], str] = lambda model: ""

    def reads(self, wire: str) -> Provider:
        """The provider as it reads the wire of another one."""
        return self.on.get(wire, self)

    def judging(self, rule: str, model: str | None) -> bool:
        """Whether a rule judges for a model."""
        families = self.only_for.get(rule)
        return rule in self.judges and (families is None or self.family(model) in families)


@quick
class Defect(IntEnum):
    """What a provider's pairing says of one call or result. Each gets exactly one; the names are those of the rules."""

    NONE = 0
    CALL_UNANSWERED = 1
    CALL_PARTIALLY_ANSWERED = 2  # on every missing call of a turn in which another one is answered
    CALL_TRAILING = 3  # open, and in the very last turn
    CALL_ID_DUPLICATE = 4
    RESULT_ORPHAN = 5
    RESULT_ID_MISMATCH = 6
    RESULT_ID_MISSING = 7
    RESULT_DUPLICATE = 8
    RESULT_NOT_FIRST = 9
    RESULT_NOT_ADJACENT = 10
    RESULTS_SPLIT = 11
    ROLE_MISMATCH = 12
    IN_FLIGHT = 13  # an open server-side call that the provider accepts
    COUNT_MISMATCH = 14  # an open call of a turn with too few results, or a result of one with too many, where only numbers count
    CALL_ELSEWHERE = 15  # open, but what the request continues may hold its result
    RESULT_BEFORE_CALL = 16  # in front of its call, where the place does not matter
    RESULT_REFERRED = 17  # its call may be what a reference stands for


@dataclass(eq=False)
class Reading:
    """A transcript as one provider reads it. Arrays are aligned with positions; before `view.start` they say nothing (-1, NONE).

    `turn`: the joined turn of each position, from 0. `wire_message`: index in the list that would be sent.
    `wire_block`: n-th block of its turn as the provider counts (joined). `partner`: as this provider pairs, -1 none.

    `wire`: the positions of the list of messages in the order in which they would be sent; parts of one message that lie apart stand
    together there. `turn_start`: for each turn its first index in `wire`, and behind them the length of `wire`; `turn_role`: Role.
    `native`: the dump is in the provider's own wire; where it is not, what only concerns the wire's shape is not judged.
    `pending`: open calls at the very end that are no defect under the mode `prefix`.
    """

    view: View
    provider: Provider
    model: str | None
    mode: Mode
    turn: Ints
    wire_message: Ints
    wire_block: Ints
    defect: Ints  # uint8, Defect
    partner: Ints
    wire: Ints  # int32
    turn_start: Ints  # int64
    turn_role: Ints  # uint8
    native: bool = True
    pending: int = 0
    resumed: Resumed | None = None  # what the program that owns the dump would make of it, where that is known

    @property
    def turns(self) -> int:
        return len(self.turn_role)

    @property
    def sent(self) -> Ints:
        """Mask over positions: rows of the list of messages that would be sent."""
        return self.turn >= 0

    def of_turn(self, turn: int) -> Ints:
        """The positions of a turn, in the order of the wire; none where there is no such turn."""
        if not 0 <= turn < self.turns:
            return self.wire[:0]
        return self.wire[self.turn_start[turn] : self.turn_start[turn + 1]]
