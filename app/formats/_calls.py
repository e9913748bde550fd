"""Logs of LLM calls: spans, generations, captured traffic. Each call repeats what was said before it, and adds to it.

A call is the messages that were sent and then those that came back. A call whose messages begin with all those of an earlier one goes on
with it, and together they are one conversation; a copy of what was said stands in no record. Where a later call leaves out what the
earlier one answered, or two go on from the same one, it is a branch: it shares the rows before and counts what it adds.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np

from app.formats import _deep, _met
from app.formats._call_heads import add_head, head_block
from app.formats._call_keys import fits, key_of, same_answer, unnamed
from app.formats._call_places import Kept, list_of
from app.formats._call_requests import RequestNotes
from app.formats._columns import ROW, Columns
from app.formats._format import Format
from app.formats._growing import Grown, Said, node_at, placed
from app.formats._iso_times import seconds
from app.formats._json import NotJson, compact
from app.formats._nodes import Node
from app.formats._payload import Found
from app.formats._runs import untouched
from app.formats._usage import add_usage
from app.formats._wires import NATIVE, NEEDS_OBJECT, WIRES
from app.formats._writing import Writing
from app.model.block import Block
from app.model.dump import Dump
from app.model.errors import ChangedError, InspectorError
from app.model.findings import Mode
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.table import RecordKind, Shown, Table
from app.model.transcript import Refusal, Transcript

MOST: Final = 30_000  # conversations of a file: records number their owner in 16 bits

_RIVALS: Final = 50  # calls that sent the same, the latest, among which the one is looked for that a call goes on from


@dataclass
class Call:
    """`id` and `title` name the conversation that it begins; `time`: ISO 8601 or seconds since 1970; `refusal`: a provider's error,
    status (None: not told) and words; `record`: of the span or entry that it stands in."""

    id: str
    title: str = ""
    time: Any = None
    sent: Found = field(default_factory=Found)
    came: Found = field(default_factory=Found)
    refusal: tuple[int | None, str] | None = None
    record: int = -1
    model: str | None = None
    subagent: bool = False


@dataclass(eq=False)
class _Line:
    """A conversation while it is read: its rows, and the last call of it. `mine`: rows of records that it counts itself."""

    id: str
    title: str
    number: int
    rows: list[int] = field(default_factory=list)
    model: str | None = None
    requests: int = 0
    refusals: list[Refusal] = field(default_factory=list)
    forks_from: str | None = None
    shared: int = 0
    tip: _State | None = None
    messages: int = 0
    heads: int = 0
    head_key: int = 0
    subagent: bool = False


@dataclass(eq=False)
class _State:
    """What stood when a call was sent: the rows up to its messages, and the keys of what came back."""

    line: _Line
    rows: int
    records: int
    refusals: int
    came: list[tuple[Any, ...]]


class _Told(NamedTuple):
    """Of each message of a call what it says (see `key_of`), a hash of this and of all before it, and a number for it alone."""

    keys: list[tuple[Any, ...]]
    chains: list[int]
    prints: array[int]


class CallSheet:
    """What a format fills in while it reads a log of calls."""

    def __init__(self, format: str, source: Source, writable: bool = False) -> None:
        self.source, self.columns, self._writable = source, Columns(format), writable
        self.whys: list[str] = []
        self._lines: list[_Line] = []
        self._paths: list[tuple[str | int, ...]] = []
        self._wires: list[str] = []
        self._pointers: dict[int, str] = {}
        self._stamps: dict[int, Any] = {}
        self._states: dict[int, list[_State]] = {}
        self._answers: dict[str, _State] = {}
        self._ids: dict[str, int] = {}
        self._messages = 0
        self._counted: dict[str, int] = {}
        self._left = 0
        self._known: dict[tuple[str, int, int], tuple[Any, ...]] = {}
        self._replaced: set[int] = set()  # records that a better copy stands for
        self._notes = RequestNotes()
        self._kept: list[Kept] = []
        _met.forget()

    # -- records ------------------------------------------------------------------------------------------------------------------

    def item(self, node: Node, place: int, kind: RecordKind = RecordKind.META, time: Any = None) -> int:
        """A span, an entry, a line: a record that is not shown by itself."""
        shown = Shown.UNPARSED if kind == RecordKind.UNPARSED else Shown.HIDDEN
        return self._record(node.start, node.length, place, node.pointer, (), "", kind, shown, -1, time, None)

    def unparsed(self, offset: int, length: int, place: int) -> int:
        """A line that is no JSON."""
        return self._record(offset, length, place, f"/{place}", (), "", RecordKind.UNPARSED, Shown.UNPARSED, -1, None, None)

    def _record(
        self, offset: int, length: int, place: int, pointer: str, path: tuple[str | int, ...], wire: str, kind: RecordKind, shown: Shown,
        owner: int, time: Any, model: str | None,
    ) -> int:  # fmt: skip
        columns = self.columns
        record = columns.record(
            offset=offset, length=length, place=place, kind=kind, shown=shown, model=columns.model_of(model), owner=owner
        )  # fmt: skip
        self._paths.append(path)
        self._wires.append(wire)
        self._pointers[record] = pointer
        if time is not None:
            self._stamps[record] = time
        return record

    # -- calls --------------------------------------------------------------------------------------------------------------------

    def add(self, call: Call) -> None:
        """A call, the next in order of time."""
        sent, came = call.sent.messages, placed(call.came.messages)
        if not sent and not came and call.refusal is None:
            return
        if len(self._lines) >= MOST:
            self._left += 1
            return
        told = self._told(sent)
        keys = told.keys
        replies = [key_of(said, self._known) for said in came]
        if keys and replies[: len(keys)] == keys:  # what came back repeats what was sent
            came, replies = came[len(keys) :], replies[len(keys) :]
        count = len(self._lines)
        line, begin = self._place(call, told)
        model = call.came.model or call.model or call.sent.model
        line.model = model or line.model
        line.requests += 1
        for number in range(begin, len(sent)):
            self._say(line, node_at(sent, number), sent[number].wire, call, None)
        state = _State(line, len(line.rows), line.messages, len(line.refusals), [key for key in replies if key])
        if sent:
            begun = len(self._lines) > count
            self._notes.note(line.number, begun, call.record, len(line.rows), sent, told.prints, _head_key(call), call.refusal)
        if call.refusal is not None:
            after = line.rows[-1] if line.rows else -1
            line.refusals.append(Refusal(call.record, after, *call.refusal))
        first, record = self._messages, self.columns.record_count
        for said in came:
            self._say(line, said.node, said.wire, call, model)
        replied = tuple(range(record, self.columns.record_count))
        self._kept.append(Kept(line.number, call.record, state.rows, sent[0].wire if sent else "", list_of(sent), replied))
        if self._messages > first and call.came.usage is not None:
            add_usage(self.columns, self._messages - 1, call.came.usage)
        line.tip = state
        if any(keys):
            self._states.setdefault(told.chains[-1], []).append(state)
        if call.came.id:
            self._answers[call.came.id] = state

    def refuse(self, asked: int, record: int, status: int | None, words: str) -> None:
        """What was asked in a record was refused, as a later one says."""
        found = self._notes.refuse(asked, status)
        if found is not None:
            line = self._lines[found.transcript]
            line.refusals.append(Refusal(record, line.rows[found.rows - 1] if found.rows else -1, status, words))

    def _told(self, sent: list[Said]) -> _Told:
        """What the messages of a call say, each by itself and all up to it."""
        known = sent.met if isinstance(sent, Grown) else None
        told = _Told([], [], array("q")) if known is None else _Told(known.keys, known.chains, known.prints)
        if known is not None and len(sent) > len(known.values):  # something was said behind the list
            told = _Told(known.keys[:], known.chains[:], known.prints[:])
        chain = told.chains[-1] if told.chains else 0
        for said in sent[len(told.keys) :]:
            key = key_of(said, self._known)
            chain = hash((chain, key)) if key else chain
            told.keys.append(key)
            told.chains.append(chain)
            told.prints.append(hash(key) if key else hash(compact(said.node.value)))
        return told

    def _place(self, call: Call, told: _Told) -> tuple[_Line, int]:
        """The conversation of a call, and which of its messages is the first new one."""
        before = self._answers.get(call.sent.previous) if call.sent.previous else None
        if before is not None and before is before.line.tip:
            return before.line, 0
        found, at = self._before(told)
        if found is None:
            return self._begin(call), 0
        copied = same_answer(found.came, told.keys[at:])
        if copied is not None and found is found.line.tip:
            if unnamed(found.came):  # the log left out the ids of calls, and the copy has them
                self._replaced.update(self._record_of(row) for row in found.line.rows[found.rows :])
                found.line.rows = found.line.rows[: found.rows]
                return found.line, at
            if not copied and len(found.line.rows) > found.rows:  # nothing but reasoning came back, and it is sent again
                copied = next((number for number, key in enumerate(told.keys[at:]) if key), 0)
            return found.line, at + copied
        return self._branch(call, found), at

    def _before(self, told: _Told) -> tuple[_State | None, int]:
        """The latest call that sent the most of these messages, all that it sent, and how many these are."""
        for number in range(len(told.keys) - 1, -1, -1):
            held = self._states.get(told.chains[number]) if told.keys[number] else None
            if held:
                behind = told.keys[number + 1 :]
                return max(reversed(held[-_RIVALS:]), key=lambda state: self._fit(state, behind)), number + 1
        return None, 0

    @staticmethod
    def _fit(state: _State, following: list[tuple[Any, ...]]) -> tuple[int, int]:
        """Which of the calls that sent the same is gone on from: the one whose answer follows, then the one that is still the last."""
        return fits(state.came, following), int(state is state.line.tip)

    def _record_of(self, row: int) -> int:
        return int.from_bytes(self.columns.rows[row * ROW.size : row * ROW.size + 4], "little", signed=True)

    def _begin(self, call: Call) -> _Line:
        line = self._line(call)
        key, owner = _head_key(call), line.number
        for kind, nodes in ((Kind.SYSTEM, call.sent.system), (Kind.TOOLS, call.sent.tools)):
            for place, node in enumerate(nodes):
                record = self._record(
                    node.start, node.length, place, node.pointer, node.path, "", RecordKind.HEAD, Shown.HIDDEN, owner, None, None
                )  # fmt: skip
                line.rows.append(add_head(self.columns, record, kind, node.value))
        line.heads, line.head_key = len(line.rows), key
        return line

    def _branch(self, call: Call, state: _State) -> _Line:
        """A call that goes on from what an earlier one had sent, but not from what that had become."""
        if _head_key(call) != state.line.head_key:  # it was sent with others
            line = self._begin(call)
            line.rows += state.line.rows[state.line.heads : state.rows]
        else:
            line = self._line(call)
            line.rows = state.line.rows[: state.rows]
            line.heads, line.head_key = state.line.heads, state.line.head_key
        line.forks_from, line.shared, line.messages = state.line.id, state.records, state.records
        line.refusals = state.line.refusals[: state.refusals]
        return line

    def _line(self, call: Call) -> _Line:
        seen = self._ids.get(call.id, 0)
        self._ids[call.id] = seen + 1
        line = _Line(call.id if not seen else f"{call.id}-{seen + 1}", call.title, len(self._lines), subagent=call.subagent)
        self._lines.append(line)
        return line

    def _say(self, line: _Line, node: Node, wire: str, call: Call, model: str | None) -> None:
        """A message as a record of a conversation."""
        columns = self.columns
        if wire in NEEDS_OBJECT and not isinstance(node.value, dict):
            wire = "said-user"
        record = self._record(
            node.start, node.length, line.messages, node.pointer, node.path, wire, RecordKind.MESSAGE, Shown.SHOWN, line.number, call.time,
            model,
        )  # fmt: skip
        first = columns.row_count
        self._messages += WIRES[wire].add_message(columns, record, self._messages, node.value, True) or 1
        line.rows.extend(range(first, columns.row_count))
        line.messages += 1
        self._counted[wire] = self._counted.get(wire, 0) + 1

    # -- the dump -----------------------------------------------------------------------------------------------------------------

    def dump(self, complete: bool = True, mode: Mode | None = None) -> Dump:
        """The dump; the first refused conversation is opened, else the one of most requests."""
        _deep.clear()
        _met.forget()
        if self._left:
            self.whys.append(f"{self._left:,} further calls are not shown: more than {MOST:,} conversations stand in the file")
        wire = max(self._counted, key=lambda word: self._counted[word], default="chat")
        table = self.columns.table(
            pointers=self._pointers, extra={"paths": self._paths, "wires": self._wires}, joins=WIRES[wire].joins,
            args_text=WIRES[wire].args_text, results_named=wire.startswith("gemini"), wire=NATIVE.get(wire, ""),
            answers=Role.USER if wire.startswith("gemini") else None,
        )  # fmt: skip
        if self._writable:
            table.extra["calls"] = self._kept
        table.records.time = self._times(len(table.records))
        if self._replaced:
            shown = table.records.shown.copy()
            shown[sorted(self._replaced)] = Shown.HIDDEN
            table.records.shown = shown
        transcripts = [
            Transcript(
                table, np.asarray(line.rows, np.int32), id=line.id, title=self._title(line), index=index, model=line.model,
                refusals=tuple(line.refusals), forks_from=line.forks_from, shared_records=line.shared, subagent=line.subagent,
            )
            for index, line in enumerate(self._lines)
        ]  # fmt: skip
        opened = max(range(len(self._lines)), key=lambda i: self._weight(i), default=0)
        return Dump(
            self.source, self.columns.format, table, transcripts, opened=opened, whys=self.whys, complete=complete, mode=mode,
            requests=tuple(self._notes.requests),
        )  # fmt: skip

    def _weight(self, index: int) -> tuple[int, ...]:
        line = self._lines[index]
        refused = bool(line.refusals) and not (line.forks_from and line.requests == 0)
        return (int(refused), 0 if refused else line.requests, 0 if refused else line.messages, -index)

    @staticmethod
    def _title(line: _Line) -> str:
        count = f"{line.requests} request{'s' if line.requests != 1 else ''}"
        return f"{line.title} · {count}" if line.title else count

    def _times(self, count: int) -> Any:
        times = np.full(count, np.nan)
        if self._stamps:
            stamps = list(self._stamps.values())
            found = seconds(stamps)
            for at, stamp in enumerate(stamps):
                if isinstance(stamp, int | float) and not isinstance(stamp, bool) and abs(stamp) < 1e12:
                    found[at] = stamp
            times[list(self._stamps)] = found
        return times


def _head_key(call: Call) -> int:
    """System texts and tools of a call as a number, to tell whether another call had the same."""
    return hash(tuple(compact(node.value) for nodes in (call.sent.system, call.sent.tools) for node in nodes))


class CallLog(Format):
    """Base of the formats of such logs. Most are read and never written: they are evidence, with sizes, costs and hashes of what was sent.
    Those that are (`writable`) keep what they need of their calls: see `_call_write.py`."""

    provider = "openai-chat"
    mode = "prefix"
    writable = False

    def value(self, table: Table, source: Source, record: int) -> Any:
        data = source.read(int(table.records.offset[record]), int(table.records.length[record]))
        if table.records.kind[record] == RecordKind.UNPARSED:
            return data
        try:
            return _deep.deep(data, table.extra["paths"][record])
        except NotJson:
            raise ChangedError(f"{source.name}: the file has changed since it was read; open it again") from None

    def blocks(self, table: Table, record: int, value: Any, first: int) -> Sequence[Block]:
        pointer = table.pointer(record)
        if table.records.kind[record] == RecordKind.HEAD:
            return [head_block(value, Kind(int(table.kind[first])), first, record, pointer)]
        wire = table.extra["wires"][record]
        if not wire or value is None:
            text = compact(value) if not isinstance(value, bytes) else value.decode("utf-8", "replace")
            return [Block(first, Kind.OTHER, "(no message)", Role.OTHER, (text,), pointer=pointer, record=record, value=value)]
        exact = not table.extra["paths"][record]
        blocks = WIRES[wire].message_blocks(value, first, record, pointer)
        return blocks if exact else [replace(block, pointer=pointer) for block in blocks]  # no place of its own in the file

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        if any(not untouched(b, t) for b, t in zip(dump.transcripts, transcripts, strict=True)):
            if self.writable:
                from app.formats._call_write import CallWriter  # it needs the formats of the wires

                return CallWriter(dump, transcripts).plan()
            instead = "export the messages of this transcript as a request instead"
            raise InspectorError(f"{dump.source.name}: {self.name} is read and never written here; {instead}")
        writing = Writing(dump.source)
        writing.copy(0, dump.source.size)
        writing.tally.same = sum(dump.records.values())
        return writing
