"""Semantic Kernel's ChatHistoryTruncationReducer: the newest messages by number.

*Counted thing.* Messages. It works when there are more than `target_count` + `threshold_count`. *Snap.* The cut goes back over calls
and results as long as they stand together, so a long run of tools keeps far more than asked; then, within the threshold, further back
to a user message. The first system message stays, put in front, and takes one of the places; at a target of 1 nothing else is left. A
result that stands apart from its call is left as an orphan.

Source: semantic-kernel 1.45.0, contents/history_reducer, `locate_safe_reduction_index`.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset, keep_messages
from app.presets._settings import Setting, whole
from app.presets._talk import Message, Style


def _tied(message: Message) -> bool:
    return bool(message.calls or message.results)


def _system(case: Case) -> Message | None:
    return next((message for message in case.messages if message.is_system), None)


def gate(case: Case) -> bool:
    return len(case.messages) > int(case.params["target_count"]) + int(case.params["threshold_count"])


def select(case: Case) -> int | None:
    """Index of the first message of the newest ones; None where there are too few."""
    target, count, system = case.params["target_count"], len(case.messages), _system(case)
    if system is not None and system.index < count - target:
        target -= 1
        if target <= 0:
            return count
    return count - target if count - case.params["threshold_count"] - target > 0 else None


def snap(case: Case, cut: int) -> int:
    messages = case.messages
    if cut >= len(messages):
        return cut
    lowest = cut - int(case.params["threshold_count"])
    while cut > 0 and not messages[cut].is_system and _tied(messages[cut]) and _tied(messages[cut - 1]):
        cut -= 1
    for index in range(cut, max(lowest, 0) - 1, -1):
        if messages[index].role == Role.USER:
            return index
    return cut


def act(case: Case, cut: int) -> None:
    system = _system(case)
    keep_messages(case, [*([system] if system is not None else []), *case.messages[cut:]])


PRESET = Preset(
    name="sk-truncate",
    summary="keeps the newest messages and the system message, as Semantic Kernel's truncation reducer does",
    family="evict-steps",
    imitates="semantic-kernel 1.45.0, ChatHistoryTruncationReducer.reduce",
    source="semantic_kernel/contents/history_reducer/chat_history_reducer_utils.py",
    evidence="V 400 cases",
    unit="messages",
    minimum="threshold_count: so many messages more than the target are let pass",
    style=Style.SPLIT,
    counter=counters.one,
    gate=gate,
    select=select,
    snap=snap,
    act=act,
    settings=(
        Setting("target_count", 20, "how many of the newest messages stay", whole(1)),
        Setting("threshold_count", 0, "messages above the target that are let pass", whole()),
    ),
    leaves=("parts-turns", "begins-anywhere"),
)
