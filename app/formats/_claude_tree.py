"""From the lines of a Claude Code session to conversations: which records belong together, in which order a model saw them.

Records name their parent. What the names mean, as far as the files show (formats.md 7 of the specification, 777 public sessions):

- Parallel calls and their results fork the tree and belong together: within one line of talk the order of the file is the order of the
  conversation. A fork is a *branch* only where two prompts that a person typed hang on the same record: a rewind.
- A parent that is not in the file (before this record), or none, continues what stands before it in the same session.
- `compact_boundary` has no parent but a logical one: a wall inside one conversation.
- A sidechain (a subagent) is a conversation of its own, one for each root or each agent.
- Parts of one assistant message share its id and are sent as one message, at the place of the first part; results come behind it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.formats._claude_read import Lines
from app.formats._claude_rows import (
    ASSISTANT,
    BOUNDARY,
    INJECTED,
    LOOSE,
    NODE,
    PROMPT,
    REFUSAL,
    SUMMARY,
    UNKNOWN,
    UNPARSED,
)
from app.formats._claude_walls import TALK, Line, find_walls, pass_over_kept
from app.model.table import Ints


@dataclass(eq=False)
class Tree:
    """`owner`: for each record the conversation that counts it. `message`: for each record a number that parts of one message share."""

    lines: list[Line]
    owner: Ints
    message: Ints
    opened: int
    above: Ints  # the record that each continues, -1 none
    forks: Ints  # the prompts that share what they hang on with another one
    merged: bool = False  # there were too many rewinds to tell them apart


MOST = 2_000  # conversations that are told apart
LIMIT = 16_000  # conversations at all
MOST_RECORDS = 40_000_000  # ... and records along all of them


def plant(lines: Lines) -> Tree:
    """All conversations of a file, the main ones first; none where nothing was said."""
    within = _within(lines)
    above, named = _above(lines, within)
    root = _roots(lines, within, above)
    above = np.where(root, -1, above)
    pass_over_kept(lines, above)
    forks = _forks(lines, within, above, named)
    prompts = [prompt for prompts in forks.values() for prompt in prompts]
    merged = len(prompts) > MOST or sum(prompts) > MOST_RECORDS
    if merged:
        forks, prompts = {}, []
    starts = _starts(lines, above, forks)
    begin = root | (within & (above < 0))
    begin[list(starts.values())] = True
    top = _spread(within, above, begin)
    mains = _mains(lines, within, above, top, forks, starts) if forks else {}
    branch = _branches(above, top, mains, starts)
    instead = {min(starts[q] for q in some): starts[mains[at]] for at, some in forks.items() if at < 0}
    order, opened = _ranked(lines, within, branch, instead)
    tree = _told(lines, within, above, named, branch, _Forks(forks, starts, mains), order, opened)
    tree.forks, tree.merged = np.asarray(prompts, np.int32), merged
    return tree


def _within(lines: Lines) -> Ints:
    """Mask: records that are part of a tree: what was said, and what hangs between."""
    loose = np.isin(lines.what, (LOOSE, UNKNOWN, UNPARSED)) & (lines.count == 0)
    return ~loose & ((lines.uuid != 0) | (lines.count > 0) | np.isin(lines.what, (BOUNDARY, REFUSAL)))


def _above(lines: Lines, within: Ints) -> tuple[Ints, Ints]:
    """The record that each continues (-1 none), always an earlier one of its group; and whether it names it itself."""
    at = np.flatnonzero(within)
    above, named = np.full(len(within), -1, np.int64), np.zeros(len(within), bool)
    if not len(at):
        return above, named
    parent = lines.parent[at].copy()
    for record, boundary in lines.boundaries.items():
        if not lines.parent[record]:
            parent[np.searchsorted(at, record)] = boundary.logical
    group = lines.group[at].astype(np.int64)
    found = _earlier(lines.uuid[at], parent, group)
    named[at] = found >= 0
    before = np.full(len(at), -1, np.int64)  # the record before it in its group
    by = np.argsort(group, kind="stable")
    same = group[by][1:] == group[by][:-1]
    before[by[1:][same]] = by[:-1][same]
    chosen = np.where(found >= 0, found, before)
    above[at] = np.where(chosen >= 0, at[np.maximum(chosen, 0)], -1)
    return above, named


def _earlier(uuid: Ints, parent: Ints, group: Ints) -> Ints:
    """For each record the last earlier one of its group that bears the uuid that it names; -1 where there is none."""
    here = np.arange(len(uuid))
    found = np.full(len(uuid), -1, np.int64)
    found[1:] = np.where((uuid[:-1] == parent[1:]) & (group[:-1] == group[1:]) & (parent[1:] != 0), here[:-1], -1)  # nearly all
    rest = np.flatnonzero((found < 0) & (parent != 0))
    if not len(rest):
        return found
    key, asked = uuid ^ (group * _ODD), parent[rest] ^ (group[rest] * _ODD)  # both are hashes: two that differ stay apart
    by = np.argsort(key, kind="stable")
    first, last = np.searchsorted(key[by], asked), np.searchsorted(key[by], asked, side="right")
    one = last - first == 1
    candidate = by[np.minimum(first, len(by) - 1)]
    found[rest[one]] = np.where(candidate[one] < rest[one], candidate[one], -1)
    for record, low, high in zip(rest[last - first > 1].tolist(), first[last - first > 1], last[last - first > 1], strict=True):
        place = int(np.searchsorted(by[low:high], record))  # equal uuids stand in the order of the file
        found[record] = by[low + place - 1] if place else -1
    return found


_ODD = 0x5851F42D4C957F2D


def _roots(lines: Lines, within: Ints, above: Ints) -> Ints:
    """Mask: records that begin a conversation: the first of each group, and each root of a sidechain."""
    root = within & (above < 0)
    loose = np.array([name[1] and not name[2] for name in lines.groups] or [False])
    parentless = within & (lines.parent == 0) & (lines.uuid != 0) & np.isin(lines.what, (PROMPT, INJECTED))
    begins = parentless & loose[np.maximum(lines.group, 0)]
    return root | begins if int(begins.sum()) <= MOST else root


def _forks(lines: Lines, within: Ints, above: Ints, named: Ints) -> dict[int, list[int]]:
    """Records on which several prompts hang, with those prompts in the order of the file."""
    what, up, told = lines.what.tolist(), above.tolist(), named.tolist()
    anchors: dict[int, int] = {}  # of records between a prompt and what it hangs on

    def anchor(record: int) -> int:
        path = []
        while told[record]:
            record = up[record]
            if record in anchors:
                record = anchors[record]
                break
            if what[record] not in _BETWEEN:
                break
            path.append(record)
        else:
            record = -1
        for passed in path:
            anchors[passed] = record
        return record

    found: dict[int, list[int]] = {}
    for prompt in np.flatnonzero(within & np.isin(lines.what, (PROMPT, SUMMARY))).tolist():
        held = anchor(prompt)
        if held >= 0:
            found.setdefault(held, []).append(prompt)
    forks = {held: prompts for held, prompts in found.items() if len(prompts) > 1}
    return forks | _forks_above(lines, within, above, named)


def _forks_above(lines: Lines, within: Ints, above: Ints, named: Ints) -> dict[int, list[int]]:
    """Prompts that name the same record, which is not in the file: a rewind to what was trimmed. The first one goes on with what
    stands before it, and that is what all of them are said to hang on."""
    lost = np.flatnonzero(within & (lines.what == PROMPT) & ~named & (lines.parent != 0))
    found: dict[tuple[int, int], list[int]] = {}
    for prompt in lost.tolist():
        found.setdefault((int(lines.group[prompt]), int(lines.parent[prompt])), []).append(prompt)
    forks: dict[int, list[int]] = {}
    for prompts in found.values():
        anchor = int(above[prompts[0]])
        if len(prompts) > 1 and anchor not in forks:
            above[prompts] = anchor
            forks[anchor if anchor >= 0 else -2 - prompts[0]] = prompts
    return forks


def _mains(lines: Lines, within: Ints, above: Ints, top: Ints, forks: dict[int, list[int]], starts: dict[int, int]) -> dict[int, int]:
    """Of the prompts of a fork the one that goes on with what stands before it: that on the way to the last record, else the last.
    `top`: for each record the nearest above it (or itself) that begins a conversation or a branch."""
    last, way = _leaf(lines, within), set()
    while last >= 0:
        head = int(top[last])
        way.add(head)
        last = int(above[head])
    return {anchor: next((p for p in prompts if starts[p] in way), prompts[-1]) for anchor, prompts in forks.items()}


_BETWEEN = (NODE, INJECTED, BOUNDARY)  # between a prompt and what it hangs on


def _starts(lines: Lines, above: Ints, forks: dict[int, list[int]]) -> dict[int, int]:
    """For each prompt of a fork the record that begins its branch: what stands between the fork and that prompt alone goes with it."""
    first: dict[int, int] = {}
    shared: set[int] = set()
    for prompts in forks.values():
        for prompt in prompts:
            at = int(above[prompt])
            while at >= 0 and lines.what[at] in _BETWEEN and at not in shared:
                if first.setdefault(at, prompt) != prompt:
                    shared.add(at)
                at = int(above[at])
    starts: dict[int, int] = {}
    for prompts in forks.values():
        for prompt in prompts:
            at, top = int(above[prompt]), prompt
            while at >= 0 and lines.what[at] in _BETWEEN and at not in shared:
                at, top = int(above[at]), at
            starts[prompt] = top
    return starts


def _branches(above: Ints, top: Ints, mains: dict[int, int], starts: dict[int, int]) -> Ints:
    """For each record the one that begins its conversation or branch; -1 for those in no tree. What begins the main prompt of a fork
    belongs to the branch of what it hangs on."""
    into = {starts[main]: int(top[above[starts[main]]]) for main in mains.values() if above[starts[main]] >= 0}
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


def _spread(within: Ints, above: Ints, root: Ints) -> Ints:
    """Every record's root, without a loop: each step doubles how far is looked."""
    here = np.arange(len(within))
    top = np.where(within, np.where(root, here, above), -1)
    while True:
        further = np.where(top >= 0, top[np.maximum(top, 0)], -1)
        if (further == top).all():
            return top
        top = further


