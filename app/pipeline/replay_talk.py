"""A preset in a replay: it sees messages, and those that it left alone are the same ones when it is asked again.

Making a conversation of a context costs more than what most presets do with it. So the messages of the whole transcript are made once
for all presets, a request appends some of them, and a compaction takes some away or shortens some; only where it parts one whose
neighbours might be joined then, or changes more than texts, they are made anew, of the little that it left.

What stands for the position of a part is its row here: rows stay what they are while places change with every compaction.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Any

import numpy as np

from app.model.edits import Before, Change, Content, Drop, Edit, End, Insert, Made, Replace, Stub, Words
from app.model.kinds import Flag, Kind
from app.model.table import Ints
from app.model.view import View
from app.pipeline.catalogue import strategy_named
from app.pipeline.imitate import MOST_TEXTS, Imitated, edits_of, without_nothing
from app.pipeline.replay_session import Context, Session
from app.pipeline.talk import marked, talk_of
from app.presets import Message, Part, Put, Style, Talk, Work


def prepared(session: Session, name: str) -> Iterator[None]:
    """Makes the messages that `told` needs, and pauses on the way."""
    strategy = strategy_named(name)
    if isinstance(strategy, Imitated) and session.plain:
        yield from session.prepare(strategy.preset.style)


def told(session: Session, name: str, params: dict[str, Any]) -> Told | None:
    """For a preset on a session where that can be done; None: it is asked as any strategy is."""
    strategy = strategy_named(name)
    if not isinstance(strategy, Imitated) or not session.plain:
        return None
    _, firsts = session.talk(strategy.preset.style)
    requests = session.requests
    edges = np.concatenate([requests.starts, requests.bounds])
    inside = edges[(edges > 0) & (edges < len(session.view))]
    return Told(session, strategy, params) if np.isin(inside, firsts).all() else None


class Told:
    """What one preset sees, from request to request. `names`: of the calls among the messages, by id; `sizes`: what its counter has found
    of the first messages; `lengths`: how many parts each has."""

    def __init__(self, session: Session, strategy: Imitated, params: dict[str, Any]) -> None:
        self.session, self.strategy, self.params = session, strategy, params
        self.begin(0)

    def begin(self, start: int) -> None:
        """Behind a wall. `start`: the position from which on the transcript's messages are still to come."""
        self.messages: list[Message] = []
        self.lengths: list[int] = []
        self.sizes: list[int] = []
        self.names: dict[str, str] = {}
        self.upto = start

    def change(self, context: Context, bound: int) -> tuple[Change, Work] | None:
        """What the preset does to a context that reaches up to a position; None: nothing."""
        session, preset = self.session, self.strategy.preset
        talk, firsts = session.talk(preset.style)
        first, last = np.searchsorted(firsts, (self.upto, bound))
        known, new = len(self.messages), talk.messages[first:last]
        self.messages += new
        self.lengths += [len(message.parts) for message in new]
        self._name(new)
        self.upto = bound
        if session.numbered is not self:  # another one has numbered them since
            session.numbered, known = self, 0
        self._number(known)
        assert len(talk.head) + sum(self.lengths) == len(context.order), "every row of the list of messages is a part of one"
        work = preset.run(Talk(self.messages, talk.head, self.names, talk.joins, known=True, sizes=self.sizes), self.params)
        if not work:
            return None
        edits = self._edits(context, work)
        return (Change("", f"strategy:{self.strategy.name}", "loses", edits), work) if edits else None

    def _name(self, messages: Sequence[Message]) -> None:
        self.names.update([(part.call_id, part.name) for message in messages if message.calls for part in message.calls if part.call_id])

    def _number(self, known: int) -> None:
        for number in range(known, len(self.messages)):
            self.messages[number].index = number

    # -- edits ----------------------------------------------------------------------------------------------------------------------

    def _edits(self, context: Context, work: Work) -> tuple[Edit, ...]:
        """What was decided, without what changes nothing; `work` is left with the rest."""
        look = self.session.look(context)
        if _is_odd(work):
            place = _places(context)
            placed = without_nothing(self._view(context), look, _moved(work, place))
            order = context.order
            work.texts = {int(order[at]): text for at, text in placed.texts.items()}
            work.inputs = {int(order[at]): value for at, value in placed.inputs.items()}
            return tuple(edits_of(self._view(context), placed)) if placed else ()
        if work.texts:
            self._without_nothing(context, work)
        edits: list[Edit] = []
        if work.dropped:
            gone = np.zeros(len(context.own), bool)
            gone[np.fromiter(work.dropped, np.int64, len(work.dropped))] = True
            edits.append(Drop(context.order[gone[context.order]]))
        alike: dict[Content, list[int]] = {}
        for row, text in work.texts.items():
            if row not in work.dropped:
                alike.setdefault(Stub(text) if row in work.stubs else Words(text), []).append(row)
        edits += [Replace(np.asarray(rows, context.order.dtype), one) for one, rows in alike.items()]
        for put in work.puts:
            edits.append(Insert(Before(put.before) if put.before >= 0 else End(), Made(put.kind, put.role, put.text, -1), False))
        return tuple(edits)

    def _without_nothing(self, context: Context, work: Work) -> None:
        rows = np.fromiter(work.texts, np.int64, len(work.texts))
        same = context.transcript.table.size[rows] == np.fromiter(map(len, work.texts.values()), np.int64, len(rows))
        look = self.session.look(context)
        for row, mark in zip(rows[same].tolist(), context.marks[rows[same]].tolist(), strict=True):
            text = work.texts[row]
            if mark and mark == (hash(Stub(text) if row in work.stubs else Words(text)) or 1):  # the same was put there before
                del work.texts[row]
                continue
            block = look(row)
            if len(block.texts) <= 1 and not block.media and "".join(block.texts) == text:
                del work.texts[row]

    def _view(self, context: Context) -> View:
        view = self.session.view
        return View(context.transcript.with_(order=context.order, start=0), view.groups, view.links)

    # -- what a compaction leaves ---------------------------------------------------------------------------------------------------

    def settle(self, asked: Context, done: Context, work: Work) -> None:
        """The messages that a compaction leaves."""
        if _is_odd(work) or not self._thinned(asked, done, work):
            view = self.session.view_of(done, -1)
            messages = talk_of(view, self.strategy.preset.style, self.session.look(done), self.session.raw).messages
            for message in messages:
                for part in message.parts:
                    part.position = part.row
            self.begin(self.upto)
            self.messages, self.lengths = messages, [len(message.parts) for message in messages]
            self._name(messages)
            self._number(0)
        elif work.texts:
            self._shorten(asked, done, work)

    def _rows(self, context: Context) -> tuple[Ints, Ints, Ints]:
        """Rows of the messages of a context, where each message begins among them, and how many are its."""
        lengths = np.asarray(self.lengths, np.int64)
        ends = np.cumsum(lengths)
        rows = context.order[len(context.order) - int(ends[-1] if len(ends) else 0) :]
        return rows, ends - lengths, lengths

    def _thinned(self, asked: Context, done: Context, work: Work) -> bool:
        """Takes dropped messages out and puts made ones in; False where that is not all there is to do."""
        if not work.dropped and not work.puts:
            return True
        rows, starts, lengths = self._rows(asked)
        gone = np.zeros(len(asked.own), bool)
        gone[np.fromiter(work.dropped, np.int64, len(work.dropped))] = True
        dropped = gone[rows]
        count = np.add.reduceat(dropped, starts, dtype=np.int64) if len(starts) else starts
        parted = np.flatnonzero((count > 0) & (count < lengths))
        out = count == lengths
        if self._may_join(asked, rows, dropped, parted):
            return False
        stays = np.flatnonzero(~out)
        for gap in np.flatnonzero(np.diff(stays) > 1).tolist():
            if _is_result(self.messages[stays[gap]]) and _is_result(self.messages[stays[gap + 1]]):
                return False  # they may be one message now
        before = np.full(len(asked.own) if work.puts else 0, -1, np.int64)
        if work.puts:
            before[rows] = np.repeat(np.arange(len(starts)), lengths)
        calling = bool(self.names) and any(message.calls for message in compress(self.messages, out.tolist()))
        for number in parted.tolist():
            message = self.messages[number]
            calling |= bool(message.calls)
            parts = [part for part in message.parts if part.position not in work.dropped]
            summary, injected = marked(parts)
            self._exchange(number, Message(message.role, parts, number, message.raw, message.time, summary, injected))
        self._keep(stays.tolist(), [(int(before[put.before]) if put.before >= 0 else -1, put) for put in work.puts], asked, done)
        if calling:
            self.names = {}
            self._name(self.messages)
        return True

    def _may_join(self, asked: Context, rows: Ints, dropped: Ints, parted: Ints) -> bool:
        """Whether what is left of a message may stand together with something else now."""
        wire = asked.transcript.table.message[rows]
        gone = np.zeros(int(wire.max(initial=-1)) + 2, bool)
        gone[wire[dropped]] = True
        left = gone[wire] & ~dropped
        if not left.any():
            return False
        if self.strategy.preset.style is Style.TURNS or len(np.unique(wire[left])) != len(parted):
            return True
        whole = [self.messages[number] for number in parted.tolist()]
        held = {part.own_message for message in whole for part in message.parts}
        return len(held) != len(whole) or any(len({part.own_message for part in message.parts}) > 1 for message in whole)

    def _keep(self, stays: list[int], puts: list[tuple[int, Put]], asked: Context, done: Context) -> None:
        """Keeps some of the messages, and those that the preset made, each in front of the number that it names (-1: at the end)."""
        sized = len(self.sizes) == len(self.messages)
        old, sizes, lengths = self.messages, self.sizes, self.lengths
        self.messages, self.sizes, self.lengths = [], [], []
        taken = 0
        for row, (number, put) in enumerate([*puts, (-1, None)], len(asked.transcript.table)):
            upto = bisect_left(stays, number, taken) if number >= 0 else len(stays)
            more, taken = stays[taken:upto], upto
            self.messages += [old[one] for one in more]
            self.lengths += [lengths[one] for one in more]
            self.sizes += [sizes[one] for one in more] if sized else []
            if put is not None:
                message = self._made(row, put, done)
                self.messages.append(message)
                self.lengths.append(1)
                self.sizes += [self.strategy.preset.counter(message)] if sized else []
        self._number(0)

    def _made(self, row: int, put: Put, done: Context) -> Message:
        table, flags = done.transcript.table, int(done.transcript.table.flags[row])
        part = Part(
            position=row, kind=put.kind, size=int(table.size[row]), look=partial(self.session.look(done), row),
            type=table.types[table.type[row]], listed=bool(flags & Flag.CONTENT_LIST), own_message=-2, row=row, flags=flags,
        )  # fmt: skip
        injected = bool(flags & Flag.INJECTED) and not flags & (Flag.PROMPT | Flag.SUMMARY)
        return Message(put.role, [part], summary=bool(flags & Flag.SUMMARY), injected=injected)

    def _shorten(self, asked: Context, done: Context, work: Work) -> None:
        """Puts parts with other texts in the place of those as they were."""
        table, look = done.transcript.table, self.session.look(done)
        rows, starts, _ = self._rows(done)
        changed = np.zeros(len(done.own), bool)
        changed[np.fromiter(work.texts, np.int64, len(work.texts))] = True
        numbers = np.unique(np.searchsorted(starts, np.flatnonzero(changed[rows]), side="right") - 1)
        for number in numbers.tolist():
            message = self.messages[number]
            parts: list[Part] = []
            for part in message.parts:
                row = part.position
                if row in work.texts:
                    flags = int(table.flags[row])
                    part = Part(
                        position=row, kind=part.kind, size=int(table.size[row]), look=partial(look, row), name=part.name,
                        call_id=part.call_id, type=part.type, server=part.server, listed=bool(flags & Flag.CONTENT_LIST),
                        error=bool(flags & Flag.ERROR), signed=part.signed, own_message=part.own_message, row=row, flags=flags,
                    )  # fmt: skip
                parts.append(part)
            self._exchange(number, Message(message.role, parts, number, message.raw, message.time, message.summary, message.injected))

    def _exchange(self, number: int, message: Message) -> None:
        """Another message in the place of one."""
        self.messages[number], self.lengths[number] = message, len(message.parts)
        if number < len(self.sizes):
            self.sizes[number] = self.strategy.preset.counter(message)


