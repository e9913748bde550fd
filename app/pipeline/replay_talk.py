"""A preset in a replay: it sees messages, and those that it left alone are the same ones when it is asked again.

Making a conversation of a context costs more than what most presets do with it. So the messages of the whole transcript are made once
for all presets, a request appends some of them, and a compaction takes some away or shortens some; only where it puts messages in, or
parts one, they are made anew, of the little that it left.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import compress, islice
from typing import Any

import numpy as np

from app.model.edits import Change
from app.model.kinds import Flag, Kind
from app.model.view import View
from app.pipeline.catalogue import strategy_named
from app.pipeline.imitate import Imitated, edits_of, without_nothing
from app.pipeline.replay_session import Context, Session
from app.pipeline.talk import talk_of
from app.presets import Message, Part, Put, Talk, Work


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
    """What one preset sees, from request to request. `names`: of the calls among the messages, by id; `placed`: how many of the messages
    know where their rows stand, and behind which position; `starts`: those of their first rows."""

    def __init__(self, session: Session, strategy: Imitated, params: dict[str, Any]) -> None:
        self.session, self.strategy, self.params = session, strategy, params
        self.begin(0)

    def begin(self, start: int) -> None:
        """Behind a wall. `start`: the position from which on the transcript's messages are still to come."""
        self.messages: list[Message] = []
        self.names: dict[str, str] = {}
        self.upto, self.placed = start, (0, 0)
        self.starts: list[int] = []

    def change(self, context: Context, bound: int) -> tuple[Change, Work] | None:
        """What the preset does to a context that reaches up to a position; None: nothing."""
        session, preset = self.session, self.strategy.preset
        talk, firsts = session.talk(preset.style)
        first, last = np.searchsorted(firsts, (self.upto, bound))
        self._append(talk.messages[first:last])
        self.upto = bound
        self._place(talk.head, len(context.order))
        work = preset.run(Talk(self.messages, talk.head, self.names, talk.joins, known=True), self.params)
        if not work:
            return None
        view = View(context.transcript.with_(order=context.order, start=0), session.view.groups, session.view.links)
        work = without_nothing(view, session.look(context), work)
        edits = tuple(edits_of(view, work)) if work else ()
        return (Change("", f"strategy:{self.strategy.name}", "loses", edits), work) if edits else None

    def _append(self, messages: Sequence[Message]) -> None:
        self.messages.extend(messages)
        self.names.update({part.call_id: part.name for message in messages for part in message.calls if part.call_id})

    def _set(self, messages: list[Message], names: dict[str, str] | None = None) -> None:
        """Other messages than before; the names of the calls among them, where they are known."""
        self.begin(self.upto)
        if names is None:
            self._append(messages)
        else:
            self.messages, self.names = messages, names

    def _place(self, head: Sequence[Part], rows: int) -> None:
        """Says of each message its number and of each part where its row stands now."""
        for position, part in enumerate(head):
            part.position = position
        done, position = self.placed
        position = position or len(head)
        del self.starts[done:]
        for number, message in enumerate(islice(self.messages, done, None), done):
            message.index = number
            self.starts.append(position)
            for part in message.parts:
                part.position = position
                position += 1
        self.placed = len(self.messages), position
        assert position == rows, "every row of the list of messages is a part of one"

    def settle(self, asked: Context, done: Context, work: Work) -> None:
        """The messages that a compaction leaves."""
        odd = work.contents or work.inputs or work.joins or work.first or not all(map(_is_message, work.puts))
        if odd or not self._thinned(asked, done, work):
            view = self.session.view_of(done, -1)
            style = self.strategy.preset.style
            self._set(talk_of(view, style, self.session.look(done), self.session.raw).messages)
        elif work.texts:
            self._shorten(asked, done, work)

    def _thinned(self, asked: Context, done: Context, work: Work) -> bool:
        """Takes dropped messages out and puts made ones in; False where that is not all there is to do."""
        if not work.dropped and not work.puts:
            return True
        if work.puts and work.texts:
            return False
        dropped = np.zeros(len(asked.order), bool)
        dropped[list(work.dropped)] = True
        starts = np.asarray(self.starts, np.int64)
        count = np.add.reduceat(dropped, starts, dtype=np.int64) if len(starts) else starts
        out = count > 0
        if (count[out] != np.diff(starts, append=len(dropped))[out]).any():
            return False
        wire = asked.transcript.table.message[asked.order]
        gone = np.zeros(int(wire.max(initial=-1)) + 2, bool)
        gone[wire[dropped]] = True
        if (gone[wire] & ~dropped).any():
            return False  # what is left of a message may stand together now
        stays = np.flatnonzero(~out)
        for gap in np.flatnonzero(np.diff(stays) > 1).tolist():
            if _is_result(self.messages[stays[gap]]) and _is_result(self.messages[stays[gap + 1]]):
                return False  # they may be one message now
        calling = any(message.calls for message in compress(self.messages, out.tolist()))
        kept = list(compress(self.messages, (~out).tolist()))
        if work.puts:
            kept = self._put(kept, starts[stays].tolist(), asked, done, work)
        self._set(kept, None if calling else self.names)
        return True

    def _put(self, kept: list[Message], places: list[int], asked: Context, done: Context, work: Work) -> list[Message]:
        """With the messages that the preset made, each in front of what it names. `places`: where those stand that are kept."""
        table, look = done.transcript.table, self.session.look(done)
        found: list[Message] = []
        taken = 0
        for row, put in enumerate(work.puts, len(asked.transcript.table)):
            flags = int(table.flags[row])
            part = Part(
                position=-1, kind=put.kind, size=int(table.size[row]), look=partial(look, row), type=table.types[table.type[row]],
                listed=bool(flags & Flag.CONTENT_LIST), own_message=-2,
            )  # fmt: skip
            injected = bool(flags & Flag.INJECTED) and not flags & (Flag.PROMPT | Flag.SUMMARY)
            message = Message(put.role, [part], summary=bool(flags & Flag.SUMMARY), injected=injected)
            at = bisect_left(places, put.before, taken) if put.before >= 0 else len(kept)
            found += kept[taken:at]
            found.append(message)
            taken = at
        return found + kept[taken:]

    def _shorten(self, asked: Context, done: Context, work: Work) -> None:
        """Puts parts with other texts in the place of those as they were."""
        table, look = done.transcript.table, self.session.look(done)
        if work.dropped:
            touched = [number for number, m in enumerate(self.messages) if any(part.position in work.texts for part in m.parts)]
        else:
            touched = sorted({bisect_right(self.starts, position) - 1 for position in work.texts})
        for number in touched:
            message = self.messages[number]
            parts: list[Part] = []
            for part in message.parts:
                if part.position in work.texts:
                    row = int(asked.order[part.position])
                    flags = int(table.flags[row])
                    part = Part(
                        position=part.position, kind=part.kind, size=int(table.size[row]), look=partial(look, row), name=part.name,
                        call_id=part.call_id, type=part.type, server=part.server, listed=bool(flags & Flag.CONTENT_LIST),
                        error=bool(flags & Flag.ERROR), signed=part.signed, own_message=part.own_message,
                    )  # fmt: skip
                parts.append(part)
            self.messages[number] = Message(message.role, parts, number, message.raw, message.time, message.summary, message.injected)


def _is_message(put: Put) -> bool:
    """Whether what a preset puts in is a message of its own, in front of another or at the end."""
    return put.kind == Kind.TEXT and put.call < 0 and put.behind < 0 and not put.join and not put.together


def _is_result(message: Message) -> bool:
    return bool(message.parts) and all(part.is_result for part in message.parts)
