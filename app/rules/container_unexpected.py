"""A request names a container and declares no tool that runs code (Anthropic).

The newer tools that search and fetch run code themselves, in such a container.

Evidence: a live probe of 2026-09-10. That `web_search_20260209` brings a container along: text-index ids 59758495256, 51906166606.

Repair: the container is named no more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Change, SetRequest
from app.model.findings import Hit
from app.model.provider import Reading
from app.rules._request import declared_types, request_of
from app.rules._rule import Rule, Said
from app.rules._scene import Site

RUNS_CODE = ("code_execution", "web_search_2026", "web_fetch_2026")
"""How the types of tools begin that run code."""


class ContainerUnexpected(Rule):
    name = "container-unexpected"
    summary = "a container without a tool that runs code"

    def check(self, reading: Reading) -> Sequence[Hit]:
        request = request_of(reading)
        if request is None or request.get("container") is None or any(word.startswith(RUNS_CODE) for word in declared_types(reading)):
            return []
        return [Hit(np.full(1, -1, np.int32), np.full(1, -1, np.int64), self.weight(reading))]

    def say(self, site: Site) -> Said:
        message = "The request names a container, and declares no tool that runs code."
        return Said(message, cause="container", pointer="/container")

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Name no container", "exact", SetRequest("/container", DELETE))]


RULE = ContainerUnexpected()
