"""A result whose JSON is a list or a single value where an object is wanted (Bedrock, Gemini).

Tools of an MCP server may give a list at the top. Bedrock takes any text beside such an object; Gemini's `response` must be one.

Evidence: Bedrock: sigoden/aichat#1550. Gemini: scriptit-fr/GenAIApp#73; vercel/ai PR #3589 and danny-avila/LibreChat#5525
("Proto field is not repeating, cannot start list").

Repair: the value is put under a key: a list under `items`, any other under `output`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Mark
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site

RESPONSE = "response"


class ToolResultNotObject(Rule):
    name = "tool-result-not-object"
    summary = "a result whose JSON is a list or a single value where an object is wanted"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        return [self.hit(reading, np.flatnonzero(view.results & reading.sent & view.marked(Mark.JSON_ODD)))]

    def say(self, site: Site) -> Said:
        parts = _parts(site)
        if RESPONSE in _value(site):
            kind = "" if isinstance(_value(site)[RESPONSE], list) else "value"
            said = "The response is a list or a single value; an object is wanted."
            return Said(said, ids=site.ids, cause="json", variant=kind, words={"part": "0"})
        odd = next((number for number, part in enumerate(parts) if _is_odd(part)), None)
        inner = "" if odd is None else f"/toolResult/content/{odd}"
        words = {"part": str(0 if odd is None else odd)}
        return Said("The JSON of this result is no object.", cause="json", inner=inner, words=words)

    def fixes(self, site: Site) -> Sequence[Change]:
        parts = _parts(site)
        if RESPONSE in _value(site):
            return [site.change("Put the value under a key", "exact", Set(site.row, "content", under_key(_value(site)[RESPONSE])))]
        if not any(map(_is_odd, parts)):
            return []
        return [site.change("Put the value under a key", "exact", Set(site.row, "content", [_wrapped(part) for part in parts]))]


def _parts(site: Site) -> list[Any]:
    value = site.block.value if site.block is not None else None
    held = value.get("toolResult") if isinstance(value, dict) else None
    content = held.get("content") if isinstance(held, dict) else None
    return content if isinstance(content, list) else []


def _value(site: Site) -> dict[str, Any]:
    """The response of a part of Gemini's wire; empty for all others."""
    value = site.block.value if site.block is not None else None
    held = (value.get("functionResponse") or value.get("function_response")) if isinstance(value, dict) else None
    return held if isinstance(held, dict) else {}


def _is_odd(part: Any) -> bool:
    return isinstance(part, dict) and "json" in part and not isinstance(part["json"], dict)


def _wrapped(part: Any) -> Any:
    if not _is_odd(part):
        return part
    return {**part, "json": under_key(part["json"])}


def under_key(value: Any) -> dict[str, Any]:
    return {"items" if isinstance(value, list) else "output": value}


RULE = ToolResultNotObject()
