"""LangChain's `trim_messages`: the newest messages that fit, whatever they belong to (or the oldest, `strategy=first`).

*Counted thing.* Tokens of messages. *Known fault.* Nothing ties a result to its call: without `start_on` what stays may begin with a tool
message whose call is gone, and with `strategy=first` it may end in calls without results (langchain-ai/langchain#33245). With
`start_on=human` it never begins with a result, and may come out empty. `include_system` looks at the first message only; its
tokens are taken off the limit first.

Source: langchain-core 1.8.3, messages/utils.py, `trim_messages` with `allow_partial` false. The package has no default limit.
"""

from __future__ import annotations

from typing import Any

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset, keep_messages
from app.presets._settings import Setting, Wrong, any_of, choice, flag, null, whole
from app.presets._talk import Message, Style

_TYPES = ("human", "ai", "system", "tool", "function")


def kind_of(message: Message) -> str:
    """What LangChain calls a message."""
    return "tool" if message.results else {Role.USER: "human", Role.ASSISTANT: "ai"}.get(message.role, "system")


def types(value: Any) -> Any:
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not found or any(one not in _TYPES for one in found):
        raise Wrong(f"one or a list of {', '.join(_TYPES)}")
    return value


def _is(message: Message, wanted: Any) -> bool:
    return kind_of(message) in ([wanted] if isinstance(wanted, str) else wanted)


def select(case: Case) -> tuple[list[Message], ...]:
    """The messages that stay (in a tuple: it may be none of them)."""
    params, messages, limit = case.params, list(case.messages), case.params["max_tokens"]
    if params["strategy"] == "first":
        return (_first(case, messages, limit, params["end_on"]),)
    while params["end_on"] and messages and not _is(messages[-1], params["end_on"]):
        messages.pop()
    pinned: list[Message] = []
    if params["include_system"] and messages and kind_of(messages[0]) == "system":
        pinned, messages = messages[:1], messages[1:]
        limit = max(0, limit - case.total(pinned))
    return (pinned + _first(case, messages[::-1], limit, params["start_on"])[::-1],)


def _first(case: Case, messages: list[Message], limit: int, end_on: Any) -> list[Message]:
    """The first messages that fit, without those at their end that are not of the types wanted."""
    kept, left = 0, limit
    while kept < len(messages) and case.counter(messages[kept]) <= left:
        left -= case.counter(messages[kept])
        kept += 1
    if limit < 0:
        kept = 0
    while end_on and kept and not _is(messages[kept - 1], end_on):
        kept -= 1
    return messages[:kept]


def act(case: Case, chosen: tuple[list[Message], ...]) -> None:
    keep_messages(case, chosen[0])


PRESET = Preset(
    name="langchain-trim-messages",
    summary="keeps the newest messages that fit and cuts wherever that is, as LangChain's trim_messages does",
    family="drop-oldest-messages",
    imitates="langchain-core 1.8.3, trim_messages with allow_partial false",
    source="langchain_core/messages/utils.py; langchain-ai/langchain#33245",
    evidence="S",
    unit="messages",
    minimum="none",
    style=Style.SPLIT,
    counter=counters.chat,
    select=select,
    act=act,
    settings=(
        Setting("max_tokens", 8_000, "tokens that the messages may have", whole()),
        Setting("strategy", "last", "which messages stay: last or first", choice("last", "first")),
        Setting("start_on", None, "kinds of message with which what stays may begin", any_of(null, types)),
        Setting("end_on", None, "kinds of message with which what stays may end", any_of(null, types)),
        Setting("include_system", False, "whether a system message that is first stays", flag),
    ),
    breaks_pairs=True,
)
