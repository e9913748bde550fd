"""The request that messages stand in: its small members, and the tools that it declares."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.model.kinds import Kind
from app.model.provider import Reading
from app.model.table import RecordKind


def request_of(reading: Reading) -> dict[str, Any] | None:
    """The small members of the request. None where the messages stand in none (a bare list, an answer, a session log), where nothing is
    known beside them, or where the request is of another wire."""
    view = reading.view
    table = view.transcript.table
    listed = np.flatnonzero(table.records.kind == RecordKind.MESSAGE)
    inside = table.pointer_prefix != "/" and any(int(record) not in table.pointers for record in listed)
    if not reading.native or not inside or not (table.request or (view.kind == Kind.TOOLS).any()):
        return None
    return table.request


def declared_names(reading: Reading) -> set[str]:
    """Names of the tools that the request declares."""
    view, names = reading.view, reading.view.transcript.table.names
    return {names[number] for number in np.unique(view.name[view.kind == Kind.TOOLS]).tolist() if number >= 0}


def declared_types(reading: Reading) -> set[str]:
    """Types of the tools that the request declares."""
    view, types = reading.view, reading.view.transcript.table.types
    return {types[number] for number in np.unique(view.type[view.kind == Kind.TOOLS]).tolist()}


def thinks(request: dict[str, Any]) -> bool:
    """Whether a request says that the model is to think."""
    thinking = request.get("thinking")
    return isinstance(thinking, dict) and thinking.get("type") in ("enabled", "adaptive")
