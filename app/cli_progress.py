"""How far something is, on standard error where that is a terminal: percents, once it has taken half a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

SILENT: Final = 0.5  # seconds


def progress(what: str) -> Callable[[float], None] | None:
    """Shows fractions from 0 to 1, and takes the line away where they end; None where nobody would see them."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    shown, begun = -1, time.monotonic()

    def show(fraction: float) -> None:
        nonlocal shown
        percent = int(fraction * 100)
        if percent >= 100 and shown >= 0:
            shown = 101
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        elif shown < percent < 100 and time.monotonic() - begun > SILENT:
            shown = percent
            sys.stderr.write(f"\r{what}, {percent} % ")
            sys.stderr.flush()

    return show
