"""Pydantic AI's `repair_messages`: makes a history that providers take, before each request.

In this order: results whose call is nowhere before them go (where that empties the last message it stays, empty); each call that will
never be answered gets a result that says so, at the head of the next message or in one of its own; neighbours of one role become one
message, results first. A second result of an answered call stays; a result is never moved across an assistant's message, and a late one
counts as the answer. A second run changes nothing. With `repair_last_response` false the calls of the last assistant's message stay
open.

Source: pydantic-ai-slim 2.68.0, messages.py, `_clean_message_history`.
"""

from __future__ import annotations

from itertools import pairwise

from app.model.kinds import Kind, Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, flag
from app.presets._talk import Message, Part, Style
from app.presets._work import Put

INTERRUPTED = "The tool call was interrupted before a result was produced."


def select(case: Case) -> tuple[set[int], dict[int, list[Part]]]:
    """Positions of results without a call before them, and the calls of each message that get a result."""
    orphans: set[int] = set()
    seen: set[str | None] = set()
    open_calls: dict[str | None, list[tuple[Message, Part]]] = {}
    waiting: list[tuple[Message, Part]] = []
    for message in case.messages:
        if not message.calls and not message.results:
            continue
        seen |= {part.call_id for part in message.calls}
        for part in message.calls:
            pending = open_calls.setdefault(part.call_id, [])
            if pending and pending[-1][0] is not message:  # an id that a later message uses again: who is open stays so
                waiting += pending
                pending.clear()
            pending.append((message, part))
        for part in message.results:
            if part.call_id not in seen:
                orphans.add(part.position)
            elif open_calls.get(part.call_id):
                open_calls[part.call_id].pop(0)
    waiting += [one for pending in open_calls.values() for one in pending]
    last = next((m for m in reversed(case.messages) if m.role == Role.ASSISTANT), None)
    found: dict[int, list[Part]] = {}
    for message, part in waiting:
        if message is not last or case.params["repair_last_response"]:
            found.setdefault(message.index, []).append(part)
    return orphans, found


def act(case: Case, found: tuple[set[int], dict[int, list[Part]]]) -> None:
    orphans, waiting = found
    case.work.dropped |= orphans
    end = case.messages[-1]
    runs = _runs(case, set(waiting))
    before = runs[-1][-1] if runs else None  # an emptied last message joins a user's, and holds the results that the assistant's gets
    alone = before is None or (before.role != Role.USER and before.index not in waiting)
    if alone and end.parts and end.role == Role.USER and all(part.position in orphans for part in end.parts):
        case.work.puts.append(Put(-1, Role.USER, "", Kind.EMPTY))
    for number, run in enumerate(runs):
        _join(case, run)
        following = runs[number + 1] if number + 1 < len(runs) else None
        for message in run if waiting else ():
            if message.index in waiting:
                _answer(case, waiting[message.index], message, following)


def _runs(case: Case, waiting: set[int]) -> list[list[Message]]:
    """Neighbours that become one message. Between two assistants' messages the results come that the first one gets."""
    runs: list[list[Message]] = []
    joins, gone = case.talk.joins, case.work.dropped
    before: Message | None = None
    for message in case.messages:
        if (gone or not message.parts) and all(part.position in gone for part in message.parts):
            continue
        same = joins and before is not None and before.role is message.role and not message.is_system
        if same and before is not None and not (message.role is Role.ASSISTANT and before.index in waiting):
            runs[-1].append(message)
        else:
            runs.append([message])
        before = message
    return runs


def _stays(case: Case, run: list[Message]) -> list[Part]:
    return [part for message in run for part in message.parts if part.position not in case.work.dropped]


def _join(case: Case, run: list[Message]) -> None:
    """Makes one message of a run, results first; in a message by itself only what stands between results goes behind them."""
    if len(run) == 1 and (len(run[0].parts) == 1 or not run[0].results):
        return
    parts = _stays(case, run)
    results = [part for part in parts if part.is_result]
    if len(run) == 1:
        if results and case.talk.joins:
            _behind(case, parts, results[-1])
        return
    own = {part.position for part in run[0].parts}
    lead = parts[0]
    if run[0].role != Role.USER or not results:
        order = parts
    else:
        order = [*results, *(part for part in parts if not part.is_result)]
    if order[0] is not lead:  # the first of a later message's results comes to stand in front
        case.work.joins.append((order[0].position, -1 - lead.position))
    for before, part in pairwise(order):
        if part is not lead and (part.position not in own or order != parts):
            case.work.joins.append((part.position, before.position))


def _behind(case: Case, parts: list[Part], last: Part) -> None:
    first = next(index for index, part in enumerate(parts) if part.is_result)
    at = last
    for part in parts[first : parts.index(last)]:
        if not part.is_result:
            case.work.joins.append((part.position, at.position))
            at = part


def _answer(case: Case, calls: list[Part], message: Message, following: list[Message] | None) -> None:
    """Results for calls: behind those of the next message, else at its head, else as a message of their own."""
    if following is not None and following[0].role == Role.USER:
        own = [part for part in _stays(case, following[:1]) if part.is_result]
        parts = _stays(case, following)
        first = next((part for part in parts if part.is_result), parts[0])  # results of later messages come to stand behind them
        for call in calls:
            if own:
                case.work.answer(call, INTERRUPTED, behind=own[-1].position, join=True)
            else:
                case.work.answer(call, INTERRUPTED, before=first.position, join=True)
        return
    last = _stays(case, [message])[-1]
    for number, call in enumerate(calls):
        case.work.answer(call, INTERRUPTED, behind=last.position, together=number > 0)


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
