"""Pydantic AI's `repair_messages`: makes a history that providers take, before each request.

In this order: results whose call is nowhere before them go (where that empties the last message it stays, empty); each call that will
never be answered gets a result that says so, at the head of the next message or in one of its own; neighbours of one role become one
message, results first. A second result of an answered call stays; a result is never moved across an assistant's message, and a late one
counts as the answer. A second run changes nothing. With `repair_last_response` false the calls of the last assistant's message stay
open.

Source: pydantic-ai-slim 2.68.0, messages.py, `_clean_message_history`.
"""

from __future__ import annotations

from app.model.kinds import Kind, Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, flag
from app.presets._talk import Message, Part, Style
from app.presets._work import Put

INTERRUPTED = "The tool call was interrupted before a result was produced."


def select(case: Case) -> tuple[set[int], list[Part]]:
    """Positions of results without a call before them, and the calls that get a result."""
    orphans: set[int] = set()
    seen: set[str | None] = set()
    open_calls: dict[str | None, list[tuple[Message, Part]]] = {}
    waiting: list[tuple[Message, Part]] = []
    for message in case.messages:
        here = [part for part in message.parts if part.is_call]
        seen |= {part.call_id for part in here}
        for part in here:
            pending = open_calls.setdefault(part.call_id, [])
            if pending and pending[-1][0] is not message:  # an id that a later message uses again: who is open stays so
                waiting += pending
                pending.clear()
            pending.append((message, part))
        for part in message.parts:
            if part.is_result and part.call_id not in seen:
                orphans.add(part.position)
            elif part.is_result and open_calls.get(part.call_id):
                open_calls[part.call_id].pop(0)
    waiting += [one for pending in open_calls.values() for one in pending]
    last = next((m for m in reversed(case.messages) if m.role == Role.ASSISTANT), None)
    if not case.params["repair_last_response"]:
        waiting = [one for one in waiting if one[0] is not last]
    return orphans, [part for _, part in waiting]


def act(case: Case, found: tuple[set[int], list[Part]]) -> None:
    orphans, waiting = found
    work = case.work
    work.dropped |= orphans
    for call in waiting:
        work.answer(call, INTERRUPTED)
    open_at = {part.position for part in waiting}
    end = case.messages[-1]
    if end.parts and all(part.position in orphans for part in end.parts):
        work.puts.append(Put(-1, end.role, "", Kind.EMPTY))
    _merge(case, open_at)


def _merge(case: Case, open_at: set[int]) -> None:
    """Neighbours of one role become one message, results first; a result that was made stands between two assistants' messages."""
    before: Message | None = None
    for message in case.messages:
        stays = [part for part in message.parts if part.position not in case.work.dropped]
        if not stays:
            continue
        parted = before is not None and before.role == Role.ASSISTANT and any(part.position in open_at for part in before.parts)
        if before is None or before.role != message.role or message.is_system or parted:
            before = Message(message.role, list(stays), message.index)
            continue
        _join(case, before, stays)


def _join(case: Case, before: Message, stays: list[Part]) -> None:
    results = [part for part in before.parts if part.is_result]
    for part in stays:
        behind = results[-1] if part.is_result and results else before.parts[-1]
        if part.is_result and not results:
            case.work.joins.append((part.position, -1 - before.parts[0].position))
            before.parts.insert(0, part)
            results.append(part)
            continue
        case.work.joins.append((part.position, behind.position))
        before.parts.insert(before.parts.index(behind) + 1, part)
        if part.is_result:
            results.append(part)


PRESET = Preset(
    name="pydantic-ai-repair",
    summary="drops results without a call, answers open calls and joins neighbours, as Pydantic AI does before each request",
    family="evict-steps",
    imitates="pydantic-ai-slim 2.68.0, repair_messages",
    source="pydantic_ai/messages.py",
    evidence="S",
    unit="calls and results",
    minimum="none",
    style=Style.TURNS,
    counter=counters.one,
    select=select,
    act=act,
    settings=(Setting("repair_last_response", True, "whether the calls of the last assistant's message get a result too", flag),),
    takes="parts",
)
