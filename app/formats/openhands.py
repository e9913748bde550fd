"""OpenHands' trajectories (before its SDK): a list of events, or the rows of an evaluation (`{instance_id, history, ...}`), one a line.

A history is a list of events, or of pairs of an action and its observation. A condensation takes events out of what the model sees and
puts a summary in their place: what it forgot stands before what is sent, the summary where it was put.
Source: All-Hands-AI/OpenHands openhands/memory/view.py, evaluation/utils/shared.py (`EvalOutput`), and recorded runs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from app.formats._condensation import Condensed, condense, ids_of, offset_of
from app.formats._condensed_write import CondensedWriter
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._logs import About, Conversation, Log, Sheet, each_line
from app.formats._nodes import Node, whole_document
from app.formats._openai import usage_of
from app.formats._openhands import OpenHandsWire, sort_of
from app.formats._paths import follow
from app.formats._peek import peek
from app.formats._scan import skip_space
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Role
from app.model.source import Source
from app.model.table import RecordKind
from app.model.transcript import Refusal, Transcript

_OF_PROVIDER: Final = re.compile(r"BadRequest|litellm|APIError|RateLimit|ContextWindow|AuthenticationError|InternalServerError")
_WORDS: Final = frozenset({"action", "observation"})
_BESIDE: Final = frozenset({"source", "args", "extras"})
_LISTS: Final = ("history", "trajectory", "events")


class OpenHands(Log):
    name = "openhands"
    summary = "OpenHands: the events of a run, or the rows of an evaluation"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    dialect = Dialect(OpenHandsWire(), OpenHandsWire().rewrite, Role.TOOL)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        if isinstance(seen.value, list) and _are_events(seen.value):
            return Confidence(self.name, 0.96, "events of action or observation and their source")
        rows = [row for row in (seen.records if seen.lines else (seen.value,)) if isinstance(row, dict)]
        told = sum(any(_are_events(row.get(key)) for key in _LISTS) for row in rows)
        if rows and 2 * told > len(rows):
            return Confidence(self.name, 0.96, "a history of events")
        if seen.lines and _are_events(rows):
            return Confidence(self.name, 0.94, "lines of action or observation and their source")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        reading = _Reading(sheet)
        root = whole_document(source)
        if root is not None:
            reading.row(root, 0)
        else:
            data = source.read(0, source.size)
            for number, offset, length, value, _ in each_line(source, first_look):
                node = Node(data, value, skip_space(data, offset), offset + length, f"/{number}")
                if isinstance(value, dict | list):
                    reading.row(node, number)
                else:
                    sheet.other(offset, length, number, RecordKind.UNPARSED if value is None else RecordKind.UNKNOWN)
                if progress is not None:
                    progress(min(1.0, offset / max(1, source.size)))
        if not reading.found:
            raise UnreadableError(f"{source.name}: it holds no events of OpenHands")
        return sheet.dump(complete=not first_look)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return _Writer(dump, transcripts, self.dialect).plan()


class _Writer(CondensedWriter):
    holder = ("args",)


def _are_events(value: Any) -> bool:
    """Whether a list is one of events, or of pairs of them."""
    flat = [event for item in (value if isinstance(value, list) else ())[:40] for event in (item if isinstance(item, list) else [item])]
    told = sum(isinstance(event, dict) and bool(_WORDS & event.keys()) and bool(_BESIDE & event.keys()) for event in flat)
    return bool(flat) and 2 * told > len(flat)


class _Reading:
    """Histories, one by one."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.found = sheet, 0
        self._told: set[str] = set()  # responses whose usage is counted

    def row(self, node: Node, number: int) -> None:
        """A list of events, or an object that has one."""
        held: Node | None = node
        if isinstance(node.value, dict):
            key = next((key for key in _LISTS if isinstance(node.value.get(key), list)), None)
            held = node.get(key) if key is not None else None
        if held is None or not isinstance(held.value, list):
            self.sheet.pointers[self.sheet.columns.record_count] = node.pointer
            self.sheet.other(node.start, node.length, number, RecordKind.UNKNOWN)
            return
        self.found += 1
        told = node.value if isinstance(node.value, dict) else {}
        id = told.get("instance_id")
        named = id if isinstance(id, str) and id else str(number) if told else "main"
        model = follow(told, ("metadata", "llm_config", "model"))
        owner = self.sheet.conversation(named, title=named if told else "", model=model if isinstance(model, str) else None)
        first = self.sheet.columns.record_count
        if any(isinstance(item, list) for item in held.value):
            for pair in held.elements():
                self._pair(owner, pair)
        else:
            self.sheet.listed(owner, held, about=self._about)
        events = [event for item in held.value for event in (item if isinstance(item, list) else [item])]
        ids = [event.get("id") if isinstance(event, dict) else None for event in events]
        condense(self.sheet, owner, first, ids, _condensations(events))
        error = told.get("error")
        if isinstance(error, str) and _OF_PROVIDER.search(error):
            owner.refusals.append(Refusal(-1, owner.rows[-1] if len(owner.rows) else -1, None, error))

    def _pair(self, owner: Conversation, pair: Node) -> None:
        if isinstance(pair.value, list):
            self.sheet.listed(owner, pair, about=self._about)
        else:
            self.sheet.pointers[self.sheet.columns.record_count] = pair.pointer
            self.sheet.other(pair.start, pair.length, 0, RecordKind.UNKNOWN, owner=self.sheet.conversations.index(owner))

    def _about(self, event: dict[str, Any]) -> About:
        time, response = event.get("timestamp"), follow(event, ("tool_call_metadata", "model_response"))
        if not sort_of(event):
            wall = event.get("action") == "condensation"
            return About(RecordKind.BOUNDARY if wall else RecordKind.META, time)
        if not isinstance(response, dict) or "observation" in event:
            return About(time=time)
        id = response.get("id")
        again = isinstance(id, str) and id in self._told
        if isinstance(id, str):
            self._told.add(id)
        return About(time=time, model=response.get("model"), usage=None if again else usage_of(response.get("usage")))


def _condensations(events: list[Any]) -> dict[int, Condensed]:
    found: dict[int, Condensed] = {}
    for number, event in enumerate(events):
        args = event.get("args") if isinstance(event, dict) and event.get("action") == "condensation" else None
        if isinstance(args, dict):
            found[number] = Condensed(_forgotten(args), offset_of(args.get("summary_offset")))
    return found


def _forgotten(args: dict[str, Any]) -> frozenset[Any]:
    """The ids of the events that a condensation forgets: a list, or from one to another."""
    start, end = args.get("forgotten_events_start_id"), args.get("forgotten_events_end_id")
    if isinstance(start, int) and isinstance(end, int) and end - start < 1_000_000:
        return frozenset(range(start, end + 1))
    return ids_of(args.get("forgotten_event_ids"))


FORMAT = OpenHands()
