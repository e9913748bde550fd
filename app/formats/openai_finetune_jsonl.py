"""Fine-tuning data for OpenAI's Chat models: JSONL, each line `{messages, tools?, parallel_tool_calls?}` a conversation.

Preference data (`{input: {messages, tools}, preferred_output, non_preferred_output}`) has two endings: the preferred one ends the
conversation, the other one is shown by itself. Lines of a batch (`{custom_id, body}`) hold a request each. `weight` of a message is kept.
Source: OpenAI's guides to supervised fine-tuning and direct preference optimization, and to the Batch API.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._dialects import OPENAI
from app.formats._format import Progress
from app.formats._logs import Log, Sheet
from app.formats._peek import peek
from app.formats._rows import Row, each_row, rows_in
from app.model.dump import Confidence, Dump
from app.model.source import Source

_OTHERS: Final = frozenset(
    {"response", "choices", "kwargs", "latency_sec", "output", "role", "anthropic_version", "system", "conversations", "uuid", "parts"}
)
"""Members of what is no row of such data: logs of calls, requests in another wire."""


class OpenAIFinetune(Log):
    name = "openai-finetune-jsonl"
    summary = "OpenAI fine-tuning: JSONL, one conversation a line"
    provider = "openai-chat"
    mode = "prefix"
    dialect = OPENAI

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        rows = rows_in(seen) if seen.lines else []
        plain = sum(_is_row(row) for row in rows)
        if 2 * plain <= len(rows) or not rows:
            return None
        return Confidence(self.name, 0.93, "messages of role and content in each line")

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        each_row(sheet, _lists, progress, first_look)
        return sheet.dump(complete=not first_look)


def _is_row(row: dict[str, Any]) -> bool:
    if "preferred_output" in row and "input" in row:
        return True
    body = row.get("body") if "custom_id" in row else row
    messages = body.get("messages") if isinstance(body, dict) else None
    if not isinstance(messages, list) or not _OTHERS.isdisjoint(row):
        return False
    objects = [m for m in messages if isinstance(m, dict)]
    contents = [content for m in objects if isinstance(content := m.get("content"), list)]
    typed = [part for content in contents for part in content if isinstance(part, dict)]
    if any(p.keys() >= {"type", "value"} for p in typed) or any("type" in p and p["type"] in ("tool_use", "tool_result") for p in typed):
        return False
    return bool(objects) and all(isinstance(m.get("role"), str) for m in objects)


def _lists(row: dict[str, Any]) -> list[Row]:
    """What the lists of messages of a row are."""
    if "preferred_output" in row:
        return [
            Row((("input", "messages"), ("preferred_output",))),
            Row((("non_preferred_output",),), "rejected", "the ending that was not preferred"),
        ]
    if isinstance(row.get("body"), dict):
        return [Row((("body", "messages"),))]
    return [Row((("messages",),))] if isinstance(row.get("messages"), list) else []


FORMAT = OpenAIFinetune()
