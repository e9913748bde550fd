"""Pairing anywhere: an output belongs to the call of its `call_id` wherever both stand in the list (OpenAI's Responses).

Calls and outputs interleaved by pair or grouped are both recorded with status 200, and a message may stand between them
(pydantic/pydantic-ai@4fda389, 92 requests; zendev-sh/goai#141). What counts as one turn is the batch: the calls with no output and no
message of the user between them, nor another answer of the model where the dump keeps answers whole. A request that continues another
(`previous_response_id`, `conversation`) may leave out what the server keeps: an output without its call is recorded with status 200 there.
Searches for tools without a `call_id` are paired by nobody (recorded).
"""

from __future__ import annotations

import numpy as np

from app.model.kinds import Flag, Kind, Role
from app.model.pairs import among, nth, queued
from app.model.provider import Defect, Provider
from app.model.table import Ints
from app.providers._wire import Paired, Wire

STAND_FOR_NO_CALL = ("rs_", "msg_")
"""How the ids of references begin that stand for something else than a call."""


def pair_anywhere(wire: Wire, provider: Provider, native: bool) -> Paired:
    """Pairs calls and results of one id, the n-th with the n-th. `native`: whether the dump is in the provider's own wire."""
    return _Anywhere(wire, provider, native).run()


class _Anywhere:
    def __init__(self, wire: Wire, provider: Provider, native: bool) -> None:
        self.wire, self.native = wire, native
        self.table = wire.view.transcript.table
        self.defect = np.zeros(len(wire), np.uint8)
        self.partner = np.full(len(wire), -1, np.int32)
        aside = wire.legacy | (np.isin(wire.type, self._words("tool_search_call", "tool_search_output")) & (wire.key < 0))
        asks = wire.is_call & (wire.role == Role.ASSISTANT) & ~aside
        answers = wire.is_result & (wire.role == provider.answers) & ~aside
        self.calls, self.results = np.flatnonzero(asks), np.flatnonzero(answers)
        self.defect[(wire.is_call | wire.is_result) & ~aside & ~asks & ~answers] = Defect.ROLE_MISMATCH
        self.batch = np.cumsum(wire.is_result | ((wire.role == Role.USER) & (wire.kind != Kind.EMPTY)))

    def run(self) -> Paired:
        self._by_id()
        if not self.native:
            self._by_order()
        doubled = self._doubled()
        self._judge_results()
        open_calls = self.calls[(self.partner[self.calls] < 0) & ~doubled]
        self._server()
        return Paired(self.defect, self.partner, self._judge_calls(open_calls))

    def _words(self, *words: str) -> list[int]:
        return [number for number, word in enumerate(self.table.types) if word in words]

    def _tie(self, calls: Ints, results: Ints, found: Ints) -> None:
        hit = found >= 0
        self.partner[calls[hit]] = results[found[hit]]
        self.partner[results[found[hit]]] = calls[hit]

    # -- pairs ----------------------------------------------------------------------------------------------------------------

    def _by_id(self) -> None:
        key = self.wire.key
        calls, results = self.calls[key[self.calls] >= 0], self.results[key[self.results] >= 0]
        self._tie(calls, results, nth(key[calls], key[results])[0])

    def _by_order(self) -> None:
        """What has no id on a wire that needs none: as calls and results are tied in the list."""
        wire, tied = self.wire, self.wire.view.links.partner[self.wire.at]
        index = np.full(len(wire.view), -1, np.int64)
        index[wire.at] = np.arange(len(wire))
        found = np.where(tied[self.calls] >= 0, index[tied[self.calls]], -1)
        free = (self.partner[self.calls] < 0) & (found >= 0)
        free[free] = self.partner[found[free]] < 0
        self.partner[self.calls[free]] = found[free]
        self.partner[found[free]] = self.calls[free]

    def _server(self) -> None:
        """Programs and what they gave back."""
        server = (self.wire.flags & Flag.SERVER) != 0
        key = self.wire.key
        calls = np.flatnonzero(server & (self.wire.kind == Kind.TOOL_CALL) & (key >= 0))
        results = np.flatnonzero(server & (self.wire.kind == Kind.TOOL_RESULT) & (key >= 0))
        self._tie(calls, results, nth(key[calls], key[results])[0])

    # -- what is wrong with them ------------------------------------------------------------------------------------------------

    def _doubled(self) -> Ints:
        """Mask over the calls: those that repeat the id of a call of their batch, and copies of whole items."""
        wire, calls = self.wire, self.calls
        doubled = _again(self.batch[calls] * (int(wire.key.max(initial=-1)) + 2) + wire.key[calls] + 1) & (wire.key[calls] >= 0)
        if self.table.item is not None:
            own = self.table.item[wire.view.rows[wire.at[calls]]]
            doubled |= _again(own) & (own >= 0) & _again(wire.key[calls]) & (self.partner[calls] < 0)
        self.defect[calls[doubled]] = Defect.CALL_ID_DUPLICATE
        return doubled

    def _judge_results(self) -> None:
        wire, results = self.wire, self.results
        key, partner = wire.key[results], self.partner[results]
        self.defect[results[(partner >= 0) & (partner > results)]] = Defect.RESULT_BEFORE_CALL
        free = partner < 0
        unnamed = free & ((key < 0) | ((wire.flags[results] & Flag.ID_EMPTY) != 0))
        self.defect[results[unnamed]] = Defect.RESULT_ID_MISSING if self.native else Defect.RESULT_ORPHAN
        free &= ~unnamed
        again = free.copy()
        again[again] = among(key[again], wire.key[self.calls])
        self.defect[results[again]] = Defect.RESULT_DUPLICATE
        rest = results[free & ~again]
        server = np.flatnonzero((wire.kind == Kind.TOOL_CALL) & ((wire.flags & Flag.SERVER) != 0) & (wire.key >= 0))
        rest = rest[~among(wire.key[rest], wire.key[server])]
        if wire.chained:
            return
        referred = self._referred(rest)
        self.defect[rest] = np.where(referred, Defect.RESULT_REFERRED, Defect.RESULT_ORPHAN)

    def _referred(self, rest: Ints) -> Ints:
        """Mask over outputs without a call: a reference stands before it that may be the call. Each serves for one."""
        table, found = self.table, np.zeros(len(rest), bool)
        references = np.flatnonzero(np.isin(self.wire.type, self._words("item_reference")))
        if table.item is None or not len(references) or not len(rest):
            return found
        own = table.item[self.wire.view.rows[self.wire.at[references]]]
        names = [table.item_ids.text(number) or "" for number in own.tolist()]
        calls = references[[not name.startswith(STAND_FOR_NO_CALL) for name in names]]
        _, back = queued(np.zeros(len(calls), np.int64), calls, np.zeros(len(rest), np.int64), rest)
        return np.asarray(back >= 0)

    def _judge_calls(self, open_calls: Ints) -> Ints:
        """Gives the open calls that may still be answered when the transcript goes on."""
        wire, batch = self.wire, self.batch
        if not len(open_calls):
            return open_calls
        if self.table.extra.get("whole_answers"):  # a model goes on only where what it called was answered
            begins = np.diff(wire.message, prepend=-1) != 0
            batch = batch + np.cumsum(begins & (wire.role == Role.ASSISTANT) & (wire.kind != Kind.EMPTY))
        answered = np.unique(batch[self.calls[self.partner[self.calls] >= 0]])
        last = int(batch[-1])
        mine = batch[open_calls]
        self.defect[open_calls] = np.where(
            mine == last,
            Defect.CALL_TRAILING,
            np.where(among(mine, answered), Defect.CALL_PARTIALLY_ANSWERED, Defect.CALL_UNANSWERED),
        )
        if wire.chained:
            self.defect[open_calls] = Defect.CALL_ELSEWHERE
        said = np.flatnonzero(~wire.is_result & (wire.kind != Kind.EMPTY))
        return open_calls[mine >= int(batch[said[-1]])]


def _again(codes: Ints) -> Ints:
    """Mask: entries whose code came before."""
    again = np.ones(len(codes), bool)
    again[np.unique(codes, return_index=True)[1]] = False
    return again
