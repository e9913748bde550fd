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
from app.model.pairs import distinct
from app.model.reader import Reader, Resumed
from app.model.table import Ints, RecordKind
from app.model.transcript import Transcript

NOT_THERE: Final = -2  # a parent that is named and not in the file
SPOKEN: Final = (int(RecordKind.MESSAGE), int(RecordKind.SUMMARY))
BOUNDARY, RESULT, ASSISTANT = int(RecordKind.BOUNDARY), int(Kind.TOOL_RESULT), int(Role.ASSISTANT)


def resume(reader: Reader, transcript: Transcript) -> Resumed:
    """What would be read of a transcript. Of a subagent, and of a branch that a rewind left, nothing would be: then only what is wrong with
    its own records is told."""
    facts, index = transcript.table.extra, transcript.index
    if "parents" not in facts or index >= len(facts["groups"]):  # nothing in it hangs together
        return Resumed(reader)
    owner, torn = transcript.table.records.owner, facts["torn"]
    edited = _edited(transcript)
    twins = _own_twins(facts["twins"], owner, index, edited["uuid"])
    unreadable = torn[(owner[torn] == index) & ~np.isin(torn, list(edited[""]))] if len(torn) else torn
    if facts["groups"][index] < 0 or (transcript.forks_from is not None and not facts["sessions"][index]):
        return Resumed(reader, twins=twins, unreadable=unreadable)
    walk = _Walk(transcript, edited["parentUuid"])
    return Resumed(reader, walk.reached, len(walk.spoken), walk.breaks, walk.asides(), twins, unreadable, _rival(transcript))


def _own_twins(twins: tuple[Ints, Ints], owner: Ints, index: int, renamed: set[int]) -> tuple[Ints, Ints]:
    """Those of which the second one that bears the id is the transcript's own, and has it still."""
    records, starts = twins
    if not len(records):
        return twins
    second = records[starts[:-1] + 1]
    kept = (owner[second] == index) & ~np.isin(second, list(renamed))
    count = np.diff(starts)
    return records[np.repeat(kept, count)], np.concatenate([[0], np.cumsum(count[kept])])


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
            self.parents[sorted(relinked)] = self._before(np.array(sorted(relinked), np.int64))
        wall = transcript.walls[-1].record if transcript.walls else -1
        rows = transcript.sent
        records = distinct(table.record[rows])
        records = records[records >= 0]
        self.kept = records[records < wall]
        self.spoken = records[(records >= wall) & np.isin(self.kinds[records], SPOKEN) & table.extra["named"][records]]
        self.breaks = np.empty((0, 3), np.int64)
        self.seen = np.zeros(len(self.kinds), bool)  # records on the way
        self.reached = 0
        self.on_way = np.zeros(len(self.spoken), bool)
        if len(self.spoken):
            self._go(int(self.spoken[-1]), int(self.spoken[0]))
            self._put_back()
            last = int(self.breaks[0, 0]) if len(self.breaks) else 0
            self.reached = int(np.count_nonzero(self.spoken[self.on_way] >= last))

    def _before(self, records: Ints) -> Ints:
        """For each record the one that stands before it in the conversation; -1 for none."""
        at = np.searchsorted(self.linked, records) - 1
        return np.where(at >= 0, self.linked[np.maximum(at, 0)], -1) if len(self.linked) else np.full(len(records), -1)

    def _go(self, at: int, first: int) -> None:
        """Marks what is on the way. Where it would end, or goes back on itself, it is gone on with what stands before."""
        parents = self.parents.copy()
        if len(self.kept):  # what is kept is sent again behind the wall: the way goes on with what stands there
            hangs = np.flatnonzero(np.isin(parents, self.kept))
            parents[hangs] = self._before(hangs)
        ends = (parents < 0) | (self.kinds == BOUNDARY)
        stops = set(np.flatnonzero(ends).tolist())
        above = dict(zip(np.flatnonzero(ends).tolist(), self._before(np.flatnonzero(ends)).tolist(), strict=True))
        up, walls = parents.tolist(), set(np.flatnonzero(self.kinds == BOUNDARY).tolist())
        way: dict[int, None] = {}
        broken: list[tuple[int, int, bool]] = []
        while True:
            while at not in way and at not in stops:
                way[at] = None
                at = up[at]
            again = at in way  # it leads back to itself
            if again:
                at = next(reversed(way))
            way[at] = None
            if not again and (at in walls or at <= first):
                break
            then = above[at] if at in above else int(self._before(np.array([at]))[0])
            if then < first or then in way:
                break
            broken.append((at, then, up[at] == NOT_THERE))
            at = then
        self.breaks = np.array(broken, np.int64).reshape(-1, 3)
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

    def asides(self) -> Ints:
        """Runs of records beside the way, those that hang on one another, as `Resumed` has them."""
        beside = self.spoken[~self.on_way].tolist()
        if not beside:
            return np.empty((0, 5), np.int64)
        parents, seen = self.parents.tolist(), self.seen.tolist()
        root: dict[int, int] = {}
        runs: dict[int, tuple[int, int]] = {}  # by the first record: the last one, and how many
        for record in beside:
            at, path = record, dict[int, None]()
            while at not in root and parents[at] >= 0 and not seen[parents[at]] and at not in path:
                path[at] = None
                at = parents[at]
            begins = root.get(at, at)
            root |= dict.fromkeys([*path, at], begins)
            runs[begins] = record, runs.get(begins, (0, 0))[1] + 1
        found = np.array([(first, last, count) for first, (last, count) in sorted(runs.items())], np.int64)
        first, last = found[:, 0], found[:, 1]
        above = self._before(first)
        at_ = np.searchsorted(self.linked, last) + 1
        then = np.where(at_ < len(self.linked), self.linked[np.minimum(at_, len(self.linked) - 1)], -1)
        on_way = np.concatenate([[0], np.cumsum(self.seen[self.linked])])
        between = on_way[np.searchsorted(self.linked, last)] - on_way[np.searchsorted(self.linked, first, side="right")]
        plain = (above >= 0) & (then >= 0) & (between <= 0)
        plain &= self.seen[np.maximum(above, 0)] & self.seen[np.maximum(then, 0)]
        return np.column_stack([found, np.where(plain, above, -1), np.where(plain, then, -1)])


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
