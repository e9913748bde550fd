"""LlamaIndex's ChatMemoryBuffer: drops from the front until the rest fits and begins with a user (or system) message.

*Counted thing.* Tokens of the contents of the messages, joined by one space; calls are not counted, and a content that is null counts as
the word None. System messages are not pinned. *Known fault.* Where nothing fits, the last message alone is sent, whatever its role: an
assistant's, or a result whose call is gone.

Source: llama-index-core 0.14.25, memory/chat_memory_buffer.py, `get`. There, an `initial_token_count` over the limit is an error.
"""

from __future__ import annotations

from app.model.kinds import Kind, Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, whole
from app.presets._talk import Message, Style


def length_of(message: Message) -> int:
    """Characters of a message's content; of null, those of the word None."""
    texts = [part for part in message.parts if part.kind in (Kind.TEXT, Kind.TOOL_RESULT)]
    if texts:
        return sum(part.size for part in texts) + len(texts) - 1
    return len("None") if message.content is None else 0


def gate(case: Case) -> bool:
    return int(case.params["initial_token_count"]) <= int(case.params["token_limit"])


def select(case: Case) -> int:
    """Index of the first message that stays."""
    messages, params = case.messages, case.params
    lengths = [length_of(message) for message in messages]
    total = sum(lengths)  # of the contents of messages[at:]
    at, last = 0, len(messages) - 1

    def fits() -> bool:
        return counters.quarter(total + last - at) + params["initial_token_count"] <= params["token_limit"]

    while at < last and not fits():
        total -= lengths[at]
        at += 1
        while at < last and (messages[at].results or messages[at].role == Role.ASSISTANT):
            total -= lengths[at]
            at += 1
    return at if fits() else last


def act(case: Case, cut: int) -> None:
    case.work.drop_messages(case.messages[:cut])


PRESET = Preset(
    name="llamaindex-buffer",
    summary="drops the oldest messages up to a user message from which on all fits, as LlamaIndex's buffer does",
    family="evict-exchanges",
    imitates="llama-index-core 0.14.25, ChatMemoryBuffer.get",
    source="llama_index/core/memory/chat_memory_buffer.py; run-llama/llama_index#13715",
    evidence="V 400 cases",
    unit="messages",
    minimum="none",
    style=Style.SPLIT,
    counter=counters.one,
    gate=gate,
    select=select,
    act=act,
    settings=(
        Setting("token_limit", 3_000, "tokens that the messages may have", whole()),
        Setting("initial_token_count", 0, "tokens that are taken already", whole()),
    ),
    breaks_pairs=True,
)
