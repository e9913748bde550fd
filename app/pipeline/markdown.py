"""Text of a dump as Markdown in which nothing is markup."""

from __future__ import annotations

import re

from app.pipeline.visible import visible


def line(text: str) -> str:
    """Words as one line of Markdown in which nothing is markup."""
    return re.sub(r"([\\`*_{}\[\]<>#|~!])", r"\\\1", visible(" ".join(text.split())))


def span(text: str, most: int = 500) -> str:
    """Text as a code span that it cannot leave; cut behind `most` characters."""
    cut = text if len(text) <= most else text[:most] + f"… ({len(text) - most:,} more characters)"
    shown = visible(" ".join(cut.split()))
    if not shown:
        return "(empty)"
    ticks = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"
