"""Pins: which rows they come to in an order, and how a person names one (`/2/content/0`, `E31`, `r203`, `tool:NAME`, `first-prompt`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from app.model.block import Block
from app.model.errors import InspectorError
from app.model.kinds import Kind
from app.model.pins import PROTECTION_NAMES, Held, Pins
from app.model.table import Ints
from app.model.view import View
from app.pipeline.pointed import pointed
from app.pipeline.protect import first_prompt, protections

Look = Callable[[int], Block]
FIRST_PROMPT: Final = "first-prompt"
_LABEL: Final = re.compile(r"([EeRr])(\d+)")


class UnknownPinError(InspectorError):
    """Nothing of this name can be pinned."""


def held(view: View, pins: Pins, look: Look) -> Held:
    """What pins come to in a view. `look` decodes a row: only what protects by what is said needs it."""
    if not pins:
        return Held.nothing()
    groups = view.groups
    exchanges = _groups_of(view, pins.exchanges, groups.exchange)
    rows = np.zeros(len(view), bool)
    steps = _groups_of(view, pins.steps, groups.step)
    if steps:
        rows |= np.isin(groups.step, list(steps))
    at = view.positions(np.asarray(sorted(pins.blocks), np.int64))
    rows[at[at >= 0]] = True
    if pins.tools:
        rows |= results_of(view, pins.tools)
    if pins.prompt:
        rows |= first_prompt(view)
    counts = {}
    for name, mask in protections(view, look, [name for name in PROTECTION_NAMES if name in pins.protected]).items():
        counts[name] = int(np.count_nonzero(mask))
        rows |= mask
    return Held(exchanges, rows if rows.any() else None, counts)


def lay(view: View, pins: Pins, look: Look) -> Held:
    """Lays pins over a view: every plan made on it leaves what they hold alone."""
    found = held(view, pins, look)
    view.pinned, view.held = found.exchanges, found.rows
    for key in [key for key in view.readings if isinstance(key, tuple) and key[0] == "imitated"]:
        del view.readings[key]  # what presets decided without them
    return found


def _groups_of(view: View, rows: frozenset[int], group: Ints) -> frozenset[int]:
    """Indices of the exchanges or steps in which rows stand now; a row that an edit dropped pins nothing."""
    at = view.positions(np.asarray(sorted(rows), np.int64))
    found = group[at[at >= 0]]
    return frozenset(found[found >= 0].tolist())


def results_of(view: View, tools: frozenset[str]) -> Ints:
    """Mask: results of calls of these tools, and results that bear such a name themselves."""
    names = view.transcript.table.names
    good = np.asarray([name in tools for name in names] + [False])
    results = view.kind == Kind.TOOL_RESULT
    partner = view.links.partner
    called = (partner >= 0) & good[view.name[partner]]
    return results & (called | good[view.name])


# -- how a person names one -----------------------------------------------------------------------------------------------------------


def read(view: View, words: Iterable[str], look: Look, protect: Iterable[str] = ()) -> Pins:
    """Pins as they are named on a command line. UnknownPinError, one line, where one is not there."""
    pins = Pins(protected=frozenset(protect))
    for word in words:
        pins = _with(view, pins, word, look)
    return pins


def _with(view: View, pins: Pins, word: str, look: Look) -> Pins:
    if word == FIRST_PROMPT:
        return replace(pins, prompt=True)
    if word.startswith("tool:"):
        return _with_tool(view, pins, word[5:])
    label = _LABEL.fullmatch(word)
    if label is not None:
        return _with_label(view, pins, word)
    if not word.startswith("/"):
        raise UnknownPinError(f"--pin {word}: write a JSON pointer like /2/content/0, E31, r203, tool:NAME or {FIRST_PROMPT}")
    rows = pointed(view.transcript, word, look)
    if not rows:
        raise UnknownPinError(f"--pin {word}: nothing stands there in this transcript")
    return pins.with_blocks(frozenset(rows))


def _with_tool(view: View, pins: Pins, name: str) -> Pins:
    if not results_of(view, frozenset([name])).any():
        called = np.unique(view.name[(view.kind == Kind.TOOL_CALL) & (view.name >= 0)]).tolist()
        known = [view.transcript.table.names[number] for number in called]
        there = ", ".join(known[:8]) + (", …" if len(known) > 8 else "") if known else "none"
        raise UnknownPinError(f"--pin tool:{name}: no result of such a tool; tools that are called: {there}")
    return pins.with_tool(name, True)


def _with_label(view: View, pins: Pins, word: str) -> Pins:
    groups, wanted = view.groups, word[0].upper() + word[1:] if word[0] in "Ee" else word.lower()
    if wanted[0] == "E":
        for index in range(groups.exchanges):
            if groups.label(index) == wanted:
                return pins.with_row("exchange", int(view.rows[groups.first[index]]), True)
    else:
        for index in range(groups.steps):
            if groups.step_label(index) == wanted:
                return pins.with_row("step", int(view.rows[groups.step_first[index]]), True)
    last = groups.longest
    what = "exchange" if wanted[0] == "E" else "step"
    raise UnknownPinError(f"--pin {word}: there is no such {what}; they go up to {last[0]} and {last[1]}")
