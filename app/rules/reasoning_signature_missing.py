"""Reasoning without the signature that the provider wants back.

Anthropic checks the signature of each thinking block that it gets back; an empty one, or none, is refused. Gemini 3 and newer want the
thought signature on the first call of each of the model's turns in the running tool loop, which begins behind the last content of the user
that is no result (Gemini 3 Pro Image does not; 2.0 and 2.5 take calls without one: 6 recorded requests with status 200). Where the model is
not known and other calls of the dump are signed, it is a warning. Whether a signature that is there is genuine can't be checked offline.

Evidence: anthropics/claude-code#21726, #66204; microsoft/vscode#322138; openclaw/openclaw#120596 (the field absent). Gemini:
nanbingxyz/5ire#405; lbjlaq/Antigravity-Manager#938, #3202; langgenius/dify-official-plugins#2088; Google's documentation on thought
signatures (https://ai.google.dev/gemini-api/docs/thought-signatures), also on which call and which turns; google-gemini/gemini-cli@5411f11
(`ensureActiveLoopHasThoughtSignatures`).

Repair: Anthropic: the block goes; thinking of finished turns may always be left out. Gemini: the signature that the model gave, where
somebody has it; else the value that the documentation gives for lost ones, `skip_thought_signature_validator`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit, Severity
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.model.table import Ints
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._said import tool
from app.rules._scene import Site
from app.rules.reasoning_empty import empty

DUMMY = "skip_thought_signature_validator"
ON_CALLS = "reasoning-signature-missing/call"
"""Providers that are strict in this look for signatures on calls."""
NEEDS = "signed-calls"
"""The family of models that need them."""


class ReasoningSignatureMissing(Rule):
    name = "reasoning-signature-missing"
    summary = "reasoning without the signature that the provider wants back"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native:
            return []
        if ON_CALLS in reading.provider.strict:
            severity = _weight(reading)
            return [self.hit(reading, _unsigned_calls(reading), severity=severity)] if severity is not None else []
        unsigned = (view.kind == Kind.REASONING) & ((view.flags & (Flag.SIGNED | Flag.REDACTED)) == 0)
        if "reasoning-empty" in reading.provider.judges:
            unsigned &= ~empty(reading)  # that rule says it
        return [self.hit(reading, np.flatnonzero(unsigned & reading.sent))]

    def say(self, site: Site) -> Said:
        if site.kind != Kind.TOOL_CALL:
            return Said("This thinking block has no signature.", cause="signature")
        words = {"name": site.scene.name(site.position), "n": str(int(site.reading.wire_message[site.position]) + 1)}
        message = f"The call of {tool(site, site.position)}, the first of its turn, has no thought signature."
        if site.severity == "warning":
            message += " Gemini 3 and newer refuse that; the dump names no model."
        return Said(message, ids=site.ids, cause="signature", words=words)

    def fixes(self, site: Site) -> Sequence[Change]:
        if site.kind != Kind.TOOL_CALL:
            return [_fixes.drop(site, "Drop the thinking block", [site.position])]
        return [site.change("Put the value for lost signatures on it", "adds", Set(site.row, "block.signature", DUMMY), note=DUMMY)]


def _weight(reading: Reading) -> Severity | None:
    """How much an unsigned call weighs; None where it does not matter."""
    family = reading.provider.family(reading.model)
    if family is not None:
        return "error" if family == NEEDS else None
    view = reading.view
    return "warning" if (view.calls & reading.sent & ((view.flags & Flag.SIGNED) != 0)).any() else None


def _unsigned_calls(reading: Reading) -> Ints:
    """The first call of each turn of the running loop, where it has no signature."""
    view, wire = reading.view, reading.wire
    calls = wire[view.calls[wire] & (reading.turn_role[reading.turn[wire]] == Role.ASSISTANT)]
    calls = calls[np.unique(reading.turn[calls], return_index=True)[1]]
    calls = calls[reading.turn[calls] > _loop(reading)]
    return calls[(view.flags[calls] & Flag.SIGNED) == 0]


def _loop(reading: Reading) -> int:
    """The turn behind which the running loop begins: the user's last one that says something and holds no result; -1 before all."""
    view, wire = reading.view, reading.wire
    says = (view.kind[wire] == Kind.TEXT) | (view.kind[wire] == Kind.MEDIA)
    spoken, answers = np.zeros(reading.turns, bool), np.zeros(reading.turns, bool)
    spoken[reading.turn[wire[says]]] = True
    answers[reading.turn[wire[view.results[wire]]]] = True
    found = np.flatnonzero(spoken & ~answers & (reading.turn_role == Role.USER))
    return int(found[-1]) if len(found) else -1


RULE = ReasoningSignatureMissing()
