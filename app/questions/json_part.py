"""Some entries of a JSON value that stands as a string of megabytes in a block: it is read here once, and looked at a page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.model import json_look
from app.model.errors import InspectorError
from app.model.json_look import INSIDE, Seen
from app.pipeline import look

if TYPE_CHECKING:
    from app.desk import Desk

_kept: tuple[tuple[Any, ...], Any] = ((), None)  # what was read last, and out of which string


def answer(desk: Desk, row: int, path: tuple[int, ...], start: int, count: int) -> tuple[list[Seen], int]:
    """Entries at a path (app/model/json_look.py) of a block's value, and how many there are."""
    global _kept
    view = desk.view
    if desk.dump is None or view is None:
        raise InspectorError("no file is open")
    gone_into = path.index(INSIDE)
    key = (desk.generation, id(view.transcript), row, path[:gone_into])
    if _kept[0] != key:
        _kept = ((), None)
        try:
            text = json_look.at(look.block(desk.dump, view.transcript, row).value, path[:gone_into])
            _kept = (key, json_look.read(text))
        except (ValueError, LookupError, TypeError) as error:
            raise InspectorError(f"this string holds no JSON: {error}") from None
    try:
        return json_look.children(_kept[1], path[gone_into + 1 :], start, count)
    except (ValueError, LookupError) as error:
        raise InspectorError(f"this string holds no JSON: {error}") from None
