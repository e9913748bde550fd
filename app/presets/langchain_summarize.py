"""LangChain's SummarizationMiddleware: one summary, as a user message, in place of all but the newest messages.

*Counted thing.* `keep` counts messages, or tokens: then the earliest suffix that fits is kept, else the last message alone. A system
message in the list is not pinned. *Snap.* Where the cut falls on a tool message it goes back to the nearest assistant message that owns
any result of that run, so two assistant messages answered in one run leave an orphan (langchain-ai/langchain#38352); without an owner
it goes behind the run. *Minimum.* Every trigger fires at its figure or above it.

LangChain hands the model at most 4,000 tokens of what it summarises, beginning with a person's message; in a long run of tools nothing
is left, and the summary says that the conversation was too long. Source: langchain 1.5.2, agents/middleware/summarization.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import SUMMARY, Setting, any_of, clause, clauses, null
from app.presets._talk import Style

LEAD = "Here is a summary of the conversation to date:"


def gate(case: Case) -> bool:
    """LangChain fires never without a trigger."""
    trigger = case.params["trigger"]
    found = trigger if isinstance(trigger, list) else [trigger] if trigger is not None else []
    have = {"messages": len(case.messages), "tokens": case.total(case.messages)}
    return any(all(have[kind] >= value for kind, value in one.items()) for one in found)


def select(case: Case) -> int:
    """Index of the first message that stays."""
    keep: Mapping[str, int] = case.params["keep"]
    count = len(case.messages)
    if "tokens" not in keep:
        return max(0, count - keep["messages"])
    left = case.total(case.messages)
    index = 0
    while index < count and left > keep["tokens"]:
        left -= case.counter(case.messages[index])
        index += 1
    return index if index < count else count - 1


def snap(case: Case, cut: int) -> int:
    messages = case.messages
    if cut >= len(messages) or not messages[cut].results:
        return cut
    behind = cut
    ids: set[str] = set()
    while behind < len(messages) and messages[behind].results:
        ids |= messages[behind].result_ids
        behind += 1
    owner = next((m.index for m in reversed(messages[:cut]) if m.role == Role.ASSISTANT and m.call_ids & ids), None)
    return behind if owner is None else owner


def act(case: Case, cut: int) -> None:
    if cut <= 0:
        return
    case.work.drop_messages(case.messages[:cut])
    case.work.put(case.messages[cut] if cut < len(case.messages) else None, Role.USER, f"{LEAD}\n\n{case.params['summary']}")


PRESET = Preset(
    name="langchain-summarize",
    summary="puts one summary in place of all but the newest messages, as LangChain's middleware does",
    family="summarize-prefix",
    imitates="langchain 1.5.2, SummarizationMiddleware.before_model",
    source="langchain/agents/middleware/summarization.py",
    evidence="V 400 cases",
    unit="messages",
    minimum="none: it fires when a trigger's figure is reached",
    style=Style.SPLIT,
    counter=counters.chat,
    gate=gate,
    select=select,
    snap=snap,
    act=act,
    settings=(
        Setting("trigger", {"messages": 1}, "messages or tokens at which it fires; null: never", any_of(null, clauses)),
        Setting("keep", {"messages": 20}, "how many of the newest messages, or their tokens, stay", clause),
        SUMMARY,
    ),
    leaves=("parts-turns",),
)