def _is_odd(work: Work) -> bool:
    """Whether it is more than rows that go, texts in place of others, and messages put in."""
    more = work.contents or work.inputs or work.joins or work.first
    return bool(more) or len(work.texts) > MOST_TEXTS or not all(map(_is_message, work.puts))


def _places(context: Context) -> Ints:
    """Along the table where each row stands."""
    place = np.full(len(context.own), -1, np.int64)
    place[context.order] = np.arange(len(context.order))
    return place


def _moved(work: Work, place: Ints) -> Work:
    """The same by positions."""

    def at(row: int) -> int:
        return int(place[row]) if row >= 0 else -1

    return Work(
        dropped=set(map(at, work.dropped)),
        texts={at(row): text for row, text in work.texts.items()},
        stubs=set(map(at, work.stubs)),
        contents={at(row): value for row, value in work.contents.items()},
        inputs={at(row): value for row, value in work.inputs.items()},
        puts=[replace(put, before=at(put.before), call=at(put.call), behind=at(put.behind)) for put in work.puts],
        joins=[(at(row), at(other) if other >= 0 else -1 - at(-1 - other)) for row, other in work.joins],
        first=list(map(at, work.first)),
    )


def _is_message(put: Put) -> bool:
    """Whether what a preset puts in is a message of its own, in front of another or at the end."""
    return put.kind == Kind.TEXT and put.call < 0 and put.behind < 0 and not put.join and not put.together


def _is_result(message: Message) -> bool:
    return bool(message.parts) and all(part.is_result for part in message.parts)
