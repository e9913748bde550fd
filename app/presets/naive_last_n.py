"""The newest n messages, whatever they belong to: what a raw limit on a session does, and the mistake of many a home-made loop.

*Known fault.* What stays may begin with results whose calls are gone. OpenAI's Agents SDK does this with `SessionSettings.limit` (98 of
200 generated sessions were broken, none with `output_pruning_indexes`). Source: openai-agents 0.24.0, session limits.
"""

from __future__ import annotations

from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, whole
from app.presets._talk import Message, Style


def select(case: Case) -> list[Message]:
    """The messages that go."""
    return case.messages[: max(0, len(case.messages) - case.params["limit"])]


def act(case: Case, chosen: list[Message]) -> None:
    case.work.drop_messages(chosen)


PRESET = Preset(
    name="naive-last-n",
    summary="keeps the newest messages by number and cuts wherever that is",
    family="drop-oldest-messages",
    imitates="a raw limit on a session, as openai-agents 0.24.0 SessionSettings.limit has it",
    source="openai-agents agents/memory; openai/openai-agents-python",
    evidence="S",
    unit="messages",
    minimum="none",
    style=Style.SPLIT,
    counter=counters.one,
    select=select,
    act=act,
    settings=(Setting("limit", 20, "how many of the newest messages stay", whole()),),
    breaks_pairs=True,
)
