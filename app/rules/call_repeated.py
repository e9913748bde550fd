"""The same call again: the same tool with the same arguments.

No provider refuses that. It is how a loop looks that makes no headway, and where something was done twice because its result was lost.
Reading the same thing again later may be meant.

Evidence: none is needed: both calls stand in the dump. That repeated calls are what users look for: NVIDIA-NeMo/Switchyard#502 (a client
that repeats finished calls).

Repair: none; nothing is wrong with the request.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.findings import Hit
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._rule import Rule, Said
from app.rules._said import tool
from app.rules._scene import Site

EDITED = frozenset({"input", "name"})


class CallRepeated(Rule):
    name = "call-repeated"
    summary = "the same call with the same arguments again"
    severity = "note"
    everywhere = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        calls, same = _calls(reading)
        if not len(calls):
            return []
        by = np.argsort(same, kind="stable")
        again = np.zeros(len(calls), bool)
        again[1:] = same[by[1:]] == same[by[:-1]]
        found, before = calls[by[again]], calls[by[np.flatnonzero(again) - 1]]
        return [self.hit(reading, found, reading.view.rows[before])]

    def related(self, site: Site) -> int:
        return site.detail

    def say(self, site: Site) -> Said:
        view, before = site.scene.view, site.scene.view.at(site.detail)
        first = tool(site, before)
        message = f"The call of {tool(site, site.position)} has the same arguments as that of {first} before it."
        reason = f"That one stands at {site.scene.pointer(before)}."
        ids = tuple(dict.fromkeys(call_id for at in (site.position, before) if (call_id := site.scene.call_id(at))))
        told = _told(site.reading, np.asarray([view.rows[site.position]]))
        return Said(message, reason, ids, f"again {site.scene.name(site.position)} {int(told[0])}")


def _calls(reading: Reading) -> tuple[Ints, Ints]:
    """Positions of the client's calls whose arguments are known, and for each a number that tells equal ones."""
    view, table = reading.view, reading.view.transcript.table
    none = np.empty(0, np.int64)
    if table.arguments is None or len(table.arguments) != len(table.calls):
        return none, none
    calls = np.flatnonzero(view.calls & reading.sent)
    edited = [row for row, fields in view.transcript.fields.items() if not EDITED.isdisjoint(fields)]
    if edited:
        calls = calls[~np.isin(view.rows[calls], edited)]
    told = _told(reading, view.rows[calls]).astype(np.uint64)
    return calls, told * np.uint64(0x9E3779B97F4A7C15) + view.name[calls].astype(np.int64).astype(np.uint64)


def _told(reading: Reading, rows: Ints) -> Ints:
    """The hashes of the arguments of calls, by row."""
    table = reading.view.transcript.table
    assert table.arguments is not None
    return np.asarray(table.arguments[np.searchsorted(table.calls, rows.astype(np.int32))])


RULE = CallRepeated()
