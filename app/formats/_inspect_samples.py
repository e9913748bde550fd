"""Samples of Inspect's logs, wherever they stand: each, by its id and epoch, is a conversation.

`messages` is what the sample ended with; `output` and `events` repeat parts of it and stay as they are. What `attachments` holds is put
in where a message names it (`_attached.py`). NaN and Infinity stand bare in these files by design.
Source: UKGovernmentBEIS/inspect_ai src/inspect_ai/log/_log.py (`EvalSample`, `EvalError`, `ModelUsage`).
"""

from __future__ import annotations

from typing import Any

from app.formats._attached import note, resolved
from app.formats._columns import tokens_of
from app.formats._logs import About, Sheet
from app.formats._nodes import Node
from app.formats._paths import follow
from app.model.transcript import Refusal


def add_sample(sheet: Sheet, node: Node, number: int, task: str, model: str | None) -> None:
    """The conversation of a sample."""
    told = node.value
    id, epoch = told.get("id"), told.get("epoch")
    name = f"{id if isinstance(id, str | int) else number}-{epoch if isinstance(epoch, int) else 1}"
    words = (task, f"sample {id}" if id is not None else "", f"epoch {epoch}" if epoch not in (None, 1) else "")
    title = ", ".join(word for word in words if word)
    owner = sheet.conversation(name, title=title, model=model)
    texts = note(sheet, len(sheet.conversations) - 1, node)
    sheet.turn = (lambda message: resolved(message, texts)) if texts else None
    sheet.listed(owner, node.get("messages"), about=_about)
    message = follow(told, ("error", "message"))
    if isinstance(message, str) and message:
        owner.refusals.append(Refusal(-1, owner.rows[-1] if len(owner.rows) else -1, None, message))
    usage = _usage(follow(told, ("output", "usage")))
    if usage is not None and _ends_on_answer(told.get("messages")):
        sheet.columns.usage(sheet.messages - 1, **usage)


def task_of(header: Any) -> tuple[str, str | None]:
    """Task and model of a log, out of what stands beside its samples."""
    task, model = follow(header, ("eval", "task")), follow(header, ("eval", "model"))
    return task if isinstance(task, str) else "", model if isinstance(model, str) else None


def _ends_on_answer(messages: Any) -> bool:
    last = messages[-1] if isinstance(messages, list) and messages else None
    return isinstance(last, dict) and last.get("role") == "assistant"


def _about(message: dict[str, Any]) -> About:
    return About(model=message.get("model"))


def _usage(usage: Any) -> dict[str, int] | None:
    if not isinstance(usage, dict) or not tokens_of(usage, "input_tokens", "output_tokens"):
        return None
    read, written = tokens_of(usage, "input_tokens_cache_read"), tokens_of(usage, "input_tokens_cache_write")
    return {
        "fresh": tokens_of(usage, "input_tokens"), "cache_read": read, "cache_write": written, "output": tokens_of(usage, "output_tokens"),
    }  # fmt: skip
