"""Claude Code: what it makes of a session log when it resumes.

It takes the record of the newest message outside of subagents and walks from there back by `parentUuid`, over the whole file, until a
record names none (anthropics/claude-code#22107, read from the program's own code; #58554, #46603). So:

- A parent that is not in the file ends the walk: what stands before is not read (#58554: 22 such parents, 5 % of the records read;
  #22526, #24304, #61188: the parent was never written). At a `compact_boundary`, which has no parent, the walk is meant to end.
- A record that hangs beside that way is not read (#35024), but for the parallel calls of one message and their results, which later
  versions put back: parts of one message share its id, results hang on their calls.
- Equal uuids: the last record that bears one is the one (#22178: 274 records under one uuid; #66454).
- A line that is no JSON: versions before 2.1.121 stop there or do not resume at all (#50347, #49876, #52387); later ones pass over it.
- Of several branches the one with the newest message is taken, wherever it stands in the file (#48270; 2.1.150 by the newest time).
- Reasoning whose text is empty and whose signature was kept is sent as it is (#63147, #63475, #63898: refused in the newest turn).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from app.model.edits import DELETE
from app.model.kinds import Flag, Kind, Role
from app.model.reader import Aside, Break, Reader, Resumed
from app.model.table import RecordKind
from app.model.transcript import Transcript

NOT_THERE: Final = -2  # a parent that is named and not in the file
SPOKEN: Final = (int(RecordKind.MESSAGE), int(RecordKind.SUMMARY))
BOUNDARY, RESULT, ASSISTANT = int(RecordKind.BOUNDARY), int(Kind.TOOL_RESULT), int(Role.ASSISTANT)


def resume(reader: Reader, transcript: Transcript) -> Resumed:
    """What would be read of a transcript. Of a subagent, and of a branch that a rewind left, nothing would be: then only what is wrong with
    its own records is told."""
    table, index = transcript.table, transcript.index
    facts, owner = table.extra, table.records.owner
    if "parents" not in facts:
        return Resumed(reader, 0, 0)
    edited = _edited(transcript)
    twins = tuple(some for some in facts["twins"] if owner[some[1]] == index and not edited["uuid"].issuperset(some[1:].tolist()))
    torn = facts["torn"]
    unreadable = torn[(owner[torn] == index) & ~np.isin(torn, list(edited[""]))] if len(torn) else torn
    if facts["groups"][index] < 0 or (transcript.forks_from is not None and not facts["sessions"][index]):
        return Resumed(reader, 0, 0, twins=twins, unreadable=unreadable)
    walk = _Walk(transcript, edited["parentUuid"])
    return Resumed(
        reader, walk.reached, len(walk.spoken), tuple(walk.breaks), tuple(walk.asides()), twins, unreadable, _rival(transcript)
    )  # fmt: skip


def _edited(transcript: Transcript) -> dict[str, set[int]]:
    """Records of which an edit sets a member, by its key; under "" those that it takes out."""
    found: dict[str, set[int]] = {"parentUuid": set(), "uuid": set(), "": set()}
    for pointer, value in transcript.request.items():
        line, _, key = pointer.removeprefix("/").partition("/")
        if line.isdecimal() and key in found and (value is DELETE) == (not key):
            found[key] |= set(np.flatnonzero(transcript.table.records.place == int(line)).tolist())
    return found


class _Walk:
    """The way from the last message back to the first record, gone on behind each break with the record that stands before it."""

    def __init__(self, transcript: Transcript, relinked: set[int]) -> None:
        table = transcript.table
        self.table, self.kinds = table, table.records.kind
        self.parents = table.extra["parents"]
        self.linked = np.flatnonzero((table.records.owner == transcript.index) & table.extra["named"])  # what others can hang on
        if relinked:
            self.parents = self.parents.copy()
            self.parents[list(relinked)] = [self._before(record) for record in relinked]
        wall = transcript.walls[-1].record if transcript.walls else -1
        rows = transcript.sent
        records = np.unique(table.record[rows])
        records = records[records >= 0]
        self.kept = records[records < wall]
        self.spoken = records[(records >= wall) & np.isin(self.kinds[records], SPOKEN) & table.extra["named"][records]]
        self.breaks: list[Break] = []
        self.seen = np.zeros(len(self.kinds), bool)  # records on the way
        self.reached = 0
        self.on_way = np.zeros(len(self.spoken), bool)
        if len(self.spoken):
            self._go(int(self.spoken[-1]), int(self.spoken[0]))
            self._put_back()
            last = self.breaks[0].record if self.breaks else 0
            self.reached = int(np.count_nonzero(self.spoken[self.on_way] >= last))

    def _before(self, record: int) -> int:
        at = int(np.searchsorted(self.linked, record))
        return int(self.linked[at - 1]) if at else -1

    def _go(self, at: int, first: int) -> None:
        """Marks what is on the way. Where it would end, or goes back on itself, is looked at one by one; else it is followed."""
        parents = self.parents.tolist()
        ends = np.flatnonzero((self.parents < 0) | (self.kinds == BOUNDARY))
        stops = set(ends.tolist())
        for record in np.flatnonzero(np.isin(self.parents, self.kept)).tolist() if len(self.kept) else ():
            parents[record] = self._before(record)  # what is kept is sent again behind the wall: the way goes on with what stands there
            if parents[record] < 0:
                stops.add(record)
        way: dict[int, None] = {}
        while True:
            while at not in way and at not in stops:
                way[at] = None
                at = parents[at]
            again = at in way  # it leads back to itself
            if again:
                at = next(reversed(way))
            way[at] = None
            if not again and (self.kinds[at] == BOUNDARY or at <= first):
                break
            above = self._before(at)
            if above < first or above in way:
                break
            self.breaks.append(Break(at, parents[at] == NOT_THERE, above))
            at = above
        self.seen[np.fromiter(way, np.int64, len(way))] = True

    def _put_back(self) -> None:
        """Of the records with messages those on the way, parallel calls of one message with their results, and what no person and no model
        said."""
        table, spoken = self.table, self.spoken
        records = table.record[table.record >= 0]  # rows that edits made stand behind these
        row = np.searchsorted(records, spoken)
        on_way = self.seen[spoken]
        if not on_way.all():
            message, answer = table.message[row], table.kind[row] == RESULT
            on_way |= (table.role[row] == ASSISTANT) & np.isin(message, message[on_way])
            on_way |= (table.flags[row] & Flag.INJECTED) != 0
            known = np.zeros(len(self.kinds), bool)
            parent = self.parents[spoken]
            while True:  # a result hangs on its call, or on another result of the message
                known[spoken[on_way]] = True
                hangs = answer & ~on_way & (parent >= 0) & known[np.maximum(parent, 0)]
                if not hangs.any():
                    break
                on_way |= hangs
        self.on_way = on_way

    def asides(self) -> list[Aside]:
        """Runs of records beside the way: those that hang on one another."""
        beside = self.spoken[~self.on_way].tolist()
        root: dict[int, int] = {}
        runs: dict[int, list[int]] = {}
        for record in beside:
            at, path = record, dict[int, None]()
            while at not in root and self.parents[at] >= 0 and not self.seen[self.parents[at]] and at not in path:
                path[at] = None
                at = int(self.parents[at])
            begins = root.get(at, at)
            root |= dict.fromkeys([*path, at], begins)
            runs.setdefault(begins, []).append(record)
        return [self._aside(first, records) for first, records in sorted(runs.items())]

    def _aside(self, first: int, records: list[int]) -> Aside:
        last, above = records[-1], self._before(first)
        at = int(np.searchsorted(self.linked, last)) + 1
        then = int(self.linked[at]) if at < len(self.linked) else -1
        between = self.linked[(self.linked > first) & (self.linked < last)]
        plain = above >= 0 and then >= 0 and bool(self.seen[above] and self.seen[then]) and not self.seen[between].any()
        return Aside(first, last, len(records), above if plain else -1, then if plain else -1)


def _rival(transcript: Transcript) -> int:
    """A record with a message on another branch of the session that is newer than all that this transcript holds, though it stands
    before the last of these; -1 where there is none."""
    records, groups, mine = transcript.table.records, transcript.table.extra["groups"], transcript.index
    others = [index for index, group in enumerate(groups) if group == groups[mine] and index != mine]
    if not others:
        return -1
    spoken = np.isin(records.kind, SPOKEN) & ~np.isnan(records.time)
    ours, theirs = np.flatnonzero(spoken & (records.owner == mine)), np.flatnonzero(spoken & np.isin(records.owner, others))
    if not len(ours) or not len(theirs) or theirs[-1] > ours[-1]:
        return -1
    newest = int(theirs[np.argmax(records.time[theirs])])
    return newest if records.time[newest] > records.time[ours].max() else -1


WORDS: Final = {
    "resume-chain-broken": "Claude Code walks from the last message back from parent to parent when it resumes; it stops here.",
    "resume-message-aside": "Claude Code reads what lies on the way from the last message back from parent to parent when it resumes.",
    "resume-branch-newer": "Of several branches Claude Code resumes the one with the newest message.",
    "resume-line-unreadable": "Claude Code before 2.1.121 stops at such a line, or does not resume at all; later versions pass over it.",
    "record-id-duplicate": "Claude Code finds records by their uuid when it resumes; of equal ones it takes the last.",
    "reasoning-emptied": "Claude Code sends it as it is when it resumes.",
}

READER = Reader(
    name="claude-code",
    title="Claude Code",
    format="claude-code",
    judges=frozenset(WORDS),
    resume=resume,
    words=WORDS,
)
