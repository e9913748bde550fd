"""Flags of the column `flags` for texts, ids and arguments that an edit made."""

from __future__ import annotations

from typing import Any, Final

import orjson

from app.model.edits import DELETE
from app.model.kinds import Args, Flag

TEXT_FLAGS: Final = Flag.TEXT_EMPTY | Flag.TEXT_BLANK | Flag.TEXT_TRAILING | Flag.SURROGATE
ID_FLAGS: Final = Flag.ID_ABSENT | Flag.ID_EMPTY | Flag.ID_DOTTED | Flag.ID_ODD | Flag.ID_OVER_40 | Flag.ID_OVER_64
CONTENT_FLAGS: Final = Flag.CONTENT_NULL | Flag.CONTENT_LIST | Flag.CONTENT_ODD | Flag.CONTENT_NONE

_WORD: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def text_flags(text: str) -> int:
    """Flags of a text that is counted."""
    flags = Flag.SURROGATE if _has_surrogate(text) else 0
    if not text:
        return flags | Flag.TEXT_EMPTY
    if text.isspace():
        return flags | Flag.TEXT_BLANK | Flag.TEXT_TRAILING
    return flags | (Flag.TEXT_TRAILING if text[-1].isspace() else 0)


def id_flags(call_id: Any) -> int:
    """Flags of a call id: DELETE, None and whatever is no string are absent."""
    if not isinstance(call_id, str):
        return Flag.ID_ABSENT
    if not call_id:
        return Flag.ID_EMPTY
    odd = set(call_id) - _WORD
    flags = 0 if not odd else Flag.ID_DOTTED if odd <= {".", ":"} else Flag.ID_ODD
    flags |= Flag.ID_OVER_40 if len(call_id) > 40 else 0
    return flags | (Flag.ID_OVER_64 if len(call_id) > 64 else 0)


def args_class(recorded: Any) -> Args:
    """Class of a call's arguments as its wire holds them."""
    if recorded is DELETE:
        return Args.NONE
    if isinstance(recorded, dict):
        return Args.OBJECT
    if recorded is None:
        return Args.NULL
    if not isinstance(recorded, str):
        return Args.OTHER
    try:
        value = orjson.loads(recorded.encode("utf-8", "surrogatepass"))
    except ValueError:
        return Args.BROKEN
    return Args.STRING if isinstance(value, dict) else Args.STRING_OTHER


def compact(value: Any) -> str:
    """Compact JSON, as it is counted; what orjson refuses (unpaired surrogates, integers over 64 bits) falls back to `json`."""
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError, RecursionError):
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _has_surrogate(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
