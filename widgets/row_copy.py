"""A row of the list on the clipboard: its text, its JSON, where it stands, or its record as it is in the file."""

from __future__ import annotations

import json

from app.session import Session
from widgets.visible import line

KINDS = (("Copy text", "text", "Ctrl+C"), ("Copy JSON", "json", "Ctrl+Alt+C"), ("Copy JSON pointer", "pointer", "Ctrl+Shift+C"),
         ("Copy line number", "line", "Ctrl+Alt+L"), ("Copy raw record", "raw", ""))  # fmt: skip
NOWHERE = "a change made this block; the file has no place for it"


def copied(session: Session, kind: str, row: int) -> tuple[str, str]:
    """What is to be copied of a row, and what is said of it; "" where there is nothing. InspectorError where the file cannot be read."""
    if kind == "raw":
        return session.raw(row).decode("utf-8", "replace"), "record copied"
    if kind == "pointer":
        text = session.pointer(row)
        return text, f"copied {text}"
    if kind == "json":
        value = session.block(row).value
        return json.dumps(value, ensure_ascii=False, indent=2, default=str) if value is not None else "", "JSON copied"
    if kind == "line":
        number = session.line(row)
        name = session.state.path.replace("\\", "/").rsplit("/", 1)[-1]
        return (f"{name}:{number}", f"copied {line(name, 60)}:{number}") if number is not None else ("", "")
    return session.block(row).text, "text copied"


def nothing(session: Session, kind: str, row: int) -> str:
    """Why there was nothing to copy."""
    if kind == "line" and session.pointer(row):
        return "this is one document, without lines of its own; the pointer tells the place"
    return NOWHERE
