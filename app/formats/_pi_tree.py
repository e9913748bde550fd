"""The tree of a pi session: what its entries continue, and what a compaction leaves of a line of talk.

Source: badlogic/pi-mono packages/coding-agent/src/core/session-manager.ts (`buildSessionContext`, `migrateV1ToV2`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app.formats._chains import ROOT, Tree

ENTRIES: Final = frozenset({"compaction", "branch_summary", "custom_message"})
"""Entries that stand for a message themselves."""


@dataclass(eq=False)
class Entries:
    """What the tree is made of, record by record. `walls`: compactions, with the record that they keep first (-1 none)."""

    tree: Tree = field(default_factory=Tree)
    walls: dict[int, int] = field(default_factory=dict)
    linear: bool = False  # the session at hand is of version 1: a list
    parsed: list[int] = field(default_factory=list)  # records of the session at hand, as `firstKeptEntryIndex` counts them
    ids: dict[str, int] = field(default_factory=dict)

    def add(self, record: int, value: Any) -> None:
        """The next record."""
        if not isinstance(value, dict):
            self.tree.beside()
            return
        if value.get("type") == "session":
            self.tree.session()
            self.tree.beside()
            self.linear = not isinstance(value.get("version"), int) or value["version"] < 2
            self.parsed, self.ids = [record], {}
            return
        self.parsed.append(record)
        if self.linear:
            self.tree.entry(None, None)
        else:
            id, parent = value.get("id"), value.get("parentId", "")
            if isinstance(id, str):
                self.ids[id] = record
            self.tree.entry(id, ROOT if parent is None else parent)
        if value.get("type") == "compaction":
            self.walls[record] = self._kept(value)

    def _kept(self, value: dict[str, Any]) -> int:
        number, id = value.get("firstKeptEntryIndex"), value.get("firstKeptEntryId")
        if self.linear and isinstance(number, int) and not isinstance(number, bool) and 0 < number < len(self.parsed):
            return self.parsed[number]
        return self.ids.get(id, -1) if isinstance(id, str) else -1


def parted(records: Sequence[int], walls: dict[int, int]) -> tuple[list[int], list[int]]:
    """A line as the model sees it: what it sees no more, and what is sent."""
    at = next((i for i in range(len(records) - 1, -1, -1) if records[i] in walls), -1)
    if at < 0:
        return [], list(records)
    first = walls[records[at]]
    kept_from = records.index(first) if first in records[:at] else at
    kept = [record for record in records[kept_from:at] if record not in walls]
    gone = [record for i, record in enumerate(records[:at]) if i < kept_from or record in walls]
    return gone, [records[at], *kept, *records[at + 1 :]]
