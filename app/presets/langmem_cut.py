"""LangMem's `summarize_messages`: a summary in place of the oldest messages, as far as is needed.

*Counted thing.* Tokens of messages. The place is the first at which at least `max_tokens_before_summary` tokens lie before it and what
is left fits `max_tokens` less the summary and the system message; where there is none, nothing happens. *Known fault.* Results follow
into the summary only when the last message of it is their assistant's; a cut inside parallel results leaves the rest as orphans
(langchain-ai/langmem#126).

LangMem hands its summary on beside the messages too, so that here none is put in unless its text is given; it stands as a system
message behind the first one. Source: langmem 0.0.30, short_term/summarization.py, `_preprocess_messages` and
`_prepare_summarization_result`.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, any_of, null, text, whole
from app.presets._talk import Style

LEAD = "Summary of the conversation so far:"


def gate(case: Case) -> bool:
    """The package raises an error where the summary may be as long as all."""
    return int(case.params["max_summary_tokens"]) < int(case.params["max_tokens"])


def select(case: Case) -> list[int]:
    """The place of the cut (in a list, none where nothing happens): index of the first message that stays, the system message aside."""
    params, messages = case.params, case.messages
    least = params["max_tokens"] if params["max_tokens_before_summary"] is None else params["max_tokens_before_summary"]
    room = params["max_tokens"] - params["max_summary_tokens"]
    begin = 1 if messages[0].role == Role.SYSTEM else 0
    room -= case.total(messages[:begin])
    total, passed = case.total(messages[begin:]), 0
    results = {part.call_id for message in messages[begin:] for part in message.results}
    for message in messages[begin:]:
        passed += case.counter(message)
        if passed >= least and total - passed <= room:
            follow = [call for call in message.calls if call.call_id and call.call_id in results]
            return [message.index + 1 + len(follow)]
    return []


def act(case: Case, chosen: list[int]) -> None:
    begin = 1 if case.messages[0].role == Role.SYSTEM else 0
    cut = min(chosen[0], len(case.messages))
    case.work.drop_messages(case.messages[begin:cut])
    if case.params["summary"]:
        behind = case.messages[cut] if cut < len(case.messages) else None
        case.work.put(behind, Role.SYSTEM, f"{LEAD} {case.params['summary']}")


PRESET = Preset(
    name="langmem-cut",
    summary="summarises just as many old messages as it must and may cut inside parallel results, as LangMem does",
    family="summarize-prefix",
    imitates="langmem 0.0.30, summarize_messages",
    source="langmem/short_term/summarization.py; langchain-ai/langmem#126",
    evidence="S",
    unit="messages",
    minimum="max_tokens_before_summary: tokens that must lie before the cut",
    style=Style.SPLIT,
    counter=counters.chat,
    gate=gate,
    select=select,
    act=act,
    settings=(
        Setting("max_tokens", 8_000, "tokens that the messages and the summary may have", whole(1)),
        Setting("max_summary_tokens", 256, "tokens that are kept free for the summary", whole()),
        Setting("max_tokens_before_summary", None, "tokens before the cut at least; null: as max_tokens", any_of(null, whole())),
        Setting("summary", "", "the text of the summary; empty: none is put in", text),
    ),
    breaks_pairs=True,
)
