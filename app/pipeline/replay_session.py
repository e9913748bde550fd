"""What all strategies are replayed on: the requests of a session, and what one of them carries, as rows of one table with edits over it.

Texts that a strategy puts in are counted, as long as they are short and few; all others, and results that are cut, go by their characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final

import numpy as np

from app.formats import FORMATS
from app.model.block import Block
from app.model.carry import unsent
from app.model.dump import Dump
from app.model.edits import Cap, Change, Replace, Set
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Provider
from app.model.table import Ints
from app.model.tokens import Tokens
from app.model.transcript import Transcript
from app.model.view import View
from app.pipeline.apply import apply
from app.pipeline.blocks import Blocks
from app.pipeline.requests import Requests, requests_of, weight_of
from app.pipeline.talk import PARTS, Parts, Runs, laid_out, runs_of
from app.pipeline.view import make_view
from app.presets import Message, Part, Style, Talk

LONG: Final = 2_000  # characters of a text that is not counted any more
COUNTED: Final = 3_000  # different texts that are counted
KEPT: Final = 64_000_000  # characters of decoded blocks that are kept while strategies take turns


@dataclass(eq=False)
class Context:
    """What the requests carry at some point: rows in order, with the edits so far. `own`: tokens along the table; `marks`: along the
    table, a number for what an edit put in place of a row's content (0: as it was)."""

    transcript: Transcript
    order: Ints
    own: Ints
    marks: Ints

    def total(self, provider: Provider) -> int:
        return weight_of(self.transcript.table, self.order, self.own, provider)

    def grown(self, rows: Ints) -> Context:
        return replace(self, order=np.concatenate([self.order, rows])) if len(rows) else self


