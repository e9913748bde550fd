"""Claude Code's session log: one JSON object a line, a tree of uuids.

Sources: formats.md 7 and 43 of the specification (structure of 777 public sessions). What a line is: `_claude_rows.py`; which lines make a
conversation: `_claude_tree.py`; how it is written: `_claude_write.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from app.formats._anthropic import result_texts, role_of
from app.formats._anthropic_blocks import content_blocks
from app.formats._claude_facts import facts_of_file
from app.formats._claude_read import Lines, read
from app.formats._claude_rows import (
    ASSISTANT,
    BOUNDARY,
    GONE,
    INJECTED,
    LOOSE,
    NODE,
    PROMPT,
    REFUSAL,
    RESULTS,
    SUMMARY,
    UNKNOWN,
    UNPARSED,
)
from app.formats._claude_tree import Tree, plant, rows_of, sequence
from app.formats._claude_walls import Line
from app.formats._facts import Facts, facts_of
from app.formats._format import Format, NotJson, Progress, Writing
from app.formats._json import loads
from app.formats._peek import peek
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.findings import Mode
from app.model.ids import Ids
from app.model.kinds import Flag, Role
from app.model.source import Source
from app.model.table import Ints, RecordKind, Records, Shown, Table, Usages
from app.model.transcript import Refusal, Transcript, Wall

KINDS = {
    PROMPT: RecordKind.MESSAGE, INJECTED: RecordKind.MESSAGE, RESULTS: RecordKind.MESSAGE, ASSISTANT: RecordKind.MESSAGE,
    SUMMARY: RecordKind.SUMMARY, BOUNDARY: RecordKind.BOUNDARY, REFUSAL: RecordKind.REFUSAL, NODE: RecordKind.META, LOOSE: RecordKind.META,
    GONE: RecordKind.META, UNKNOWN: RecordKind.UNKNOWN, UNPARSED: RecordKind.UNPARSED,
}  # fmt: skip
HIDDEN = (NODE, LOOSE, GONE, UNKNOWN)
SIGNATURE = ("parentUuid", "sessionId")
LOOSE_TYPES = frozenset(
    {"summary", "file-history-snapshot", "queue-operation", "custom-title", "ai-title", "last-prompt", "permission-mode"}
)


ENVELOPE = frozenset({"type", "uuid", "parentUuid", "sessionId", "isSidechain", "version", "timestamp"})


class ClaudeCode(Format):
    name = "claude-code"
    summary = "Claude Code: a session log, JSON Lines with a tree of uuids"
    provider = "anthropic"
    mode: ClassVar[Mode] = "prefix"
    lines: ClassVar[bool] = True  # a record is a line of the file

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        """Most lines bear the envelope (`parentUuid` and `sessionId`), or are of a type that only this program writes without one."""
        seen = peek(head, whole)
        records = [r for r in seen.records if isinstance(r, dict)]
        if not records or not (seen.lines or whole):
            return None
        enveloped = [r for r in records if _enveloped(r)]
        if not enveloped:
            return None
        loose = sum(str(r.get("type")) in LOOSE_TYPES for r in records)
        share = (len(enveloped) + loose) / len(records)
        if share < 0.5:
            return None
        return Confidence(self.name, round(0.6 + 0.38 * share, 2), "lines with uuid, parentUuid and sessionId around a message")

    def alone(self, head: bytes, whole: bool) -> bool:
        """Every line is of this program, and a response in them bears an id and a model of Anthropic: iFlow and Qwen Code, which borrowed
        the envelope, have others."""
        seen = peek(head, whole)
        if not seen.lines or not all(isinstance(r, dict) and _is_own(r) for r in seen.records):
            return False
        answers = (r["message"] for r in seen.records if r["type"] == "assistant")
        return any(_begins(answer, "id", "msg_") and _begins(answer, "model", "claude-") for answer in answers)

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        lines = read(source, progress, first_look)
        if not len(lines):
            raise UnreadableError(f"{source.name}: no line of it could be read; nothing to open")
        tree = plant(lines)
        table, first = _table(lines, tree)
        names = _names(lines, tree, source)
        transcripts = [_transcript(lines, tree, table, first, i, names) for i in range(len(tree.lines))]
        if not transcripts:
            transcripts = [Transcript(table, np.empty(0, np.int32), why="nothing in this file was said to a model or by it")]
        dump = Dump(source, self.name, table, transcripts, tree.opened if tree.lines else 0, _whys(lines, tree), complete=lines.complete)
        if tree.lines:
            dump.transcripts[dump.opened] = dump.transcripts[dump.opened].with_(why=_why_opened(tree))
        return dump

    def facts(self, content: Any) -> Facts:
        return facts_of(content, result_texts)

    def blocks(self, table: Table, record: int, value: Any, first: int) -> Sequence[Block]:
        message = value.get("message") if isinstance(value, dict) else None
        if not isinstance(message, dict):
            return ()
        told = message.get("role")
        role = role_of(told) if isinstance(told, str) else Role.ASSISTANT if value.get("type") == "assistant" else Role.USER
        return content_blocks(role, message.get("content"), first=first, record=record, pointer=f"{table.pointer(record)}/message")

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        from app.formats._claude_write import write  # a dozen modules that a check does not need

        return write(dump, transcripts)


def _enveloped(record: dict[str, Any]) -> bool:
    """A line of this program, and of none that borrowed its envelope: Qwen Code has `parts`, stream-json writes `session_id`."""
    message = record.get("message")
    if isinstance(message, dict) and "parts" in message:
        return False
    if all(key in record for key in SIGNATURE):
        return True
    spoken = record.get("type") in ("user", "assistant") and isinstance(message, dict) and "content" in message
    return spoken and "session_id" not in record and "parent_tool_use_id" not in record


def _is_own(record: dict[str, Any]) -> bool:
    """The whole envelope of this program, and around a message if around anything; or a type of record that bears none."""
    if str(record.get("type")) in LOOSE_TYPES:
        return True
    if record.get("type") not in ("user", "assistant"):
        return record.keys() >= ENVELOPE and "message" not in record
    message = record.get("message")
    return record.keys() >= ENVELOPE and isinstance(message, dict) and "content" in message and "parts" not in message


def _begins(message: dict[str, Any], key: str, text: str) -> bool:
    value = message.get(key)
    return isinstance(value, str) and value.startswith(text)


def _table(lines: Lines, tree: Tree) -> tuple[Table, Ints]:
    """The table, and the first row of each record."""
    count = lines.count.astype(np.int64)
    first = np.cumsum(count) - count
    record = np.repeat(np.arange(len(lines)), count)
    kinds = np.zeros(256, np.uint8)
    for what, kind in KINDS.items():
        kinds[what] = kind
    shown = np.full(len(lines), Shown.SHOWN, np.uint8)
    shown[np.isin(lines.what, HIDDEN)] = Shown.HIDDEN
    shown[lines.what == UNPARSED] = Shown.UNPARSED
    flags = lines.flags.astype(np.uint32)
    for line in tree.lines:
        if line.side and lines.what[line.head] in (PROMPT, INJECTED):  # what the parent wrote counts as a person's words
            rows = np.arange(first[line.head], first[line.head] + count[line.head])
            flags[rows] = (flags[rows] | Flag.PROMPT) & ~np.uint32(Flag.INJECTED)
    columns = lines.columns
    records = Records(
        offset=lines.offset.astype(np.int64), length=lines.length.astype(np.int64), place=lines.place.astype(np.int32),
        kind=kinds[lines.what], shown=shown, time=lines.time, model=lines.model.astype(np.int16), owner=tree.owner,
    )  # fmt: skip
    table = Table(
        "claude-code",
        record=record.astype(np.int32),
        part=(np.arange(len(record)) - first[record]).astype(np.int32),
        message=tree.message[record].astype(np.int32),
        kind=lines.kind.astype(np.uint8),
        type=lines.type.astype(np.uint8),
        role=np.where(lines.what[record] == ASSISTANT, np.uint8(Role.ASSISTANT), np.uint8(Role.USER)).astype(np.uint8),
        name=lines.name.astype(np.int32),
        size=lines.size.astype(np.int32),
        flags=flags,
        key=lines.key.astype(np.int32),
        records=records,
        usages=_usages(lines, tree),
        types=list(columns.types),
        names=list(columns.names),
        models=list(columns.models),
        ids=Ids.of(columns.keys),
        joins=False,
        calls_at="/message/content/",
        marks={word: np.asarray(rows, np.int32) for word, rows in columns.marks.items()},
        arguments=lines.told if len(lines.told) else None,
        extra=facts_of_file(lines, tree),
    )
    return table, first


def _usages(lines: Lines, tree: Tree) -> Usages:
    """One for each message: every part of a split message repeats it, the last one stands."""
    if not len(lines.used):
        return Usages.none()
    message = tree.message[lines.used]
    good = (message >= 0) & (lines.usage.sum(axis=1) > 0)
    message, usage = message[good][::-1], lines.usage[good][::-1]
    kept, at = np.unique(message, return_index=True)
    fresh, read_, written, output = (usage[at, i].astype(np.int64) for i in range(4))
    return Usages(kept.astype(np.int32), fresh + read_ + written, read_, written, output)


def _transcript(lines: Lines, tree: Tree, table: Table, first: Ints, index: int, names: list[str]) -> Transcript:
    line = tree.lines[index]
    records, gone = sequence(lines, tree, line)
    order = rows_of(records, first, lines.count)
    start = int(lines.count[records[:gone]].sum())
    session = lines.groups[line.group][0]
    own = line.records[line.shared :]
    models = lines.model[line.records]
    models = models[models >= 0]
    parent = names[line.parent] if line.parent >= 0 else None
    return Transcript(
        table,
        order,
        start,
        id=names[index],
        title=lines.titles.get(session, "") if not line.side else "",
        index=index,
        model=table.models[int(models[-1])] if len(models) else None,
        forks_from=parent,
        shared_records=line.shared,
        why=_why_apart(lines, line, parent),
        subagent=line.side,
        refusals=_refusals(lines, own if line.parent >= 0 else line.records, order, table, index),
        walls=_walls(lines, line, first),
    )


def _why_apart(lines: Lines, line: Line, parent: str | None) -> str:
    """Where a conversation leaves the one that it shares its beginning with, and what it is."""
    if parent is not None and line.session:
        return f"goes on with {parent} behind line {int(lines.place[line.leaves]) + 1}, under the id of another session"
    if parent is not None:
        begins = int(lines.place[line.head]) + 1
        if line.leaves < 0:
            return f"begins with line {begins}, beside {parent}: both hang on a record that is not in the file"
        return f"leaves {parent} behind line {int(lines.place[line.leaves]) + 1}; line {begins} is a prompt written anew"
    if line.side:
        agent = lines.groups[line.group][2]
        return f"a subagent's own conversation{f' (agent {agent})' if agent else ''}, from line {int(lines.place[line.head]) + 1}"
    return ""


def _refusals(lines: Lines, records: Ints, order: Ints, table: Table, index: int) -> tuple[Refusal, ...]:
    """What was refused along a line: answers, and attempts that were made again, which stand beside the talk."""
    owner = table.records.owner
    refused = records[lines.what[records] == REFUSAL]
    tried = [record for record in lines.refusals if lines.what[record] != REFUSAL and owner[record] == index]
    if tried:
        refused = np.union1d(refused, tried)
    if not len(refused):
        return ()
    by = np.argsort(table.record[order], kind="stable")
    before = np.searchsorted(table.record[order][by], refused) - 1
    found = []
    for record, place in zip(refused.tolist(), before.tolist(), strict=True):
        status, text = lines.refusals[record]
        found.append(Refusal(record, int(order[by[place]]) if place >= 0 else -1, status, text))
    return tuple(found)


def _walls(lines: Lines, line: Line, first: Ints) -> tuple[Wall, ...]:
    found = []
    held = np.flatnonzero(lines.count[line.records] > 0)
    for at, place in zip(line.walls.tolist(), np.searchsorted(held, line.walls).tolist(), strict=True):
        record = int(line.records[at])
        boundary = lines.boundaries.get(record)
        row = int(first[line.records[held[place]]]) if place < len(held) else -1
        found.append(Wall(row, record, boundary.before if boundary else None, boundary.after if boundary else None))
    return tuple(found)


def _names(lines: Lines, tree: Tree, source: Source) -> list[str]:
    """Stable names: `main` for the only main line, else by session; branches and sidechains by the uuid (or agent) that begins them."""
    mains = [line for line in tree.lines if _is_main(line)]
    found: list[str] = []
    count: dict[str, int] = {}
    for line in tree.lines:
        session, _, agent = lines.groups[line.group]
        if _is_main(line):
            name = "main" if len(mains) == 1 else f"session-{session[:8] or len(found)}"
        else:
            name = f"{'sidechain' if line.side else 'branch'}-{agent[:12] or _uuid(lines, line.head, source)[:8] or line.head}"
        count[name] = count.get(name, 0) + 1
        found.append(name if count[name] == 1 else f"{name}-{count[name]}")
    return found


def _is_main(line: Line) -> bool:
    """Whether a conversation is a session's main line."""
    return (line.parent < 0 or line.session) and not line.side


