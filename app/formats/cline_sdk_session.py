"""Sessions of Cline's SDK: `{version, sessionId, agent, messages, system_prompt}`, Anthropic's blocks with ids, times and metrics.

A compaction writes a file of its own in place of what was there; its first message tells so in `metadata`.
Source: cline/cline sdk (session files as the CLI and the desktop app write them).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.formats._cline import DIALECT, ClineWriter, is_summary, model_of, seconds_of, usage_of
from app.formats._columns import tokens_of
from app.formats._format import Progress
from app.formats._logs import About, Log, Sheet
from app.formats._nodes import document
from app.formats._peek import peek
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source
from app.model.transcript import Transcript, Wall

_OWN = ("modelInfo", "metrics", "metadata", "ts")


class ClineSdkSession(Log):
    name = "cline-sdk-session"
    summary = "Cline: a session of its SDK"
    provider = "anthropic"
    mode = "prefix"
    lines = False
    dialect = DIALECT

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        if not isinstance(value, dict) or not isinstance(value.get("messages"), list) or "sessionId" not in value:
            return None
        messages = [message for message in value["messages"][:20] if isinstance(message, dict)]
        if any("type" in message or "role" not in message for message in messages) or "projectHash" in value:
            return None
        if "agent" in value or "updated_at" in value:
            return Confidence(self.name, 0.96, "sessionId, agent and messages")
        noted = any(key in message for message in messages for key in _OWN)
        return Confidence(self.name, 0.92, "sessionId and messages with modelInfo or metrics") if noted else None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        root = document(source)
        messages = root.get("messages")
        if messages is None or not isinstance(messages.value, list):
            raise UnreadableError(f"{source.name}: it has no list of messages")
        sheet = Sheet(self.name, self.dialect, source)
        models = [found for message in messages.value if isinstance(message, dict) and (found := model_of(message))]
        title = root.value.get("title")
        main = sheet.conversation("main", model=models[-1] if models else None, title=title if isinstance(title, str) else "")
        sheet.listed(main, messages, about=_about)
        sheet.head(main, root.get("system_prompt"))
        first, count = sheet.spans()
        for record, message in enumerate(messages.value):
            if isinstance(message, dict) and _compacted(message) and count[record]:
                main.walls.append(Wall(int(first[record]), record, _before(message)))
        return sheet.dump(complete=not first_look)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return ClineWriter(dump, transcripts, self.dialect).plan()


def _about(message: dict[str, Any]) -> About:
    return About(time=seconds_of(message.get("ts")), model=model_of(message), usage=usage_of(message))


def _compacted(message: dict[str, Any]) -> bool:
    metadata = message.get("metadata")
    return is_summary(message) or (isinstance(metadata, dict) and metadata.get("kind") == "compaction")


def _before(message: dict[str, Any]) -> int | None:
    """How many tokens there were before a compaction."""
    metadata = message.get("metadata")
    held = metadata.get("usageBefore") if isinstance(metadata, dict) else None
    told = tokens_of(metadata, "tokensBefore") if isinstance(metadata, dict) else 0
    return told or (tokens_of(held, "inputTokens") if isinstance(held, dict) else 0) or None


FORMAT = ClineSdkSession()
