"""The parameters of presets, in the words of the systems that they imitate: each reads a value from JSON or from one word of a spec."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.model.errors import InspectorError


class Wrong(ValueError):
    """What a value must be, in words."""


@dataclass(frozen=True)
class Setting:
    """A parameter with its default. `read` takes a value as JSON has it and gives it as the preset uses it, or raises Wrong."""

    name: str
    default: Any
    help: str
    read: Callable[[Any], Any]

    def value(self, given: Any, preset: str) -> Any:
        """A value as given: a text (of a spec) is read as JSON where it is JSON. InspectorError with one clear line."""
        tried = _from_text(given) if isinstance(given, str) else [given]
        wrong: Wrong | None = None
        for one in tried:
            try:
                return self.read(one)
            except Wrong as error:
                wrong = error
        raise InspectorError(f"{preset}: {self.name} must be {wrong}, not {given!r}")


def _from_text(text: str) -> list[Any]:
    try:
        return [json.loads(text), text]
    except (ValueError, RecursionError):
        return [{"None": None, "True": True, "False": False}.get(text, text), text]


# -- kinds ------------------------------------------------------------------------------------------------------------------------


def whole(least: int = 0) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise Wrong(f"a whole number of at least {least}")
        return value

    return read


def share(low: float = 0.0, high: float = 1.0) -> Callable[[Any], Any]:
    """A number between two, both excluded but `high` where it is 1."""

    def read(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low < value <= high:
            raise Wrong(f"a number over {low:g} and up to {high:g}")
        return value

    return read


def flag(value: Any) -> Any:
    if not isinstance(value, bool):
        raise Wrong("true or false")
    return value


def text(value: Any) -> Any:
    if not isinstance(value, str):
        raise Wrong("a text")
    return value


def said(value: Any) -> Any:
    """A text that is not blank: providers refuse empty text."""
    if not isinstance(value, str) or not value.strip():
        raise Wrong("a text that is not blank")
    return value


def choice(*words: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if value not in words:
            raise Wrong(f"one of {', '.join(words)}")
        return value

    return read


def names(value: Any) -> Any:
    """Names of tools: a list, or one name."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Wrong("a list of names")
    return value


def any_of(*kinds: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The first kind that takes the value."""

    def read(value: Any) -> Any:
        wrongs = []
        for kind in kinds:
            try:
                return kind(value)
            except Wrong as wrong:
                wrongs.append(str(wrong))
        raise Wrong(" or ".join(wrongs))

    return read


def null(value: Any) -> Any:
    if value is not None:
        raise Wrong("null")
    return None


def amount(*types: str) -> Callable[[Any], Any]:
    """Anthropic's `{"type": "input_tokens", "value": 100000}`; a bare number is of the first type."""

    def read(value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return {"type": types[0], "value": value}
        if isinstance(value, Mapping) and set(value) <= {"type", "value"} and value.get("type", types[0]) in types:
            number = value.get("value")
            if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
                return {"type": value.get("type", types[0]), "value": number}
        raise Wrong(f'a number, or {{"type": {" or ".join(json.dumps(one) for one in types)}, "value": number}}')

    return read


def clause(value: Any) -> Any:
    """LangChain's `{"messages": 20}`, `{"tokens": 4000}` (both: both must hold), or a pair of the two words."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
        value = {value[0]: value[1]}
    if isinstance(value, int) and not isinstance(value, bool):
        value = {"messages": value}
    good = isinstance(value, Mapping) and value and set(value) <= {"messages", "tokens"}
    if not good or not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in value.values()):
        raise Wrong('{"messages": number} or {"tokens": number}, over 0')
    return dict(value)


def clauses(value: Any) -> Any:
    """One clause, or a list of which one must hold."""
    if isinstance(value, list) and value and all(isinstance(one, Mapping | list) for one in value):
        return [clause(one) for one in value]
    return clause(value)


SUMMARY: Final = Setting(
    "summary",
    "[the summary goes here: nobody has written one yet]",
    "the text of the summary; what the system's model would write is not known",
    said,
)
"""Of presets that summarise."""
