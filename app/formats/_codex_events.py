"""What events of a Codex rollout tell and nothing else does: what a request cost, a provider's error, which calls a stopped turn left.

Sources: openai/codex codex-rs/protocol/src/protocol.rs (`EventMsg`, `TokenUsageInfo`), and recorded sessions.
"""

from __future__ import annotations

import re
from typing import Any, Final

from app.formats._columns import tokens_of
from app.formats._logs import Conversation, Sheet
from app.model.kinds import Mark
from app.model.transcript import Refusal

NEVER_SENT: Final = ("ghost_snapshot",)
"""Items that Codex keeps for itself (codex-rs/core/src/context_manager/history.rs, `for_prompt`)."""
_FAILED: Final = frozenset({"error", "stream_error"})
_STATUS: Final = re.compile(r"\bstatus:?\s*(?:code\s*)?([45]\d\d)\b|^([45]\d\d)\b", re.I)


class Events:
    """What is known of the turn at hand while lines are read."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._open: dict[str, int] = {}  # calls that nothing has answered yet: id to row
        self._asked = -1  # the last message that a model gave

    def item(self, item: dict[str, Any], message: int, row: int) -> None:
        """An item that is message `message`, its rows from `row` on."""
        word, role, id = item.get("type"), item.get("role"), item.get("call_id")
        answers = isinstance(word, str) and word.endswith("_output")
        if role not in ("user", "developer", "system") and not answers:
            self._asked = message
        if isinstance(id, str) and row < self.sheet.columns.row_count:
            if answers:
                self._open.pop(id, None)
            else:
                self._open[id] = row

    def event(self, told: Conversation, payload: dict[str, Any], record: int) -> None:
        """An event that stands behind what `told` holds so far."""
        word = payload.get("type")
        if word == "token_count":
            self._cost(payload.get("info"))
        elif word == "turn_aborted":
            reason = payload.get("reason")
            for row in sorted(self._open.values()):
                self.sheet.columns.mark(f"{Mark.STOPPED}.{reason if isinstance(reason, str) else 'aborted'}", row)
            self._open.clear()
        elif word in ("task_started", "turn_started"):
            self._open.clear()
        elif word == "thread_name_updated":
            name = payload.get("thread_name", payload.get("name"))
            told.title = name if isinstance(name, str) else told.title

    def _cost(self, info: Any) -> None:
        """What the last request cost."""
        told = info.get("last_token_usage") if isinstance(info, dict) else None
        if not isinstance(told, dict) or self._asked < 0:
            return
        total, output = tokens_of(told, "input_tokens"), tokens_of(told, "output_tokens")
        read, written = tokens_of(told, "cached_input_tokens"), tokens_of(told, "cache_write_input_tokens")
        if total or output:
            fresh = max(0, total - read - written)
            self.sheet.columns.usage(self._asked, fresh=fresh, cache_read=read, cache_write=written, output=output)


def refusal_of(payload: Any) -> tuple[int | None, str] | None:
    """Status and words of a provider's error that an event tells of; None where it is no such event."""
    if not isinstance(payload, dict) or not isinstance(payload.get("message"), str):
        return None
    word = payload.get("type")
    found = _STATUS.search(payload["message"]) if isinstance(word, str) and word in _FAILED else None
    return (int(found[1] or found[2]), payload["message"]) if found else None


def note_refusal(told: Conversation, record: int, refused: tuple[int | None, str]) -> None:
    told.refusals.append(Refusal(record, told.rows[-1] if told.rows else -1, *refused))
