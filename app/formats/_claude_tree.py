"""From the lines of a Claude Code session to conversations: which records belong together, in which order a model saw them.

Records name their parent. What the names mean, as far as the files show (formats.md 7 of the specification, 777 public sessions):

- Parallel calls and their results fork the tree and belong together: within one line of talk the order of the file is the order of the
  conversation. A fork is a *branch* only where two prompts that a person typed hang on the same record: a rewind.
- A parent that is not in the file (before this record), or none, continues what stands before it in the same session.
- A session that begins on a record of another one goes on with it under another name: it counts what it adds, like a branch.
- `compact_boundary` has no parent but a logical one: a wall inside one conversation.
- A sidechain (a subagent) is a conversation of its own, one for each root or each agent.
- Parts of one assistant message share its id and are sent as one message, at the place of the first part; results come behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from app.formats._claude_forks import MOST, MOST_RECORDS, Fork, branches_of, find_forks, with_mains
from app.formats._claude_parents import ODD, parents_of, within_tree
from app.formats._claude_read import Lines
from app.formats._claude_rows import (
    ASSISTANT,
    BOUNDARY,
    GONE,
    INJECTED,
    PROMPT,
    REFUSAL,
)
from app.formats._claude_walls import TALK, Line, find_walls, pass_over_kept
from app.model.pairs import distinct
from app.model.table import Ints


@dataclass(eq=False)
class Tree:
    """`owner`: for each record the conversation that counts it. `message`: for each record a number that parts of one message share.
    `above`: the record that each continues; `parent`: the one that it names itself (a wall: the one that it follows); -1 none."""

    lines: list[Line]
    owner: Ints
    message: Ints
    opened: int
    above: Ints
    parent: Ints
    within: Ints  # mask: records of the tree, whether or not they say anything
    forks: list[Fork]
    merged: bool = False  # there were too many rewinds to tell them apart


LIMIT = 16_000  # conversations at all


def plant(lines: Lines) -> Tree:
    """All conversations of a file, the main ones first; none where nothing was said."""
    within = within_tree(lines)
    above, named = parents_of(lines, within)
    parent = np.where(named, above, -1)
    root = _roots(lines, within, above)
    above = np.where(root, -1, above)
    pass_over_kept(lines, above)
    forks, merged = find_forks(lines, within, above, named)
    begin = root | (within & (above < 0))
    begin[[start for fork in forks for start in fork.starts]] = True
    top = _spread(within, above, begin)
    if forks:
        forks = with_mains(forks, above, top, leaf_of(lines, within))
    branch = branches_of(above, top, forks)
    order, opened = _ranked(lines, within, branch, forks)
    found = _told(lines, within, named, branch, forks, order, above)
    owner = _owners(within, branch, {head: i for i, head in enumerate(order)})
    return Tree(found, owner, _messages(lines), opened, above, parent, within, forks, merged)


def _roots(lines: Lines, within: Ints, above: Ints) -> Ints:
    """Mask: records that begin a conversation: the first of each group, and each root of a sidechain."""
    root = within & (above < 0)
    loose = np.array([name[1] and not name[2] for name in lines.groups] or [False])
    parentless = within & (lines.parent == 0) & (lines.uuid != 0) & np.isin(lines.what, (PROMPT, INJECTED, GONE))
    begins = parentless & loose[np.maximum(lines.group, 0)]
    return root | begins if int(begins.sum()) <= MOST else root


def _spread(within: Ints, above: Ints, root: Ints) -> Ints:
    """Every record's root, -1 for those in no tree, without a loop over records: those that go on with the record before them are one run,
    and each step doubles how far is looked from run to run."""
    heads = np.flatnonzero(root | ~within | (above != np.arange(-1, len(above) - 1)))
    run = np.zeros(len(above), np.int64)
    run[heads] = 1
    run = np.cumsum(run) - 1
    inner = within[heads] & ~root[heads]
    top = np.arange(len(heads))
    top[inner] = run[above[heads[inner]]]
    while True:
        further = top[top]
        if np.array_equal(further, top):
            return np.where(within, heads[top[run]], -1)
        top = further


def leaf_of(lines: Lines, within: Ints) -> int:
    """The last record outside of sidechains: where a resume would go on; else the last of all, -1 for none."""
    side = np.array([name[1] for name in lines.groups] or [False])
    for mask in (within & ~side[np.maximum(lines.group, 0)], within):
        found = np.flatnonzero(mask)
        if len(found):
            return int(found[-1])
    return -1


def _ranked(lines: Lines, within: Ints, branch: Ints, forks: list[Fork]) -> tuple[list[int], int]:
    """The heads of all conversations that say anything, main lines first, then branches of them, then sidechains; and which is opened.
    Where branches left a record that is not in the file, the main one among them stands where the first of them would."""
    says = within & np.isin(lines.what, (*TALK, REFUSAL, BOUNDARY, GONE))
    heads = distinct(branch[says])
    side = [lines.groups[int(lines.group[head])][1] for head in heads.tolist()]
    order = [h for h, s in zip(heads.tolist(), side, strict=True) if not s] + [h for h, s in zip(heads.tolist(), side, strict=True) if s]
    for first, main in [(fork.first, fork.starts[fork.main]) for fork in forks if fork.anchor < 0]:
        if first != main and first in order and main in order:
            order.remove(main)
            order.insert(order.index(first), main)
    leaf = leaf_of(lines, says)
    if len(order) > LIMIT:  # `owner` is a 16 bit number; the records of further ones are counted with what stands before them
        order = [head for head in order if head == int(branch[leaf])] + [head for head in order if head != int(branch[leaf])][: LIMIT - 1]
    return order, order.index(int(branch[leaf])) if leaf >= 0 else 0


def _told(lines: Lines, within: Ints, named: Ints, branch: Ints, forks: list[Fork], order: list[int], above: Ints) -> list[Line]:
    """The conversations, in the order of `order`, which lists their heads."""
    number = {head: i for i, head in enumerate(order)}
    fork_of = {start: fork for fork in forks for start in fork.starts}
    sessions = _sessions(lines, within, order)
    told = np.isin(lines.what, (*TALK, REFUSAL, BOUNDARY)) & within
    own: dict[int, Ints] = {}
    members = np.flatnonzero(told & (branch >= 0))
    by = members[np.argsort(branch[members], kind="stable")]
    edges = np.append(np.flatnonzero(np.diff(branch[by], prepend=-2)), len(by)).tolist()
    for start, end in pairwise(edges):  # none where nobody said anything
        own[int(branch[by[start]])] = by[start:end]
    done: dict[int, Line] = {}

    def line_of(head: int) -> Line:
        if head in done:
            return done[head]
        group = int(lines.group[head])
        line = Line(group, head, own.get(head, np.empty(0, np.int64)), side=lines.groups[group][1])
        fork = fork_of.get(head)
        beside = int(branch[fork.beside]) if fork is not None else -1
        if fork is not None and beside in number and beside != head:
            parent = line_of(beside)
            before = parent.records[parent.records < fork.first] if fork.anchor >= 0 else line.records[:0]
            line.records, line.shared = np.concatenate([before, line.records]), len(before)
            line.parent, line.leaves = number[beside], fork.anchor
        elif head in sessions and int(branch[sessions[head]]) in number:
            parent = line_of(int(branch[sessions[head]]))
            before = parent.records[parent.records <= sessions[head]]
            line.records, line.shared = np.concatenate([before, line.records]), len(before)
            line.parent, line.leaves, line.session = number[parent.head], sessions[head], True
        done[head] = line
        return line

    for head in sorted(order):  # a parent's head stands before those of its branches: no call goes deep
        line_of(head)
    found = [done[head] for head in order]
    for line in found:
        find_walls(lines, above, named, line)
    return found


def _sessions(lines: Lines, within: Ints, heads: list[int]) -> dict[int, int]:
    """Heads of sessions that go on with another one of the file: they name a record of it. With each the last record that it names."""
    side = [lines.groups[int(lines.group[head])][1] for head in heads]
    asking = [head for head, aside in zip(heads, side, strict=True) if not aside and lines.parent[head]]
    found: dict[int, int] = {}
    if len(lines.groups) < 2 or sum(asking) > MOST_RECORDS:
        return found
    for head in asking:
        there = np.flatnonzero((lines.uuid[:head] == lines.parent[head]) & within[:head])
        if len(there) and lines.group[there[-1]] != lines.group[head] and not lines.groups[int(lines.group[there[-1]])][1]:
            found[head] = int(there[-1])
    return found


def _owners(within: Ints, branch: Ints, number: dict[int, int]) -> Ints:
    """The conversation that counts each record: its own, or that of the record before it where it is in none."""
    owner = np.full(len(within), -1, np.int64)
    if number:
        heads = np.fromiter(number, np.int64, len(number))
        by = np.argsort(heads)
        spot = np.searchsorted(heads[by], branch)
        spot = np.minimum(spot, len(heads) - 1)
        hit = (branch >= 0) & (heads[by][spot] == branch)
        owner[hit] = np.fromiter(number.values(), np.int64, len(number))[by][spot[hit]]
    known = np.flatnonzero(owner >= 0)
    if len(known):
        last = np.maximum.accumulate(np.where(owner >= 0, np.arange(len(owner)), -1))
        owner = np.where(last >= 0, owner[np.maximum(last, 0)], owner[known[0]])
    else:
        owner[:] = 0
    return owner.astype(np.int16)


def _messages(lines: Lines) -> Ints:
    """A number for each record that holds rows; parts of one assistant message share it, wherever they lie in their conversation."""
    holds = np.flatnonzero(lines.count > 0)
    message = np.full(len(lines), -1, np.int64)
    if not len(holds):
        return message
    part = holds[(lines.what[holds] == ASSISTANT) & (lines.message[holds] != 0)]
    begins = np.arange(len(lines))
    if len(part):
        key = lines.message[part] ^ (lines.group[part].astype(np.int64) * ODD)
        starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))  # most parts stand one behind the other
        _, first, inverse = np.unique(key[starts], return_index=True, return_inverse=True)
        begins[part] = np.repeat(part[starts[first[inverse]]], np.diff(np.append(starts, len(part))))
    number = np.cumsum((begins == np.arange(len(lines))) & (lines.count > 0)) - 1
    message[holds] = number[begins[holds]]
    return message


def sequence(lines: Lines, tree: Tree, line: Line) -> tuple[Ints, int]:
    """The records with rows of a conversation as its model saw them, and how many of them it sees no more."""
    records = line.records
    seen = np.isin(records, line.kept) if len(line.kept) else np.zeros(len(records), bool)
    gone = np.arange(len(records)) < line.wall
    history = records[gone & ~seen]
    behind = records[~gone]
    if len(line.kept):
        anchor = lines.boundaries[int(records[line.wall])].anchor
        place = np.flatnonzero(lines.uuid[behind] == anchor) if anchor else np.empty(0, np.int64)
        spot = int(place[0]) + 1 if len(place) else 1
        behind = np.concatenate([behind[:spot], line.kept, behind[spot:]])
    before, after = _joined(lines, tree, history), _joined(lines, tree, behind)
    return np.concatenate([before, after]), len(before)


def _joined(lines: Lines, tree: Tree, records: Ints) -> Ints:
    """Records with rows, the parts of each message together at the place of its first part."""
    records = records[lines.count[records] > 0]
    message = tree.message[records]
    if not (np.diff(message) < 0).any():  # nothing lies between the parts of a message
        return records
    if not (np.diff(records) < 0).any():  # messages are numbered in the order of the file
        return records[np.argsort(message, kind="stable")]
    _, first, inverse = np.unique(message, return_index=True, return_inverse=True)
    return records[np.argsort(first[inverse.ravel()], kind="stable")]


def rows_of(records: Ints, first: Ints, count: Ints) -> Ints:
    """The rows of records, one record behind the other."""
    many = count[records]
    total = int(many.sum())
    starts = np.repeat(first[records] - np.concatenate([[0], np.cumsum(many)[:-1]]), many) if total else np.empty(0, np.int64)
    return (starts + np.arange(total)).astype(np.int32)


