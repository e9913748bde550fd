"""What several systems do after a cut: results whose call is gone go, calls whose result is gone get one that says so."""

from __future__ import annotations

from app.presets._preset import Case
from app.presets._talk import Message


def kept(case: Case) -> list[Message]:
    """The messages of which something stays."""
    gone = case.work.dropped
    return [message for message in case.messages if any(part.position not in gone for part in message.parts)]


def drop_orphans(case: Case) -> None:
    seen: set[str] = set()
    for message in kept(case):
        for part in message.parts:
            if part.position in case.work.dropped or part.call_id is None:
                continue
            if part.is_call:
                seen.add(part.call_id)
            elif part.is_result and part.call_id not in seen:
                case.work.drop([part])


def answer_open(case: Case, text: str) -> None:
    """A result for every call that has none behind it; the calls of the very last message may still be answered."""
    messages = kept(case)
    answered = {part.call_id for message in messages for part in message.results if part.position not in case.work.dropped}
    for message in messages[:-1]:
        for call in message.calls:
            if call.position not in case.work.dropped and call.call_id is not None and call.call_id not in answered:
                case.work.answer(call, text)