def _uuid(lines: Lines, record: int, source: Source) -> str:
    try:
        value = loads(source.read(int(lines.offset[record]), int(lines.length[record])))
    except NotJson:
        return ""
    uuid = value.get("uuid") if isinstance(value, dict) else None
    return uuid if isinstance(uuid, str) else ""


def _why_opened(tree: Tree) -> str:
    line = tree.lines[tree.opened]
    if len(tree.lines) == 1:
        return ""
    branches = sum(1 for other in tree.lines if other.parent >= 0 and not other.session)
    sides = sum(1 for other in tree.lines if other.side)
    others = [f"{branches} rewound" if branches else "", f"{sides} of subagents" if sides else ""]
    rest = " and ".join(filter(None, others))
    why = "the last record of the file is on it, so a resume would go on here"
    return why if not line.side else "the file holds nothing but subagents; this is the last one" if not rest else why


def _whys(lines: Lines, tree: Tree) -> list[str]:
    """What was odd."""
    found = []
    unparsed = int((lines.what == UNPARSED).sum())
    if unparsed:
        found.append(f"{unparsed} line{'s' if unparsed > 1 else ''} could not be read; kept and exported as they are")
    unknown = int((lines.what == UNKNOWN).sum())
    if unknown:
        found.append(f"{unknown} record{'s' if unknown > 1 else ''} of an unknown kind; kept and exported as they are")
    if tree.merged:
        found.append("more rewinds than can be told apart; all of them are shown as one conversation, in the order of the file")
    branches = sum(1 for line in tree.lines if line.parent >= 0 and not line.session)
    if branches:
        found.append(f"{branches} branch{'es' if branches > 1 else ''} left by a rewind")
    return found


FORMAT = ClaudeCode()
