"""Flags of a row that every wire tells in the same way: of its text, its call id, its arguments."""

from __future__ import annotations

import re
from typing import Any, Final

import orjson

from app.formats._json import NotJson, compact, compact_size, has_surrogate, loads
from app.model.kinds import ARGS_SHIFT, Args, Flag

_WORD: Final = re.compile(r"[A-Za-z0-9_-]+").fullmatch
_DOTTED: Final = re.compile(r"[A-Za-z0-9_.:-]+").fullmatch
ARGS: Final = {args: int(args) << ARGS_SHIFT for args in Args}
_OBJECT, _STRING, _STRING_OTHER, _BROKEN = Args.OBJECT, Args.STRING, Args.STRING_OTHER, Args.BROKEN


def text_flags(text: str, odd: bool = False) -> int:
    """TEXT_EMPTY, or TEXT_TRAILING and with it TEXT_BLANK; `odd`: the text may hold unpaired surrogates, look for them."""
    if not text:
        return Flag.TEXT_EMPTY
    flags = 0
    if text[-1].isspace():
        flags = Flag.TEXT_TRAILING | Flag.TEXT_BLANK if text.isspace() else Flag.TEXT_TRAILING
    if odd and has_surrogate(text):
        flags |= Flag.SURROGATE
    return flags


def id_text(value: Any) -> str | None:
    """A call id as it is paired; None where there is none. An id that is no string is paired by its JSON."""
    if value is None or isinstance(value, str):
        return value
    return compact(value)


def id_flags(value: Any) -> int:
    """Flags of a call id as the wire holds it."""
    if value is None:
        return Flag.ID_ABSENT
    if not isinstance(value, str):
        return Flag.ID_ODD
    if not value:
        return Flag.ID_EMPTY
    flags = 0
    if not _WORD(value):
        flags = Flag.ID_DOTTED if _DOTTED(value) else Flag.ID_ODD
    if len(value) > 40:
        flags |= Flag.ID_OVER_64 | Flag.ID_OVER_40 if len(value) > 64 else Flag.ID_OVER_40
    return flags


def args_of(value: Any) -> tuple[Args, str | None]:
    """The class of a call's arguments (a value that is there) and the text that is counted of them: a string as it is recorded,
    an object, a list, a number as compact JSON, nothing of null."""
    if isinstance(value, dict):
        return _OBJECT, compact(value)
    if isinstance(value, str):
        return class_of_string(value), value
    if value is None:
        return Args.NULL, None
    return Args.OTHER, compact(value)


def args_size(value: Any) -> tuple[Args, int]:
    """The class of a call's arguments and the length of the text that is counted of them (see `args_of`)."""
    if isinstance(value, dict):
        return _OBJECT, compact_size(value)
    found, text = args_of(value)
    return found, 0 if text is None else len(text)


def class_of_string(text: str) -> Args:
    """STRING, STRING_OTHER or BROKEN, by what the string holds."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        try:
            value = loads(text.encode("utf-8", "surrogatepass"))
        except NotJson:
            return _BROKEN
    return _STRING if isinstance(value, dict) else _STRING_OTHER
