"""What is said of changes that a crash has left: in the strip, as a question that nobody must answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from app.model.left_over import LeftOver
from widgets.verdict_strip import VerdictStrip
from widgets.visible import line
from widgets.words import counted

SHOWN = 3


def words(left: LeftOver) -> str:
    """`The last run ended with 2 changes and 1 pin to this file: Drop the result; Put in a result.`"""
    times = Counter(left.titles)
    named = "; ".join(f"{line(title, 60)}{f' ({many} times)' if many > 1 else ''}" for title, many in list(times.items())[:SHOWN])
    more = "; and others" if len(times) > SHOWN else ""
    many = " and ".join(counted(count, word) for count, word in ((len(left.titles), "change"), (left.pins, "pin")) if count)
    if not left.same:
        titles = f" ({named}{more})" if named else ""
        kept = f"they are kept for {left.days} days and offered when the old bytes are back"
        return f"The last run ended with {many or 'steps to redo'} to this file{titles}, but the file has changed since: {kept}."
    if not many:
        return "The last run ended with steps to redo here."
    return f"The last run ended with {many} to this file{f': {named}{more}' if named else ''}."


def offer(strip: VerdictStrip, left: LeftOver, take_up: Callable[[], object], leave: Callable[[], object]) -> None:
    """Asks, or says why there is nothing to ask."""
    if left.same:
        strip.ask(words(left), "Take them up again", take_up, "Leave them", leave)
    else:
        strip.fail(words(left))
