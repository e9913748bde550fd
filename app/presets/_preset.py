"""What a preset is: seven fields over a handful of primitive operations, and what is known of the system that it imitates.

selector (what it may take), unit (what is taken as one piece), snap rule (where a cut may fall), action, gate (whether anything is done
at all), counter (what its limits count), repair (what it mends afterwards). A preset goes by its own gate and limits, never by a
budget, and is done whole. Its module's docstring is its help.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.model.errors import InspectorError
from app.presets._settings import Setting
from app.presets._talk import Message, Part, Style, Talk
from app.presets._work import Work

Counter = Callable[[Message], int]

GRADES: Final = {
    "V": "checked against the shipped code, without a difference",
    "S": "read in its source",
    "D": "by its vendor's documentation",
    "3": "by a third party's account only: unofficial",
}
"""How well a preset's rules are known."""

LEAVES: Final = {
    "parts-turns": (
        "it looks at neighbours alone: a turn that stands in several messages may lose its first calls, or its reasoning",
        frozenset({"tool-result-orphan", "tool-result-count-mismatch", "reasoning-missing"}),
    ),
    "begins-anywhere": (
        "what is left may begin with the model's message, which Gemini and some models on Bedrock refuse",
        frozenset({"first-message-not-user", "tool-call-turn-order", "role-order"}),
    ),
}
"""What a system that keeps pairs where it writes the messages itself leaves of those of others: in words, and the rules that then speak.
It is the system's own doing and is not mended here, so that what comes out is what it makes; a plan is checked before anything is
written. tests/presets/test_leaves.py has for each preset a request on which it happens.
"""


@dataclass(frozen=True, eq=False)
class Case:
    """One run: the conversation, the parameters, and what is decided."""

    talk: Talk
    params: Mapping[str, Any]
    counter: Counter
    work: Work

    @property
    def messages(self) -> list[Message]:
        return self.talk.messages

    @property
    def sizes(self) -> list[int]:
        """What the counter finds of each message."""
        known, messages = self.talk.sizes, self.talk.messages
        if len(known) < len(messages):
            known.extend(map(self.counter, messages[len(known) :]))
        return known

    def total(self, messages: Sequence[Message]) -> int:
        return sum(self.sizes if messages is self.talk.messages else map(self.counter, messages))


def always(_: Case) -> bool:
    """No gate: it works whenever it is asked."""
    return True


@dataclass(frozen=True, eq=False)
class Preset:
    """`imitates`: system, version and entry point. `evidence`: a key of GRADES, and how often it was compared where it was. `source`: where
    that is to be read. `family`: the strategy whose row it takes. `unit`: what its limits and its "keep" count, in words; `minimum`: what
    its minimum means, in words. `takes`: results, messages or reasoning, in which what it keeps is told.

    `breaks_pairs`: it can part calls and results of a transcript in which they stood together. `leaves`: keys of LEAVES, for one that does
    not but on messages that its system would never have written.

    `style`: the messages that it sees. `gate`: whether it runs; `select`: what it takes: a list of parts, of messages, or a place;
    `snap`: where the cut goes then; `act` does it; `repair` mends what is left. What `select` gives is handed on as it is; nothing
    is done where it is None or empty.
    """

    name: str
    summary: str
    family: str
    imitates: str
    source: str
    evidence: str
    unit: str
    minimum: str
    style: Style
    counter: Counter
    select: Callable[[Case], Any]
    act: Callable[[Case, Any], None]
    gate: Callable[[Case], bool] = always
    snap: Callable[[Case, Any], Any] | None = None
    repair: Callable[[Case], None] | None = None
    settings: tuple[Setting, ...] = ()
    takes: str = "messages"
    breaks_pairs: bool = False
    leaves: tuple[str, ...] = ()

    @property
    def leaves_words(self) -> str:
        """What it may leave wrong, in words; "" for nothing."""
        return "; ".join(LEAVES[key][0] for key in self.leaves)

    @property
    def may_leave(self) -> frozenset[str]:
        """Rules that may speak of what it leaves."""
        return frozenset().union(*(LEAVES[key][1] for key in self.leaves))

    @property
    def grade(self) -> str:
        """How well its rules are known, in words."""
        key, _, more = self.evidence.partition(" ")
        return f"{GRADES[key]}{f' ({more})' if more else ''}"

    def run(self, talk: Talk, params: Mapping[str, Any]) -> Work:
        """What it would do. `params`: every parameter, as `read` gives them."""
        case = Case(talk, params, self.counter, Work())
        if not talk.messages or not self.gate(case):
            return case.work
        chosen = self.select(case)
        if self.snap is not None and chosen is not None:
            chosen = self.snap(case, chosen)
        if chosen is not None and (not isinstance(chosen, list) or chosen):
            self.act(case, chosen)
        if self.repair is not None:
            self.repair(case)
        return case.work

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter, those not given at their default. InspectorError, one clear line, for a name or a value that is off."""
        known = {setting.name: setting for setting in self.settings}
        for key in given:
            if key not in known:
                there = f"it takes {', '.join(known)}" if known else "it takes none"
                raise InspectorError(f"{self.name}: there is no parameter {key!r}; {there}")
        return {name: one.value(given[name], self.name) if name in given else one.default for name, one in known.items()}


# -- actions that many presets share ------------------------------------------------------------------------------------------------


def stub_each(text: Callable[[Case, Part], str]) -> Callable[[Case, Any], None]:
    """A text in place of each chosen part."""

    def act(case: Case, chosen: list[Part]) -> None:
        for part in chosen:
            case.work.stub(part, text(case, part))

    return act


def keep_messages(case: Case, kept: list[Message]) -> None:
    """Drops all messages but the chosen ones."""
    case.work.keep_only(case.messages, kept)
