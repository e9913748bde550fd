"""Agent Framework's groups: a message with calls, its results and the reasoning around them are one piece; every other message is one.

Source: agent-framework-core 1.23.0, _compaction.py `group_messages`, `_link_tool_call_result_spans`.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.model.kinds import Kind, Role
from app.presets._talk import Message


@dataclass(eq=False)
class Group:
    """`kind`: system, user, tool_call or assistant_text."""

    kind: str
    messages: list[Message]


def groups(messages: list[Message]) -> list[Group]:
    """In the order of their first message. A late result that answers one call only is of that call's group, wherever it stands."""
    spans = _spans(messages)
    pairs = _pairs(messages)
    if not pairs:
        return [Group(kind, span) for kind, span in spans]
    parent = list(range(len(spans)))

    def root(index: int) -> int:
        while parent[index] != index:
            index = parent[index]
        return index

    of = {message.index: number for number, (_, span) in enumerate(spans) for message in span}
    for call, result in pairs:
        if of[call] < of[result]:
            low, high = sorted((root(of[call]), root(of[result])))
            parent[high] = low
    found: dict[int, Group] = {}
    for number, (kind, span) in enumerate(spans):
        found.setdefault(root(number), Group(kind, [])).messages.extend(span)
    return list(found.values())


def _spans(messages: list[Message]) -> list[tuple[str, list[Message]]]:
    spans: list[tuple[str, list[Message]]] = []
    at = 0
    while at < len(messages):
        message, end = messages[at], at + 1
        if message.role is Role.USER or message.role is Role.SYSTEM:
            kind = "user" if message.role is Role.USER else "system"
        elif message.results:
            kind, end = "tool_call", _while(messages, end, _answers)
        else:
            calling = _while(messages, at, _only_reasoning)
            if calling < len(messages) and messages[calling].role == Role.ASSISTANT and messages[calling].calls:
                kind = "tool_call"
                end = _while(messages, _while(messages, calling + 1, _only_reasoning), _answers)
            else:
                kind = "assistant_text"
        spans.append((kind, messages[at:end] if end > at + 1 else [message]))
        at = end
    return spans


def _while(messages: list[Message], at: int, holds: object) -> int:
    while at < len(messages) and holds(messages[at]):  # type: ignore[operator]
        at += 1
    return at


def _answers(message: Message) -> bool:
    return bool(message.results)


def _only_reasoning(message: Message) -> bool:
    parts = message.parts
    if message.role is not Role.ASSISTANT or not parts or parts[0].kind is not Kind.REASONING:
        return False
    return all(part.kind is Kind.REASONING for part in parts)


def _pairs(messages: list[Message]) -> list[tuple[int, int]]:
    """Calls and results by message, where just one open call has the id."""
    open_calls: dict[str, list[int]] = {}
    pairs: list[tuple[int, int]] = []
    for message in messages:
        if not message.calls and not message.results:
            continue
        for part in message.parts:
            if not part.call_id:
                continue
            if part.is_call and message.role == Role.ASSISTANT:
                open_calls.setdefault(part.call_id, []).append(message.index)
            elif part.is_result and len(open_calls.get(part.call_id, ())) == 1:
                pairs.append((open_calls[part.call_id].pop(), message.index))
    return pairs
