"""Letta's agent files (`.af`): `{agents: [{name, messages, in_context_message_ids, ...}], blocks, tools, ...}`; before that one agent.

Each agent is a conversation. What the model sees are the messages that are in context, in that order; all others stand before them. New
messages get ids of their own, and the list of what is in context is kept in step.
Source: letta-ai/letta letta/schemas/agent_file.py (`AgentFileSchema`, `AgentSchema`), letta-ai/agent-file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._json import loads
from app.formats._letta import LettaContext, LettaWire
from app.formats._log_write import LogContext, LogWriter
from app.formats._logs import About, Log, Sheet
from app.formats._mould import parted
from app.formats._nodes import Node, document
from app.formats._paths import follow
from app.formats._peek import peek
from app.formats._runs import Runs, Stretch
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Role
from app.model.source import Source
from app.model.table import RecordKind
from app.model.transcript import Transcript

WIRE: Final = LettaWire()
_AGENT: Final = frozenset(
    {"agent_type", "block_ids", "memory_blocks", "in_context_message_ids", "in_context_message_indices", "llm_config"}
)
_NUMBER: Final = re.compile(rb"message-(\d{1,15})\b")


class Letta(Log):
    name = "letta"
    summary = "Letta: an agent file (.af)"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    lines = False
    dialect = Dialect(WIRE, WIRE.rewrite, Role.TOOL)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        if not isinstance(value, dict):
            return None
        agents = value.get("agents")
        first = agents[0] if isinstance(agents, list) and agents else None
        if isinstance(first, dict) and len(_AGENT & first.keys()) > 1:
            return Confidence(self.name, 0.98, "agents with messages, llm_config and block_ids")
        if len(_AGENT & value.keys()) > 2 and isinstance(value.get("messages"), list):
            return Confidence(self.name, 0.95, "an agent: messages, llm_config and memory")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        root = document(source)
        agents = root.get("agents")
        nodes = list(agents.elements()) if agents is not None else [root]
        lists: dict[int, tuple[int, int]] = {}
        own: dict[int, str] = {}
        for number, node in enumerate(nodes):
            if isinstance(node.value, dict):
                lists |= _agent(sheet, node, number, own)
        if not sheet.conversations:
            raise UnreadableError(f"{source.name}: it holds no agent")
        dump = sheet.dump(complete=not first_look)
        dump.table.extra |= {"in_context": lists, "own": own}
        return dump

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return _Writer(dump, transcripts, self.dialect).plan()


def _agent(sheet: Sheet, node: Node, number: int, own: dict[int, str]) -> dict[int, tuple[int, int]]:
    """The conversation of an agent; where its list of what is in context stands comes back, by the number of the conversation. `own` gets
    the ids of messages by their records."""
    told = node.value
    name, model = told.get("name"), follow(told, ("llm_config", "model"))
    title = name if isinstance(name, str) else ""
    id = told.get("id")
    owner = sheet.conversation(
        id if isinstance(id, str) and id else str(number), title=title, model=model if isinstance(model, str) else None
    )
    first = sheet.columns.record_count
    sheet.listed(owner, node.get("messages"), about=_about)
    key = "in_context_message_ids" if "in_context_message_ids" in told else "in_context_message_indices"
    held, messages = node.get(key), told.get("messages")
    if held is None or not isinstance(held.value, list) or not held.value or not isinstance(messages, list):
        return {}
    own.update((first + n, m["id"]) for n, m in enumerate(messages) if isinstance(m, dict) and isinstance(m.get("id"), str))
    places = {m.get("id") if isinstance(m, dict) and key.endswith("ids") else n: n for n, m in enumerate(messages)}
    seen = [places[one] for one in held.value if isinstance(one, int | str) and one in places]
    starts, counts = sheet.spans()
    rows = [list(range(int(starts[first + n]), int(starts[first + n] + counts[first + n]))) for n in range(len(messages))]
    unseen = [row for n, own in enumerate(rows) if n not in set(seen) for row in own]
    owner.rows[:] = type(owner.rows)("i", [*unseen, *(row for n in dict.fromkeys(seen) for row in rows[n])])
    owner.start = len(unseen)
    return {sheet.conversations.index(owner): (held.start, held.end)} if key.endswith("ids") else {}


def _about(message: dict[str, Any]) -> About:
    asked = message.get("role") == "approval" and not message.get("tool_calls")  # a person's answer: the model is told by the result
    kind = RecordKind.META if asked else RecordKind.MESSAGE
    return About(kind, time=message.get("created_at"), model=message.get("model") if message.get("role") == "assistant" else None)


class _Writer(LogWriter):
    """Lays edits over the messages of agents; new ones get ids, and the lists of what is in context follow."""

    def __init__(self, dump: Dump, transcripts: Sequence[Transcript], dialect: Dialect) -> None:
        super().__init__(dump, transcripts, dialect)
        self._fresh: dict[tuple[int, int], str] = {}
        self._top = -1

    def context(self, edited: Transcript) -> LogContext:
        return LettaContext(super().context(edited), self.fresh)

    def fresh(self, index: int, row: int) -> str:
        """The id of a message that is new, by the transcript and the row that it begins with."""
        if self._top < 0:
            found = _NUMBER.findall(self.source.read(0, self.source.size))
            self._top = max(map(int, found), default=0)
        if (index, row) not in self._fresh:
            self._fresh[index, row] = f"message-{self._top + 1 + len(self._fresh)}"
        return self._fresh[index, row]

    def plan(self) -> Writing:
        writing = super().plan()
        for base, edited in self.pairs:
            span = self.table.extra["in_context"].get(base.index)
            if span is not None:
                data = self.source.read(span[0], span[1] - span[0])
                ids = self._with_hidden(loads(data), self._ids(edited))
                writing.replace(span[0], span[1], self._list(data, ids))
        return writing

    def _list(self, data: bytes, ids: list[str]) -> bytes:
        """The list of what is in context, in the lines that it is written in."""
        head = data[1 : len(data) - len(data[1:].lstrip())]
        tail = data[len(data[:-1].rstrip()) : -1]
        gap = b"," + head if b"\n" in head else self.frame.comma.encode()
        return b"[" + head + gap.join(self.frame.text(id) for id in ids) + tail + b"]" if ids else b"[]"

    def _ids(self, edited: Transcript) -> list[str]:
        """The messages that are sent, in order."""
        context, found, at = self.context(edited), list[str](), 0
        own = self.table.extra["own"]
        for run in Runs(self.table, edited):
            if isinstance(run, Stretch):
                for record in range(run.first, run.last + 1):
                    if at >= edited.start:
                        found.append(own.get(record, ""))
                    at += int((self.table.record == record).sum())
                continue
            for number, (record, rows) in enumerate(parted(context, run.rows)):
                stays = record >= 0 and record == run.record and not number
                if at >= edited.start:
                    found.append(own.get(record, "") if stays else self.fresh(edited.index, rows[0]))
                at += len(rows)
        return [id for id in dict.fromkeys(found) if id]

    def _with_hidden(self, before: list[Any], ids: list[str]) -> list[str]:
        """The list with what has no rows and was in it, each behind what it stood behind."""
        rows = set(self.table.record.tolist())
        hidden = {id for record, id in self.table.extra["own"].items() if record not in rows}
        for place, id in enumerate(before):
            if id in hidden:
                ahead = next((one for one in reversed(before[:place]) if one in ids), None)
                ids.insert(ids.index(ahead) + 1 if ahead is not None else 0, id)
        return ids


FORMAT = Letta()
