"""What a rule may look at while it puts findings into words: the reading, decoded blocks, and where a missing partner may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from app.model.block import Block
from app.model.edits import Change, Edit, Effect
from app.model.findings import Severity
from app.model.kinds import Flag, Kind
from app.model.pairs import nth
from app.model.provider import Defect, Reading
from app.model.table import Ints
from app.model.transcript import Transcript

Look = Callable[[int], Block]
STRAYS = (Defect.RESULT_ORPHAN, Defect.RESULT_ID_MISMATCH)


class Scene:
    """A reading with what is looked up for several findings. `look` decodes a row; None where there is no source to read from.
    `siblings`: the other transcripts of the dump."""

    def __init__(
        self, reading: Reading, look: Look | None = None, siblings: Sequence[Transcript] = (), values: Callable[[int], Any] | None = None
    ) -> None:
        self.reading, self.view, self.siblings = reading, reading.view, siblings
        self.transcript: Transcript = reading.view.transcript
        self.table = self.transcript.table
        self._look = look
        self._values = values
        self._blocks: dict[int, Block] = {}
        self._renames: dict[int, dict[int, int]] = {}
        self.kept: dict[Any, Any] = {}  # what a rule made for one finding and takes for others

    # -- rows ---------------------------------------------------------------------------------------------------------------

    def block(self, position: int) -> Block | None:
        """The decoded block at a position; None where there is no source."""
        return self.block_of(int(self.view.rows[position]))

    def block_of(self, row: int) -> Block | None:
        if self._look is None:
            return None
        if row not in self._blocks:
            self._blocks[row] = self._look(row)
        return self._blocks[row]

    def value(self, record: int) -> Any:
        """A record of the file as it was parsed; None where there is no source."""
        return None if self._values is None else self._values(record)

    def pointer(self, position: int) -> str:
        """JSON pointer of a block; of its message where the block cannot be looked at."""
        return self.pointer_of(int(self.view.rows[position]))

    def pointer_of(self, row: int) -> str:
        made = self.transcript.made.get(row)
        if made is not None and made.call >= 0:
            return self.pointer_of(made.call)
        table = self.table
        record = int(table.record[row])
        if table.calls_at and record >= 0 and table.kind[row] == Kind.TOOL_CALL:
            return f"{table.pointer(record)}{table.calls_at}{table.part[row]}"
        block = self.block_of(row)
        if block is not None and block.pointer is not None:
            return block.pointer
        return self.table.pointer(record) if record >= 0 else ""

    def message_pointer(self, position: int) -> str:
        """JSON pointer of the message (or line) that a block stands in; of one before it where an edit made the message."""
        for at in (position, *range(position - 1, max(-1, position - 50), -1)):
            record = int(self.table.record[self.view.rows[at]])
            if record >= 0:
                return self.table.pointer(record)
        return ""

    def call_id(self, position: int) -> str | None:
        return self.table.ids.text(int(self.view.key[position]))

    def name(self, position: int) -> str:
        number = int(self.view.name[position])
        return self.table.names[number] if number >= 0 else ""

    def type(self, position: int) -> str:
        return self.table.types[int(self.view.type[position])]

    # -- messages and turns ---------------------------------------------------------------------------------------------------

    def message_of(self, position: int) -> Ints:
        """Positions of the blocks of a message that would be sent, in order."""
        reading = self.reading
        turn = reading.of_turn(int(reading.turn[position]))
        return turn[reading.wire_message[turn] == reading.wire_message[position]]

    @cached_property
    def refused_in(self) -> dict[int, int]:
        """Of each turn behind a row of which a refusal is recorded the number of the first one."""
        found: dict[int, int] = {}
        for number, refusal in enumerate(self.transcript.refusals):
            at = self.view.at(refusal.after)
            if at >= 0 and self.reading.turn[at] >= 0:
                found.setdefault(int(self.reading.turn[at]), number)
        return found

    @cached_property
    def on_wire(self) -> Ints:
        """For each position its index in the list that would be sent, -1 where it is not."""
        wire = self.reading.wire
        found = np.full(len(self.view), -1, np.int64)
        found[wire] = np.arange(len(wire))
        return found

    @cached_property
    def call_runs(self) -> tuple[Ints, Ints]:
        """Runs of the client's calls with nothing between them: first and last index of each in the list that would be sent."""
        calls = np.concatenate([[False], self.view.calls[self.reading.wire], [False]])
        return np.flatnonzero(calls[1:] & ~calls[:-1]), np.flatnonzero(calls[:-1] & ~calls[1:]) - 1

    def turn_pointer(self, turn: int) -> str:
        rows = self.reading.of_turn(turn)
        return self.message_pointer(int(rows[0])) if len(rows) else ""

    # -- partners -------------------------------------------------------------------------------------------------------------

    @cached_property
    def open_calls(self) -> Ints:
        """Mask over positions: calls of the client that nothing answers, pending ones too."""
        reading = self.reading
        aside = (reading.defect == Defect.CALL_ID_DUPLICATE) | (reading.defect == Defect.ROLE_MISMATCH)
        return self.view.calls & reading.sent & (reading.partner < 0) & ~aside

    @cached_property
    def strays(self) -> Ints:
        """Mask over positions: results that answer nothing, though they have an id."""
        return np.isin(self.reading.defect, STRAYS) & self.view.results

    @cached_property
    def _results(self) -> tuple[Ints, Ints]:
        """Keys of the client's results that would be sent, sorted, and their positions."""
        found = np.flatnonzero(self.view.results & self.reading.sent & (self.view.key >= 0))
        by = np.argsort(self.view.key[found], kind="stable")
        return self.view.key[found][by], found[by]

    def results_of(self, key: int) -> Ints:
        """Positions of the client's results with an id, in order."""
        keys, positions = self._results
        return positions[np.searchsorted(keys, key) : np.searchsorted(keys, key, side="right")]

    @cached_property
    def _waiting(self) -> dict[int, int]:
        found = np.flatnonzero(self.open_calls & (self.view.key >= 0))
        return dict(zip(self.view.key[found].tolist(), found.tolist(), strict=True))

    def waiting(self, key: int) -> int:
        """Position of the last open call with an id, -1 where none waits."""
        return self._waiting.get(key, -1)

    @cached_property
    def homes(self) -> dict[int, int]:
        """Open calls and stray results of one id, which stand the wrong way round: position to position, both ways."""
        named = (self.view.key >= 0) & ((self.view.flags & Flag.ID_EMPTY) == 0)
        calls, results = np.flatnonzero(self.open_calls & named), np.flatnonzero(self.strays & named)
        found, _ = nth(self.view.key[calls], self.view.key[results])
        pairs: dict[int, int] = {}
        for call, index in zip(calls[found >= 0].tolist(), found[found >= 0].tolist(), strict=True):
            pairs[call] = int(results[index])
            pairs[pairs[call]] = call
        return pairs

    def renames(self, turn: int) -> dict[int, int]:
        """Open calls of a turn and results of the turn behind it that belong together under other ids, both ways: one of each, or as
        many results without an id as calls are open."""
        if turn not in self._renames:
            self._renames[turn] = self._renamed(turn)
        return self._renames[turn]

    def _renamed(self, turn: int) -> dict[int, int]:
        reading = self.reading
        calls = [int(at) for at in reading.of_turn(turn) if self.open_calls[at] and int(at) not in self.homes]
        behind = reading.of_turn(turn + 1)
        nameless = (reading.defect[behind] == Defect.RESULT_ID_MISSING) & (reading.partner[behind] < 0)
        strays = [int(at) for at in behind[self.strays[behind] | nameless] if int(at) not in self.homes]
        if not calls or len(calls) != len(strays) or (len(calls) > 1 and nameless.sum() != len(strays)):
            return {}
        return dict(zip([*calls, *strays], [*strays, *calls], strict=True))

    # -- what is in the file and not in the transcript ----------------------------------------------------------------------------

    @cached_property
    def _absent(self) -> tuple[Ints, Ints]:
        """Keys of the calls and results that are not live, sorted, and their rows."""
        table = self.table
        live = np.zeros(len(table), bool)
        live[self.transcript.order] = True
        kinds = (table.kind == Kind.TOOL_CALL) | (table.kind == Kind.TOOL_RESULT)
        rows = np.flatnonzero(~live & kinds & (table.key >= 0))
        by = np.argsort(table.key[rows], kind="stable")
        return table.key[rows][by], rows[by]

    def absent(self, key: int, kind: Kind) -> int:
        """A call or result with this id that the file has and the transcript does not, -1 where there is none."""
        keys, rows = self._absent
        if key < 0:
            return -1
        found = rows[np.searchsorted(keys, key) : np.searchsorted(keys, key, side="right")]
        found = found[self.table.kind[found] == kind]
        return int(found[0]) if len(found) else -1

    def kin(self, row: int) -> Transcript | None:
        """The branch that holds a row which this transcript does not: its parent, a child of it, or another child of its parent."""
        record = int(self.table.record[row])
        owner = int(self.table.records.owner[record]) if record >= 0 else -1
        mine = self.transcript
        for other in self.siblings:
            if other.index == owner and owner != mine.index:
                same = other.forks_from is not None and other.forks_from in (mine.id, mine.forks_from)
                return other if same or mine.forks_from == other.id else None
        return None


