"""ISO 8601 times in bulk: a file of many records has one in each, and `fromisoformat` on each is a tenth of the whole pass."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import numpy.typing as npt

_FORM = b"0000-00-00T00:00:00.000Z"
_CLOCK = np.array([11, 12, 14, 15, 17, 18, 20, 21, 22])
_MARKS = np.array([10, 13, 16, 19, 23])
_WORTH = np.array([36000, 3600, 600, 60, 10, 1, 0.1, 0.01, 0.001])
_MOST = np.array([2, 9, 5, 9, 5, 9, 9, 9, 9], np.uint8)[:, None]
_WIDTH = len(_FORM)
_NONE = b"?" * _WIDTH  # in the place of a stamp of another form
_BATCH = 4096
_DATES = 64  # so many different days in one batch are worth a comparison each


class Stamps:
    """A column of stamps while it grows: those of the usual form as their characters, the others as they are."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._others: dict[int, Any] = {}

    def add(self, stamps: Sequence[Any]) -> None:
        try:
            text = "".join(stamps).encode("ascii")
            if len(text) == _WIDTH * len(stamps) and set(map(len, stamps)) <= {_WIDTH}:
                self._text += text
                return
        except (TypeError, UnicodeEncodeError):
            pass
        for stamp in stamps:
            usual = type(stamp) is str and len(stamp) == _WIDTH and stamp.isascii()
            if not usual:
                self._others[len(self._text) // _WIDTH] = stamp
            self._text += stamp.encode() if usual else _NONE

    def seconds(self) -> npt.NDArray[np.float64]:
        """Seconds since 1970 of each stamp; NaN for what is no time. A time without a zone is read as UTC."""
        text = np.frombuffer(bytes(self._text), np.uint8).reshape(-1, _WIDTH)
        parts = [_bulk(text[start : start + _BATCH]) for start in range(0, len(text), _BATCH)]
        times = np.concatenate(parts) if parts else np.empty(0)
        for i in np.flatnonzero(np.isnan(times)).tolist():
            stamp = text[i].tobytes()
            times[i] = _one(self._others.get(i)) if stamp == _NONE else _one(stamp.decode())
        return times


def seconds(stamps: Sequence[Any]) -> npt.NDArray[np.float64]:
    """Of a list of stamps, as `Stamps.seconds` has them."""
    column = Stamps()
    column.add(stamps)
    return column.seconds()


def _bulk(text: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Of stamps like 2026-03-01T12:00:00.000Z, one a row, day by day; NaN where one differs from that form."""
    columns = np.ascontiguousarray(text.T)
    clock = columns[_CLOCK] - np.uint8(48)
    good = (columns[_MARKS] == np.frombuffer(_FORM, np.uint8)[_MARKS, None]).all(0) & (clock <= _MOST).all(0)
    good &= (clock[0] < 2) | (clock[1] < 4)
    millis = np.rint(_WORTH @ clock.astype(np.float64) * 1000)
    times = np.full(len(text), np.nan)
    date = np.ascontiguousarray(text[:, 2:10]).view(np.uint64).ravel()
    century = np.ascontiguousarray(text[:, :2]).view(np.uint16).ravel()
    for _ in range(_DATES):
        first = int(good.argmax())
        if not good[first]:
            break
        same = good & (date == date[first]) & (century == century[first])
        times[same] = (_one(text[first, :10].tobytes().decode()) * 1000 + millis[same]) / 1000
        good &= ~same
    return times


def _one(stamp: Any) -> float:
    """Of any other stamp."""
    if not isinstance(stamp, str):
        return float("nan")
    try:
        found = datetime.fromisoformat(stamp)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return float("nan")
