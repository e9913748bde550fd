"""Microsoft Agent Framework's TruncationStrategy: drops the oldest groups until little enough is left.

*Unit.* A group: a message with calls, its results (a late one that stands apart too) and its reasoning; every other message by itself.
*Counted thing.* Messages, or tokens with `metric` tokens; the results of a batch are one message. The gate is strict: more than `max_n`.
*Never*: the last group that is no system message, so that the result may stay over `compact_to`; system messages and the first user
message where asked.

Source: agent-framework-core 1.23.0, _compaction.py, `TruncationStrategy`. It has no defaults for its limits.
"""

from __future__ import annotations

from app.presets import _counters as counters
from app.presets._groups import groups
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, choice, flag, whole
from app.presets._talk import Message, Style


def size_of(case: Case, messages: list[Message]) -> int:
    return case.total(messages) if case.params["metric"] == "tokens" else len(messages)


def gate(case: Case) -> bool:
    return size_of(case, case.messages) > int(case.params["max_n"])


def oldest_groups(case: Case, left: int, target: int, system: bool, first_user: bool, messages: list[Message]) -> list[Message]:
    """Messages of the oldest groups, until at most `target` of `left` stay."""
    found = groups(messages)
    held = [group for group in found if group.kind == "system"] if system else []
    if first_user:
        held += [group for group in found if group.kind == "user"][:1]
    held += ([group for group in found if group.kind != "system"] or found)[-1:]
    stay = {id(group) for group in held}
    gone: list[Message] = []
    for group in found:
        if left <= target:
            break
        if id(group) not in stay:
            gone += group.messages
            left -= size_of(case, group.messages)
    return gone


def select(case: Case) -> list[Message]:
    params, messages = case.params, case.messages
    left = size_of(case, messages)
    return oldest_groups(case, left, params["compact_to"], params["preserve_system"], params["preserve_first_user_group"], messages)


def act(case: Case, chosen: list[Message]) -> None:
    case.work.drop_messages(chosen)


PRESET = Preset(
    name="agent-framework-truncation",
    summary="drops the oldest groups of calls and results whole, as Microsoft Agent Framework does",
    family="evict-steps",
    imitates="agent-framework-core 1.23.0, TruncationStrategy",
    source="agent_framework/_compaction.py",
    evidence="V 400 cases",
    unit="messages; a batch of results is one",
    minimum="none: it drops until compact_to is reached, or only the last group is left",
    style=Style.JOINED,
    counter=counters.chat,
    gate=gate,
    select=select,
    act=act,
    settings=(
        Setting("metric", "tokens", "what is counted: tokens or messages", choice("tokens", "messages")),
        Setting("max_n", 100_000, "more than so many start it", whole(1)),
        Setting("compact_to", 50_000, "so many may be left", whole(1)),
        Setting("preserve_system", True, "whether system messages stay", flag),
        Setting("preserve_first_user_group", False, "whether the first user message stays", flag),
    ),
    leaves=("begins-anywhere",),
)
