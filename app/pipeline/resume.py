"""What the program that owns a dump would make of it if it went on with it."""

from __future__ import annotations

from app.model.reader import Resumed
from app.model.view import View
from app.readers import READERS


def resumed(view: View) -> Resumed | None:
    """Made once for a view; None where no reader of its format is known."""
    reader = READERS.get(view.transcript.table.format)
    if reader is None:
        return None
    if "resumed" not in view.readings:
        view.readings["resumed"] = reader.resume(reader, view.transcript)
    found: Resumed = view.readings["resumed"]
    return found
