"""What a provider's pairing says of every call and result: one defect each, named by what a person would change.

The pairs are made on turns: the (joined) messages that hold calls, and the turn behind them. Anthropic wants the results in the
leading run of the joined user turn (seen with `claude-haiku-4-5` and by a probe of 2026-07-25: text in front of a result, or between
two, is refused although every id is there); OpenAI Chat in the run of `tool` messages directly behind the assistant message; Bedrock in
the one message behind it, anywhere in that (anomalyco/opencode#41780: the same results in two messages are refused). An id is looked up
inside its turn only, so that one id may serve in two turns (recorded as accepted, claude-sonnet-4-5).
"""

from __future__ import annotations

import numpy as np

from app.model.kinds import Flag, Kind, Role
from app.model.pairs import among, nth, one_of, queued
from app.model.provider import Defect, Provider
from app.model.table import Ints
from app.providers._anywhere import pair_anywhere
from app.providers._count import pair_by_count
from app.providers._wire import Paired, Wire


def pair(wire: Wire, provider: Provider, native: bool) -> Paired:
    """Pairs calls and results as `provider` does. `native`: whether the dump is in its own wire."""
    if provider.pairing == "count":
        return pair_by_count(wire, provider)
    if provider.pairing == "anywhere":
        return pair_anywhere(wire, provider, native)
    return _Pairing(wire, provider, native).run()


