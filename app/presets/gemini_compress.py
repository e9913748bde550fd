"""Gemini CLI's chat compression: a summary and an answer to it in place of the older part of the history.

*Counted thing.* Characters of the contents as compact JSON. *Snap.* The cut is the first user message without a function's response
before which at least `fraction` of them lie; where there is none, everything goes when the last content is the model's and calls
nothing, else the cut is the last such user message, which may be the first of all: then nothing is done.

The CLI also shortens old outputs before, and gives up where the result is larger; the place of the cut is what is imitated here.
Source: @google/gemini-cli-core 0.61.0, context/chatCompressionService.js, `findCompressSplitPoint`.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.presets import _counters as counters
from app.presets._preset import Case, Preset
from app.presets._settings import SUMMARY, Setting, Wrong, share
from app.presets._talk import Style

ANSWER = "Got it. Thanks for the additional context!"


def fraction(value: object) -> object:
    if value == 1:
        raise Wrong("a number over 0 and under 1")
    return share()(value)


def select(case: Case) -> int:
    """Index of the first content that stays."""
    messages = case.messages
    sizes = case.sizes
    target, passed, last = sum(sizes) * case.params["fraction"], 0, 0
    for message, size in zip(messages, sizes, strict=True):
        if message.is_prompt:
            if passed >= target:
                return message.index
            last = message.index
        passed += size
    end = messages[-1]
    return len(messages) if end.role == Role.ASSISTANT and not end.calls else last


def act(case: Case, cut: int) -> None:
    if cut <= 0:
        return
    case.work.drop_messages(case.messages[:cut])
    behind = case.messages[cut] if cut < len(case.messages) else None
    case.work.put(behind, Role.USER, case.params["summary"])
    case.work.put(behind, Role.ASSISTANT, ANSWER)


PRESET = Preset(
    name="gemini-compress",
    summary="puts a summary and an answer in place of the older share of the history, as Gemini CLI does",
    family="summarize-prefix",
    imitates="@google/gemini-cli-core 0.61.0, findCompressSplitPoint",
    source="dist/src/context/chatCompressionService.js",
    evidence="V 400 cases",
    unit="characters of JSON",
    minimum="none",
    style=Style.TURNS,
    counter=counters.json_units,
    select=select,
    act=act,
    settings=(Setting("fraction", 0.7, "share of the characters that must lie before the cut", fraction), SUMMARY),
)
