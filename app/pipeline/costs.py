"""Cost of carry: which blocks, and which tools, filled the requests of a transcript, and what is to be said of the large ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from app.model.block import Block
from app.model.carry import bounds, carried, overhead, unsent, walls
from app.model.costs import BlockCost, Costs, Note, ToolCost
from app.model.dump import Dump
from app.model.kinds import Kind, Role
from app.model.table import Ints
from app.model.view import View
from app.pipeline.blocks import Blocks
from app.pipeline.cost_notes import LEAST, TRACE, notes, says_cut
from app.pipeline.facts import telling

TOP: Final = 500  # blocks that are listed
LOOKED: Final = 2_000  # results that are looked into for notes, the dearest first
CALL: Final = 100_000  # characters of arguments that are read for their words
HEAD: Final = 160  # characters of a block's words
PIECE: Final = 400_000  # characters between two looks at whether anybody waits


def costs(
    dump: Dump, view: View, counter: str, exact: bool, top: int = TOP, progress: Callable[[float], None] = lambda fraction: None
) -> Generator[None, None, Costs]:
    """Costs of a counted view; comes back between any two pieces of work of some 50 ms."""
    assert view.tokens is not None
    tokens, times = view.tokens.astype(np.int64), carried(view)
    total, over = tokens * times, overhead(view) * times
    whole = int(total.sum() + over.sum())
    tools = tool_names(view)
    by = np.lexsort((np.arange(len(view)), -tokens, -total))
    listed = by[(tokens[by] > 0)][:top]
    results = np.flatnonzero((view.kind == Kind.TOOL_RESULT) & (view.size >= min(LEAST, TRACE)))
    looked = results[np.lexsort((results, -tokens[results], -total[results]))][:LOOKED]
    told = _Told(view, tools)
    spots = np.union1d(listed, looked)
    block = Blocks(dump, view.transcript)
    heads, wanted = dict[int, str](), set(listed.tolist())
    read, size = 0, max(1, int(view.size[spots].sum()))
    for at in spots.tolist():
        one = block(int(view.rows[at]))
        if view.kind[at] == Kind.TOOL_RESULT:
            told.look(at, one)
        if at in wanted:
            heads[at] = _head(view, at, one, block)
        before, read = read, read + int(view.size[at])
        if read // PIECE != before // PIECE:
            progress(read / size)
            yield
    told.finish()
    told.evicted()
    share = 1 / whole if whole else 0.0
    rows, figures = view.rows[listed].tolist(), zip(tokens[listed].tolist(), times[listed].tolist(), total[listed].tolist(), strict=True)
    lines = tuple(
        BlockCost(row, _kind(view, at), tools[at], heads[at], own, often, all_, all_ * share, tuple(told.notes.get(at, ())))
        for at, row, (own, often, all_) in zip(listed.tolist(), rows, figures, strict=True)
    )
    counts = Counter[str](note.kind for found in told.notes.values() for note in found)
    return Costs(
        lines, _tools(view, tools, tokens, total, share, told), int((tokens > 0).sum()), len(bounds(view)[1]), whole, int(over.sum()),
        int(tokens.sum()), counter, exact, dict(counts), len(looked), len(results), unsent(dump, view),
    )  # fmt: skip


def tool_names(view: View) -> list[str]:
    """For each position the tool that a call, a result or a definition is of; "" elsewhere. A result takes the name of its call."""
    names, table = view.name, view.transcript.table
    number = names.copy()
    partner = view.links.partner
    lent = (view.kind == Kind.TOOL_RESULT) & (partner >= 0)
    number[lent] = names[partner[lent]]
    of = (view.kind == Kind.TOOL_CALL) | (view.kind == Kind.TOOL_RESULT) | (view.kind == Kind.TOOLS)
    return [table.names[n] if there and n >= 0 else "" for n, there in zip(number.tolist(), of.tolist(), strict=True)]


@dataclass(eq=False)
class _Told:
    """Notes by position."""

    view: View
    tools: list[str]
    notes: dict[int, list[Note]] = field(default_factory=dict)
    _said: dict[tuple[str, int, int], list[int]] = field(default_factory=dict)  # tool, hash of the text, part between compactions: where
    _long: dict[tuple[str, int], dict[int, int]] = field(default_factory=dict)  # tool and length: where, and a hash of the text

    @cached_property
    def bounds(self) -> Ints:
        return walls(self.view)

    def look(self, at: int, block: Block) -> None:
        found = notes(block)
        if found:
            self.notes[at] = found
        text = block.text
        tool = self.tools[at]
        if len(text) >= TRACE:
            part = int(np.searchsorted(self.bounds, at, "right"))
            self._said.setdefault((tool, hash(text), part), []).append(at)
        if len(text) >= 2_000 and text[-1:].isalnum() and not says_cut(text):
            self._long.setdefault((tool, len(text)), {})[at] = hash(text)

    def finish(self) -> None:
        """What is only seen beside others: the same answer again, and several that end at one length."""
        for spots in self._said.values():
            for at in spots[1:]:
                place = self._place(spots[0])
                self._add(at, Note("asked-again", f"says the same as the result in {place}: one of them would do"))
        for (_, size), found in self._long.items():
            if len(set(found.values())) < 2:
                continue
            for at in found:
                if not any(note.kind == "silent-cut" for note in self.notes.get(at, ())):
                    words = f"{len(found):,} results of this tool end after exactly {size:,} characters, and nothing says so"
                    self._add(at, Note("silent-cut", words))

    def evicted(self) -> None:
        """Calls that were made before a recorded compaction and again behind it: what they brought was gone."""
        view, bounds = self.view, self.bounds
        table = view.transcript.table
        if not len(bounds) or table.arguments is None:
            return
        known = np.flatnonzero(view.calls & (view.rows < (int(table.calls[-1]) + 1 if len(table.calls) else 0)))
        spots = np.searchsorted(table.calls, view.rows[known])
        part = np.searchsorted(bounds, known, "right")
        first: dict[tuple[int, int], int] = {}
        for at, name, arguments, here in zip(
            known.tolist(), view.name[known].tolist(), table.arguments[spots].tolist(), part.tolist(), strict=True
        ):
            before = first.setdefault((name, arguments), at)
            result = int(view.links.partner[at])
            if result >= 0 and int(np.searchsorted(bounds, before, "right")) < here:
                words = f"asked for in {self._place(before)} as well, before a compaction took what it said"
                if not any(note.kind == "asked-again" for note in self.notes.get(result, ())):
                    self._add(result, Note("asked-again", words))

    def _add(self, at: int, note: Note) -> None:
        self.notes.setdefault(at, []).append(note)

    def _place(self, at: int) -> str:
        groups = self.view.groups
        exchange, step = int(groups.exchange[at]), int(groups.step[at])
        return groups.step_label(step) if step >= 0 else groups.label(exchange) if exchange >= 0 else "the same transcript"


def _kind(view: View, at: int) -> str:
    if view.kind[at] == Kind.TEXT and view.role[at] == Role.USER:
        return "prompt"
    return Kind(int(view.kind[at])).word


def _head(view: View, at: int, block: Block, look: Blocks) -> str:
    """The first words of a block; of a result, what was asked for."""
    if block.kind == Kind.TOOL_RESULT and view.links.partner[at] >= 0:
        block = look(int(view.rows[view.links.partner[at]]))
    text = telling(block.text) if block.kind == Kind.TOOL_CALL and len(block.text) <= CALL else block.text
    return " ".join(text[: 4 * HEAD].split())[:HEAD]


def _tools(view: View, tools: list[str], tokens: Ints, total: Ints, share: float, told: _Told) -> tuple[ToolCost, ...]:
    names = sorted({name for name in tools if name})
    number = {name: i for i, name in enumerate(names)}
    which = np.array([number.get(name, -1) for name in tools], np.int64)
    of = (which >= 0) & (view.kind != Kind.TOOLS)
    calls = np.bincount(which[of & (view.kind == Kind.TOOL_CALL)], minlength=len(names))
    own = np.bincount(which[of], tokens[of], minlength=len(names)).astype(np.int64)
    all_ = np.bincount(which[of], total[of], minlength=len(names)).astype(np.int64)
    noted = Counter(tools[at] for at in told.notes)
    found = [
        ToolCost(name, int(calls[i]), int(own[i]), int(all_[i]), int(all_[i]) * share, noted.get(name, 0))
        for i, name in enumerate(names) if own[i] or calls[i]
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda one: (-one.carried, -one.tokens, one.tool)))
