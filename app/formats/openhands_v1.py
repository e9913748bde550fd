"""OpenHands' SDK (V1): events, one a line or one a file, or a list of them; and the base state of a conversation, which holds none.

Source: OpenHands/software-agent-sdk openhands-sdk/openhands/sdk/event and conversation/event_store.py, and recorded events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from app.formats._condensation import Condensed, condense, ids_of, offset_of
from app.formats._condensed_write import CondensedWriter
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._logs import ALONE, ARRAY, LINES, Conversation, Lane, Log, Sheet, each_line
from app.formats._nodes import whole_document
from app.formats._openhands_sdk import OpenHandsSdkWire, is_said
from app.formats._paths import follow
from app.formats._peek import peek
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Role
from app.model.source import Source
from app.model.table import RecordKind, Shown
from app.model.transcript import Refusal, Transcript

_ENDINGS: Final = ("Event", "Condensation", "CondensationRequest", "UserRejectObservation", "Observation")
_STATE: Final = frozenset(
    {"persistence_dir", "agent_status", "execution_status", "max_iterations", "confirmation_policy", "stuck_detection", "workspace",
     "activated_knowledge_microagents", "activated_knowledge_skills", "stats"}
)  # fmt: skip


class OpenHandsSdk(Log):
    name = "openhands-v1"
    summary = "OpenHands SDK (V1): the events of a conversation"
    provider = "anthropic"
    mode = "prefix"
    native = False
    dialect = Dialect(OpenHandsSdkWire(), OpenHandsSdkWire().rewrite, Role.TOOL)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        value = seen.value
        found = seen.records if seen.lines else value if isinstance(value, list) else (value,)
        events = [event for event in found if isinstance(event, dict)]
        told = sum(_is_event(event) for event in events)
        if events and 2 * told > len(events):
            return Confidence(self.name, 0.96, "events with kind and source")
        if isinstance(value, dict) and isinstance(value.get("agent"), dict) and len(_STATE & value.keys()) > 2:
            return Confidence(self.name, 0.92, "the state of a conversation: agent, workspace, status")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        reading = _Reading(sheet)
        root = whole_document(source)
        if root is None:
            for number, offset, length, value, odd in each_line(source, first_look):
                reading.event(offset, length, number, value, odd)
                if progress is not None and not number % 2048:
                    progress(min(1.0, offset / max(1, source.size)))
            sheet.lanes.append(Lane(LINES, 0, source.size, 0, sheet.columns.record_count))
        elif isinstance(root.value, list):
            for number, node in enumerate(root.elements()):
                reading.event(node.start, node.length, number, node.value, True)
            sheet.lanes.append(Lane(ARRAY, root.start, root.end, 0, sheet.columns.record_count))
        else:
            sheet.pointers[0] = ""
            reading.event(root.start, root.length, 0, root.value, True)
            sheet.lanes.append(Lane(ALONE, root.start, root.end, 0, 1))
        if not reading.events and not (root is not None and isinstance(root.value, dict)):
            raise UnreadableError(f"{source.name}: it holds no events of OpenHands")
        reading.close()
        return sheet.dump(complete=not first_look)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return CondensedWriter(dump, transcripts, self.dialect).plan()


def _is_event(event: dict[str, Any]) -> bool:
    kind = event.get("kind")
    return isinstance(kind, str) and kind.endswith(_ENDINGS) and "source" in event and ("id" in event or "timestamp" in event)


class _Reading:
    """The events of a conversation, one by one."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.events = sheet, 0
        self.owner: Conversation | None = None
        self.ids: list[Any] = []
        self.acts: dict[int, Condensed] = {}

    def event(self, offset: int, length: int, place: int, value: Any, odd: bool) -> None:
        sheet, record = self.sheet, self.sheet.columns.record_count
        self.ids.append(value.get("id") if isinstance(value, dict) else None)
        if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
            known = isinstance(value, dict) and "agent" in value
            kind = RecordKind.UNPARSED if value is None else RecordKind.META if known else RecordKind.UNKNOWN
            sheet.other(offset, length, place, kind)
            return
        self.events += 1
        if self.owner is None:
            self.owner = sheet.conversation("main")
        if value["kind"] == "Condensation":
            self.acts[record] = Condensed(ids_of(value.get("forgotten_event_ids")), offset_of(value.get("summary_offset")))
        time = value.get("timestamp")
        if is_said(value):
            sheet.message(self.owner, offset, length, place, value, (), odd, time)
            return
        detail = value.get("detail") if value["kind"] == "ConversationErrorEvent" else None
        if isinstance(detail, str):
            rows = self.owner.rows
            self.owner.refusals.append(Refusal(record, rows[-1] if len(rows) else -1, None, detail))
            sheet.other(offset, length, place, RecordKind.REFUSAL, Shown.SHOWN, time, owner=0)
            return
        model = follow(value, ("value", "usage_to_metrics", "default", "model_name"))
        if isinstance(model, str) and model and self.owner.model is None:
            self.owner.model = model
        sheet.other(offset, length, place, RecordKind.BOUNDARY if value["kind"] == "Condensation" else RecordKind.META, time=time, owner=0)

    def close(self) -> None:
        if self.owner is not None:
            condense(self.sheet, self.owner, 0, self.ids, self.acts)


FORMAT = OpenHandsSdk()
