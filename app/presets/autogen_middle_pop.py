"""AutoGen's TokenLimitedChatCompletionContext: takes messages out of the middle until the rest fits.

*Counted thing.* Tokens of messages; the results of a batch are one message. Again and again the message at half the length goes; then one
result that stands first. *Known fault.* It leaves calls without results and results without calls, drops system messages like any
other, and may leave nothing (microsoft/autogen#7955, #6789).

Source: autogen-core 0.7.5, model_context/_token_limited_chat_completion_context.py, `get_messages`.
"""

from __future__ import annotations

from app.presets import _counters as counters
from app.presets._preset import Case, Preset, keep_messages
from app.presets._settings import Setting, whole
from app.presets._talk import Message, Style


def select(case: Case) -> tuple[list[Message], ...]:
    """The messages that stay (in a tuple: it may be none of them)."""
    messages, total, limit = list(case.messages), case.total(case.messages), case.params["token_limit"]
    while total > limit and messages:
        total -= case.counter(messages.pop(len(messages) // 2))
    return (messages[1:] if messages and messages[0].results else messages,)


def act(case: Case, chosen: tuple[list[Message], ...]) -> None:
    keep_messages(case, chosen[0])


PRESET = Preset(
    name="autogen-middle-pop",
    summary="takes messages out of the middle until the rest fits, as AutoGen's token-limited context does",
    family="drop-oldest-messages",
    imitates="autogen-core 0.7.5, TokenLimitedChatCompletionContext.get_messages",
    source="autogen_core/model_context/_token_limited_chat_completion_context.py; microsoft/autogen#7955",
    evidence="V 400 cases",
    unit="messages; a batch of results is one",
    minimum="none",
    style=Style.JOINED,
    counter=counters.chat,
    select=select,
    act=act,
    settings=(Setting("token_limit", 8_000, "tokens that the messages may have", whole(1)),),
    breaks_pairs=True,
)
