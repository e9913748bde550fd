"""Calls tied to their results: the n-th call of an id to the n-th result of it along the order.

Ids are not unique in the wild (a simulation may use one id for every call), so nothing here is a dict keyed by id. Where a side has
no id, the tool's name decides, then the order: first within one request and its answers, then over all that is left. Calls that the
provider answers itself are tied to their results inside their run of assistant messages, then wherever the result came in.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.model.kinds import Flag, Kind, Role
from app.model.pairs import nth, queued
from app.model.table import Ints
from app.model.transcript import Transcript
from app.model.view import Links


def link(transcript: Transcript) -> Links:
    """Partners and extra results along the whole order, the part that is no longer sent included."""
    rows, table = transcript.order, transcript.table
    kind, key = table.kind[rows], table.key[rows]
    server = (table.flags[rows] & Flag.SERVER) != 0
    partner = np.full(len(rows), -1, np.int32)
    calls, results = kind == Kind.TOOL_CALL, kind == Kind.TOOL_RESULT
    extra = _by_id(partner, np.flatnonzero(calls & ~server), np.flatnonzero(results & ~server), key)
    _without_id(partner, calls & ~server, results & ~server & ~extra, transcript)
    if server.any():
        asks = calls & server & ((table.flags[rows] & Flag.ANSWERED) == 0)
        _server(partner, np.flatnonzero(asks), np.flatnonzero(results & server), key, table.role[rows])
    return Links(partner, extra)


def _tie(partner: Ints, calls: Ints, results: Ints, found: Ints) -> None:
    """Enters pairs: `found` gives for each of `calls` an index in `results`, or -1."""
    hit = found >= 0
    ours, theirs = calls[hit], results[found[hit]]
    partner[ours] = theirs
    partner[theirs] = ours


def _by_id(partner: Ints, calls: Ints, results: Ints, key: Ints) -> Ints:
    """Ties what has an id; gives the mask of results for an id that is answered already."""
    calls, results = calls[key[calls] >= 0], results[key[results] >= 0]
    found, _ = nth(key[calls], key[results])
    _tie(partner, calls, results, found)
    extra = np.zeros(len(partner), bool)
    if len(results):
        called = np.zeros(int(key[results].max()) + 1, bool)
        known = key[calls]
        called[known[known < len(called)]] = True
        extra[results] = (partner[results] < 0) & called[key[results]]
    return extra


def _without_id(partner: Ints, calls: Ints, results: Ints, transcript: Transcript) -> None:
    """Ties what is left where at least one side has no id."""
    rows, table = transcript.order, transcript.table
    no_id = table.key[rows] < 0
    if not (no_id & (calls | results)).any():
        return
    name = table.name[rows].astype(np.int64)
    role = table.role[rows]
    assistant = role == Role.ASSISTANT
    request = np.cumsum(assistant & ~np.concatenate([[False], assistant[:-1]]))
    for left, right in ((calls, results & no_id), (calls & no_id, results)):
        for codes, named in _codes(name, request):
            ours = np.flatnonzero(left & (partner < 0))
            theirs = np.flatnonzero(right & (partner < 0) & named)
            found, _ = queued(codes[ours], ours, codes[theirs], theirs)
            _tie(partner, ours, theirs, found)


def _codes(name: Ints, request: Ints) -> Iterator[tuple[Ints, Ints]]:
    """What must be equal, from narrow to wide, and the mask of rows that can be compared by it."""
    anything = np.ones(len(name), bool)
    names = int(name.max(initial=-1)) + 2
    yield request * names + name + 1, name >= 0
    yield request, anything
    yield name, name >= 0
    yield np.zeros(len(name), np.int64), anything


def _server(partner: Ints, calls: Ints, results: Ints, key: Ints, role: Ints) -> None:
    run = np.cumsum(np.concatenate([[True], role[1:] != role[:-1]])).astype(np.int64)
    width = int(key.max(initial=-1)) + 2
    for code in (run * width + key + 1, key.astype(np.int64)):
        ours, theirs = calls[partner[calls] < 0], results[partner[results] < 0]
        found, _ = nth(code[ours], code[theirs])
        _tie(partner, ours, theirs, found)