def _leaf(lines: Lines, within: Ints) -> int:
    """The last record outside of sidechains: where a resume would go on; else the last of all, -1 for none."""
    side = np.array([name[1] for name in lines.groups] or [False])
    for mask in (within & ~side[np.maximum(lines.group, 0)], within):
        found = np.flatnonzero(mask)
        if len(found):
            return int(found[-1])
    return -1


def _ranked(lines: Lines, within: Ints, branch: Ints, instead: dict[int, int]) -> tuple[list[int], int]:
    """The heads of all conversations that say anything, main lines first, then branches of them, then sidechains; and which is opened.
    `instead`: where branches left a record that is not in the file, the main one among them stands where the first of them would."""
    says = within & np.isin(lines.what, (*TALK, REFUSAL, BOUNDARY))
    heads = np.unique(branch[says])
    side = [lines.groups[int(lines.group[head])][1] for head in heads.tolist()]
    order = [h for h, s in zip(heads.tolist(), side, strict=True) if not s] + [h for h, s in zip(heads.tolist(), side, strict=True) if s]
    for first, main in instead.items():
        if first != main and first in order and main in order:
            order.remove(main)
            order.insert(order.index(first), main)
    leaf = _leaf(lines, says)
    if len(order) > LIMIT:  # `owner` is a 16 bit number; the records of further ones are counted with what stands before them
        order = [head for head in order if head == int(branch[leaf])] + [head for head in order if head != int(branch[leaf])][: LIMIT - 1]
    return order, order.index(int(branch[leaf])) if leaf >= 0 else 0


