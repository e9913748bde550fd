"""How the lines of a Claude Code session hang together, for whoever writes it: read again from the file, forgotten with the export."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from app.formats._claude_forks import Fork
from app.formats._claude_read import Lines, read
from app.formats._claude_rows import hash_of
from app.formats._claude_tree import Tree, plant
from app.formats._json import NotJson, loads
from app.model.dump import Dump
from app.model.errors import ChangedError
from app.model.table import Ints


class Shape:
    """`lines` and `tree` as they were read, and the words of single records. Records are numbered as in the table."""

    def __init__(self, dump: Dump) -> None:
        self.dump, self.table, self.source = dump, dump.table, dump.source
        self.lines: Lines = read(dump.source)
        self.tree: Tree = plant(self.lines)
        if len(self.lines) != len(self.table.records) or len(self.tree.lines) > len(dump.transcripts):
            raise ChangedError(f"{dump.source.name}: the file is no longer what was read; open it again before exporting from it")
        self._held: dict[int, dict[str, Any]] = {}
        self.renamed: dict[int, str] = {}  # records that get another uuid

    def __len__(self) -> int:
        return len(self.lines)

    # -- words of a record ----------------------------------------------------------------------------------------------------

    def value(self, record: int) -> dict[str, Any]:
        """A record as it was parsed; empty where it is no object."""
        if record not in self._held:
            records = self.table.records
            try:
                value = loads(self.source.read(int(records.offset[record]), int(records.length[record])))
            except NotJson:
                value = None
            if len(self._held) > 64:
                self._held.clear()
            self._held[record] = value if isinstance(value, dict) else {}
        return self._held[record]

    def uuid(self, record: int) -> str | None:
        """The uuid under which a record will be found."""
        if record in self.renamed:
            return self.renamed[record]
        uuid = self.value(record).get("uuid") if self.lines.uuid[record] else None
        return uuid if isinstance(uuid, str) else None

    def told(self, record: int) -> str | None:
        """The uuid that a record hangs on, as it says itself, whether or not the file has it; a wall: the one that it follows."""
        found = self.value(record).get("logicalParentUuid" if self.follows(record) else "parentUuid")
        return found if isinstance(found, str) and found else None

    def follows(self, record: int) -> bool:
        """Whether a record is a wall that hangs on nothing but what it follows."""
        return record in self.lines.boundaries and not self.lines.parent[record]

    # -- records ----------------------------------------------------------------------------------------------------------------

    @cached_property
    def _by_uuid(self) -> tuple[Ints, Ints]:
        by = np.argsort(self.lines.uuid, kind="stable")
        return self.lines.uuid[by], by

    def bearer(self, uuid: int, before: int) -> int:
        """The last record before one that bears a uuid (its hash), whatever session it is of; -1."""
        if not uuid:
            return -1
        uuids, by = self._by_uuid
        found = by[np.searchsorted(uuids, uuid) : np.searchsorted(uuids, uuid, side="right")]
        found = found[: int(np.searchsorted(found, before))]
        return int(found[-1]) if len(found) else -1

    def bearer_of(self, uuid: Any, before: int | None = None) -> int:
        return self.bearer(hash_of(uuid), len(self) if before is None else before)

    def parent(self, record: int) -> int:
        """The record that a record hangs on; -1 where the file does not have it."""
        found = int(self.tree.parent[record])
        if found >= 0:
            return found
        boundary = self.lines.boundaries.get(record) if self.follows(record) else None
        return self.bearer(boundary.logical if boundary is not None else int(self.lines.parent[record]), record)

    @cached_property
    def first_row(self) -> Ints:
        count = self.lines.count.astype(np.int64)
        return np.cumsum(count) - count

    # -- forks and heads ----------------------------------------------------------------------------------------------------------

    @cached_property
    def fork_of(self) -> dict[int, Fork]:
        """Each record that begins a branch, with its fork."""
        return {start: fork for fork in self.tree.forks for start in fork.starts}

    @cached_property
    def prompts(self) -> set[int]:
        """The prompts of all forks."""
        return {prompt for fork in self.tree.forks for prompt in fork.prompts}

    @cached_property
    def ways(self) -> set[int]:
        """Records on the way from what begins a branch to its prompt, both included."""
        found: set[int] = set()
        for fork in self.tree.forks:
            for start, prompt in zip(fork.starts, fork.prompts, strict=True):
                at = prompt
                while at >= 0:
                    found.add(at)
                    at = int(self.tree.above[at]) if at != start else -1
        return found

    @cached_property
    def heads(self) -> set[int]:
        """Records that give a branch or a subagent's conversation its name."""
        named = [line for line in self.tree.lines if (line.parent >= 0 and not line.session) or line.side]
        return {line.head for line in named if not self.lines.groups[line.group][2]}
