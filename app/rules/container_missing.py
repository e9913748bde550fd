"""Code waits for results of calls that it made, and the request does not name its container (Anthropic).

Code that runs on the provider's side may call the client's tools; such a call has a `caller`. It waits in a container, which the
request with the results has to name.

Evidence: recorded texts of the API (text-index ids 58676239237, 62481441445, 66052640233, 70127554523).

Repair: the `container` of the last answer that had one, where somebody has it; else the code and what it called goes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Mark, Role
from app.model.provider import Defect, Reading
from app.model.table import Ints
from app.rules import _fixes
from app.rules._request import request_of
from app.rules._rule import Rule, Said
from app.rules._said import listed
from app.rules._scene import Site


class ContainerMissing(Rule):
    name = "container-missing"
    summary = "code waits for results, and its container is not named"

    def check(self, reading: Reading) -> Sequence[Hit]:
        if Mark.CODE_CALLER not in reading.view.transcript.table.marks:
            return []
        request = request_of(reading)
        if request is None or request.get("container") is not None:
            return []
        return [self.hit(reading, _waiting(reading)[:1])]

    def say(self, site: Site) -> Said:
        ids = tuple(call_id for at in _waiting(site.reading).tolist() if (call_id := site.scene.call_id(at)))
        message = f"Code waits for what it called ({listed(ids)}), and the request names no container."
        return Said(message, ids=ids, cause="container")

    def fixes(self, site: Site) -> Sequence[Change]:
        reading, scene = site.reading, site.scene
        calls = _waiting(reading).tolist()
        turn = reading.of_turn(site.turn)
        code = turn[(reading.defect[turn] == Defect.IN_FLIGHT) & scene.view.server[turn]].tolist()
        return [_fixes.drop(site, "Drop the code and what it called", _fixes.with_calls(scene, [*code, *calls]))]


def _waiting(reading: Reading) -> Ints:
    """The client's calls of the last turn of the assistant that code made, while nothing but their results follows."""
    view, last = reading.view, reading.turns - 1
    if last >= 1 and reading.turn_role[last] == Role.USER and view.results[reading.of_turn(last)].any():
        last -= 1
    turn = reading.of_turn(last)
    if not len(turn) or reading.turn_role[last] != Role.ASSISTANT:
        return turn[:0]
    return np.asarray(turn[view.calls[turn] & view.marked(Mark.CODE_CALLER)[turn]])


RULE = ContainerMissing()
