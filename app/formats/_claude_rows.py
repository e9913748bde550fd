"""What a record of a Claude Code session is, and its rows.

The usual shapes of a record and of a block are told by `_claude_loop.py`; whatever differs in any way is told here, with
`_anthropic.py`, which says what a row is. A test holds both against each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from app.formats._anthropic import add_content, message_flags
from app.formats._claude_marks import SYNTHETIC, mark, refusal, retried
from app.formats._claude_torn import pieces_of
from app.formats._columns import ROW, Columns, tokens_of
from app.formats._json import NotJson, loads
from app.model.kinds import ROLES, Flag, Kind, Role
from app.model.table import Ints

# What a record is to the tree.
PROMPT, INJECTED, RESULTS, ASSISTANT, SUMMARY, BOUNDARY, REFUSAL, NODE, LOOSE, UNKNOWN, UNPARSED, BLANK, GONE = range(13)
SPECIAL: Final = frozenset({"compact_boundary", "api_error"})  # subtypes of records that say more than that they are there
TAKEN: Final = "messageRemoved"  # the member of a line whose message an edit took out; the line still begins what that message began

USAGE_KEYS: Final = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
NO_STAMP: Final = "0000-00-00T00:00:00.000Z"  # no time, in the form of one: a batch of one form is read at once
TITLES: Final = (("summary", "summary"), ("ai-title", "aiTitle"), ("custom-title", "customTitle"))  # the last one counts most



@dataclass(frozen=True)
class Boundary:
    """What a compaction wall says: hashes of the record that it follows, of the first and last record that it keeps, of the one
    that these hang on, of all that it keeps where it lists them; tokens before and after."""

    logical: int = 0
    head: int = 0
    tail: int = 0
    anchor: int = 0
    kept: tuple[int, ...] = ()
    before: int | None = None
    after: int | None = None


class Runs:
    """A column whose values come in long runs: where each begins."""

    def __init__(self) -> None:
        self.at: list[int] = []
        self.value: list[int] = []

    def add(self, at: int, value: int) -> None:
        if not self.value or self.value[-1] != value:
            self.at.append(at)
            self.value.append(value)

    def spread(self, length: int, dtype: Any) -> Ints:
        """The column, with -1 before the first run."""
        ends = np.array([*self.at[1:], length], np.int64)
        found = np.repeat(np.array(self.value, dtype), (ends - np.array(self.at, np.int64)) if self.at else 0)
        return np.concatenate([np.full(length - len(found), -1, dtype), found])


class Rows:
    """Lists that grow by a record: one entry a record, an assistant's record, a row, a call or result, a call."""

    def __init__(self) -> None:
        self.columns = Columns("claude-code")
        self.done = self.answers = self.laid = 0  # records, assistants' records and rows that were cleared away
        self.length: list[int] = []
        self.what: list[int] = []
        self.count: list[int] = []
        self.uuid: list[int] = []
        self.parent: list[int] = []
        self.stamp: list[Any] = []
        self.identity: list[int] = []
        self.code: list[int] = []
        self.size: list[int] = []
        self.key: list[int] = []
        self.name: list[int] = []
        self.told: list[int] = []  # hashes of arguments
        self.flagged: list[int] = []  # rows with flags that their code does not say
        self.flags: list[int] = []
        self.unused: list[int] = []  # assistants' records without a usage, numbered from the first that was not cleared away
        self.usage: list[Any] = []  # four figures for each other one
        self.torn: list[int] = []  # the first record of each line that is no JSON
        self.joined: list[int] = []  # records that stand on the line of the one before
        self.codes: list[tuple[int, int, int]] = []  # kind, type and flags of a code
        self.groups: dict[tuple[str, bool, str], int] = {}  # session, sidechain or not, agent
        self.group_runs, self.model_runs = Runs(), Runs()
        self.boundaries: dict[int, Boundary] = {}
        self.refusals: dict[int, tuple[int | None, str]] = {}
        self.titles: dict[str, tuple[int, str]] = {}
        self._session = ""  # of the record before
        self._scratch = Columns("claude-code")
        self._code_of: dict[tuple[int, int], int] = {}

    def clear(self) -> None:
        """Empties the lists, when their values have been taken over."""
        self.done += len(self.what)
        self.answers += len(self.identity)
        self.laid += len(self.code)
        for used in (
            self.length, self.what, self.count, self.uuid, self.parent, self.stamp, self.identity, self.code, self.size, self.key,
            self.name, self.told, self.flagged, self.flags, self.unused, self.usage,
        ):  # fmt: skip
            used.clear()

    def code_for(self, kind: Kind, word: str, flags: int = 0) -> int:
        self.codes.append((kind, self.columns.type_of(word), flags))
        return len(self.codes) - 1

    def switch(self, session: Any, side: Any, agent: Any) -> None:
        """The group of the record that comes: its session, or that of the record before it; sidechains apart, by agent."""
        if isinstance(session, str):
            self._session = session
        sidechain = side is True
        name = (self._session, sidechain, agent if sidechain and isinstance(agent, str) else "")
        self.group_runs.add(self.done + len(self.what), self.groups.setdefault(name, len(self.groups)))

    # -- what is not as usual -------------------------------------------------------------------------------------------------

    def odd_line(self, line: bytes) -> None:
        """A line that orjson refuses."""
        text = line.strip(b" \t\r\n")
        if not text:
            self._record(BLANK, 0, {})
            return
        try:
            self.odd_record(loads(text), True)
        except NotJson:
            self._torn(line)

    def _torn(self, line: bytes) -> None:
        """A line that is no JSON: a record for each piece of it that is one, and for what lies between."""
        pieces = pieces_of(line)
        self.torn.append(self.done + len(self.what))
        del self.length[-1]
        for number, (piece, value) in enumerate(pieces):
            if number:
                self.joined.append(self.done + len(self.what))
            self.length.append(len(piece))
            self.odd_record(value, True)

    def odd_record(self, value: Any, odd: bool) -> None:
        """A record of any shape. `odd`: its strings may hold unpaired surrogates."""
        given = value if isinstance(value, dict) else {}
        self.switch(given.get("sessionId"), given.get("isSidechain"), given.get("agentId"))
        what, rows = self._what(given, odd) if value is given else (UNPARSED, 0)
        self._record(what, rows, given)

    def _record(self, what: int, rows: int, given: dict[str, Any]) -> None:
        self.uuid.append(hash_of(given.get("uuid")))
        self.parent.append(hash_of(given.get("parentUuid")))
        self.stamp.append(given.get("timestamp") or NO_STAMP)
        self.count.append(rows)
        self.what.append(what)

    def _what(self, value: dict[str, Any], odd: bool) -> tuple[int, int]:
        """What a record is and how many rows it got."""
        word, message = value.get("type"), value.get("message")
        if (word == "user" or word == "assistant") and isinstance(message, dict):
            return self._message(word, value, message, odd)
        if word == "system" and value.get("subtype") == "compact_boundary":
            self.boundaries[self.done + len(self.what)] = boundary_of(value)
            return BOUNDARY, 0
        if not isinstance(word, str) or word == "user" or word == "assistant":
            return UNKNOWN, 0
        if word == "system" and value.get("subtype") == "api_error" and hash_of(value.get("uuid")):
            refused = retried(value)
            if refused is not None:
                self.refusals[self.done + len(self.what)] = refused
        for rank, (name, key) in enumerate(TITLES):
            title = value.get(key)
            if word == name and isinstance(title, str) and title and rank >= self.titles.get(self._session, (0, ""))[0]:
                self.titles[self._session] = rank, title
        if not hash_of(value.get("uuid")):
            return LOOSE, 0
        return (GONE if value.get(TAKEN) is True else NODE), 0

    def _message(self, word: str, value: dict[str, Any], message: dict[str, Any], odd: bool) -> tuple[int, int]:
        """A record with a message."""
        if word == "assistant":
            refused = refusal(value, message)
            if refused is not None:
                self.refusals[self.done + len(self.what)] = refused
                return REFUSAL, 0
            self._answered(message)
        told = message.get("role")
        role = ROLES[told] if isinstance(told, str) and told in ROLES else ROLES[word]
        summary = value.get("isCompactSummary") is True
        meta = value.get("isMeta") is True and not summary and word == "user"
        flags = message_flags(message) | (Flag.SUMMARY if summary else 0)
        rows, results, typed = self.content(role, message.get("content"), flags, meta, odd)
        if word == "assistant":
            return ASSISTANT, rows
        return SUMMARY if summary else RESULTS if results else PROMPT if typed else INJECTED, rows

    def _answered(self, message: dict[str, Any]) -> None:
        """Id, model and usage of an assistant's record."""
        identity, model, usage = message.get("id"), message.get("model"), message.get("usage")
        real = model != SYNTHETIC
        self.model_runs.add(self.answers + len(self.identity), self.columns.model_of(model) if real else -1)
        self.identity.append(hash_of(identity) if isinstance(identity, str) and identity[:1] != "[" else 0)  # "[trimmed]" is no id
        if isinstance(usage, dict) and real:
            self.usage += [tokens_of(usage, key) for key in USAGE_KEYS]
        else:
            self.unused.append(len(self.what))

    def content(self, role: Role, content: Any, flags: int, meta: bool, odd: bool) -> tuple[int, bool, bool]:
        """Rows of a content of any shape: how many, whether one is a result, whether a person typed any of it."""
        scratch = self._scratch
        add_content(scratch, 0, 0, role, content, flags=flags, odd=odd, mark=mark)
        words = list(scratch.types)
        keys = [self.columns.keys[text] for text in scratch.keys]
        names = [self.columns.names[text] for text in scratch.names]
        self._noted(scratch)
        rows, results, typed = 0, False, False
        for _, _, _, kind, type_, _, name, size, flag, key in ROW.iter_unpack(bytes(scratch.rows)):
            result = kind == Kind.TOOL_RESULT
            if meta and not result:
                flag = (flag | Flag.INJECTED) & ~Flag.PROMPT
            results, typed = results or result, typed or not (result or flag & Flag.INJECTED)
            self.flagged.append(len(self.code))
            self.flags.append(flag)
            self.code.append(self._code(kind, words[type_]))
            self.size.append(size)
            if kind == Kind.TOOL_CALL:
                self.name.append(names[name] if name >= 0 else -1)
            if kind == Kind.TOOL_CALL or result:
                self.key.append(keys[key] if key >= 0 else -1)
            rows += 1
        scratch.rows.clear()
        scratch.keys.clear()
        scratch.names.clear()
        return rows, results, typed

    def _noted(self, scratch: Columns) -> None:
        """Takes over what is said of the rows to come: marks, and the hashes of arguments."""
        self.told += scratch.arguments
        del scratch.arguments[:]
        first = self.laid + len(self.code)
        for word, marked in scratch.marks.items():
            for row in marked:
                self.columns.mark(word, first + row)
        scratch.marks.clear()

    def _code(self, kind: int, word: str) -> int:
        """The code of a kind and a wire's word; a hostile dump has more words than there are codes."""
        pair = (kind, self.columns.type_of(word))
        code = self._code_of.get(pair)
        if code is None:
            code = self._code_of[pair] = self.code_for(Kind(kind), word) if len(self.codes) < 240 else self._code_of.get((kind, 0), -1)
        return code


def hash_of(value: Any) -> int:
    """A uuid as a number; 0 where there is none."""
    return hash(value) if isinstance(value, str) and value else 0


def boundary_of(value: dict[str, Any]) -> Boundary:
    """What a `compact_boundary` record says."""
    metadata = value.get("compactMetadata")
    told = metadata if isinstance(metadata, dict) else {}
    segment, listed = told.get("preservedSegment"), told.get("preservedMessages")
    segment, listed = segment if isinstance(segment, dict) else {}, listed if isinstance(listed, dict) else {}
    kept = listed.get("uuids")
    return Boundary(
        hash_of(value.get("logicalParentUuid")),
        hash_of(segment.get("headUuid")),
        hash_of(segment.get("tailUuid")),
        hash_of(segment.get("anchorUuid")) or hash_of(listed.get("anchorUuid")),
        tuple(map(hash_of, kept)) if isinstance(kept, list) else (),
        tokens_of(told, "preTokens") or None,
        tokens_of(told, "postTokens") or None,
    )
