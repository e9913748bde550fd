"""mini-swe-agent's trajectories: `{info, messages, trajectory_format}`, in OpenAI's Chat wire with notes in `extra`.

Version 1 ("mini-swe-agent-1") keeps calls as fenced shell in the text, version 1.1 as `tool_calls`; `extra.actions` and `extra.response`
repeat them. The last message may have the role `exit`: it says how the run ended and was never sent.
Source: SWE-agent/mini-swe-agent docs/usage/output_files.md and docs/advanced/v2_migration.md, and recorded runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.formats._dialects import OPENAI
from app.formats._format import Progress
from app.formats._log_write import LogWriter
from app.formats._logs import About, Log, Sheet
from app.formats._nodes import document
from app.formats._openai import usage_of
from app.formats._paths import follow
from app.formats._peek import peek
from app.formats._response_items import RESPONSE_ITEMS, holds_items, is_response
from app.formats._writing import Writing
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source
from app.model.table import RecordKind, Table
from app.model.transcript import Transcript


class MiniSweAgent(Log):
    name = "mini-swe-agent"
    summary = "mini-swe-agent: the trajectory of one run"
    provider = "openai-chat"
    mode = "prefix"
    lines = False
    dialect = OPENAI

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        if not isinstance(value, dict):
            return None
        if str(value.get("trajectory_format")).startswith("mini-swe-agent"):
            return Confidence(self.name, 0.98, "trajectory_format")
        info = value.get("info")
        if isinstance(info, dict) and ("mini_version" in info or {"exit_status", "model_stats"} <= info.keys()) and "messages" in value:
            return Confidence(self.name, 0.95, "messages beside info.mini_version or info.model_stats")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        root = document(source)
        messages = root.get("messages")
        if messages is None or not isinstance(messages.value, list):
            raise UnreadableError(f"{source.name}: it has no list of messages")
        items = holds_items(messages.value)
        sheet = Sheet(self.name, RESPONSE_ITEMS if items else self.dialect, source)
        sheet.more["items"] = items
        model = follow(root.value, ("info", "config", "model", "model_name"))
        status, instance = follow(root.value, ("info", "exit_status")), root.value.get("instance_id")
        title = ", ".join(word for word in (instance, status) if isinstance(word, str) and word)
        owner = sheet.conversation("main", title=title, model=model if isinstance(model, str) else None)
        sheet.listed(owner, messages, model=model, about=_about)
        dump = sheet.dump(complete=not first_look)
        if items:
            dump.table.wire = "openai-responses"
            dump.table.extra["whole_answers"] = not any(map(_is_loose, messages.value))
        return dump

    def blocks(self, table: Table, record: int, value: Any, first: int) -> Sequence[Block]:
        if table.extra["items"] and isinstance(value, dict):
            return RESPONSE_ITEMS.wire.message_blocks(value, first, record, table.pointer(record))
        return super().blocks(table, record, value, first)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return LogWriter(dump, transcripts, RESPONSE_ITEMS if dump.table.extra["items"] else self.dialect).plan()


def _is_loose(message: Any) -> bool:
    """Whether a message is what a model answered, but not in a whole response."""
    loose = isinstance(message, dict) and not is_response(message)
    return loose and (message.get("role") == "assistant" or message.get("type") in ("function_call", "custom_tool_call", "reasoning"))


def _about(message: dict[str, Any]) -> About:
    extra = message.get("extra")
    extra = extra if isinstance(extra, dict) else {}
    if message.get("role") == "exit":
        return About(RecordKind.META, extra.get("timestamp"))
    response = message if is_response(message) else extra.get("response")
    response = response if isinstance(response, dict) else {}
    return About(time=extra.get("timestamp", message.get("timestamp")), model=response.get("model"), usage=usage_of(response.get("usage")))


FORMAT = MiniSweAgent()
