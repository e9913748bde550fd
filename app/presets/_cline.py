"""Cline's truncation, which two presets name: a range of messages after the first pair is taken out.

Source: cline, core/context/context-management/ContextManager.ts, `getNextTruncationRange`. Before it, Cline replaces repeated reads of
one file and stops where that saves 30 %; that part is not imitated here. Since cline PR #7225 pairs are mended afterwards (`repair`).
"""

from __future__ import annotations

from app.model.kinds import Kind, Role
from app.presets import _counters as counters
from app.presets._mending import answer_open, drop_orphans
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, flag, text
from app.presets._talk import Message, Style

NOTICE = "[NOTE] Some previous conversation history with the user has been removed to maintain optimal context window length."


def cline(name: str, summary: str, eighths: int) -> Preset:
    """A preset that takes out so many eighths of the messages after the first pair, in pairs of two."""

    def select(case: Case) -> list[Message]:
        messages = case.messages
        remove = (len(messages) - 2) * eighths // 8 * 2 if eighths == 3 else (len(messages) - 2) // 4 * 2
        end = 2 + remove - 1
        if 0 <= end < len(messages) and messages[end].role != Role.ASSISTANT:
            end -= 1
        return messages[2 : end + 1]

    return Preset(
        name=name,
        summary=summary,
        family="drop-oldest-messages",
        imitates="Cline, ContextManager",
        source="cline/cline src/core/context/context-management/ContextManager.ts; cline PR #7225",
        evidence="S",
        unit="messages, results in the user's",
        minimum="none",
        style=Style.TURNS,
        counter=counters.one,
        gate=lambda case: len(case.messages) > 2,
        select=select,
        act=_act,
        repair=_repair,
        settings=(
            Setting("repair", False, "whether pairs are mended afterwards, as since PR #7225", flag),
            Setting("notice", NOTICE, "what the first assistant's text becomes; empty: it stays", text),
        ),
        breaks_pairs=True,
    )


def _act(case: Case, chosen: list[Message]) -> None:
    case.work.drop_messages(chosen)
    first = next((message for message in case.messages[:2] if message.role == Role.ASSISTANT), None)
    said = next((part for part in first.parts if part.kind == Kind.TEXT), None) if first is not None else None
    if said is not None and case.params["notice"]:
        case.work.cut(said, case.params["notice"])


def _repair(case: Case) -> None:
    if case.params["repair"] and case.work:
        drop_orphans(case)
        answer_open(case, "result missing")