class _Forks:
    """Where branches leave: `anchor` of what begins one (-2: of none), and of each anchor the first record that begins one, and the
    record whose branch the others leave."""

    def __init__(self, forks: dict[int, list[int]], starts: dict[int, int], mains: dict[int, int]) -> None:
        self.anchor = {starts[prompt]: anchor for anchor, prompts in forks.items() for prompt in prompts}
        self.first = {anchor: min(starts[prompt] for prompt in prompts) for anchor, prompts in forks.items()}
        self.beside = {anchor: anchor if anchor >= 0 else starts[mains[anchor]] for anchor in forks}


def _told(lines: Lines, within: Ints, above: Ints, named: Ints, branch: Ints, forks: _Forks, order: list[int], opened: int) -> Tree:
    number = {head: i for i, head in enumerate(order)}
    told = np.isin(lines.what, (*TALK, REFUSAL, BOUNDARY)) & within
    own: dict[int, Ints] = {}
    members = np.flatnonzero(told & (branch >= 0))
    by = members[np.argsort(branch[members], kind="stable")]
    edges = np.flatnonzero(np.diff(branch[by], prepend=-2))
    for start, end in zip(edges.tolist(), [*edges[1:].tolist(), len(by)], strict=True):
        own[int(branch[by[start]])] = by[start:end]
    found: list[Line] = []
    done: dict[int, Line] = {}

    def line_of(head: int) -> Line:
        if head in done:
            return done[head]
        group = int(lines.group[head])
        line = Line(group, head, own.get(head, np.empty(0, np.int64)), side=lines.groups[group][1])
        anchor = forks.anchor.get(head)
        beside = int(branch[forks.beside[anchor]]) if anchor is not None else -1
        if anchor is not None and beside in number and beside != head:
            parent = line_of(beside)
            before = parent.records[parent.records < forks.first[anchor]] if anchor >= 0 else line.records[:0]
            line.records, line.shared = np.concatenate([before, line.records]), len(before)
            line.parent, line.leaves = number[beside], max(anchor, -1)
        done[head] = line
        return line

    for head in sorted(order):  # a parent's head stands before those of its branches: no call goes deep
        line_of(head)
    for head in order:
        line = done[head]
        find_walls(lines, above, named, line)
        found.append(line)
    owner = _owners(within, branch, number)
    return Tree(found, owner, _messages(lines), opened, above, np.empty(0, np.int32))


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
        key = lines.message[part] ^ (lines.group[part].astype(np.int64) * _ODD)
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        begins[part] = part[first[inverse]]
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
    _, first, inverse = np.unique(tree.message[records], return_index=True, return_inverse=True)
    return records[np.argsort(first[inverse.ravel()], kind="stable")]


def rows_of(records: Ints, first: Ints, count: Ints) -> Ints:
    """The rows of records, one record behind the other."""
    many = count[records]
    total = int(many.sum())
    starts = np.repeat(first[records] - np.concatenate([[0], np.cumsum(many)[:-1]]), many) if total else np.empty(0, np.int64)
    return (starts + np.arange(total)).astype(np.int32)


