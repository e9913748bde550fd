"""LiteLLM's `trim_messages`: the newest messages that fit, those that do not fit shortened in their middle.

*Counted thing.* Tokens, three more for every message. Tool messages at the very end are set aside, never counted and always put back,
with or without their call. Newest first, a message that does not fit is shortened to what is left, else passed over, and older ones are
still tried. System messages are joined in front. *Known faults.* Results lose their calls (BerriAI/litellm#4931, #10696); a content
that is null or no text, and would have to be shortened, makes the whole call a silent no-op; where half the new length is 0 the text
grows instead.

Source: litellm 1.110.2, utils.py, `trim_messages`, `process_messages`, `shorten_message_to_fit_limit`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from app.model.kinds import Kind, Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, whole
from app.presets._talk import Message, Style

TRIES: Final = 10
LEAST: Final = 3  # tokens below which nothing more is tried


class _NoOp(Exception):
    """LiteLLM met an error of its own and hands the messages back as they were."""


@dataclass(eq=False)
class _Entry:
    """A message with its content as it is being shortened. `rest`: all other characters that count."""

    message: Message | None
    content: Any
    rest: int

    @property
    def tokens(self) -> int:
        return counters.quarter((len(self.content) if isinstance(self.content, str) else 0) + self.rest) + 3

    def shorten(self, needed: int) -> None:
        for _ in range(TRIES):
            total = self.tokens
            if total <= needed:
                return
            if not isinstance(self.content, str):
                raise _NoOp
            half = max(0, int(len(self.content) * (needed / total)) - 1) // 2
            self.content = self.content[:half] + ".." + self.content[-half:]


def _entry(message: Message) -> _Entry:
    content = message.content
    return _Entry(message, content, sum(map(counters.counted, message.parts)) - (len(content) if isinstance(content, str) else 0))


@dataclass(eq=False)
class _Trimmed:
    """`system`: what stands in front in place of all system messages, None where they stay as they are."""

    kept: list[_Entry]
    tail: list[Message]
    system: _Entry | None


def select(case: Case) -> _Trimmed | None:
    try:
        return _trim(case)
    except _NoOp:
        return None


def _trim(case: Case) -> _Trimmed | None:
    messages, limit = list(case.messages), case.params["max_tokens"]
    systems = [message for message in messages if message.role == Role.SYSTEM]
    if any(not isinstance(message.content, str) for message in systems):
        raise _NoOp
    tail: list[Message] = []
    while messages and messages[-1].results:
        tail.insert(0, messages.pop())
    if case.total(messages) < limit:
        return None
    joined = ""
    for message in systems:
        joined += ("\n" if joined else "") + message.content
    system = None
    if joined:
        system = _Entry(systems[0], joined, 0)
        if system.tokens > limit:
            system.shorten(limit)
        limit -= system.tokens
        if limit == 0:
            return _Trimmed([], [], system)
        messages = [message for message in messages if message.role != Role.SYSTEM]
    return _Trimmed(_newest(messages, limit), tail, system)


def _newest(messages: list[Message], limit: int) -> list[_Entry]:
    kept: list[_Entry] = []
    used = 0
    for message in reversed(messages):
        left = limit - used
        if left <= LEAST:
            break
        entry = _entry(message)
        if entry.tokens > left:
            if any(part.type == "function_call" for part in message.calls):
                continue
            entry.shorten(left)
        if entry.tokens <= left:
            kept.insert(0, entry)
            used += entry.tokens
    return kept


def act(case: Case, found: _Trimmed) -> None:
    kept = [entry.message for entry in found.kept if entry.message is not None]
    systems = [message for message in case.messages if message.role == Role.SYSTEM]
    lead = found.system.message if found.system is not None else None
    case.work.keep_only(case.messages, [*([lead] if lead is not None else systems), *kept, *found.tail])
    for entry in [*found.kept, *([found.system] if found.system is not None else [])]:
        if entry.message is not None and entry.content != entry.message.content:
            text = next(part for part in entry.message.parts if part.kind in (Kind.TEXT, Kind.TOOL_RESULT))
            case.work.cut(text, entry.content)
    if lead is not None and any(message.index < lead.index for message in kept):
        case.work.first += [part.position for part in lead.parts]


PRESET = Preset(
    name="litellm-trim",
    summary="keeps the newest messages that fit and shortens the others in their middle, as LiteLLM does",
    family="drop-oldest-messages",
    imitates="litellm 1.110.2, litellm.utils.trim_messages",
    source="litellm/utils.py; BerriAI/litellm#4931",
    evidence="S",
    unit="messages; tool messages at the very end do not count",
    minimum="none",
    style=Style.SPLIT,
    counter=counters.chat_and_three,
    select=select,
    act=act,
    settings=(Setting("max_tokens", 8_000, "tokens that the messages may have, three more for each", whole(1)),),
    breaks_pairs=True,
)
