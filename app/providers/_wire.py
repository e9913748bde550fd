"""A transcript in the order in which it would be sent, cut into the turns that a provider pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.model.kinds import Flag, Kind, Role
from app.model.pairs import one_of
from app.model.provider import Provider
from app.model.table import Ints
from app.model.view import View, dense


@dataclass(eq=False)
class Wire:
    """Columns along the wire. `at`: the position of each entry. Roles are the provider's: what answers calls has the role that it
    wants of results, a developer's message is a system message where it knows no other."""

    at: Ints
    kind: Ints
    role: Ints
    flags: Ints
    key: Ints
    name: Ints
    message: Ints  # from 0
    turn: Ints
    turn_start: Ints  # with the length behind them
    turn_role: Ints
    is_call: Ints  # bool: calls that the client answers
    is_result: Ints
    legacy: Ints  # bool: calls and results without ids by design (`function_call`), which nobody pairs
    type: Ints  # into the table's types
    view: View
    chained: bool = False  # the request continues one that the provider keeps: what came before is not in the dump

    def __len__(self) -> int:
        return len(self.at)

    @property
    def turns(self) -> int:
        return len(self.turn_role)

    def first_of(self, turns: Ints) -> Ints:
        return self.turn_start[turns]

    def block(self) -> Ints:
        """For each entry its index in its turn; rows of empty messages are no blocks."""
        blocks = np.cumsum(self.kind != Kind.EMPTY)
        before = np.concatenate([[0], blocks])[self.turn_start[self.turn]]
        return np.asarray(np.maximum(blocks - 1 - before, 0))

    def block_in_message(self) -> Ints:
        """The same in its message: providers that do not join what they count."""
        blocks = np.cumsum(self.kind != Kind.EMPTY)
        first = np.flatnonzero(np.diff(self.message, prepend=-1))
        return np.asarray(np.maximum(blocks - 1 - np.concatenate([[0], blocks])[first[self.message]], 0))

    def block_by_kind(self) -> Ints:
        """For each call its index among the calls of its message, for all else the index among the rest."""
        index = np.empty(len(self), np.int64)
        first = np.flatnonzero(np.diff(self.message, prepend=-1))
        for mask in (self.is_call, ~self.is_call):
            count = np.cumsum(mask)
            index[mask] = (count - 1 - np.concatenate([[0], count])[first[self.message]])[mask]
        return index


@dataclass(eq=False)
class Paired:
    """Along the wire: `defect` for a transcript that is sent as it is; `partner`, an index in the wire or -1; `pending`, open calls
    at the very end that a well-formed prefix may have."""

    defect: Ints
    partner: Ints
    pending: Ints


CHAINED = ("previous_response_id", "conversation", "cachedContent", "cached_content")
"""Members of a request that name what it continues."""


def wire_of(view: View, provider: Provider) -> Wire:
    """The list of messages that would be sent. Parts of one message that lie apart stand together where the first of them is."""
    at = np.flatnonzero(view.in_messages)
    at = at[at >= view.start]
    message = view.message[at]
    if (np.diff(message) < 0).any():
        at = at[np.argsort(message, kind="stable")]
        message = view.message[at]
    message = dense(message)
    kind, flags = view.kind[at], view.flags[at]
    server = (flags & Flag.SERVER) != 0
    is_call, is_result = (kind == Kind.TOOL_CALL) & ~server, (kind == Kind.TOOL_RESULT) & ~server
    role = _roles(view.role[at], is_result, provider)
    new = np.ones(len(at), bool)
    items = view.transcript.table.item is not None
    if provider.pairing == "contiguous-run":
        answers = is_result & (role == provider.answers)
        new[1:] = (answers[1:] != answers[:-1]) | (~answers[1:] & (message[1:] != message[:-1]))
        if items:  # an item is less than a message: what the assistant gave at once is one turn, or its calls alone are
            one = is_call if provider.calls_alone else (role == Role.ASSISTANT) & ~answers
            new[1:] &= ~(one[1:] & one[:-1])
    else:
        joins = one_of(role, _joins(provider, items))
        new[1:] = (role[1:] != role[:-1]) | (~joins[1:] & (message[1:] != message[:-1]))
        if provider.pairing in ("count", "next-message") and not view.transcript.table.joins:
            answers = is_result & (role == provider.answers)  # one message a result by design: a client puts them into one
            new[1:] &= ~(answers[1:] & answers[:-1])
    start = np.flatnonzero(new)
    turn = (np.cumsum(new) - 1).astype(np.int32)
    types = view.transcript.table.types
    old = [i for i, word in enumerate(types) if word == "function_call"]
    no_id = (view.key[at] < 0) & (provider.pairing != "count") & (not items)
    legacy = no_id & ((is_call & one_of(view.type[at], old)) | (is_result & (view.role[at] == Role.FUNCTION)))
    chained = any(view.transcript.table.request.get(key) for key in CHAINED)
    starts = np.append(start, len(at))
    return Wire(
        at, kind, role, flags, view.key[at], view.name[at], message, turn, starts, role[start], is_call, is_result, legacy, view.type[at],
        view, chained,
    )  # fmt: skip


def _joins(provider: Provider, items: bool) -> frozenset[Role]:
    """Roles whose neighbours are one turn. Where the place of results does not matter the turns are those that a reader sees."""
    if provider.pairing == "anywhere":
        return provider.joins | {Role.ASSISTANT, Role.TOOL}
    return provider.joins | {Role.ASSISTANT} if items else provider.joins


def _roles(role: Ints, is_result: Ints, provider: Provider) -> Ints:
    role = role.copy()
    if provider.answers == Role.TOOL:
        role[is_result & ((role == Role.USER) | (role == Role.FUNCTION))] = Role.TOOL
    else:
        role[(role == Role.TOOL) | (role == Role.FUNCTION)] = provider.answers
        role[role == Role.DEVELOPER] = Role.SYSTEM
    return role
