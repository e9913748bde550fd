"""opencode's compaction: a summary in place of all but the newest turns.

*Counted thing.* Tokens. It fires when the request reaches the window less what is kept free for the answer. The newest whole turns stay
that fit a quarter of what is usable, at least 2,000 and at most 15,000 tokens. Where the newest turn alone is larger, it is split at an
assistant's message. The summary is an assistant's message behind a user's question.

Source: opencode, session/compaction.ts, mid 2026.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import SUMMARY, Setting, any_of, null, whole
from app.presets._talk import Style

QUESTION = "What did we do so far?"


def _usable(case: Case) -> int:
    return max(0, int(case.params["context"]) - min(20_000, int(case.params["max_output"])))


def gate(case: Case) -> bool:
    if case.params["trigger"] is not None:
        return case.total(case.messages) >= int(case.params["trigger"])
    return case.total(case.messages) >= _usable(case)


def select(case: Case) -> int:
    """Index of the first message that stays."""
    budget = min(15_000, max(2_000, _usable(case) // 4))
    messages, prompts = case.messages, [message.index for message in case.messages if message.is_prompt]
    cut, kept = len(messages), 0
    for prompt in reversed(prompts):
        kept += case.total(messages[prompt:cut])
        if kept > budget:
            break
        cut = prompt
    return cut


def snap(case: Case, cut: int) -> int:
    """A newest turn that is too large is split at an assistant's message."""
    messages = case.messages
    if cut < len(messages):
        return cut
    budget, kept, best = min(15_000, max(2_000, _usable(case) // 4)), 0, len(messages)
    for message in reversed(messages):
        kept += case.counter(message)
        if kept > budget:
            break
        if message.role == Role.ASSISTANT:
            best = message.index
    if best < len(messages):
        return best
    return max((message.index for message in messages if message.role == Role.ASSISTANT or message.is_prompt), default=0)


def act(case: Case, cut: int) -> None:
    if cut <= 0:
        return
    case.work.drop_messages(case.messages[:cut])
    behind = case.messages[cut] if cut < len(case.messages) else None
    case.work.put(behind, Role.USER, QUESTION)
    case.work.put(behind, Role.ASSISTANT, case.params["summary"])


PRESET = Preset(
    name="opencode-compact",
    summary="puts a summary in place of all but the newest turns, as opencode does",
    family="summarize-prefix",
    imitates="opencode, session compaction",
    source="anomalyco/opencode packages/opencode/src/session/compaction.ts",
    evidence="S",
    unit="tokens of whole turns",
    minimum="none: it fires when the window is full",
    style=Style.SPLIT,
    counter=counters.everything,
    gate=gate,
    select=select,
    snap=snap,
    act=act,
    settings=(
        Setting("context", 200_000, "the model's window in tokens", whole(1)),
        Setting("max_output", 32_000, "tokens of the longest answer", whole()),
        Setting("trigger", None, "tokens at which it fires; null: the window less the answer", any_of(null, whole())),
        SUMMARY,
    ),
    leaves=("parts-turns",),
)