class _Pairing:
    def __init__(self, wire: Wire, provider: Provider, native: bool) -> None:
        self.wire, self.provider, self.native = wire, provider, native
        self.run_only = provider.pairing == "contiguous-run"
        self.next_only = provider.pairing == "next-message"
        self.defect = np.zeros(len(wire), np.uint8)
        self.partner = np.full(len(wire), -1, np.int32)
        asks = wire.is_call & (wire.role == Role.ASSISTANT) & ~wire.legacy
        answers = wire.is_result & (wire.role == provider.answers) & ~wire.legacy
        self.calls, self.results = np.flatnonzero(asks), np.flatnonzero(answers)
        self.defect[(wire.is_call | wire.is_result) & ~wire.legacy & ~asks & ~answers] = Defect.ROLE_MISMATCH
        self.width = int(wire.key.max(initial=-1)) + 2

    def run(self) -> Paired:
        rest, doubled = self._in_turn()
        open_calls = self.calls[(self.partner[self.calls] < 0) & ~doubled]
        rest = self._moved(open_calls, rest)
        open_calls = open_calls[self.partner[open_calls] < 0]
        self._strays(rest, open_calls)
        pending = self._open(open_calls)
        if self.wire.legacy.any():
            self._legacy()
        if not self.run_only and ((self.wire.flags & Flag.SERVER) != 0).any():
            self._server()
        return Paired(self.defect, self.partner, pending)

    def _code(self, entries: Ints, turn: Ints) -> Ints:
        return turn.astype(np.int64) * self.width + self.wire.key[entries] + 1

    def _tie(self, calls: Ints, results: Ints) -> None:
        self.partner[calls] = results
        self.partner[results] = calls

    def _answered_turn(self, results: Ints) -> tuple[Ints, Ints]:
        """The turn before each result, and whether it is an assistant's."""
        turn = self.wire.turn[results] - 1
        return turn, (turn >= 0) & (self.wire.turn_role[np.maximum(turn, 0)] == Role.ASSISTANT)

    # -- where they should be -------------------------------------------------------------------------------------------------

    def _in_turn(self) -> tuple[Ints, Ints]:
        """Pairs inside turns. Gives the results that are left to explain, and the mask of calls that repeat an id in their turn."""
        wire, calls, results = self.wire, self.calls, self.results
        ours = self._code(calls, wire.turn[calls])
        turn, follows = self._answered_turn(results)
        theirs = np.where(follows, self._code(results, turn), -1)
        found, back = nth(ours, theirs)
        self._tie(calls[found >= 0], results[found[found >= 0]])
        doubled = np.ones(len(calls), bool)
        doubled[np.unique(ours, return_index=True)[1]] = False
        doubled &= wire.key[calls] >= 0
        self.defect[calls[doubled]] = Defect.CALL_ID_DUPLICATE
        known = wire.key[results] >= 0
        if self.native:
            unnamed = ~known | (((wire.flags[results] & Flag.ID_EMPTY) != 0) & (self.run_only | (back < 0)))
            self.defect[results[unnamed]] = Defect.RESULT_ID_MISSING
        else:
            unnamed = ~known & (back < 0)
            self.defect[results[unnamed]] = Defect.RESULT_ORPHAN
        again = (back < 0) & ~unnamed
        again[again] = among(theirs[again], ours)
        self.defect[results[again]] = Defect.RESULT_DUPLICATE
        if not self.run_only:
            behind = results[(back >= 0) & ~unnamed & ~self._leads()[results]]
            self.defect[behind] = Defect.RESULT_NOT_FIRST
        return results[(back < 0) & ~unnamed & ~again], doubled

    def _leads(self) -> Ints:
        """Mask along the wire: nothing but results stands before it in its turn. A message without blocks stands in nobody's way."""
        wire = self.wire
        others = np.cumsum(~wire.is_result & (wire.kind != Kind.EMPTY))
        before = np.concatenate([[0], others])[wire.turn_start[wire.turn]]
        return np.asarray(wire.is_result & (others == before))

    # -- where they are instead -----------------------------------------------------------------------------------------------

    def _moved(self, open_calls: Ints, rest: Ints) -> Ints:
        """Results that come too late, in a later turn than the one that answers. Gives those that are left."""
        named = open_calls[(self.wire.key[open_calls] >= 0) & ((self.wire.flags[open_calls] & Flag.ID_EMPTY) == 0)]
        _, back = queued(self.wire.key[named], named, self.wire.key[rest], rest)
        late = back >= 0
        calls, results = named[back[late]], rest[late]
        begun = self._begun() if self.next_only else np.zeros(self.wire.turns, bool)
        self._tie(calls, results)
        split = begun[self.wire.turn[calls]] & self._side_by_side(calls, results)
        self.defect[results] = np.where(split, Defect.RESULTS_SPLIT, Defect.RESULT_NOT_ADJACENT)
        return rest[~late]

    def _begun(self) -> Ints:
        """Mask over turns: some of its calls are answered where they should be."""
        begun = np.zeros(self.wire.turns, bool)
        begun[self.wire.turn[self.calls[self.partner[self.calls] >= 0]]] = True
        return begun

    def _side_by_side(self, calls: Ints, results: Ints) -> Ints:
        """Mask: nothing but messages of the role that answers stands between a call's message and a result of it."""
        others = np.concatenate([[0], np.cumsum(self.wire.turn_role != self.provider.answers)])
        return np.asarray(others[self.wire.turn[results]] == others[self.wire.turn[calls] + 1])

    def _strays(self, rest: Ints, open_calls: Ints) -> None:
        """Results whose call waits for none: under an id that was answered before, or of no call at all."""
        wire = self.wire
        answered = self._first(self.calls)
        seen = answered[wire.key[rest] + 1] < rest
        server = np.flatnonzero((wire.kind == Kind.TOOL_CALL) & ((wire.flags & Flag.SERVER) != 0))
        if len(server):
            given = np.flatnonzero((wire.kind == Kind.TOOL_RESULT) & ((wire.flags & Flag.SERVER) != 0))
            seen |= (self._first(server)[wire.key[rest] + 1] < rest) & np.isin(wire.key[rest], wire.key[given])
        waits = np.zeros(wire.turns, bool)
        waits[wire.turn[open_calls]] = True
        turn, follows = self._answered_turn(rest)
        other_id = seen & follows & waits[np.maximum(turn, 0)]  # an answer under another id
        self.defect[rest] = np.where(seen, Defect.RESULT_DUPLICATE, Defect.RESULT_ORPHAN)
        self.defect[rest[other_id]] = Defect.RESULT_ID_MISMATCH if self.run_only else Defect.RESULT_ORPHAN

    def _first(self, entries: Ints) -> Ints:
        """For each key + 1 the first of `entries` with it, else the length of the wire."""
        first = np.full(self.width, len(self.wire), np.int64)
        first[self.wire.key[entries[::-1]] + 1] = entries[::-1]
        first[0] = len(self.wire)
        return first

    def _open(self, open_calls: Ints) -> Ints:
        """Calls that nothing answers. Gives those that may still be answered when the transcript goes on."""
        wire = self.wire
        turn = wire.turn[open_calls]
        answered = np.zeros(wire.turns, bool)
        leading = self.results[self.partner[self.results] >= 0]
        leading = leading[~one_of(self.defect[leading], (Defect.RESULT_NOT_ADJACENT, Defect.RESULTS_SPLIT))]
        if not self.next_only:
            leading = leading[self.defect[leading] != Defect.RESULT_NOT_FIRST]
        answered[wire.turn[leading] - 1] = True
        last = wire.turns - 1
        self.defect[open_calls] = np.where(
            turn == last, Defect.CALL_TRAILING, np.where(answered[turn], Defect.CALL_PARTIALLY_ANSWERED, Defect.CALL_UNANSWERED)
        )
        end = slice(int(wire.turn_start[last]) if wire.turns else 0, None)
        answers = wire.is_result[end] & (wire.role[end] == self.provider.answers)
        unfinished = bool((answers | (wire.kind[end] == Kind.EMPTY)).all()) and bool(answers.any())
        return open_calls[(turn == last) | ((turn == last - 1) & unfinished)]

    # -- the rest -------------------------------------------------------------------------------------------------------------

    def _legacy(self) -> None:
        wire = self.wire
        calls = np.flatnonzero(wire.legacy & wire.is_call)
        results = np.flatnonzero(wire.legacy & wire.is_result)
        turn, follows = self._answered_turn(results)
        found, _ = nth(wire.turn[calls].astype(np.int64), np.where(follows, turn, -1))
        self._tie(calls[found >= 0], results[found[found >= 0]])

    def _server(self) -> None:
        """Calls that the provider answers: inside one joined turn, or in the turn behind the client's results; else open, which is
        taken while nothing but client results follows (recorded: `test_in_flight_*` of pydantic-ai)."""
        wire = self.wire
        server = ((wire.flags & Flag.SERVER) != 0) & (wire.role == Role.ASSISTANT)
        calls, results = np.flatnonzero(server & (wire.kind == Kind.TOOL_CALL)), np.flatnonzero(server & (wire.kind == Kind.TOOL_RESULT))
        found, _ = nth(self._code(calls, wire.turn[calls]), self._code(results, wire.turn[results]))
        hit = (found >= 0) & (results[found] > calls if len(results) else False)
        self._tie(calls[hit], results[found[hit]])
        clients = np.zeros(wire.turns + 2, bool)  # turns with client results
        clients[wire.turn[self.results]] = True
        calls, results = calls[~hit], results[self.partner[results] < 0]
        turn = wire.turn[calls]
        waits = clients[turn + 1]
        found, _ = nth(self._code(calls, np.where(waits, turn + 2, -1)), self._code(results, wire.turn[results]))
        self._tie(calls[found >= 0], results[found[found >= 0]])
        self.defect[results[self.partner[results] < 0]] = Defect.RESULT_ORPHAN
        calls, turn = calls[found < 0], turn[found < 0]
        others = np.cumsum(~wire.is_result & (wire.kind != Kind.EMPTY))
        last = wire.turns - 1
        quiet = others[-1] == others[wire.turn_start[turn + 1] - 1]
        mixed = (turn == last - 1) & clients[turn + 1]  # text behind the results is a finding of its own
        self.defect[calls] = np.where(quiet | mixed, Defect.IN_FLIGHT, Defect.CALL_UNANSWERED)