@dataclass(eq=False)
class Session:
    """What all strategies are replayed on. `count`: tokens of one text. `model`: for the check."""

    dump: Dump
    view: View
    provider: Provider
    model: str | None
    counter: str
    count: Callable[[str], int]
    requests: Requests = field(init=False)
    _counts: dict[str, int] = field(default_factory=dict)
    _blocks: dict[tuple[int, int], Block] = field(default_factory=dict)
    _parts: dict[tuple[int, int], Part] = field(default_factory=dict)
    _talks: dict[Style, tuple[Talk, Ints]] = field(default_factory=dict)
    _messages: dict[tuple[Role, int, int], Message] = field(default_factory=dict)
    _runs: Runs | None = None
    numbered: object = None  # who numbered the messages last
    _room: int = KEPT
    _views: dict[tuple[int, int], View] = field(default_factory=dict)

    @property
    def unsent(self) -> bool:
        """Whether the last request is the one to be sent."""
        return unsent(self.dump, self.view)

    def __post_init__(self) -> None:
        self.requests = requests_of(self.view, self.provider)
        self._plain = Blocks(self.dump, self.view.transcript)
        pinned = np.isin(self.view.groups.exchange, list(self.view.pinned))
        self._pinned = self.view.rows[pinned if self.view.held is None else pinned | self.view.held]

    # -- where it begins ------------------------------------------------------------------------------------------------------------

    def begin(self) -> Context:
        """Nothing is carried but what stands beside the list."""
        transcript = self.view.transcript.with_(walls=())
        own: Ints = np.zeros(len(transcript.table), np.int32)
        assert self.view.tokens is not None
        own[self.view.rows] = self.view.tokens
        return Context(transcript, self.requests.head_rows, own, np.zeros(len(own), np.int64))

    def look(self, context: Context) -> Callable[[int], Block]:
        """Decodes rows of a context; a block with the same content once for all strategies, while there is room."""
        marks, transcript = context.marks, context.transcript
        format = FORMATS[transcript.table.format]

        def block(row: int) -> Block:
            mark = int(marks[row])
            if not mark:
                return self._kept((row, 0), lambda: self._plain(row))
            if row in transcript.made:
                return self._kept((row, mark), lambda: format.block(transcript, row, self.dump.source))
            return self._kept((row, mark), lambda: format.edited(self._kept((row, 0), lambda: self._plain(row)), transcript))

        return block

    def _kept(self, key: tuple[int, int], decode: Callable[[], Block]) -> Block:
        found = self._blocks.get(key)
        if found is None:
            found = decode()
            self._room -= sum(map(len, found.texts)) + 500
            if self._room > 0:
                self._blocks[key] = found
        return found

    def view_of(self, context: Context, request: int) -> View:
        """A context as strategies see it. Untouched ones are shared."""
        pristine = not context.marks.any()
        key = (request, len(context.order))
        if pristine and key in self._views:
            return self._views[key]
        transcript = context.transcript.with_(order=context.order, start=0)
        tokens = Tokens(self.counter, context.own, np.ones(len(context.own), bool))
        view = make_view(transcript, tokens, self.provider)
        if len(self._pinned):
            view.held = np.isin(view.rows, self._pinned)
        touched = np.flatnonzero(context.marks)
        view.readings[PARTS] = Parts(self._parts, dict(zip(touched.tolist(), context.marks[touched].tolist(), strict=True)))
        if pristine and len(self._views) < 4:
            self._views[key] = view
        return view

    def counted(self, text: str) -> int:
        """Tokens of a text that a strategy puts in."""
        found = self._counts.get(text)
        if found is None:
            if len(text) > LONG or len(self._counts) >= COUNTED:
                return -(-len(text) * 10 // 38)
            found = self._counts[text] = self.count(text)
        return found

    def raw(self, row: int) -> Any:
        return self._plain.value(int(self.view.transcript.table.record[row]))

    # -- edits ----------------------------------------------------------------------------------------------------------------------

    def applied(self, context: Context, change: Change) -> Context:
        """A change laid over a context, with the tokens of what it made or changed."""
        transcript = context.transcript.with_(order=context.order, start=0)
        after = apply(transcript, [change], self.provider).transcript
        old, new = len(transcript.table), len(after.table)
        own = np.concatenate([context.own, np.zeros(new - old, context.own.dtype)])
        marks = np.concatenate([context.marks, np.ones(new - old, np.int64)])
        for row in range(old, new):
            text = after.made[row].text
            own[row], marks[row] = self.counted(text) if text else 0, hash((text, int(after.made[row].kind))) or 1
        for edit in change.edits:
            if isinstance(edit, Replace):
                rows = edit.rows[edit.rows < old]
                marks[rows] = hash(edit.content) or 1
                own[rows] = _less(transcript, after, own, rows) if isinstance(edit.content, Cap) else self.counted(edit.content.text)
            elif isinstance(edit, Set) and edit.row < old:
                rows = np.asarray([edit.row])
                marks[rows], own[rows] = hash((edit.field, repr(edit.value))) or 1, _less(transcript, after, own, rows)
        return Context(after.with_(walls=()), after.order, own, marks)

    # -- messages for presets -------------------------------------------------------------------------------------------------------

    @property
    def plain(self) -> bool:
        """Whether what presets see of a longer request is what they saw of a shorter one, and more behind it: no id is missing, no message
        lies on both sides of a request, nothing in the list is a system's, nothing is pinned."""
        key = ("replay", "plain")
        if key not in self.view.readings:
            view, table = self.view, self.view.transcript.table
            tied = (view.kind == Kind.TOOL_CALL) | (view.kind == Kind.TOOL_RESULT)
            unnamed = tied & ((view.key < 0) | ((view.flags & Flag.ID_ABSENT) != 0))
            system = view.in_messages & ((view.role == Role.SYSTEM) | (view.role == Role.DEVELOPER))
            parted = bool(self.requests.spanning) or table.item is not None
            self.view.readings[key] = not (parted or len(self._pinned) or unnamed.any() or system.any())
        found: bool = self.view.readings[key]
        return found

    def talk(self, style: Style) -> tuple[Talk, Ints]:
        """The whole transcript as a preset sees it, and the position of each message's first row."""
        for _ in self.prepare(style):
            pass
        return self._talks[style]

    def prepare(self, style: Style) -> Iterator[None]:
        """Makes what `talk` gives, and pauses on the way."""
        if style in self._talks:
            return
        view = self.view
        everything = View(view.transcript.with_(start=0), view.groups, view.links)
        everything.readings[PARTS] = Parts(self._parts, {})
        if self._runs is None:
            self._runs = runs_of(everything, self.look(self.begin()))
            for part in chain(self._runs[0], *[run.parts for run in self._runs[1]]):
                part.position = part.row  # places change with every compaction
            yield
        found = yield from laid_out(everything, self._runs, style, self.raw, self._messages)
        firsts = np.asarray([message.parts[0].row for message in found.messages], np.int64)
        self._talks[style] = found, everything.positions(firsts).astype(np.int64)


def _less(before: Transcript, after: Transcript, own: Ints, rows: Ints) -> Ints:
    """Tokens of rows that became shorter, by their characters."""
    was = np.maximum(before.table.size[rows].astype(np.int64), 1)
    return np.maximum(1, own[rows].astype(np.int64) * after.table.size[rows] // was)
