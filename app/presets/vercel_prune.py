"""The AI SDK's `pruneMessages`: takes calls and results out, without a trace, and reasoning where asked.

*Counted thing.* Messages from the end, in which nothing is taken; a call or result there protects its partner further back. Texts are
never touched, and messages whose content is a string neither. Reasoning goes as well when everything up to the next reasoning goes.
`toolCalls` is none, all, before-last-message, before-last-N-messages, or a list of `{"type": …, "tools": [names]}`.

Source: ai 7.0.173 (npm), generate-text/prune-messages. Approvals of calls have no counterpart in a dump and are left out.
"""

from __future__ import annotations

import re
from typing import Any

from app.model.kinds import Kind, Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, Wrong, choice
from app.presets._talk import Message, Part, Style
from app.presets._work import Put

_TYPE = re.compile(r"none|all|before-last-message|before-last-[0-9]+-messages")


def tool_calls(value: Any) -> Any:
    """What `toolCalls` may be; given back as it was."""
    for one in value if isinstance(value, list) else [value]:
        kind = one.get("type") if isinstance(one, dict) and set(one) <= {"type", "tools"} else one if not isinstance(value, list) else None
        tools = one.get("tools") if isinstance(one, dict) else None
        if not isinstance(kind, str) or not _TYPE.fullmatch(kind) or (isinstance(value, list) and kind == "none"):
            raise Wrong('none, all, before-last-message, before-last-N-messages or a list of {"type": …, "tools": […]}')
        if tools is not None and not (isinstance(tools, list) and all(isinstance(name, str) for name in tools)):
            raise Wrong("a list whose tools are lists of names")
    return value


def _settings(value: Any) -> list[tuple[int | None, list[str] | None]]:
    """For each setting how many of the newest messages are left alone (None: not one), and the tools that it is about."""
    if value == "none":
        return []
    found = []
    for one in value if isinstance(value, list) else [{"type": value}]:
        kind = one["type"]
        count = None if kind == "all" else 1 if kind == "before-last-message" else int(kind.split("-")[2])
        found.append((count, one.get("tools")))
    return found


def _prunable(message: Message) -> bool:
    """Whether parts may be taken out: a list, of an assistant or of results."""
    if message.role not in (Role.ASSISTANT, Role.TOOL):
        return False
    return not (len(message.parts) == 1 and message.parts[0].kind == Kind.TEXT and not message.parts[0].listed)


def select(case: Case) -> list[Part]:
    """The parts that go."""
    left: dict[int, list[Part]] = {}  # by message, where something of it went
    reasoning, last = case.params["reasoning"], len(case.messages) - 1
    for message in case.messages if reasoning != "none" else ():
        spared = reasoning == "before-last-message" and message.index == last
        if message.role == Role.ASSISTANT and _prunable(message) and not spared:
            left[message.index] = [part for part in message.parts if part.kind != Kind.REASONING]
    for count, tools in _settings(case.params["toolCalls"]):
        _prune(case, left, count, tools)
    gone: list[Part] = []
    for index, parts in left.items():
        if len(parts) < len(case.messages[index].parts):
            stay = set(map(id, parts))
            gone += [part for part in case.messages[index].parts if id(part) not in stay]
    return gone


def _prune(case: Case, left: dict[int, list[Part]], count: int | None, tools: list[str] | None) -> None:
    messages = case.messages
    first_kept = len(messages) - count if count else len(messages)
    kept_ids = {
        part.call_id
        for message in messages[max(0, first_kept) :]
        if message.role in (Role.ASSISTANT, Role.TOOL)
        for part in left.get(message.index, message.parts)
        if part.is_call or part.is_result
    }
    tied = [message for message in messages if message.calls or message.results] if tools is not None else []
    named = [p for message in tied for p in left.get(message.index, message.parts) if p.is_call or (p.is_result and p.name)]
    names = {part.call_id: part.name for part in named}
    for message in messages[: max(0, first_kept)]:
        if not (message.calls or message.results) or not _prunable(message):
            continue  # (without a call or a result nothing goes, the reasoning neither)
        parts = left.get(message.index, message.parts)
        keep = [
            not (part.is_call or part.is_result)
            or part.call_id in kept_ids
            or (tools is not None and names.get(part.call_id, "") not in tools)
            for part in parts
        ]
        if message.role == Role.ASSISTANT:
            _with_reasoning(parts, keep)
        left[message.index] = [part for part, stays in zip(parts, keep, strict=True) if stays]


def _with_reasoning(parts: list[Part], keep: list[bool]) -> None:
    """Reasoning behind which nothing is kept up to the next reasoning goes too."""
    at = 0
    while at < len(parts):
        if parts[at].kind != Kind.REASONING:
            at += 1
            continue
        end = at
        while end < len(parts) and parts[end].kind == Kind.REASONING:
            end += 1
        following = end
        while following < len(parts) and parts[following].kind != Kind.REASONING:
            following += 1
        if following > end and not any(keep[end:following]):
            keep[at:end] = [False] * (end - at)
        at = following


def act(case: Case, gone: list[Part]) -> None:
    work = case.work
    work.drop(gone)
    if case.params["emptyMessages"] == "keep":
        for message in case.messages:
            if message.parts and all(part.position in work.dropped for part in message.parts):
                work.puts.append(Put(message.parts[0].position, message.role, "", Kind.EMPTY))


PRESET = Preset(
    name="vercel-prune",
    summary="takes old calls, results and reasoning out without a trace, as the AI SDK's pruneMessages does",
    family="evict-steps",
    imitates="ai 7.0.173 (npm), pruneMessages",
    source="ai/src/generate-text/prune-messages.ts",
    evidence="S",
    unit="messages from the end",
    minimum="none",
    style=Style.JOINED,
    counter=counters.one,
    select=select,
    act=act,
    settings=(
        Setting(
            "reasoning", "none", "reasoning that goes: none, all, or before-last-message", choice("none", "all", "before-last-message")
        ),
        Setting("toolCalls", "before-last-3-messages", "calls and results that go", tool_calls),
        Setting("emptyMessages", "remove", "what becomes of messages of which nothing is left: remove or keep", choice("remove", "keep")),
    ),
    takes="parts",
)
