"""What a person pinned: exchanges, steps, blocks, tools, the first prompt, and sets of rows that are worth protecting.

A pin is held by a row, so that it stays with it whatever an edit does to numbers; a row that an edit dropped pins nothing. Which rows that
comes to is found by app/pipeline/pins.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from app.model.table import Ints

Unit = Literal["exchange", "step", "block"]


@dataclass(frozen=True)
class Protection:
    """One entry of what is offered as a set: rows that long sessions are worse without."""

    name: str
    title: str
    why: str


PROTECTIONS: Final = (
    Protection("system", "System and developer messages", "strategies keep them, presets often do not"),
    Protection("first-prompt", "The first prompt", "the task as it was given"),
    Protection("last-prompt", "The last prompt", "what is being answered now; presets may drop it"),
    Protection("last-result", "The last tool result", "nobody has read it yet; presets may drop it"),
    Protection("memory-tools", "Skill, ask, plan and memory tools", "loaded, asked or planned on purpose"),
    Protection("errors", "Results that tell of an error", "what was tried and failed is tried again once it is forgotten"),
    Protection("small", "Results under 47 bytes", "a note in their place would be no shorter"),
    Protection("edited-files", "The last read of files that were edited later", "the edit is made on what that read showed"),
    Protection("constraints", "What the person demanded", "prompts that set a rule: must, never, do not, always, only"),
)
"""The list is the one that long-running agents have come to by themselves: system, first and last turn, fresh and small results, errors."""

PROTECTION_NAMES: Final = tuple(entry.name for entry in PROTECTIONS)


@dataclass(frozen=True)
class Pins:
    """Rows hold pins: `exchanges` and `steps` one of theirs, `blocks` themselves. `tools`: all results of a tool by its name. `prompt`: the
    first prompt. `protected`: names of PROTECTIONS that are on."""

    exchanges: frozenset[int] = frozenset()
    steps: frozenset[int] = frozenset()
    blocks: frozenset[int] = frozenset()
    tools: frozenset[str] = frozenset()
    prompt: bool = False
    protected: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.exchanges or self.steps or self.blocks or self.tools or self.prompt or self.protected)

    @property
    def count(self) -> int:
        """Pins that were set one by one."""
        return len(self.exchanges) + len(self.steps) + len(self.blocks) + len(self.tools) + self.prompt

    def with_row(self, unit: Unit, row: int, on: bool) -> Pins:
        held: frozenset[int] = getattr(self, f"{unit}s")
        more: dict[str, Any] = {f"{unit}s": held | {row} if on else held - {row}}
        return replace(self, **more)

    def with_tool(self, name: str, on: bool) -> Pins:
        return replace(self, tools=self.tools | {name} if on else self.tools - {name})

    def with_blocks(self, rows: frozenset[int]) -> Pins:
        return replace(self, blocks=self.blocks | rows)

    def with_protection(self, name: str, on: bool) -> Pins:
        return replace(self, protected=self.protected | {name} if on else self.protected - {name})

    def united(self, other: Pins) -> Pins:
        return Pins(
            self.exchanges | other.exchanges, self.steps | other.steps, self.blocks | other.blocks, self.tools | other.tools,
            self.prompt or other.prompt, self.protected | other.protected,
        )  # fmt: skip

    def with_all_protected(self, on: bool) -> Pins:
        return replace(self, protected=frozenset(PROTECTION_NAMES) if on else frozenset())


@dataclass(frozen=True, eq=False)
class Held:
    """What pins come to in one order of rows: the pinned exchanges by index, a mask over positions of all pinned rows (partners aside),
    and how many rows each protection that is on holds."""

    exchanges: frozenset[int]
    rows: Ints | None
    counts: Mapping[str, int]

    @staticmethod
    def nothing() -> Held:
        return Held(frozenset(), None, {})

    @property
    def many(self) -> int:
        return int(np.count_nonzero(self.rows)) if self.rows is not None else 0


@dataclass(frozen=True)
class Aside:
    """Pins that lie beside a dump: what they come to in it, and what of them was not found there any more."""

    path: str
    pins: Mapping[str, Pins]  # by transcript id
    missing: int = 0

    @property
    def count(self) -> int:
        return sum(pins.count + bool(pins.protected) for pins in self.pins.values())
