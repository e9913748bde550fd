"""Roo Code's sliding window: a share of the messages after the first is hidden, and a line says how many.

*Counted thing.* Messages, results in the user's; the number is made even. *Repair.* Results whose call is hidden go, calls whose result
is hidden get one. Source: Roo Code, core/context-management (`truncateConversation`).
"""

from __future__ import annotations

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._mending import answer_open, drop_orphans
from app.presets._preset import Case, Preset
from app.presets._settings import Setting, share
from app.presets._talk import Message, Style


def select(case: Case) -> list[Message]:
    hidden = int((len(case.messages) - 1) * case.params["fracToRemove"])
    return case.messages[1 : 1 + hidden - hidden % 2]


def act(case: Case, chosen: list[Message]) -> None:
    case.work.drop_messages(chosen)
    behind = chosen[-1].index + 1
    said = f"[Sliding window truncation: {len(chosen)} messages hidden to reduce context]"
    case.work.put(case.messages[behind] if behind < len(case.messages) else None, Role.USER, said)


def repair(case: Case) -> None:
    if case.work:
        drop_orphans(case)
        answer_open(case, "Tool execution was interrupted before completion.")


PRESET = Preset(
    name="roo-sliding",
    summary="hides a share of the messages after the first and mends the pairs, as Roo Code does",
    family="evict-steps",
    imitates="Roo Code, sliding window",
    source="RooCodeInc/Roo-Code src/core/context-management",
    evidence="S",
    unit="messages, results in the user's",
    minimum="none",
    style=Style.TURNS,
    counter=counters.one,
    select=select,
    act=act,
    repair=repair,
    settings=(Setting("fracToRemove", 0.5, "share of the messages after the first that is hidden", share()),),
)
