"""What Cline and Roo Code show of a task: `ui_messages.json`, a list of `{ts, type: ask|say, text}`. It is read and never written.

No model saw it: what is asked and said here tells a conversation, and its tool uses are notes (`ask: tool`), no calls. What a request cost
stands in `api_req_started`.
Source: RooCodeInc/Roo-Code packages/types/src/message.ts (`clineAskSchema`, `clineSaySchema`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from app.formats._cline import seconds_of
from app.formats._columns import Columns, tokens_of
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._json import NotJson, compact, loads
from app.formats._logs import Log, Sheet
from app.formats._nodes import document
from app.formats._peek import peek
from app.formats._pieces import Piece, add_pieces, blocks_of
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.table import RecordKind, Shown
from app.model.transcript import Refusal

_ASKED: Final = frozenset({"user_feedback", "user_feedback_diff", "command_output", "task"})
_TEXTS: Final = frozenset({"text", "completion_result", "followup", "plan_mode_respond", "user_feedback", "task"})
_HIDDEN: Final = frozenset(
    {"api_req_started", "api_req_finished", "api_req_retried", "api_req_deleted", "api_req_retry_delayed", "api_req_rate_limit_wait",
     "checkpoint_saved", "checkpoint_created", "shell_integration_warning", "resume_task", "resume_completed_task", "condense_context",
     "sliding_window_truncation", "deleted_api_reqs"}
)  # fmt: skip
_FAILED: Final = frozenset({"error", "api_req_failed", "diff_error", "rooignore_error"})


def word_of(value: dict[str, Any]) -> str:
    """What is asked or said."""
    word = value.get(value["type"]) if value.get("type") in ("ask", "say") else None
    return word if isinstance(word, str) else ""


def pieces(value: dict[str, Any]) -> list[Piece]:
    word, text = word_of(value), value.get("text")
    text = text if isinstance(text, str) else ""
    role = Role.USER if word in _ASKED else Role.ASSISTANT
    if word == "reasoning":
        return [Piece(Kind.REASONING, word, role, "/text", (text,), value=value)]
    if word in _TEXTS:
        return [Piece(Kind.TEXT, word, role, "/text", (text,), value=value)]
    return [Piece(Kind.OTHER, word or "(no type)", role, "/text", (text or compact(value),), value=value)]


class UiWire:
    """Rows and blocks of a message."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = False

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int:
        return add_pieces(columns, record, message, pieces(_as_task(value) if not message else value), odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return blocks_of(pieces(value), first, record, pointer)

    def made_type(self, kind: Kind, role: Role) -> str:
        return "text"


def _as_task(value: dict[str, Any]) -> dict[str, Any]:
    """The first thing that is said is a person's task."""
    return {**value, "type": "say", "say": "task"} if word_of(value) == "text" else value


def _never(context: Any, run: Any) -> list[bytes]:
    raise NotImplementedError  # it is read and never written


class ClineRooUiMessages(Log):
    name = "cline-roo-ui-messages"
    summary = "Cline and Roo Code: what a task showed on the screen"
    provider = "anthropic"
    mode = "prefix"
    writable = False
    native = False
    lines = False
    dialect = Dialect(UiWire(), _never, Role.USER)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        if not isinstance(value, list) or not value:
            return None
        told = sum(isinstance(one, dict) and "ts" in one and bool(word_of(one)) for one in value[:50])
        return Confidence(self.name, 0.96, "ts, and what is asked or said") if 2 * told > len(value[:50]) else None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        root = document(source)
        if not isinstance(root.value, list):
            raise UnreadableError(f"{source.name}: it is no list of what was asked and said")
        sheet = Sheet(self.name, self.dialect, source)
        main = sheet.conversation("main")
        usage: dict[str, int] | None = None
        for place, item in enumerate(root.elements()):
            value, record = item.value, sheet.columns.record_count
            sheet.pointers[record] = item.pointer
            if not isinstance(value, dict):
                sheet.other(item.start, item.length, place, RecordKind.UNKNOWN, Shown.SHOWN, owner=0)
                continue
            word, time = word_of(value), seconds_of(value.get("ts"))
            if word in _FAILED:
                sheet.other(item.start, item.length, place, RecordKind.REFUSAL, Shown.SHOWN, time, owner=0)
                text = value.get("text")
                main.refusals.append(Refusal(record, main.rows[-1] if main.rows else -1, None, text if isinstance(text, str) else ""))
            elif word in _HIDDEN or (word in _TEXTS and not value.get("text")):
                sheet.other(item.start, item.length, place, RecordKind.META, Shown.HIDDEN, time, owner=0)
                usage = _usage(value) if word == "api_req_started" else usage
            else:
                if usage is not None and word not in _ASKED:
                    sheet.columns.usage(sheet.messages, **usage)
                    usage = None
                sheet.message(main, item.start, item.length, place, value, (), True, time)
        return sheet.dump(complete=not first_look)

    def blocks(self, table: Any, record: int, value: Any, first: int) -> Sequence[Block]:
        if isinstance(value, dict) and first < len(table) and table.message[first] == 0:
            value = _as_task(value)
        return super().blocks(table, record, value, first)


def _usage(value: dict[str, Any]) -> dict[str, int] | None:
    """What a request cost."""
    try:
        told = loads(value["text"].encode("utf-8", "surrogatepass")) if isinstance(value.get("text"), str) else None
    except NotJson:
        return None
    if not isinstance(told, dict):
        return None
    fresh, output, written, read = (tokens_of(told, key) for key in ("tokensIn", "tokensOut", "cacheWrites", "cacheReads"))
    found = {"fresh": fresh, "cache_read": read, "cache_write": written, "output": output}
    return found if any(found.values()) else None


FORMAT = ClineRooUiMessages()
