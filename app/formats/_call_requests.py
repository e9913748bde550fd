"""What each request of a log kept of the one before it, changed and cut; noted while the log is read, since a copy of what was said before
stands in no record of its own.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from app.formats._growing import Said
from app.formats._json import compact, compact_size
from app.model.align import Run, align
from app.model.requests import Requested

RECENT: Final = 8  # conversations of which one may have been gone on from with another beginning


class _Last(NamedTuple):
    """The last request of a conversation: its number, its messages as numbers, its heads, and the messages themselves."""

    number: int
    prints: npt.NDArray[Any]
    heads: int
    sent: list[Said]


class RequestNotes:
    """`note` for each request, in order of time."""

    def __init__(self) -> None:
        self.requests: list[Requested] = []
        self._last: OrderedDict[int, _Last] = OrderedDict()  # by conversation, the latest at the end

    def note(
        self, line: int, begun: bool, record: int, rows: int, sent: list[Said], numbers: array[int], heads: int,
        refusal: tuple[int | None, str] | None,
    ) -> None:  # fmt: skip
        """`begun`: the conversation begins with it, as far as the log's reader saw. `numbers`: one for each message."""
        prints = np.array(numbers, np.int64)
        before = self._nearest(prints) if begun else self._last.get(line)
        status = {"refused": refusal is not None, "status": refusal[0] if refusal is not None else None}
        if before is None:
            self.requests.append(Requested(record, line, rows, len(sent), added=len(sent), **status))  # type: ignore[arg-type]
        else:
            told = _told(before, prints, heads, sent)
            self.requests.append(Requested(record, line, rows, len(sent), before.number, **told, **status))  # type: ignore[arg-type]
        self._last[line] = _Last(len(self.requests) - 1, prints, heads, sent)
        self._last.move_to_end(line)
        if len(self._last) > RECENT:
            self._last.popitem(last=False)

    def refuse(self, record: int, status: int | None) -> Requested | None:
        """The latest request that stands in a record is noted as refused; None where there is none."""
        for number in range(len(self.requests) - 1, -1, -1):
            if self.requests[number].record == record:
                found = self.requests[number] = replace(self.requests[number], refused=True, status=status)
                return found
        return None

    def _nearest(self, prints: npt.NDArray[Any]) -> _Last | None:
        """The request that shares the most messages, the latest of those: a client that cuts or rewrites history begins anew."""
        best, most = None, 0
        for last in self._last.values():
            shared = int(np.isin(last.prints, prints).sum())
            if shared and shared >= most:
                best, most = last, shared
        return best


def _told(before: _Last, prints: npt.NDArray[Any], heads: int, sent: list[Said]) -> dict[str, Any]:
    runs = align(before.prints, prints)
    kept = changed = cut = added = 0
    end_a = end_b = 0
    for run in [*runs, Run(len(before.prints), len(prints), 0)]:
        gone, came = run.a - end_a, run.b - end_b
        changed += min(gone, came)
        cut += gone - min(gone, came)
        added += came - min(gone, came)
        kept += run.length
        end_a, end_b = run.a + run.length, run.b + run.length
    prefix = runs[0].length if runs and runs[0].a == runs[0].b == 0 else 0
    first = -1 if prefix == len(before.prints) else _first_byte(before.sent, sent, prefix)
    return {"kept": kept, "changed": changed, "cut": cut, "added": added, "heads": heads != before.heads, "first_byte": first}


def _first_byte(old: list[Said], new: list[Said], prefix: int) -> int:
    """Bytes of the messages, as compact JSON with a comma between, that both begin with."""
    size = sum(_bytes(said.node.value) + 1 for said in new[:prefix])
    if prefix >= min(len(old), len(new)):
        return size
    one, other = (compact(said.node.value).encode("utf-8", "surrogatepass") for said in (old[prefix], new[prefix]))
    count = min(len(one), len(other))
    differs = np.frombuffer(one[:count], np.uint8) != np.frombuffer(other[:count], np.uint8)
    return size + (int(differs.argmax()) if differs.any() else count)


def _bytes(value: Any) -> int:
    size = compact_size(value)
    text = compact(value) if size < 200_000 else ""
    return len(text.encode("utf-8", "surrogatepass")) if text and not text.isascii() else size
