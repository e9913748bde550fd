"""A request clears thinking and does not think, or clears it too late (Anthropic).

The edit `clear_thinking_20251015` of `context_management` wants `thinking` to be enabled or adaptive, and to be the first edit.

Evidence: recorded texts of the API (text-index ids 62888525562, 54540734690); on the order text-index id 69026666504.

Repair: the edit goes; else it becomes the first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.model.edits import DELETE, Change, SetRequest
from app.model.findings import Hit
from app.model.provider import Reading
from app.rules._request import request_of, thinks
from app.rules._rule import Rule, Said
from app.rules._scene import Site

CLEARS = "clear_thinking_"


class ContextEditNeedsThinking(Rule):
    name = "context-edit-needs-thinking"
    summary = "a request clears thinking and does not think"

    def check(self, reading: Reading) -> Sequence[Hit]:
        request = request_of(reading)
        edits = _edits(request)
        clears = [number for number, edit in enumerate(edits) if _clears(edit)]
        if request is None or not clears:
            return []
        wrong = not thinks(request) or clears[0] > 0
        return [Hit(np.full(1, -1, np.int32), np.full(1, clears[0], np.int64), self.weight(reading))] if wrong else []

    def say(self, site: Site) -> Said:
        pointer = f"/context_management/edits/{site.detail}"
        if thinks(request_of(site.reading) or {}):
            return Said("The edit that clears thinking is not the first one.", cause="context edits", pointer=pointer, variant="order")
        return Said("The request clears thinking, and thinking is not enabled.", cause="context edits", pointer=pointer)

    def fixes(self, site: Site) -> Sequence[Change]:
        request = request_of(site.reading) or {}
        held, edits = request.get("context_management"), _edits(request)
        if thinks(request):
            ordered = sorted(edits, key=lambda edit: not _clears(edit))
            return [site.change("Make it the first edit", "exact", _set(held, ordered))]
        return [site.change("Take the edit away", "exact", _set(held, [edit for edit in edits if not _clears(edit)]))]


def _edits(request: dict[str, Any] | None) -> list[Any]:
    held = (request or {}).get("context_management")
    edits = held.get("edits") if isinstance(held, dict) else None
    return edits if isinstance(edits, list) else []


def _clears(edit: Any) -> bool:
    return isinstance(edit, dict) and str(edit.get("type")).startswith(CLEARS)


def _set(held: Any, edits: list[Any]) -> SetRequest:
    """The member with other edits; none where nothing else stands in it."""
    rest = {key: value for key, value in held.items() if key != "edits"}
    return SetRequest("/context_management", {**held, "edits": edits} if edits or rest else DELETE)


RULE = ContextEditNeedsThinking()
