"""Microsoft Agent Framework's ContextWindowCompactionStrategy: first old results become one line each, then old groups go.

*Counted thing.* Tokens against the window less the answer. Over `tool_eviction_threshold` every group of calls but the newest becomes
one assistant's message that holds its results, at most 4,096 characters; if the rest is still over `truncation_threshold`, the oldest
groups go until it is at the first threshold. System messages and the last group stay, so that it may stay over.

Source: agent-framework-core 1.23.0, _compaction.py, `ContextWindowCompactionStrategy`, `ToolResultCompactionStrategy`. Its own
tokenizer counts the serialised message; here characters divided by 4 are counted.
"""

from __future__ import annotations

from app.model.block import Block
from app.model.kinds import Kind, Role
from app.presets import _counters as counters
from app.presets._groups import Group, groups
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, flag, share, whole
from app.presets._talk import Message, Part, Style

LONGEST = 4_096
CUT = "... [truncated]"


def _budget(case: Case) -> int:
    return max(0, int(case.params["max_context_window_tokens"]) - int(case.params["max_output_tokens"]))


def _limit(case: Case, name: str) -> int:
    return int(_budget(case) * case.params[name])


def gate(case: Case) -> bool:
    return case.total(case.messages) > _limit(case, "tool_eviction_threshold")


def select(case: Case) -> list[Group]:
    """Groups of calls that are evicted, oldest first."""
    found = [group for group in groups(case.messages) if group.kind == "tool_call"]
    return found[: max(0, len(found) - case.params["keep_last_tool_call_groups"])]


def said_of(case: Case, group: Group) -> str:
    results = [part for message in group.messages for part in message.results]
    names = {part.call_id: part.name for message in group.messages for part in message.calls}
    lines = [(f"{names[p.call_id]}: {p.text}" if names.get(p.call_id) else p.text).strip() for p in results]
    text = "; ".join(lines) or "no results"
    whole_text = f"[Tool results: {text}]"
    if len(whole_text) <= LONGEST:
        return whole_text
    return f"[Tool results: {text[: LONGEST - len('[Tool results: ') - len(CUT) - 1].rstrip()}{CUT}]"


def act(case: Case, chosen: list[Group]) -> None:
    notes: dict[int, str] = {}
    for group in chosen:
        case.work.drop_messages(group.messages)
        notes[group.messages[0].index] = said_of(case, group)
    evicted = {message.index for group in chosen for message in group.messages}
    left = [_noted(m, notes[m.index]) if m.index in notes else m for m in case.messages if m.index in notes or m.index not in evicted]
    gone = _truncated(case, left)
    case.work.drop_messages(message for message in gone if message.index not in notes)
    left_out = {message.index for message in gone}
    for group in chosen:
        first = group.messages[0]
        if first.index not in left_out:
            case.work.put(first, Role.ASSISTANT, notes[first.index])


def _truncated(case: Case, messages: list[Message]) -> list[Message]:
    total = case.total(messages)
    if total <= _limit(case, "truncation_threshold"):
        return []
    found = groups(messages)
    held = [group for group in found if group.kind == "system"] + [group for group in found if group.kind != "system"][-1:]
    if case.params["preserve_first_user_group"]:
        held += [group for group in found if group.kind == "user"][:1]
    stay = {id(group) for group in held}
    gone: list[Message] = []
    for group in found:
        if total <= _limit(case, "tool_eviction_threshold"):
            break
        if id(group) not in stay:
            gone += group.messages
            total -= case.total(group.messages)
    return gone


def _noted(message: Message, text: str) -> Message:
    """What stands in place of an evicted group, to be counted."""
    block = Block(row=-1, kind=Kind.TEXT, type="text", role=Role.ASSISTANT, texts=(text,))
    return Message(Role.ASSISTANT, [Part(-1, Kind.TEXT, len(text), lambda: block)], message.index)


def repair(case: Case) -> None:
    """Nothing was old enough to be evicted: the second step alone."""
    if not case.work and gate(case):
        case.work.drop_messages(_truncated(case, case.messages))


PRESET = Preset(
    name="agent-framework-window",
    summary="puts old results into one line each, then drops old groups, as Microsoft Agent Framework does",
    family="evict-steps",
    imitates="agent-framework-core 1.23.0, ContextWindowCompactionStrategy",
    source="agent_framework/_compaction.py",
    evidence="S",
    unit="groups of a call and its results",
    minimum="none: each step works while the request is over its share of the window",
    style=Style.JOINED,
    counter=counters.chat,
    gate=gate,
    select=select,
    act=act,
    repair=repair,
    settings=(
        Setting("max_context_window_tokens", 128_000, "the model's window in tokens", whole(1)),
        Setting("max_output_tokens", 16_384, "tokens that the answer may have", whole()),
        Setting("tool_eviction_threshold", 0.5, "share from which on results are evicted, and down to which groups go", share()),
        Setting("truncation_threshold", 0.8, "share from which on groups go", share()),
        Setting("keep_last_tool_call_groups", 4, "how many of the newest groups of calls stay whole", whole()),
        Setting("preserve_first_user_group", False, "whether the first user message stays", flag),
    ),
    leaves=("begins-anywhere",),
)
