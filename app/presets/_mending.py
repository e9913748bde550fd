"""What several systems do after a cut: results whose call is gone go, calls whose result is gone get one that says so."""

from __future__ import annotations

from app.presets._preset import Case


def drop_orphans(case: Case) -> None:
    seen: set[str] = set()
    gone = case.work.dropped
    for message in case.messages:
        if not message.calls and not message.results:
            continue
        for part in message.parts:
            if part.call_id is None or part.position in gone:
                continue
            if part.is_call:
                seen.add(part.call_id)
            elif part.is_result and part.call_id not in seen:
                gone.add(part.position)


def answer_open(case: Case, text: str) -> None:
    """A result for every call that has none behind it; the calls of the very last message may still be answered."""
    gone = case.work.dropped
    last = next((m for m in reversed(case.messages) if any(part.position not in gone for part in m.parts)), None)
    answered = {part.call_id for message in case.messages for part in message.results if part.position not in gone}
    for message in case.messages:
        if message is last:
            return
        for call in message.calls:
            if call.position not in gone and call.call_id is not None and call.call_id not in answered:
                case.work.answer(call, text)
