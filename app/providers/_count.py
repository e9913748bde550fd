"""Pairing by count: the calls of a joined turn want as many results in the ONE content behind it; ids are not looked at.

Neighbouring contents of the assistant are joined, those of the user are not: two contents with a call each and then one with both results
are taken (recorded with status 200, pydantic/pydantic-ai@4fda389), one content with two calls and then two with a result each are not
(vertesia/llumiverse#620, replayed on 2026-08-27: split 400, merged 200). Since ids are optional and ignored, equal numbers are never a
defect, whatever the ids say. Where the numbers differ, ids, then names, then the order tell which call is open, which result is one too
many, and which one only came too late.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.model.kinds import Flag, Kind, Role
from app.model.pairs import among, nth, queued
from app.model.provider import Defect, Provider
from app.model.table import Ints
from app.providers._wire import Paired, Wire


def pair_by_count(wire: Wire, provider: Provider) -> Paired:
    """Pairs calls and results where only their numbers count."""
    return _Counting(wire, provider).run()


class _Counting:
    def __init__(self, wire: Wire, provider: Provider) -> None:
        self.wire = wire
        self.defect = np.zeros(len(wire), np.uint8)
        self.partner = np.full(len(wire), -1, np.int32)
        asks = wire.is_call & (wire.role == Role.ASSISTANT)
        answers = wire.is_result & (wire.role == provider.answers)
        self.calls, self.results = np.flatnonzero(asks), np.flatnonzero(answers)
        self.defect[(wire.is_call | wire.is_result) & ~asks & ~answers] = Defect.ROLE_MISMATCH
        self.call_turn = wire.turn[self.calls].astype(np.int64)
        calling = np.zeros(wire.turns + 1, bool)  # the last entry is for what follows no turn
        calling[self.call_turn] = True
        before = wire.turn[self.results].astype(np.int64) - 1
        self.home = np.where(calling[before], before, -1)  # the turn that a result stands right behind; -1: it calls nothing
        self.asked = np.bincount(self.call_turn, minlength=wire.turns + 1)
        self.given = np.bincount(self.home[self.home >= 0], minlength=wire.turns + 1)

    def run(self) -> Paired:
        named = self._usable(self.calls), self._usable(self.results)
        key = self.wire.key
        width = int(key.max(initial=-1)) + 2
        self._in_turn(self.call_turn * width + key[self.calls], self.home * width + key[self.results], *named)
        late = self._claimed(*named)
        names = int(self.wire.name.max(initial=-1)) + 2
        name = self.wire.name
        ours, theirs = name[self.calls] >= 0, name[self.results] >= 0
        self._in_turn(self.call_turn * names + name[self.calls], self.home * names + name[self.results], ours, theirs)
        self._in_turn(self.call_turn, self.home)
        at_home = np.zeros(len(self.wire), bool)
        at_home[self.results] = self.partner[self.results] >= 0
        at_home[late] = False
        late = np.concatenate([late, self._later(*named)])
        self._judge_results(at_home, late)
        pending = self._judge_calls(at_home)
        self._server(width)
        return Paired(self.defect, self.partner, pending)

    def _usable(self, entries: Ints) -> Ints:
        """Mask: an id that can tell one call from another."""
        return (self.wire.key[entries] >= 0) & ((self.wire.flags[entries] & Flag.ID_EMPTY) == 0)

    def _tie(self, calls: Ints, results: Ints) -> None:
        self.partner[calls] = results
        self.partner[results] = calls

    # -- pairs ----------------------------------------------------------------------------------------------------------------

    def _in_turn(self, ours: Ints, theirs: Ints, of_calls: Ints | None = None, of_results: Ints | None = None) -> None:
        """Ties what is free in a turn and in the content behind it and has one code. The masks say what can be compared."""
        left = self.partner[self.calls] < 0
        right = (self.partner[self.results] < 0) & (self.home >= 0)
        left &= True if of_calls is None else of_calls
        right &= True if of_results is None else of_results
        calls, results = self.calls[left], self.results[right]
        found, _ = nth(ours[left], theirs[right])
        self._tie(calls[found >= 0], results[found[found >= 0]])

    def _claimed(self, of_calls: Ints, of_results: Ints) -> Ints:
        """Ties results to an earlier call of their id whose turn got too few, and gives them. A turn with as many results as calls is
        answered, whatever their ids."""
        short = self.asked[self.call_turn] > self.given[self.call_turn]
        calls = self.calls[of_calls & short & (self.partner[self.calls] < 0)]
        results = self.results[of_results & (self.partner[self.results] < 0)]
        found, _ = queued(self.wire.key[calls], calls, self.wire.key[results], results)
        taken = found >= 0
        taken[taken] = self.wire.turn[results[found[taken]]] > self.wire.turn[calls[taken]] + 1
        self._tie(calls[taken], results[found[taken]])
        return results[found[taken]]

    def _later(self, of_calls: Ints, of_results: Ints) -> Ints:
        """Ties what is left to open calls of the last turn before it that calls, by name and then by order, where it has no id."""
        turns = np.unique(self.call_turn)
        if not len(turns):
            return np.empty(0, np.int64)
        last = np.searchsorted(turns, self.wire.turn[self.results]) - 1  # index in `turns`, -1 before all of them
        mine = np.searchsorted(turns, self.call_turn)
        free = self.results[of_results & (self.partner[self.results] < 0)]
        elsewhere = of_calls & among(self.wire.key[self.calls], self.wire.key[free])  # its own result stands before it
        late: list[Ints] = []
        for ours, theirs, codes in self._codes(mine, last, of_calls, of_results):
            left = np.flatnonzero(ours & ~elsewhere & (self.partner[self.calls] < 0))
            right = np.flatnonzero(theirs & (self.partner[self.results] < 0) & (last >= 0))
            found, _ = nth(codes[0][left], codes[1][right])
            self._tie(self.calls[left[found >= 0]], self.results[right[found[found >= 0]]])
            late.append(self.results[right[found[found >= 0]]])
        return np.concatenate(late)

    def _codes(self, mine: Ints, last: Ints, of_calls: Ints, of_results: Ints) -> Iterator[tuple[Ints, Ints, tuple[Ints, Ints]]]:
        """What may be compared, of calls and of results, and by which codes, from narrow to wide."""
        name = self.wire.name
        width = int(name.max(initial=-1)) + 2
        ours, theirs = name[self.calls], name[self.results]
        anything = np.ones(len(self.calls), bool)
        for left in (~of_calls, anything):  # a call without an id is the likelier one
            yield left & (ours >= 0), ~of_results & (theirs >= 0), (mine * width + ours, last * width + theirs)
            yield left & (ours < 0), ~of_results, (mine, last)
            yield left, ~of_results & (theirs < 0), (mine, last)

    # -- what is wrong with them ------------------------------------------------------------------------------------------------

    def _judge_results(self, at_home: Ints, late: Ints) -> None:
        wire = self.wire
        here = np.flatnonzero(at_home)
        self.defect[here[~self._leads()[here]]] = Defect.RESULT_NOT_FIRST
        begun = np.zeros(wire.turns + 1, bool)  # turns some of whose results are in their place
        begun[wire.turn[here] - 1] = True
        split = begun[wire.turn[self.partner[late]]]
        self.defect[late] = np.where(split, Defect.RESULTS_SPLIT, Defect.RESULT_NOT_ADJACENT)
        free = self.partner[self.results] < 0
        self.defect[self.results[free]] = np.where(self.home[free] >= 0, Defect.COUNT_MISMATCH, Defect.RESULT_ORPHAN)
        if wire.chained:  # the call may stand in what the provider keeps
            self.defect[self.results[free & (wire.turn[self.results] == 0)]] = Defect.NONE

    def _leads(self) -> Ints:
        """Mask along the wire: nothing but results stands before it in its content."""
        wire = self.wire
        others = np.cumsum(~wire.is_result & (wire.kind != Kind.EMPTY))
        before = np.concatenate([[0], others])[wire.turn_start[wire.turn]]
        return np.asarray(wire.is_result & (others == before))

    def _judge_calls(self, at_home: Ints) -> Ints:
        """Gives the open calls that may still be answered when the transcript goes on."""
        wire = self.wire
        free = self.calls[self.partner[self.calls] < 0]
        turn, last = wire.turn[free], wire.turns - 1
        begun = np.zeros(wire.turns + 1, bool)
        begun[wire.turn[np.flatnonzero(at_home)] - 1] = True
        self.defect[free] = np.where(
            turn == last, Defect.CALL_TRAILING, np.where(begun[turn], Defect.COUNT_MISMATCH, Defect.CALL_UNANSWERED)
        )
        end = slice(int(wire.turn_start[last]) if wire.turns else 0, None)
        unfinished = bool((wire.is_result[end] | (wire.kind[end] == Kind.EMPTY)).all()) and bool(wire.is_result[end].any())
        return free[(turn == last) | ((turn == last - 1) & unfinished)]

    def _server(self, width: int) -> None:
        """Calls that the provider answers itself are tied to what they gave inside their turn; nothing is known of a refusal."""
        wire = self.wire
        server = (wire.flags & Flag.SERVER) != 0
        if not server.any():
            return
        calls, results = np.flatnonzero(server & (wire.kind == Kind.TOOL_CALL)), np.flatnonzero(server & (wire.kind == Kind.TOOL_RESULT))
        ours, theirs = (wire.turn[of].astype(np.int64) * width + wire.key[of] + 1 for of in (calls, results))
        found, _ = nth(ours, theirs)
        self._tie(calls[found >= 0], results[found[found >= 0]])
