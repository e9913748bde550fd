"""A call of a tool that only code may call does not say which code made it (Anthropic).

Code on the provider's side that calls the client's tools waits for their results. A call that lost its `caller` is taken for the
model's own, and the code for one that nothing answers. It shows where the tool's `allowed_callers` name code alone and such code stands
before the call in its turn.

Evidence: text-index id 68842939072 ("must preserve caller"); Anthropic's documentation on programmatic tool calling (which callers
there are).

Repair: the `caller` is written again: the code before the call in its turn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Kind, Mark
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._rule import Rule, Said
from app.rules._said import tool
from app.rules._scene import Site

PREFIX = f"{Mark.CODE_ONLY}."
CODE = "code_execution"


class CallerFieldDropped(Rule):
    name = "caller-field-dropped"
    summary = "a call that code made does not say so"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        words = [word for word in view.transcript.table.marks if word.startswith(PREFIX)]
        if not words or not reading.native:
            return []
        only = np.zeros(len(view), bool)
        for word in words:
            only |= view.marked(word)
        tools = np.unique(view.name[only & (view.kind == Kind.TOOLS)])
        calls = np.flatnonzero(view.calls & reading.sent & np.isin(view.name, tools) & ~view.marked(Mark.CODE_CALLER))
        code = _code_before(reading, calls)
        return [self.hit(reading, calls[code >= 0], view.rows[np.maximum(code, 0)][code >= 0])]

    def say(self, site: Site) -> Said:
        code = site.scene.view.at(site.detail)
        message = f"Code alone may call `{site.scene.name(site.position)}`, and {tool(site, site.position)} does not say which code did."
        words = {"name": site.scene.name(code), "code": site.scene.call_id(code) or ""}
        return Said(message, f"Code stands before it at {site.scene.pointer(code)}.", site.ids, "caller", words=words)

    def fixes(self, site: Site) -> Sequence[Change]:
        view, code = site.scene.view, site.scene.view.at(site.detail)
        name = int(view.name[site.position])
        words = [word for word in view.transcript.table.marks if word.startswith(PREFIX)]
        of = next(word for word in words if (view.marked(word) & (view.kind == Kind.TOOLS) & (view.name == name)).any())
        caller = {"type": of.removeprefix(PREFIX), "tool_id": site.scene.call_id(code)}
        return [site.change("Say that the code before it made the call", "adds", Set(site.row, "block.caller", caller))]


def _code_before(reading: Reading, calls: Ints) -> Ints:
    """For each call the last code that stands before it in its turn, as positions; -1 where none does."""
    view, names = reading.view, reading.view.transcript.table.names
    runs = [number for number, name in enumerate(names) if name.endswith(CODE)]
    wire = reading.wire
    code = np.flatnonzero((view.kind[wire] == Kind.TOOL_CALL) & view.server[wire] & np.isin(view.name[wire], runs))
    index = np.full(len(view), -1, np.int64)
    index[wire] = np.arange(len(wire))
    before = np.searchsorted(code, index[calls]) - 1
    found = wire[code[np.maximum(before, 0)]] if len(code) else np.full(len(calls), -1)
    same = (before >= 0) & (reading.turn[found] == reading.turn[calls])
    return np.where(same, found, -1)


RULE = CallerFieldDropped()
