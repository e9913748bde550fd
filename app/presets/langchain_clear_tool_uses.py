"""LangChain's ClearToolUsesEdit: the same idea as Anthropic's edit, with other rules.

*Counted thing.* `keep` counts tool messages, those of excluded tools and those that cannot be cleared too. A result whose call is not in
the nearest assistant message before it is passed over, but fills its slot.
*Minimum.* `clear_at_least` is a mark at which it stops, oldest first; what was cleared stays cleared where the mark is never reached.
The trigger is strict. LangChain clears at every call anew and keeps nothing of it (langchain-ai/langchain#37815).

Source: langchain 1.5.2, agents/middleware/context_editing.py, `ClearToolUsesEdit.apply`.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, flag, names, said, whole
from app.presets._talk import Message, Part, Style


def gate(case: Case) -> bool:
    return case.total(case.messages) > int(case.params["trigger"])


def select(case: Case) -> list[tuple[Message, Message, list[Part]]]:
    """Tool messages that may be cleared, each with the assistant's message before it and the calls there that it answers."""
    results = [message for message in case.messages if message.results]
    keep = case.params["keep"]
    results = [] if keep >= len(results) else results[:-keep] if keep else results
    excluded = set(case.params["exclude_tools"])
    chosen = []
    for message in results:
        result = message.results[0]
        before = message.index - 1
        while before >= 0 and case.messages[before].role != Role.ASSISTANT:
            before -= 1
        caller = case.messages[before] if before >= 0 else None
        calls = [call for call in caller.calls if call.call_id == result.call_id] if caller is not None else []
        if caller is not None and calls and (result.name or calls[0].name) not in excluded:
            chosen.append((message, caller, calls))
    return chosen


def act(case: Case, chosen: list[tuple[Message, Message, list[Part]]]) -> None:
    sizes: dict[int, list[int]] = {}  # by message, of those that are changed
    placeholder, least = case.params["placeholder"], case.params["clear_at_least"]
    freed = 0
    for message, caller, calls in chosen:
        freed += _changed(sizes, message, message.results[0], len(placeholder)) if least > 0 else 0
        case.work.stub(message.results[0], placeholder)
        if case.params["clear_tool_inputs"]:
            for call in calls:
                freed += _changed(sizes, caller, call, len(call.name) + len("{}")) if least > 0 else 0
                case.work.clear_input(call)
        if 0 < least <= freed:
            return


def _changed(sizes: dict[int, list[int]], message: Message, part: Part, size: int) -> int:
    """Tokens that a message loses when a part of it gets another size."""
    own = sizes.get(message.index)
    if own is None:
        own = sizes[message.index] = [counters.counted(one) for one in message.parts]
    old = counters.quarter(sum(own))
    own[message.parts.index(part)] = size
    return old - counters.quarter(sum(own))


PRESET = Preset(
    name="langchain-clear-tool-uses",
    summary="clears old tool messages and stops when enough is freed, as LangChain's context editing does",
    family="stub-tool-results",
    imitates="langchain 1.5.2, ClearToolUsesEdit.apply",
    source="langchain/agents/middleware/context_editing.py",
    evidence="V 400 cases",
    unit="tool messages, excluded ones too",
    minimum="clear_at_least: it stops when so many tokens are freed, and is done all the same where they are not",
    style=Style.SPLIT,
    counter=counters.chat,
    gate=gate,
    select=select,
    act=act,
    settings=(
        Setting("trigger", 100_000, "more than so many tokens", whole()),
        Setting("keep", 3, "how many of the newest tool messages stay", whole()),
        Setting("clear_at_least", 0, "tokens after which it stops; 0: never", whole()),
        Setting("clear_tool_inputs", False, "whether the arguments of the calls are cleared too", flag),
        Setting("exclude_tools", [], "tools whose results are never cleared; they count", names),
        Setting("placeholder", "[cleared]", "what stands in place of a result", said),
    ),
    takes="results",
)
