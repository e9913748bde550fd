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
    """`The last run ended with 2 changes to this file: Drop the result; Put in a result.`"""
    times = Counter(left.titles)
    named = "; ".join(f"{line(title, 60)}{f' ({many} times)' if many > 1 else ''}" for title, many in list(times.items())[:SHOWN])
    more = "; and others" if len(times) > SHOWN else ""
    many = counted(len(left.titles), "change")
    if not left.same:
        return f"The last run ended with {many} to this file ({named}{more}), but the file has changed since: they are not offered."
    return f"The last run ended with {many} to this file: {named}{more}." if left.titles else "The last run ended with steps to redo here."


def offer(strip: VerdictStrip, left: LeftOver, take_up: Callable[[], object]) -> None:
    """Asks, or says why there is nothing to ask."""
    if left.same:
        strip.ask(words(left), "Take them up again", take_up, "Leave them")
    else:
        strip.fail(words(left))
