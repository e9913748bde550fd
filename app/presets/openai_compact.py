"""OpenAI's compaction of a Responses request: the person's messages word for word, and one opaque item for all else.

*Counted thing.* Input tokens. The item is encrypted by the API and cannot be made here; the summary stands as a user's message behind the
messages, to show what is left. Needs the API for the real thing. Source: platform.openai.com, `/responses/compact` and
`context_management.compact_threshold`.
"""

from __future__ import annotations

from itertools import takewhile

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import SUMMARY, Setting, whole
from app.presets._talk import Message, Style


def gate(case: Case) -> bool:
    head = sum(counters.parts([part]) for part in case.talk.head)
    return case.total(case.messages) + head >= int(case.params["compact_threshold"])


def select(case: Case) -> list[Message]:
    """The messages that stay."""
    return [message for message in case.messages if message.is_prompt]  # (a list: where there is none, nothing is done)


def act(case: Case, kept: list[Message]) -> None:
    systems = list(takewhile(lambda message: message.is_system, case.messages))
    if len(kept) + len(systems) == len(case.messages):
        return
    case.work.keep_only(case.messages, [*systems, *kept])
    case.work.put(None, Role.USER, case.params["summary"])


PRESET = Preset(
    name="openai-compact",
    summary="keeps the person's messages word for word and one item for all else, as OpenAI's API does",
    family="summarize-prefix",
    imitates="OpenAI API, /responses/compact",
    source="platform.openai.com, compaction",
    evidence="D",
    unit="input tokens",
    minimum="none",
    style=Style.SPLIT,
    counter=counters.everything,
    gate=gate,
    select=select,
    act=act,
    settings=(Setting("compact_threshold", 100_000, "input tokens at which it fires", whole()), SUMMARY),
)
