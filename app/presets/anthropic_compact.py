"""Anthropic's compaction `compact_20260112`: a summary in place of everything before the newest assistant's turn.

*Counted thing.* Input tokens; it fires at `trigger` or above it, which is at least 50,000. The API puts a compaction block at the head
of the answer and ignores everything before; that block is signed by the API and cannot be made here, so the summary stands as a user's
message. With `polyfill` it does what litellm's stand-in does: only the last question of a person survives, and an open run of tools is
lost.

Source: docs.claude.com, compaction; litellm 1.110.2, context_management/editors/compact.py.
"""

from __future__ import annotations

from itertools import takewhile

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import SUMMARY, Setting, flag, whole
from app.presets._talk import Message, Style


def gate(case: Case) -> bool:
    head = sum(counters.parts([part]) for part in case.talk.head)
    return case.total(case.messages) + head >= int(case.params["trigger"])


def select(case: Case) -> list[Message]:
    """The messages that stay."""
    if case.params["polyfill"]:
        asked = [message for message in case.messages if message.is_prompt and not message.injected]
        return asked[-1:]
    cut = next((message.index for message in reversed(case.messages) if message.role == Role.ASSISTANT), 0)
    while cut > 0 and case.messages[cut - 1].role == Role.ASSISTANT:
        cut -= 1
    return case.messages[cut:] if cut else []


def act(case: Case, kept: list[Message]) -> None:
    systems = list(takewhile(lambda message: message.is_system, case.messages))
    case.work.keep_only(case.messages, [*systems, *kept])
    case.work.put(kept[0], Role.USER, case.params["summary"])


PRESET = Preset(
    name="anthropic-compact",
    summary="puts a summary in place of everything before the newest assistant's turn, as Anthropic's API does",
    family="summarize-prefix",
    imitates="Anthropic API, compact_20260112",
    source="docs.claude.com, compaction; litellm compact.py for polyfill",
    evidence="D",
    unit="input tokens",
    minimum="none",
    style=Style.TURNS,
    counter=counters.everything,
    gate=gate,
    select=select,
    act=act,
    settings=(
        Setting("trigger", 150_000, "input tokens at which it fires; at least 50,000", whole(50_000)),
        Setting("polyfill", False, "whether only the last question survives, as in litellm's stand-in", flag),
        SUMMARY,
    ),
)