@dataclass(frozen=True, eq=False)
class Site:
    """Where one finding of a rule is."""

    scene: Scene
    rule: str
    position: int
    detail: int
    severity: Severity

    @property
    def reading(self) -> Reading:
        return self.scene.reading

    @property
    def row(self) -> int:
        return int(self.scene.view.rows[self.position]) if self.position >= 0 else -1

    @property
    def turn(self) -> int:
        return int(self.reading.turn[self.position])

    @property
    def defect(self) -> Defect:
        return Defect(int(self.reading.defect[self.position]))

    @property
    def flags(self) -> int:
        return int(self.scene.view.flags[self.position])

    @property
    def kind(self) -> Kind:
        return Kind(int(self.scene.view.kind[self.position]))

    @property
    def id(self) -> str | None:
        return self.scene.call_id(self.position)

    @property
    def ids(self) -> tuple[str, ...]:
        return () if self.id is None else (self.id,)

    @property
    def partner(self) -> int:
        """Position of the partner as the provider pairs, -1 where there is none."""
        return int(self.reading.partner[self.position])

    @property
    def block(self) -> Block | None:
        return self.scene.block(self.position)

    def row_of(self, position: int) -> int:
        return int(self.scene.view.rows[position])

    def change(self, title: str, effect: Effect, *edits: Edit, note: str = "") -> Change:
        return Change(title, f"rule:{self.rule}", effect, edits, note)
