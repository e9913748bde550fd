"""Groups of flags that an edit takes away together, and the flags of what it puts in their place."""

from __future__ import annotations

from typing import Any, Final

from app.formats import _flags
from app.model.edits import DELETE
from app.model.kinds import Args, Flag

TEXT_FLAGS: Final = Flag.TEXT_EMPTY | Flag.TEXT_BLANK | Flag.TEXT_TRAILING | Flag.SURROGATE
ID_FLAGS: Final = Flag.ID_ABSENT | Flag.ID_EMPTY | Flag.ID_DOTTED | Flag.ID_ODD | Flag.ID_OVER_40 | Flag.ID_OVER_64
CONTENT_FLAGS: Final = Flag.CONTENT_NULL | Flag.CONTENT_LIST | Flag.CONTENT_ODD | Flag.CONTENT_NONE


def text_flags(text: str) -> int:
    """Flags of a text that is counted."""
    return _flags.text_flags(text, odd=True)


def id_flags(call_id: Any) -> int:
    """Flags of a call id; DELETE and None are absent."""
    return _flags.id_flags(None if call_id is DELETE else call_id)


def args_of(recorded: Any) -> tuple[Args, str]:
    """Class of a call's arguments as its wire holds them, and the text that is counted of them."""
    if recorded is DELETE:
        return Args.NONE, ""
    found, text = _flags.args_of(recorded)
    return found, text or ""
