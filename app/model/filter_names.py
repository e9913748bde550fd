"""The words of filter expressions: names with what they mean, operators, the values of closed vocabularies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.model.kinds import ROLES, Kind

Sort = Literal["word", "number", "flag", "text"]

OPERATORS = ("==", "!=", ">=", "<=", ">", "<", "~")
MEANINGS = {
    "==": "is", "!=": "is not", ">": "more than", "<": "less than", ">=": "at least", "<=": "at most",
    "~": "holds the words, or fits a /pattern/", "&&": "and", "||": "or", "!": "not", "(": "a group", ")": "end of the group",
}  # fmt: skip

KINDS = {
    "text": Kind.TEXT, "reasoning": Kind.REASONING, "call": Kind.TOOL_CALL, "result": Kind.TOOL_RESULT, "media": Kind.MEDIA,
    "system": Kind.SYSTEM, "tools": Kind.TOOLS, "empty": Kind.EMPTY, "other": Kind.OTHER,
}  # fmt: skip
KIND_ALIASES = {"tool_call": "call", "tool_use": "call", "tool call": "call", "tool_result": "result", "tool result": "result",
                "thinking": "reasoning"}  # fmt: skip
SEVERITIES = ("error", "warning", "note")
PLANS = ("kept", "dropped", "stubbed", "capped", "replaced")
PARTNERS = ("none", "late")


@dataclass(frozen=True)
class Name:
    """A name that a condition can begin with. `alone`: it is a condition by itself. `values`: those of a closed vocabulary.
    `unit`: a letter that may stand before its numbers."""

    name: str
    meaning: str
    sort: Sort
    alone: bool = False
    values: tuple[str, ...] = ()
    unit: str = ""

    @property
    def operators(self) -> tuple[str, ...]:
        if self.name == "span":
            return ("==", "!=")
        return {"word": ("==", "!=", "~"), "number": ("==", "!=", ">", "<", ">=", "<="), "flag": (), "text": ("~", "==", "!=")}[self.sort]


NAMES = {
    name.name: name
    for name in (
        Name("kind", "what a block is", "word", values=tuple(KINDS)),
        Name("role", "the role of its message", "word", values=tuple(ROLES)),
        Name("tool", "the tool of a call, or of the call that a result answers", "word", alone=True),
        Name("tokens", "its own tokens; 4000, 4,000 or 4k", "number"),
        Name("carried", "its tokens times the requests that carried it", "number"),
        Name("chars", "characters of what is counted", "number"),
        Name("finding", "something was found here; or the rule that found it", "word", alone=True),
        Name("rule", "the rule of a finding here", "word"),
        Name("severity", "the weight of a finding here", "word", values=SEVERITIES),
        Name("exchange", "its exchange: E31", "number", unit="e"),
        Name("request", "its request: r203", "number", unit="r"),
        Name("step", "the same as request", "number", unit="r"),
        Name("span", "requests on the chart, with what each added: r105..r140", "number", unit="r"),
        Name("line", "its line in the file, from 1", "number"),
        Name("id", "the call id", "word", alone=True),
        Name("plan", "touched by the plan that is shown; or how", "word", alone=True, values=PLANS),
        Name("pinned", "in a pinned exchange", "flag", alone=True),
        Name("changed", "changes in force made, moved or altered it", "flag", alone=True),
        Name("partner", "a call with its result, a result with its call; or what is amiss", "word", alone=True, values=PARTNERS),
        Name("failed", "a result that says it is an error", "flag", alone=True),
        Name("text", "the words of a block, its tool's name and its id", "text"),
    )
}  # fmt: skip
