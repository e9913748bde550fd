"""What the parts of a row mean, for whoever rests the pointer on them. Our own words only: nothing from the dump."""

from __future__ import annotations

from widgets.exchange_facts import Pip
from widgets.row_columns import Columns
from widgets.row_look import Look
from widgets.words import counted

_PIPS = {Pip.ANSWERED: "answered", Pip.MISSING: "without a result", Pip.ELSEWHERE: "with its result elsewhere"}
_RESULTS = {Pip.ORPHAN: "without a call", Pip.SURPLUS: "for a call that has one"}


def tip(look: Look, at: Columns, x: int) -> str:
    """Words for the column at `x`; "" where there is nothing to say."""
    if at.pips <= x < at.tokens - 60 and look.pips is not None and look.pips.shown:
        counts = look.pips.counts
        calls = [f"{counts[pip]:,} {words}" for pip, words in _PIPS.items() if counts[pip]]
        results = [f"{counted(counts[pip], 'result')} {words}" for pip, words in _RESULTS.items() if counts[pip]]
        return "; ".join(part for part in (f"Calls: {', '.join(calls)}" if calls else "", *results) if part)
    if at.tokens - 60 <= x < at.found and look.counted:
        return f"{counted(look.tokens, 'token')}, {'partly or wholly estimated' if look.guessed else 'counted'}"
    if at.found <= x < at.mark and any(look.found):
        return ", ".join(counted(n, word) for n, word in zip(look.found, ("error", "warning", "note"), strict=True) if n)
    return "Not seen by the model at the next request" if look.unsent and x < at.what_end else ""
