"""Tokens to pixels and back, and labels that keep their distance. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.model.table import Ints

HEADROOM = 1.05
FAR = 2.5  # a window, budget or recorded input over so many times *now* is an arrow at the top edge, no line that flattens all
BELOW = 18  # pixels at most for what is not in the dump


@dataclass(frozen=True)
class Scale:
    """The y axis: 0 tokens lie `below` pixels above the lower edge of `height` pixels, `top` tokens at the upper edge."""

    height: int
    top: int
    below: int = 0

    def y(self, tokens: float) -> float:
        return (self.height - self.below) * (1 - tokens / self.top)

    def tokens(self, y: float) -> float:
        return (1 - y / max(1, self.height - self.below)) * self.top

    @property
    def zero(self) -> int:
        return self.height - self.below

    @property
    def per_pixel(self) -> float:
        return self.top / max(1, self.zero)

    def rounded(self, tokens: float) -> int:
        """A budget as fine as a pixel can say it: 60,000 and not 60,127."""
        step = 1
        for candidate in (10**k * m for k in range(9) for m in (1, 2, 5)):
            if candidate > self.per_pixel:
                break
            step = candidate
        return max(0, min(self.top, round(tokens / step) * step))

    def ticks(self) -> list[int]:
        """Round numbers from 0, at least 22 pixels apart."""
        least = 22 * self.per_pixel
        step = next((10**k * m for k in range(12) for m in (1, 2, 5) if 10**k * m >= least), 10**12)
        return list(range(0, self.top + 1, step))


def make_scale(height: int, now: int, marks: list[int], offset: int = 0) -> Scale:
    """A scale for *now* and for those of `marks` that are not far beyond it. `offset`: tokens that are not in the dump."""
    now = max(now, 1)
    top = max([now, *(m for m in marks if m <= FAR * now)])
    top = int(top * HEADROOM) + 1
    below = 0
    if offset > 0:
        below = int(min(BELOW, max(4, round(height * offset / (top + offset)))))
    return Scale(max(height, below + 10), top, below)


def apart(wanted: list[float], gap: float, low: float, high: float, weights: list[float] | None = None) -> list[float]:
    """Places for labels in the order given, as near as may be to where they want to be, at least `gap` from one another and between
    `low` and `high` (where they all fit). A label of great weight hardly moves. (Isotonic regression, pooled.)"""
    if not wanted:
        return []
    weights = weights or [1.0] * len(wanted)
    blocks: list[list[float]] = []  # mean, weight, count
    for i, (want, weight) in enumerate(zip(wanted, weights, strict=True)):
        blocks.append([want - i * gap, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, total, count = blocks.pop()
            last = blocks[-1]
            last[0] = (last[0] * last[1] + mean * total) / (last[1] + total)
            last[1] += total
            last[2] += count
    flat = [block[0] for block in blocks for _ in range(int(block[2]))]
    highest = max(low, high - (len(wanted) - 1) * gap)
    return [min(max(value, low), highest) + i * gap for i, value in enumerate(flat)]


class Rungs:
    """The sizes that a strategy can reach, ready for many look-ups: `rising`, float64, from small to large."""

    def __init__(self, rungs: Ints) -> None:
        self.rising = np.ascontiguousarray(rungs[::-1], np.float64)

    @property
    def least(self) -> int:
        return int(self.rising[0])

    @property
    def most(self) -> int:
        return int(self.rising[-1])

    def above(self, size: int) -> int | None:
        """The smallest rung that is larger."""
        at = int(np.searchsorted(self.rising, float(size), side="right"))
        return int(self.rising[at]) if at < len(self.rising) else None

    def within(self, size: int) -> int | None:
        """The largest rung that is not larger."""
        at = int(np.searchsorted(self.rising, float(size), side="right"))
        return int(self.rising[at - 1]) if at else None


@dataclass(frozen=True)
class Lens:
    """The comb of rungs: tokens to pixels, spread around the budget (a fisheye), the ends where the plot has them.

    `focus` is the budget, `high` and `low` the largest and the smallest size; `y_*` where the plot has them.
    """

    focus: float
    high: float
    low: float
    y_focus: float
    y_high: float
    y_low: float
    zoom: float = 4.0

    def y(self, tokens: float) -> float:
        up = tokens >= self.focus
        far, y_far = (self.high, self.y_high) if up else (self.low, self.y_low)
        if far == self.focus:
            return self.y_focus
        part = min(max((tokens - self.focus) / (far - self.focus), 0.0), 1.0)
        return self.y_focus + (y_far - self.y_focus) * self.zoom * part / (1 + (self.zoom - 1) * part)

    def tokens(self, y: float) -> float:
        return float(self._tokens(np.array([y]))[0])

    def _tokens(self, y: Ints) -> Ints:
        """The way back, for many pixels at once."""
        up = y <= self.y_focus
        reach = np.where(up, self.y_high, self.y_low) - self.y_focus
        part = np.clip((y - self.y_focus) / np.where(reach == 0, 1, reach), 0, 1) * (reach != 0)
        return self.focus + (np.where(up, self.high, self.low) - self.focus) * part / (self.zoom - (self.zoom - 1) * part)

    def comb(self, rungs: Rungs, first: int, last: int) -> Ints:
        """How many rungs fall on each row of pixels from `first` to `last`; there may be as many rungs as you like."""
        return on_edges(rungs, self.edges(first, last))

    def edges(self, first: int, last: int) -> Ints:
        """Tokens at the edges of the rows of pixels, from small to large: that is how a sorted list is looked up fastest."""
        return np.ascontiguousarray(self._tokens(np.arange(first, last + 2) - 0.5)[::-1])


def on_edges(rungs: Rungs, edges: Ints) -> Ints:
    """How many rungs fall between each two edges, the largest first."""
    at = rungs.rising.searchsorted(edges, side="right")
    at[0], at[-1] = 0, len(rungs.rising)  # the ends are on the comb
    return (at[1:] - at[:-1])[::-1]
