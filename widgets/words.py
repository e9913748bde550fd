"""Numbers and places in the words that all panels share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.model.carry import carried_at
from app.model.edits import Change
from app.model.state import State

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def full(number: int) -> str:
    """147104 as `147,104`; a true minus sign."""
    return f"{number:,}".replace("-", "−")


def short(number: int) -> str:
    """87134 as `87.1k`: what fits where many numbers stand beside one another."""
    sign, size = ("−" if number < 0 else ""), abs(number)
    if size < 1_000:
        return f"{sign}{size}"
    if size < 999_950:
        return f"{sign}{size / 1_000:.1f}k"
    return f"{sign}{size / 1_000_000:.1f}M"


def signed(number: int) -> str:
    """The same with its sign, for differences."""
    return f"+{short(number)}" if number > 0 else short(number)


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 change`, `3 changes`."""
    return f"{full(number)} {one if number == 1 else many or one + 's'}"


def spelled(number: int, one: str, many: str | None = None) -> str:
    """`one cause`, `12 causes`: small numbers as words, for sentences."""
    word = SMALL[number] if 0 <= number < len(SMALL) else full(number)
    return f"{word} {one if number == 1 else many or one + 's'}"


def effects(changes: Iterable[Change]) -> str:
    """`1 exact, 2 add, 1 loses`: what changes do to what is recorded."""
    kinds: list[str] = [change.effect for change in changes]
    words = {"exact": ("exact", "exact"), "adds": ("adds", "add"), "loses": ("loses", "lose")}
    return ", ".join(f"{full(n)} {one if n == 1 else many}" for kind, (one, many) in words.items() if (n := kinds.count(kind)))


def titles(changes: Sequence[Change], most: int = 3) -> str:
    """`2 × Drop the result (loses), Move the result home (exact)`: the first few of what changes do."""
    kinds: dict[tuple[str, str], int] = {}
    for change in changes:
        kinds[change.title, change.effect] = kinds.get((change.title, change.effect), 0) + 1
    words = [f"{f'{full(n)} × ' if n > 1 else ''}{title} ({effect})" for (title, effect), n in kinds.items()]
    return ", ".join(words[:most]) + (f" and {full(len(words) - most)} more kinds" if len(words) > most else "")


def abridged(text: str, ids: Iterable[str]) -> str:
    """A sentence with its long call ids shortened in the middle: `toolu_01Ss…VnN7`. The whole ones stand beside the block itself."""
    for one in ids:
        if len(one) > 18:
            text = text.replace(one, f"{one[:9]}…{one[-4:]}")
    return text


def exchange_and_step(state: State, row: int) -> str:
    """Where a row stands, as `E31 · r203`; "" where it belongs to no exchange or is not live."""
    view = state.view
    position = view.at(row) if view is not None else -1
    if view is None or position < 0:
        return ""
    exchange, step = int(view.groups.exchange[position]), int(view.groups.step[position])
    parts = [view.groups.label(exchange)] if exchange >= 0 else []
    if step >= 0:
        parts.append(view.groups.step_label(step))
    return " · ".join(parts)


def carried(state: State, row: int) -> int:
    """How many requests carried a row: see app/model/carry.py."""
    view = state.view
    position = view.at(row) if view is not None else -1
    if view is None or position < 0:
        return 0
    return carried_at(view, position)
