"""Hermes Agent's sessions: `{session_id, model, platform, messages, system_prompt, tools}`, messages of OpenAI's Chat wire.

`reasoning` and `codex_reasoning_items` repeat what the model thought. Source: NousResearch/hermes-agent, as fixtures of
jazzyalex/agent-sessions record it.
"""

from __future__ import annotations

from typing import Any

from app.formats._dialects import OPENAI
from app.formats._format import Progress
from app.formats._logs import About, Log, Sheet
from app.formats._nodes import document
from app.formats._peek import peek
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source

_OWN = ("platform", "session_start", "last_updated", "message_count", "system_prompt", "base_url")


class Hermes(Log):
    name = "other-hermes"
    summary = "Hermes Agent: a session, one document"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    lines = False
    dialect = OPENAI

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        value = peek(head, whole).value
        if not isinstance(value, dict) or "session_id" not in value or not isinstance(value.get("messages"), list):
            return None
        own = sum(key in value for key in _OWN)
        return Confidence(self.name, 0.93, "session_id, platform and messages") if own > 1 else None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        root = document(source)
        messages = root.get("messages")
        if messages is None or not isinstance(messages.value, list):
            raise UnreadableError(f"{source.name}: it has no list of messages")
        sheet = Sheet(self.name, self.dialect, source)
        model = root.value.get("model")
        main = sheet.conversation("main", model=model if isinstance(model, str) else None)
        sheet.listed(main, messages, about=_about)
        sheet.head(main, root.get("system_prompt"))
        return sheet.dump(complete=not first_look)


def _about(message: dict[str, Any]) -> About:
    return About(time=message.get("timestamp"))


FORMAT = Hermes()
