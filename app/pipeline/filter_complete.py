"""What could stand at a place of a filter expression: names, operators, then values that this dump has."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.model.filter import Completion, FilterError
from app.model.filter_names import MEANINGS, NAMES, Name
from app.pipeline.filter_columns import Scope
from app.pipeline.filter_read import Token, tokens
from app.pipeline.filter_show import plain_word, quoted

MOST = 40  # choices
_COMPARING = ("==", "!=", ">", "<", ">=", "<=", "~")
_JOINS = tuple((op, MEANINGS[op]) for op in ("&&", "||"))


class _Place(NamedTuple):
    """The tokens before a place, and what is begun there: from `start` on."""

    before: list[Token]
    begun: str
    start: int


def complete(text: str, at: int, scope: Scope) -> Completion:
    """The choices at a cursor. What is begun is replaced, to the end of its word."""
    place = _place(text[:at])
    end = at
    while end < len(text) and not text[end].isspace() and text[end] not in '"()=!<>&|~':
        end += 1
    begun = place.begun.casefold()
    choices = [(word, meaning) for word, meaning in _choices(place, scope) if word.strip('"').casefold().startswith(begun)]
    if len(choices) == 1 and choices[0][0] == place.begun:
        choices = []
    return Completion(place.start, end, tuple(choices[:MOST]))


def _place(text: str) -> _Place:
    try:
        found = tokens(text)[:-1]
    except FilterError as error:
        start = error.problem.start
        if text[start] != '"':
            return _Place([], text[start:], start)
        return _Place(tokens(text[:start])[:-1], text[start + 1 :], start)
    if found and found[-1].kind == "word" and found[-1].end == len(text):
        return _Place(found[:-1], found[-1].value, found[-1].start)
    return _Place(found, "", len(text))


def _choices(place: _Place, scope: Scope) -> list[tuple[str, str]]:
    before = place.before
    last = before[-1] if before else None
    if last is None or (last.kind == "op" and last.value in ("&&", "||", "!", "(")):
        return [(name.name, name.meaning) for name in NAMES.values()]
    name = NAMES.get(before[-2].value.lower()) if len(before) > 1 and before[-2].kind == "word" else None
    if last.kind == "op" and last.value in _COMPARING:
        return _values(name, place.begun, scope) if name is not None else []
    if place.begun:
        return []
    named = NAMES.get(last.value.lower()) if last.kind == "word" else None
    is_value = len(before) > 1 and before[-2].kind == "op" and before[-2].value in _COMPARING
    if named is not None and not is_value:
        return [(op, MEANINGS[op]) for op in named.operators] + (list(_JOINS) if named.alone else [])
    return list(_JOINS)


def _values(name: Name, begun: str, scope: Scope) -> list[tuple[str, str]]:
    if name.values:
        return [(word, "") for word in name.values]
    if name.name == "tool":
        return _tools(scope)
    if name.name in ("finding", "rule"):
        counts = scope.report.counts if scope.report is not None else {}
        return [(rule, f"{count:,}") for rule, count in sorted(counts.items())]
    if name.name == "id":
        table = scope.view.transcript.table
        ids = [table.ids.text(number) or "" for number in (table.ids.beginning(begun, MOST) if begun else range(min(MOST, len(table.ids))))]
        return [(_typed(one), "") for one in dict.fromkeys(ids)]
    return []


def _tools(scope: Scope) -> list[tuple[str, str]]:
    """The tools of this transcript, the most used first."""
    names, column = scope.view.transcript.table.names, scope.column("tool")
    counts = np.bincount(column[column >= 0], minlength=len(names)) if len(names) else np.empty(0, int)
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda number: (-counts[number], names[number]))
    return [(_typed(names[number]), f"{counts[number]:,} blocks") for number in order]


def _typed(word: str) -> str:
    return word if plain_word(word) else quoted(word)
