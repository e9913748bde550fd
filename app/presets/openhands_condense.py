"""OpenHands' LLMSummarizingCondenser: a summary in place of the middle of the events.

*Counted thing.* Events: a message, a call with what was said before it, a result. It fires over `max_size` events, or when asked with
`force`. Half of them stay: the first `keep_first` and the newest. *Snap.* The gap begins and ends at the next place at which no batch
of calls and no call and its result is parted, and no run of tools that began with reasoning. *Minimum.* Where less than
`minimum_progress` of the events would go, nothing is done. A summary stands at the beginning of the gap.

Source: openhands-sdk 1.58.2, `View.manipulation_indices`, `LLMSummarizingCondenser`.
"""

from __future__ import annotations

from app.model.kinds import Kind, Role
from app.presets._preset import Case, Preset
from app.presets._settings import SUMMARY, Setting, flag, share, whole
from app.presets._talk import Message, Style


def events_of(message: Message) -> int:
    return max(1, len(message.calls))


def _places(messages: list[Message]) -> list[int]:
    """Indexes of messages before which a gap may begin or end."""
    last: dict[str, int] = {}
    for message in messages:
        for part in message.results:
            if part.call_id:
                last[part.call_id] = message.index
    places, held, thinking = [], -1, False
    for message in messages:
        thinking = thinking and bool(message.calls or message.results)
        if message.index > held and not thinking:
            places.append(message.index)
        if not message.calls:
            continue
        held = max([held, *(last.get(call_id, -1) for call_id in message.call_ids)])
        if any(part.kind == Kind.REASONING for part in message.parts):
            thinking = True
    return [*places, len(messages)]


def gate(case: Case) -> bool:
    return bool(case.params["force"]) or case.total(case.messages) > int(case.params["max_size"])


def select(case: Case) -> tuple[int, int]:
    """The gap as asked for: index of its first message and of the first behind it."""
    messages, keep = case.messages, case.params["keep_first"]
    total = case.total(messages)
    wanted = total // 2 if case.params["force"] and total <= case.params["max_size"] else case.params["max_size"] // 2
    tail = max(1, wanted - keep - 1)
    system = next((message.index + 1 for message in messages if message.is_system), 0)
    return max(_reach(case, keep), system), _reach(case, total - tail)


def _reach(case: Case, events: int) -> int:
    """Index of the message with which so many events have passed."""
    passed = 0
    for index, size in enumerate(case.sizes):
        if passed >= events:
            return index
        passed += size
    return len(case.messages)


def snap(case: Case, gap: tuple[int, int]) -> tuple[int, int]:
    places = _places(case.messages)
    first, end = (next(place for place in places if place >= edge) for edge in gap)
    return first, end


def act(case: Case, gap: tuple[int, int]) -> None:
    gone = case.messages[gap[0] : gap[1]]
    if not gone or case.total(gone) < case.params["minimum_progress"] * case.total(case.messages):
        return
    case.work.drop_messages(gone)
    behind = case.messages[gap[1]] if gap[1] < len(case.messages) else None
    case.work.put(behind, Role.USER, case.params["summary"])


PRESET = Preset(
    name="openhands-condense",
    summary="puts a summary in place of the middle of the events, as OpenHands does",
    family="summarize-prefix",
    imitates="openhands-sdk 1.58.2, LLMSummarizingCondenser",
    source="OpenHands/software-agent-sdk, View.manipulation_indices",
    evidence="S",
    unit="events",
    minimum="minimum_progress: nothing is done where a smaller share of the events would go",
    style=Style.SPLIT,
    counter=events_of,
    gate=gate,
    select=select,
    snap=snap,
    act=act,
    settings=(
        Setting("max_size", 240, "more events than this start it; half of them stay", whole(4)),
        Setting("keep_first", 2, "how many of the first events stay", whole()),
        Setting("minimum_progress", 0.1, "share of the events that must go", share()),
        Setting("force", False, "whether it runs however few there are, as when asked", flag),
        SUMMARY,
    ),
    leaves=("parts-turns",),
)
