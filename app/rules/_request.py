"""The request that messages stand in: its small members, and the tools that it declares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.model.kinds import Kind
from app.model.pairs import distinct
from app.model.provider import Reading
from app.model.table import RecordKind


@dataclass(frozen=True)
class _Known:
    """What is looked up once for a view and a provider."""

    request: dict[str, Any] | None
    names: frozenset[str]
    types: frozenset[str]


def request_of(reading: Reading) -> dict[str, Any] | None:
    """The small members of the request. None where the messages stand in none (a bare list, an answer, a session log), where nothing is
    known beside them, or where the request is of another wire."""
    return _known(reading).request


def declared_names(reading: Reading) -> frozenset[str]:
    """Names of the tools that the request declares."""
    return _known(reading).names


def declared_types(reading: Reading) -> frozenset[str]:
    """Types of the tools that the request declares."""
    return _known(reading).types


def _known(reading: Reading) -> _Known:
    key = "request", reading.provider.name
    readings = reading.view.readings
    if key not in readings:
        table, view = reading.view.transcript.table, reading.view
        tools = view.kind == Kind.TOOLS
        names = frozenset(table.names[number] for number in distinct(view.name[tools]).tolist() if number >= 0)
        types = frozenset(table.types[number] for number in distinct(view.type[tools]).tolist())
        readings[key] = _Known(_request(reading), names, types)
    found: _Known = readings[key]
    return found


def _request(reading: Reading) -> dict[str, Any] | None:
    view = reading.view
    table = view.transcript.table
    if table.pointer_prefix == "/":
        return None
    listed = np.flatnonzero(table.records.kind == RecordKind.MESSAGE)
    inside = any(int(record) not in table.pointers for record in listed)
    if not reading.native or not inside or not (table.request or (view.kind == Kind.TOOLS).any()):
        return None
    return table.request


def thinks(request: dict[str, Any]) -> bool:
    """Whether a request says that the model is to think."""
    thinking = request.get("thinking")
    return isinstance(thinking, dict) and thinking.get("type") in ("enabled", "adaptive")
