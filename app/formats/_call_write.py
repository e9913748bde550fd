"""An edited log of calls written: what was edited is edited alike in every request that carries it.

A log repeats a message in each request from the one that said it first. A conversation of it is edited as one, so a message that is
dropped or changed is dropped or changed in all of them; opened again they are one conversation as before. Items that carry nothing of what
was edited are copied, and so is all of an item but the list of its messages. An answer is changed where it stands; one that something
follows which no later request carries goes into the list of its own request, and `null` stands in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from app.formats._call_places import Kept
from app.formats._json import NotJson, loads
from app.formats._paths import Path, bytes_at, spliced
from app.formats._runs import untouched
from app.formats._scan import Malformed, Torn
from app.formats._transplant import paired, print_of, transplanted
from app.formats._writing import Writing
from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.source import Source
from app.model.table import RecordKind
from app.model.transcript import Transcript

_FORMATS: Final = {
    "anthropic": "anthropic-messages", "anthropic-answer": "anthropic-messages", "chat": "openai-chat", "chat-answer": "openai-chat",
    "responses": "openai-responses", "gemini": "gemini", "gemini-answer": "gemini", "bedrock": "bedrock-converse",
    "langchain": "langchain-messages", "model-message": "vercel-model-messages",
}  # fmt: skip
"""Formats that write the messages of a wire."""
_MEMBERS: Final = {"messages", "contents", "input"}
"""Members under which a request has its list."""


class CallWriter:
    """Lays the edits of all conversations over the items of a log."""

    def __init__(self, dump: Dump, transcripts: Sequence[Transcript]) -> None:
        self.dump, self.table, self.source = dump, dump.table, dump.source
        self.pairs = list(zip(dump.transcripts, transcripts, strict=True))
        self.calls: list[Kept] = self.table.extra["calls"]
        self.writing = Writing(dump.source)
        self._new: dict[int, bytes] = {}  # items that are written anew
        self._known: dict[int, tuple[int, int]] = {}
        self._answers = set[int]()  # records of those that went into lists

    def plan(self) -> Writing:
        last = {call.line: number for number, call in enumerate(self.calls)}
        for line, (base, edited) in enumerate(self.pairs):
            if untouched(base, edited):
                continue
            first = _first_edit(base, edited)
            for number, call in enumerate(self.calls):
                if call.line == line and (call.rows >= first or call.came or number == last[line]):
                    self._call(call, base, edited, first, number == last[line])
        self._write()
        return self.writing

    # -- one call -----------------------------------------------------------------------------------------------------------------

    def _call(self, call: Kept, base: Transcript, edited: Transcript, first: int, last: bool) -> None:
        replies = self._rows_of(call.came)
        spot = self._cut(call, base, edited, last)
        foreign = list[int]()
        if last and replies:
            behind = edited.order.tolist()[spot:]
            if any(row not in replies and not self._joined(edited, row, replies) for row in behind) or edited.moved & set(behind):
                spot = len(edited.order)
        rows = edited.order[:spot].tolist()
        sent = set(base.order[: call.rows].tolist())
        foreign = [row for row in rows if row < len(self.table) and row not in sent]
        if call.held is not None and (call.rows >= first or foreign or spot == len(edited.order) or (last and edited.request)):
            self._request(call, base, edited, rows, foreign, last)
        gone = set(foreign)
        if replies and self._answer_changes(edited, replies, gone):
            self._answer(call, edited, replies, gone)
        if replies and gone & set(replies):
            self._answers.update(self.table.record[sorted(gone & set(replies))].tolist())

    def _cut(self, call: Kept, base: Transcript, edited: Transcript, last: bool) -> int:
        """So many rows of the edited order stand in the request: those before the first that it had not and that stands where it stood."""
        later = {row for row in base.order[call.rows :].tolist() if row not in edited.moved}
        order = edited.order.tolist()
        spot = next((at for at, row in enumerate(order) if row in later), len(order))
        message = edited.table.message
        while 0 < spot < len(order) and message[order[spot]] >= 0 and message[order[spot - 1]] == message[order[spot]]:
            spot -= 1
        return spot

    def _joined(self, edited: Transcript, row: int, replies: list[int]) -> bool:
        """Whether a row that an edit made stands in a message that came back."""
        return row >= len(self.table) and edited.table.message[row] in self.table.message[replies]

    def _request(self, call: Kept, base: Transcript, edited: Transcript, rows: list[int], foreign: list[int], last: bool) -> None:
        assert call.held is not None
        way = self._way(call, *call.held)
        heads = self.table.records.kind[self.table.record[base.order[: call.rows]]] == RecordKind.HEAD
        beside = base.order[: call.rows][heads]
        live = set(rows)
        touched = edited.touched()
        asked = edited.request if last else {}
        whole = bool(asked) or any(row in touched or row not in live for row in beside.tolist())
        whole = whole or (bool(way) and isinstance(self._value(call, way), str))
        if whole and way and way[-1] in _MEMBERS:
            way = way[:-1]
        data = self._bytes(call, way)
        if foreign:
            data = self._with(data, foreign, whole)
        sub = self._read(call.wire, data)
        extra = len(sub.table) if not foreign else self._own_rows(sub, foreign)
        of = self._pairs(base.order[: call.rows].tolist(), sub, 0, extra)
        of.update(self._pairs(foreign, sub, extra, len(sub.table)))
        new = transplanted(self.table, edited, self._here(rows, of), sub, of, extra).with_(request=asked)
        if foreign or not untouched(sub.transcripts[0], new):
            self._put(call, way, self._written(sub, new))

    def _here(self, rows: list[int], of: dict[int, int]) -> list[int]:
        """`rows` without those that an edit made behind what this request does not carry: they stand where that stands."""
        found, inside = list[int](), True
        for row in rows:
            if row < len(self.table) and self.table.message[row] >= 0:
                inside = row in of
            if inside:
                found.append(row)
        return found

    def _answer_changes(self, edited: Transcript, replies: list[int], gone: set[int]) -> bool:
        live, touched = set(edited.order.tolist()), edited.touched()
        if any(row not in live or row in touched or row in gone for row in replies):
            return True
        return bool((edited.table.role[replies] != self.table.role[replies]).any()) or any(
            self._joined(edited, row, replies) for row in edited.made if row in live
        )

    def _answer(self, call: Kept, edited: Transcript, replies: list[int], gone: set[int]) -> None:
        """An answer changed where it stands; what went elsewhere is taken out of it."""
        order = [row for row in edited.order.tolist() if row not in gone and (row in replies or self._joined(edited, row, replies))]
        ways = [self._way(call, self.table.pointer(record), self.table.extra["paths"][record]) for record in call.came]
        wires = self.table.extra["wires"]
        if len({way[:-1] for way in ways}) == 1 and isinstance(ways[0][-1] if ways[0] else None, int):
            self._answer_at(call, edited, replies, order, ways[0][:-1], wires[call.came[0]])
            return
        for record, way in zip(call.came, ways, strict=True):
            mine = [row for row in replies if self.table.record[row] == record]
            here = [row for row in order if row in mine or self._joined(edited, row, mine)]
            self._answer_at(call, edited, mine, here, way, wires[record])

    def _answer_at(self, call: Kept, edited: Transcript, mine: list[int], order: list[int], way: Path, wire: str) -> None:
        data = self._bytes(call, way)
        alone = data[:1] != b"["
        if alone and not order:
            self._put(call, way, b"null")
            return
        sub = self._read(wire, b"[" + data + b"]" if alone else data)
        of = self._pairs(mine, sub, 0, len(sub.table))
        new = transplanted(self.table, edited, order, sub, of, len(sub.table))
        if untouched(sub.transcripts[0], new):
            return
        out = self._written(sub, new)
        if alone:
            if len(loads(out)) != 1:
                raise InspectorError(f"{self.source.name}: what this edit makes of an answer would be several messages; the log holds one")
            out = out.strip()[1:-1].strip()
        self._put(call, way, out)

    # -- documents inside of items ------------------------------------------------------------------------------------------------

    def _read(self, wire: str, data: bytes) -> Dump:
        from app.formats import FORMATS

        name = _FORMATS.get(wire)
        if name is None:
            raise InspectorError(f"{self.source.name}: messages of this kind ({wire or 'none'}) are read and never written inside a log")
        return FORMATS[name].parse(Source.of(data, self.source.name))

    def _written(self, sub: Dump, new: Transcript) -> bytes:
        from app.formats import FORMATS

        writing = FORMATS[sub.format].write_plan(sub, [new, *sub.transcripts[1:]])
        self.writing.tally.notes += [(None, said) for _, said in writing.tally.notes if (None, said) not in self.writing.tally.notes]
        return b"".join(writing.chunks())

    def _pairs(self, rows: list[int], sub: Dump, start: int, stop: int) -> dict[int, int]:
        from app.formats import FORMATS

        missing = [row for row in rows if row not in self._known]
        for row, block in zip(missing, FORMATS[self.dump.format].each_block(self.table, self.source, missing), strict=True):
            self._known[row] = print_of(block), int(block.kind)
        theirs = [row for row in sub.transcripts[0].order.tolist() if start <= row < stop]
        blocks = list(FORMATS[sub.format].each_block(sub.table, sub.source, theirs))
        mine = [self._known[row] for row in rows]
        return paired(rows, [one for one, _ in mine], [kind for _, kind in mine], theirs, list(map(print_of, blocks)),
                      [int(block.kind) for block in blocks])  # fmt: skip

    def _with(self, data: bytes, foreign: list[int], whole: bool) -> bytes:
        """A list, or the request that holds it, with the messages of some rows behind its own."""
        items = [self._message(record) for record in dict.fromkeys(self.table.record[foreign].tolist())]
        way: Path = ()
        if whole and data[:1] == b"{":
            way = (next(key for key in loads(data) if key in _MEMBERS),)
        held = bytes_at(data, way)
        inner = held.rstrip()[:-1].rstrip()
        return spliced(data, way, inner + (b"," if inner != b"[" else b"") + b",".join(items) + b"]")

    def _message(self, record: int) -> bytes:
        """A message that came back as one that is sent."""
        records = self.table.records
        data = bytes_at(self.source.read(int(records.offset[record]), int(records.length[record])), self.table.extra["paths"][record])
        if self.table.extra["wires"][record] == "anthropic-answer":
            return b'{"role":"assistant","content":' + bytes_at(data, ("content",)) + b"}"
        return data

    def _own_rows(self, sub: Dump, foreign: list[int]) -> int:
        """So many rows of a document are those of its own messages: the messages that were put behind them are read by themselves."""
        count = len({int(record) for record in self.table.record[foreign]})
        messages = sub.table.message[sub.table.message >= 0]
        first = np.unique(messages)[-count:]
        return int(np.flatnonzero(sub.table.message == first[0])[0]) if len(first) == count else len(sub.table)

    # -- items --------------------------------------------------------------------------------------------------------------------

    def _rows_of(self, records: Sequence[int]) -> list[int]:
        found = list[int]()
        for record in records:
            start, stop = np.searchsorted(self.table.record, [record, record + 1])
            found += range(int(start), int(stop))
        return found

    def _item(self, call: Kept) -> bytes:
        found = self._new.get(call.record)
        if found is None:
            found = self.source.read(int(self.table.records.offset[call.record]), int(self.table.records.length[call.record]))
        return found

    def _way(self, call: Kept, pointer: str, path: Path) -> Path:
        """A place in the file as a path from its item."""
        value: Any = loads(self._item(call))
        found: list[str | int] = []
        for token in pointer[len(self.table.pointer(call.record)) :].split("/")[1:]:
            key: str | int = int(token) if isinstance(value, list) else token.replace("~1", "/").replace("~0", "~")
            value = value[key] if value is not None else None  # type: ignore[index]
            found.append(key)
        return (*found, *path)

    def _value(self, call: Kept, way: Path) -> Any:
        try:
            return loads(self._bytes(call, way))
        except NotJson:
            return None

    def _bytes(self, call: Kept, way: Path) -> bytes:
        try:
            return bytes_at(self._item(call), way)
        except (KeyError, Torn, Malformed):
            raise InspectorError(
                f"{self.source.name}: an edit touches an answer that was recorded as a stream of events; those are read and never written"
            ) from None

    def _put(self, call: Kept, way: Path, data: bytes) -> None:
        self._new[call.record] = spliced(self._item(call), way, data)

    # -- bytes --------------------------------------------------------------------------------------------------------------------

    def _write(self) -> None:
        records, writing = self.table.records, self.writing
        at = 0
        for record in sorted(self._new, key=lambda record: int(records.offset[record])):
            start, length = int(records.offset[record]), int(records.length[record])
            writing.copy(at, start - at)
            writing.put(self._new[record])
            at = start + length
        writing.copy(at, self.source.size - at)
        self._count()

    def _count(self) -> None:
        tally, table = self.writing.tally, self.table
        live, touched, held = np.zeros(len(table), bool), np.zeros(len(table), bool), np.zeros(len(table), bool)
        for base, edited in self.pairs:
            held[base.order] = True
            live[edited.order[edited.order < len(table)]] = True
            touched[[row for row in edited.touched() | edited.moved if row < len(table)]] = True
            tally.inserted += len({int(edited.table.message[row]) for row in edited.made})
        listed = table.records.kind != RecordKind.HEAD
        gone = np.zeros(len(table.records), bool)
        gone[table.record[held]] = True
        gone[table.record[live]] = False
        changed = np.zeros(len(table.records), bool)
        changed[table.record[(touched & live) | (held & ~live)]] = True
        changed[[*self._new, *self._answers]] = True
        tally.dropped = int((gone & listed).sum())
        tally.changed = int((changed & ~gone & listed).sum())
        tally.same = int(listed.sum()) - tally.dropped - tally.changed
        if len(self._new) > 1:
            tally.notes.append((None, f"{len(self._new):,} entries of the log carry what was edited; it was edited in each of them"))
        if self._answers:
            tally.notes.append((None, "the answer that something follows now stands in the list of its request, and null in its place"))


def _first_edit(base: Transcript, edited: Transcript) -> int:
    """The first place along the order at which an edit did anything."""
    count = min(len(base.order), len(edited.order))
    differs = np.flatnonzero(base.order[:count] != edited.order[:count])
    first = int(differs[0]) if len(differs) else count
    touched = np.zeros(len(edited.table), bool)
    touched[list(edited.touched() | edited.moved)] = True
    size = len(base.table)
    touched[:size] |= (edited.table.role[:size] != base.table.role) | (edited.table.message[:size] != base.table.message)
    found = np.flatnonzero(touched[edited.order])
    return min(first, int(found[0])) if len(found) else first
