"""Text behind the client's results while a tool of the provider is still open (Anthropic).

An open call of a provider's tool is taken while nothing but `tool_result` blocks follows it. One text block behind them makes a 400 of it.

Evidence: Anthropic's documentation on stop reasons (the user turn that answers a mixed turn must hold results only);
anthropics/anthropic-sdk-typescript#1090.

Repair: what is no result leaves that turn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._open_server import waiting_calls
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class TextAfterToolResultWithOpenServerTool(Rule):
    name = "text-after-tool-result-with-open-server-tool"
    summary = "text behind the results while a tool of the provider is still open"
    any_of = Flag.SERVER

    def check(self, reading: Reading) -> Sequence[Hit]:
        view, waiting = reading.view, waiting_calls(reading)
        wire = reading.wire[waiting[reading.turn[reading.wire]] >= 0]
        others = wire[~view.results[wire] & (view.kind[wire] != Kind.EMPTY)]
        others = others[np.unique(reading.turn[others], return_index=True)[1]]
        return [self.hit(reading, others, view.rows[waiting[reading.turn[others]]])]

    def say(self, site: Site) -> Said:
        call = site.scene.view.at(site.detail)
        found = site.scene.call_id(call)
        words = {"name": site.scene.name(call), "id": found or ""}
        message = f"A tool of the provider (`{words['name']}`) is still open; only results may stand in the turn behind it."
        return Said(message, f"It is open since {site.scene.pointer(call)}.", (found,) if found else (), f"turn {site.turn}", words=words)

    def fixes(self, site: Site) -> Sequence[Change]:
        turn = site.reading.of_turn(site.turn)
        view = site.scene.view
        others = [int(at) for at in turn if not view.results[at]]
        call = view.at(site.detail)
        gone = _fixes.with_calls(site.scene, [call])
        return [_fixes.drop(site, "Drop what is no result", others), _fixes.drop(site, "Drop the call of the provider's tool", gone)]


RULE = TextAfterToolResultWithOpenServerTool()
