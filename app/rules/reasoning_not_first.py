"""A turn of the assistant has thinking, and does not begin with it (Anthropic).

Refused in 2025; taken in 2026, and always where the model thinks between calls (adaptive thinking, Claude 4.6 and newer): a warning, since
the dates disagree. A turn that begins with a call of the provider's tool may think behind it.

Evidence: recorded texts of 2025-11 (text-index ids 67419218281, 67173161426); a live probe of 2026-07-25 ([text, thinking] in the middle:
200); pydantic/pydantic-ai@4fda389 (claude-sonnet-5: a turn that begins with `server_tool_use`, then thinks: 200).

Repair: none that keeps the order, which signed blocks need; the thinking of a finished turn may go.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._request import request_of
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ReasoningNotFirst(Rule):
    name = "reasoning-not-first"
    summary = "a turn of the assistant has thinking and does not begin with it"
    severity = "warning"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, table = reading.view, reading.view.transcript.table
        if not reading.native or not table.joins or reading.provider.refuses_prefill(reading.model) or not _strict(reading):
            return []
        wire = reading.wire
        reasons = wire[(view.kind[wire] == Kind.REASONING)]
        first = reading.wire[reading.turn_start[reading.turn[reasons]]]
        text = (view.kind[first] == Kind.TEXT) & ((view.flags[first] & (Flag.TEXT_EMPTY | Flag.TEXT_BLANK)) == 0)
        reasons = reasons[text & (reading.turn_role[reading.turn[reasons]] == Role.ASSISTANT)]
        reasons = reasons[np.unique(reading.turn[reasons], return_index=True)[1]]
        return [self.hit(reading, reasons)]

    def say(self, site: Site) -> Said:
        first = int(site.reading.of_turn(site.turn)[0])
        reason = f"The turn begins at {site.scene.pointer(first)}."
        return Said("The turn has thinking and begins with text (refused in 2025, taken in 2026).", reason, cause=f"turn {site.turn}",
                    words={"type": site.scene.type(first), "first": f"{_place(site)}.content.0"})  # fmt: skip

    def fixes(self, site: Site) -> Sequence[Change]:
        turn = site.reading.of_turn(site.turn)
        thoughts = turn[site.scene.view.kind[turn] == Kind.REASONING].tolist()
        return [_fixes.drop(site, "Drop the thinking of this turn", thoughts)] if len(thoughts) < len(turn) else []


def _place(site: Site) -> str:
    return site.reading.provider.places["message"].format(turn=site.turn, message=site.turn)


def _strict(reading: Reading) -> bool:
    """Whether thinking is of the kind that was checked: neither adaptive nor switched off."""
    thinking = (request_of(reading) or {}).get("thinking")
    return not isinstance(thinking, dict) or thinking.get("type") not in ("adaptive", "disabled")


RULE = ReasoningNotFirst()
