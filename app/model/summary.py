"""The text that stands for what lies before a seam, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SummaryText:
    """`text`: the summary without the line that marks it. `skeleton`: nobody wrote it, it was made from the transcript. `tokens` of the
    text alone, `pair` of both messages with all that stands around it. `actions`: how many the plan does; at 0 nothing is summed up."""

    text: str
    skeleton: bool
    tokens: int
    pair: int
    actions: int
