"""A call's arguments are not what the wire wants.

Anthropic and Bedrock want an object: a string (a stream that was cut off, a conversion), null or a list is refused; Bedrock refuses a
member whose name is empty as well (`{"": {}}`, as gpt-oss writes it). OpenAI Chat wants a string: an object is refused; a string that
holds no JSON object is taken, since models write such, and refused by some compatible hosts (a warning).
OpenAI Responses is like that for functions; a search for tools has an object (farion1231/cc-switch#5062).

Evidence: coder/xum#442; lijunzh/koda#501; anthropics/claude-code#6696; openai/openai-openapi@f85dbe2 (it warns that
a model writes what is no JSON at times). Bedrock: two public reports of "toolUse.input is invalid. Provide a json object".

Repair: a string of an object becomes the object, an object its string; nothing becomes `{}`; what is no JSON is kept under a key `value`.
"""

from __future__ import annotations

from collections.abc import Sequence
from json import loads
from typing import Any

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import ARGS_SHIFT, Args, Flag, Mark
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._rule import Rule, Said
from app.rules._said import tool
from app.rules._scene import Site

NO_NAME = "empty-key"
SEARCH = "tool_search_call"
GOT = {Args.OBJECT: "an object", Args.NULL: "null", Args.OTHER: "an array", Args.NONE: "nothing", Args.STRING: "a string"}


class ToolArgsInvalid(Rule):
    name = "tool-args-invalid"
    summary = "a call's arguments are not what the wire wants"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, wants = reading.view, reading.provider.arguments
        if not reading.native or wants == "any":
            return []
        kind = (view.flags & Flag.ARGS) >> ARGS_SHIFT
        calls = view.calls & reading.sent
        searches = _searches(reading)
        if searches is not None:
            texts = np.isin(kind, [Args.STRING, Args.STRING_OTHER, Args.BROKEN])
            found = [self.hit(reading, np.flatnonzero(calls & searches & texts))]
            calls &= ~searches
        else:
            found = []
        if wants.startswith("object"):
            if wants == "object or none":
                calls &= ~np.isin(kind, [Args.NONE, Args.NULL])
            wrong = (kind != Args.OBJECT) & (kind != Args.FREE)
            if f"{self.name}/{NO_NAME}" in reading.provider.strict:
                wrong |= view.marked(Mark.EMPTY_KEY)
            return [self.hit(reading, np.flatnonzero(calls & wrong))]
        wrong = np.isin(kind, [Args.OBJECT, Args.NULL, Args.OTHER, Args.NONE])
        odd = np.isin(kind, [Args.BROKEN, Args.STRING_OTHER])
        wrong_hit = self.hit(reading, np.flatnonzero(calls & wrong))
        odd_hit = self.hit(reading, np.flatnonzero(calls & odd), severity="warning")
        return [*found, wrong_hit, odd_hit]

    def say(self, site: Site) -> Said:
        kind = _kind(site)
        got = GOT.get(kind, "a string")
        if site.severity == "warning":
            message = f"The arguments of {tool(site, site.position)} are no JSON object; some hosts refuse that."
        elif kind == Args.OBJECT and site.reading.provider.arguments.startswith("object"):
            message = f"The arguments of {tool(site, site.position)} have a member without a name."
        else:
            wants = "an object" if site.reading.provider.arguments.startswith("object") else "a string"
            if site.scene.type(site.position) == SEARCH:
                message = f"The arguments of {tool(site, site.position)} are a string; a search for tools has an object."
                return Said(message, ids=site.ids, cause="arguments", variant="object")
            message = f"The arguments of {tool(site, site.position)} are {got}; {site.reading.provider.title} wants {wants}."
        return Said(message, ids=site.ids, cause="arguments", words={"got": got})

    def fixes(self, site: Site) -> Sequence[Change]:
        kind, block = _kind(site), site.block
        if kind in (Args.NULL, Args.NONE):
            return [site.change("Make the arguments an empty object", "exact", Set(site.row, "input", {}))]
        if block is None:
            return []
        text = block.texts[0] if block.texts else ""
        try:
            value = loads(text)
        except (ValueError, RecursionError):
            value = text
        if isinstance(value, dict) and "" in value and f"{self.name}/{NO_NAME}" in site.reading.provider.strict:
            return [_named(site, value)]
        if isinstance(value, dict):
            shape = "an object" if site.reading.provider.arguments.startswith("object") else "a string"
            return [site.change(f"Write the arguments as {shape}", "exact", Set(site.row, "input", value))]
        if value in ("", [], None):
            return [site.change("Make the arguments an empty object", "exact", Set(site.row, "input", {}))]
        kept = site.change("Keep the arguments under a key `value`", "adds", Set(site.row, "input", {"value": value}))
        return [kept, site.change("Make the arguments an empty object", "loses", Set(site.row, "input", {}))]


def _named(site: Site, value: dict[str, Any]) -> Change:
    """Without the member that has no name, where it holds nothing; else that gets one."""
    held = value[""]
    rest = {key: other for key, other in value.items() if key}
    if held in (None, "", {}, []):
        return site.change("Take the member without a name away", "exact", Set(site.row, "input", rest))
    name = next(name for name in ("value", "value_", "value__", "_" + "_".join(value)) if name not in rest)
    return site.change("Give the member without a name one", "exact", Set(site.row, "input", {**rest, name: held}))


def _searches(reading: Reading) -> Ints | None:
    """Mask over positions: searches for tools; None where there are none."""
    types = reading.view.transcript.table.types
    return reading.view.type == types.index(SEARCH) if SEARCH in types else None


def _kind(site: Site) -> Args:
    return Args((site.flags & Flag.ARGS) >> ARGS_SHIFT)


RULE = ToolArgsInvalid()
