"""The text of a summary that nobody wrote: what was asked and which tools were called, made from the transcript and saying so.

Every line begins with "- " and ends with a line break. Both vocabularies split there whatever stands around it, so that the tokens of
the whole are the sum of its lines' and a plan knows what each further line costs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.model.block import Block
from app.model.kinds import Flag, Kind
from app.model.plan import NEVER
from app.model.table import Ints
from app.model.view import View
from app.strategies._strategy import counted

INTRO: Final = "What was asked and which tools were called, oldest first:\n"
CLOSE: Final = "Answers and tool results are not repeated here; ask or call again for what is needed."
LONGEST: Final = 400  # characters of a question
LONGEST_SUMMARY: Final = 4_000  # of an earlier summary, which is all that is left of what it stands for
PIECES: Final = "skeleton"  # where a view's readings hold the last that were made, with what they were made of

_SURROGATE: Final = re.compile("[\ud800-\udfff]")

Look = Callable[[int], Block]


def pieces(view: View, look: Look, drop_at: Ints, length: int) -> list[str]:
    """What each of the first `length` actions adds to the text: whole lines, or nothing."""
    known: tuple[Ints, list[str]] | None = view.readings.get(PIECES)
    if known is None or known[0] is not drop_at or len(known[1]) < length:
        out: list[list[str]] = [[] for _ in range(length)]
        asked = _Asked(view)
        for action, exchange, calls in _parts(view, drop_at, length):
            if exchange >= 0:
                out[action].append(_question(asked, look, exchange))
            if len(calls):
                out[action].append(_called(view, calls))
        known = view.readings[PIECES] = drop_at, ["".join(lines) for lines in out]
    return known[1][:length]


def _parts(view: View, drop_at: Ints, length: int) -> Iterable[tuple[int, int, Ints]]:
    """For each action, in order, the exchanges that it takes (-1: steps of the live one) and the positions of the calls in each."""
    exchange = view.groups.exchange
    prompts = prompts_at(view, drop_at)
    calls = np.flatnonzero((drop_at < length) & (view.kind == Kind.TOOL_CALL))
    marks = np.flatnonzero(prompts < length)
    spots = np.concatenate([calls, view.groups.first[marks]])
    actions = np.concatenate([drop_at[calls], prompts[marks]])
    whose = np.where(prompts[exchange[spots]] == actions, exchange[spots], -1)
    by = np.lexsort((spots, actions))
    actions, whose, spots = actions[by], whose[by], spots[by]
    bounds = np.flatnonzero(np.concatenate([[True], (actions[1:] != actions[:-1]) | (whose[1:] != whose[:-1])])) if len(by) else by
    is_call = view.kind[spots] == Kind.TOOL_CALL
    called = np.concatenate([np.zeros(1, np.int64), np.cumsum(is_call)])
    ends = np.append(bounds[1:], len(by))[: len(bounds)]
    columns = (bounds, ends, actions[bounds], whose[bounds], called[ends] > called[bounds])
    for start, end, action, exchange_, calling in zip(*(column.tolist() for column in columns), strict=True):
        yield action, exchange_, np.unique(spots[start:end][is_call[start:end]]) if calling else spots[:0]


def prompts_at(view: View, drop_at: Ints) -> Ints:
    """For each exchange the action that takes its first row; NEVER where that stays or was not sent."""
    first = view.groups.first
    at = drop_at[first]
    at[first < view.start] = NEVER
    return at


@dataclass(eq=False)
class _Asked:
    """What exchanges asked for, along exchanges: steps and calls of each, the rows of its prompt, and whether that is a summary."""

    view: View

    def __post_init__(self) -> None:
        view, groups = self.view, self.view.groups
        first = groups.first.astype(np.int64)
        edges = np.append(first, len(view))
        self.steps = np.diff(np.searchsorted(groups.step_first, edges)).tolist()
        calls = np.concatenate([np.zeros(1, np.int64), np.cumsum(view.kind == Kind.TOOL_CALL)])
        self.calls = np.diff(calls[edges]).tolist()
        text = np.flatnonzero(view.kind == Kind.TEXT)
        whose = np.searchsorted(first, text, side="right") - 1
        asking = (whose >= 0) & (view.message[text] == view.message[first[whose]] if len(first) else False)
        text, whose = text[asking], whose[asking]
        self._bounds = np.searchsorted(whose, np.arange(len(first) + 1)).tolist()
        self._rows = view.rows[text].tolist()
        self._summary = ((view.flags[text] & Flag.SUMMARY) != 0).tolist()

    def rows(self, exchange: int) -> list[int]:
        return self._rows[self._bounds[exchange] : self._bounds[exchange + 1]]

    def is_summary(self, exchange: int) -> bool:
        return any(self._summary[self._bounds[exchange] : self._bounds[exchange + 1]])


def _question(asked: _Asked, look: Look, exchange: int) -> str:
    amount = f"{counted(asked.steps[exchange], 'step')}, {counted(asked.calls[exchange], 'tool call')}"
    if asked.view.groups.zero and exchange == 0:
        return f"- before the first question ({amount})\n"
    words = plain(" ".join([look(row).text for row in asked.rows(exchange)]))
    summary = asked.is_summary(exchange)
    words = shortened(words, LONGEST_SUMMARY if summary else LONGEST)
    return f'- {"an earlier summary" if summary else "asked"}: "{words}" ({amount})\n'


def _called(view: View, calls: Ints) -> str:
    table = view.transcript.table
    by_name: dict[str, list[str]] = {}
    for name, key in zip(view.name[calls].tolist(), view.key[calls].tolist(), strict=True):
        ids = by_name.setdefault(plain(table.names[name]) if name >= 0 else "a tool without a name", [])
        ids.append(plain(table.ids.text(key) or "") or "no id")
    return "- called " + ", ".join(f"{name} ({', '.join(ids)})" for name, ids in by_name.items()) + "\n"


def plain(text: str) -> str:
    """One line without unpaired surrogates, which no provider takes."""
    line = " ".join(text.split())
    return line if line.isascii() else _SURROGATE.sub("\ufffd", line)


def shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def rough_costs(view: View, drop_at: Ints, length: int, count: Callable[[str], int]) -> Ints:
    """About how many tokens each action adds to the text, from columns alone (int64)."""
    table = view.transcript.table
    calls = np.flatnonzero((drop_at < length) & (view.kind == Kind.TOOL_CALL))
    names = np.asarray([count(name) for name in table.names] or [0], np.float64)
    ends = table.ids.ends
    widths = np.append(np.diff(ends, prepend=0), 5) if len(ends) else np.asarray([5])
    key = np.where((view.key[calls] >= 0) & (view.key[calls] < len(ends)), view.key[calls], len(widths) - 1)
    cost = names[np.maximum(view.name[calls], 0)] + widths[key] / 2.2 + 3
    total = np.bincount(drop_at[calls], weights=cost, minlength=length)
    prompts = prompts_at(view, drop_at)
    asked = np.flatnonzero(prompts < length)
    words = np.minimum(view.size[view.groups.first[asked]], LONGEST) / 3.8 + 16
    return np.ceil(total + np.bincount(prompts[asked], weights=words, minlength=length)).astype(np.int64)
