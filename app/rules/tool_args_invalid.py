"""A call's arguments are not what the wire wants.

Anthropic wants an object: a string (a stream that was cut off, a conversion), null or a list is refused. OpenAI Chat wants a string: an
object is refused; a string that holds no JSON object is taken, since models write such, and refused by some compatible hosts (a warning).

Evidence: coder/xum#442; lijunzh/koda#501; anthropics/claude-code#6696; openai/openai-openapi@f85dbe2 (it warns that
a model writes what is no JSON at times).

Repair: a string of an object becomes the object, an object its string; nothing becomes `{}`; what is no JSON is kept under a key `value`.
"""

from __future__ import annotations

from collections.abc import Sequence
from json import loads

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import ARGS_SHIFT, Args, Flag
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._said import tool
from app.rules._scene import Site

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
        if wants == "object":
            return [self.hit(reading, np.flatnonzero(calls & (kind != Args.OBJECT) & (kind != Args.FREE)))]
        wrong = np.isin(kind, [Args.OBJECT, Args.NULL, Args.OTHER, Args.NONE])
        odd = np.isin(kind, [Args.BROKEN, Args.STRING_OTHER])
        return [self.hit(reading, np.flatnonzero(calls & wrong)), self.hit(reading, np.flatnonzero(calls & odd), severity="warning")]

    def say(self, site: Site) -> Said:
        kind = _kind(site)
        got = GOT.get(kind, "a string")
        if site.severity == "warning":
            message = f"The arguments of {tool(site, site.position)} are no JSON object; some hosts refuse that."
        else:
            wants = "an object" if site.reading.provider.arguments == "object" else "a string"
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
        if isinstance(value, dict):
            shape = "an object" if site.reading.provider.arguments == "object" else "a string"
            return [site.change(f"Write the arguments as {shape}", "exact", Set(site.row, "input", value))]
        if value in ("", [], None):
            return [site.change("Make the arguments an empty object", "exact", Set(site.row, "input", {}))]
        kept = site.change("Keep the arguments under a key `value`", "adds", Set(site.row, "input", {"value": value}))
        return [kept, site.change("Make the arguments an empty object", "loses", Set(site.row, "input", {}))]


def _kind(site: Site) -> Args:
    return Args((site.flags & Flag.ARGS) >> ARGS_SHIFT)


RULE = ToolArgsInvalid()
