"""Where a Claude Code session forks: prompts that hang on one record, the branches that they begin, and which of them goes on.

A fork is a branch only where two messages that a person typed (or two summaries) hang on the same record: a rewind. Records that hold no
such message stand *between* a prompt and what it hangs on. A message that an edit took out of the file may have left its line behind
(`GONE`): that line begins what the message began.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.formats._claude_read import Lines
from app.formats._claude_rows import BOUNDARY, GONE, INJECTED, NODE, PROMPT, SUMMARY
from app.model.table import Ints

BETWEEN: Final = (NODE, INJECTED, BOUNDARY)  # between a prompt and what it hangs on
BEGINS: Final = (PROMPT, SUMMARY, GONE)
MOST: Final = 2_000  # conversations that are told apart
MOST_RECORDS: Final = 40_000_000  # ... and records along all of them


@dataclass(frozen=True)
class Fork:
    """`anchor`: the record that the prompts hang on; -1 where it is not in the file and nothing stands before them. `starts`: for each
    prompt the record that begins its branch. `main`: index of the prompt that goes on with what stands before the fork."""

    anchor: int
    prompts: tuple[int, ...]
    starts: tuple[int, ...]
    main: int = -1

    @property
    def first(self) -> int:
        """The first record of the file that begins a branch here: what the branches share stands before it."""
        return min(self.starts)

    @property
    def beside(self) -> int:
        """A record of the conversation that the branches leave."""
        return self.anchor if self.anchor >= 0 else self.starts[self.main]


def find_forks(lines: Lines, within: Ints, above: Ints, named: Ints) -> tuple[list[Fork], bool]:
    """The forks, not yet with their main prompts; and whether there were too many to be told apart (then none are). What prompts name
    that is not in the file is entered in `above`."""
    found = _forks(lines, within, above, named) + _forks_above(lines, within, above, named)
    prompts = [prompt for _, some in found for prompt in some]
    if len(prompts) > MOST or sum(prompts) > MOST_RECORDS:
        return [], True
    starts = _starts(lines, above, prompts) if prompts else {}
    return [Fork(anchor, tuple(some), tuple(starts[prompt] for prompt in some)) for anchor, some in found], False


def _forks(lines: Lines, within: Ints, above: Ints, named: Ints) -> list[tuple[int, list[int]]]:
    """Records on which several prompts hang, with those prompts in the order of the file."""
    prompts = np.flatnonzero(within & named & np.isin(lines.what, BEGINS))
    held = above[prompts]
    between = np.isin(lines.what, BETWEEN)
    anchors: dict[int, int] = {}  # of records between a prompt and what it hangs on

    def anchor(record: int) -> int:
        path = [record]
        while named[record]:
            record = int(above[record])
            if record in anchors:
                record = anchors[record]
                break
            if not between[record]:
                break
            path.append(record)
        for passed in path:  # where there is nothing but what stands between: the first of it is what they hang on
            anchors[passed] = record
        return record

    further = np.flatnonzero(between[held])
    held[further] = [anchor(record) for record in held[further].tolist()]
    found: dict[int, list[int]] = {}
    by = np.argsort(held, kind="stable")
    same = np.zeros(len(by) + 1, bool)
    same[1:-1] = held[by][1:] == held[by][:-1]
    for place in np.flatnonzero(same[:-1] | same[1:]).tolist():
        found.setdefault(int(held[by[place]]), []).append(int(prompts[by[place]]))
    return [(at, found[at]) for at in sorted(found, key=lambda at: found[at][0])]


def _forks_above(lines: Lines, within: Ints, above: Ints, named: Ints) -> list[tuple[int, list[int]]]:
    """Prompts that name the same record, which is not in the file: a rewind to what was trimmed. The first one goes on with what
    stands before it, and that is what all of them are said to hang on."""
    lost = np.flatnonzero(within & np.isin(lines.what, (PROMPT, GONE)) & ~named & (lines.parent != 0))
    found: dict[tuple[int, int], list[int]] = {}
    for prompt in lost.tolist():
        found.setdefault((int(lines.group[prompt]), int(lines.parent[prompt])), []).append(prompt)
    forks = []
    for prompts in found.values():
        if len(prompts) > 1:
            above[prompts] = above[prompts[0]]
            forks.append((int(above[prompts[0]]), prompts))
    return forks


def _starts(lines: Lines, above: Ints, prompts: list[int]) -> dict[int, int]:
    """For each prompt of a fork the record that begins its branch: what stands between the fork and that prompt alone goes with it."""
    first: dict[int, int] = {}
    shared: set[int] = set()
    for prompt in prompts:
        at = int(above[prompt])
        while at >= 0 and lines.what[at] in BETWEEN and at not in shared:
            if first.setdefault(at, prompt) != prompt:
                shared.add(at)
            at = int(above[at])
    starts: dict[int, int] = {}
    for prompt in prompts:
        at, top = int(above[prompt]), prompt
        while at >= 0 and lines.what[at] in BETWEEN and at not in shared:
            at, top = int(above[at]), at
        starts[prompt] = top
    return starts


def with_mains(forks: list[Fork], above: Ints, top: Ints, leaf: int) -> list[Fork]:
    """The forks with the prompt of each that goes on with what stands before it: that on the way to the last record, else the last.
    `top`: for each record the nearest above it (or itself) that begins a conversation or a branch."""
    way = set()
    while leaf >= 0:
        head = int(top[leaf])
        way.add(head)
        leaf = int(above[head])
    return [
        Fork(fork.anchor, fork.prompts, fork.starts, next((i for i, start in enumerate(fork.starts) if start in way), len(fork.starts) - 1))
        for fork in forks
    ]


def branches_of(above: Ints, top: Ints, forks: list[Fork]) -> Ints:
    """For each record the one that begins its conversation or branch; -1 for those in no tree. What begins the main prompt of a fork
    belongs to the branch of what it hangs on."""
    into: dict[int, int] = {}
    for fork in forks:
        start = fork.starts[fork.main]
        if above[start] >= 0:
            into[start] = int(top[above[start]])
    branch = top.copy()
    if into:
        heads = np.array(sorted(into), np.int64)
        ends = []
        for head in heads.tolist():
            while head in into:
                head = into[head]
            ends.append(head)
        spot = np.minimum(np.searchsorted(heads, top), len(heads) - 1)
        branch = np.where(heads[spot] == top, np.array(ends, np.int64)[spot], top)
    return branch
