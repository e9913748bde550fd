"""Codex's local compaction: what the person wrote, newest first up to a budget, and a summary; nothing else.

*Counted thing.* Tokens of user messages, four bytes of UTF-8 each, the newest first; the first that does not fit is cut in its middle
and ends it. Calls, results, reasoning and answers all go; system messages stay. Earlier summaries and what was injected are no user
messages. The summary is the last message and a user's.

Source: openai/codex, codex-rs compact.rs, 2026 (`COMPACT_USER_MESSAGE_MAX_TOKENS`). Codex fires at nine tenths of the window; here when
asked.
"""

from __future__ import annotations

from itertools import takewhile

from app.model.kinds import Kind, Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import SUMMARY, Setting, whole
from app.presets._talk import Message, Part, Style
from app.presets._texts import middle_cut


def _bytes(message: Message) -> int:
    return sum(len(part.text.encode("utf-8", "surrogatepass")) for part in message.parts if part.kind == Kind.TEXT)


def select(case: Case) -> list[tuple[Message, int]]:
    """User messages that stay, newest first, each with the tokens that it may have; -1: all."""
    left = case.params["max_tokens"]
    chosen: list[tuple[Message, int]] = []
    for message in reversed(case.messages):
        if not message.is_prompt or message.summary or message.injected:
            continue
        need = counters.quarter(_bytes(message))
        if need > left:
            if left > 0:
                chosen.append((message, left))
            break
        chosen.append((message, -1))
        left -= need
    return chosen


def act(case: Case, chosen: list[tuple[Message, int]]) -> None:
    systems = list(takewhile(lambda message: message.is_system, case.messages))
    case.work.keep_only(case.messages, [*systems, *(message for message, _ in chosen)])
    for message, left in chosen:
        texts = [part for part in message.parts if part.kind == Kind.TEXT]
        if left >= 0 and texts:
            _cut(case, texts, left)
    case.work.put(None, Role.USER, case.params["summary"])


def _cut(case: Case, texts: list[Part], left: int) -> None:
    head, tail, gone = middle_cut("\n".join(part.text for part in texts), 4 * left)
    body = head.decode("utf-8", "surrogatepass") + f"…{counters.quarter(gone)} tokens truncated…" + tail.decode("utf-8", "surrogatepass")
    case.work.cut(texts[0], body)
    case.work.drop(texts[1:])


PRESET = Preset(
    name="codex-compact",
    summary="keeps what the person wrote, newest first, and a summary, as Codex does",
    family="summarize-prefix",
    imitates="Codex CLI, local compaction",
    source="openai/codex codex-rs/core/src/compact.rs",
    evidence="S",
    unit="tokens of user messages, four bytes each",
    minimum="none",
    style=Style.SPLIT,
    counter=counters.everything,
    select=select,
    act=act,
    settings=(Setting("max_tokens", 20_000, "tokens of the person's messages that stay", whole(1)), SUMMARY),
)
