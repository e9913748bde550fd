"""JSON as dumps hold it: orjson, and Python's `json` for what orjson refuses (lone surrogates, NaN, big numbers).

No function here recurses: what is nested deeper than both decoders take raises NotJson, never RecursionError.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from zlib import crc32

import orjson

BOM: Final = b"\xef\xbb\xbf"
_BARE: Final = re.compile(rb"NaN|Infinity")
_SURROGATE = re.compile("[\ud800-\udfff]")


class NotJson(ValueError):
    """`pos`: offset of the fault, in bytes where it is known, else -1. `str()` says what is wrong, without the place."""

    def __init__(self, reason: str, pos: int = -1) -> None:
        super().__init__(reason)
        self.pos = pos


def loads(data: bytes | bytearray | memoryview) -> Any:
    """Decodes one value; NotJson where neither decoder takes it."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return _loads_slow(bytes(data))


def loads_odd(data: bytes | bytearray | memoryview) -> tuple[Any, bool]:
    """The value, and whether only the second decoder took it: then its strings may hold unpaired surrogates."""
    try:
        return orjson.loads(data), False
    except orjson.JSONDecodeError:
        return _loads_slow(bytes(data)), True


def _loads_slow(data: bytes) -> Any:
    try:
        # Bytes that are no UTF-8 are no JSON; a surrogate encoded as three bytes (CESU-8) is kept like an escaped one.
        return json.loads(data.decode("utf-8", "surrogatepass"), parse_int=_integer)
    except UnicodeDecodeError as error:
        raise NotJson(f"bytes that are not UTF-8 ({error.reason})", error.start) from None
    except RecursionError:
        raise NotJson("nested too deep to be decoded", -1) from None
    except json.JSONDecodeError as error:
        said = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")  # the place is said by who reports it
        raise NotJson(said, len(error.doc[: error.pos].encode("utf-8", "surrogatepass"))) from None


def _integer(digits: str) -> int | float:
    """An integer; one of more digits than Python converts becomes the float that it is nearest to (its bytes are never written)."""
    return int(digits) if len(digits) < 4000 else float(digits)


def has_bare_word(data: bytes) -> bool:
    """Whether a value holds NaN or Infinity outside of strings: Python reads and writes them, and they are no JSON."""
    if _BARE.search(data) is None:
        return False
    found: list[str] = []
    try:
        json.loads(data.decode("utf-8", "surrogatepass"), parse_constant=found.append, parse_int=_integer)
    except (ValueError, RecursionError):
        return False  # what cannot be read is told elsewhere
    return bool(found)


def has_surrogate(text: str) -> bool:
    return not text.isascii() and _SURROGATE.search(text) is not None


def shown(texts: list[str]) -> str:
    """The first few of some keys, for one line: control characters are written as escapes."""
    clean = ["".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[:30]) for text in texts[:8]]
    return ", ".join(clean) + (", ..." if len(texts) > 8 else "") or "none"


def json_word(value: Any) -> str:
    """What a value is, for what has no type of its own."""
    words = {dict: "(object)", str: "(string)", list: "(list)", bool: "(boolean)", type(None): "(null)"}
    return words.get(type(value), "(number)")


def compact(value: Any) -> str:
    """A value as compact JSON: what is counted of a call's arguments, of tool definitions and of what we do not know.

    Text that is not ASCII stays as it is; order of keys is kept.
    """
    try:
        return orjson.dumps(value).decode()
    except (TypeError, orjson.JSONEncodeError):  # surrogates, integers over 64 bits, nested deeper than 254
        pass
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return "".join(_walk(value))


def compact_size(value: Any) -> int:
    """How many characters `compact` gives."""
    try:
        data = orjson.dumps(value)
    except (TypeError, orjson.JSONEncodeError):
        return len(compact(value))
    return len(data) if data.isascii() else len(data.decode())


def compact_hashed(value: Any) -> tuple[int, int]:
    """The same, and a checksum of the text (CRC-32: a fifth of the time of Python's own hash): equal texts have equal ones."""
    try:
        data = orjson.dumps(value)
    except (TypeError, orjson.JSONEncodeError):
        text = compact(value)
        return len(text), crc32(text.encode("utf-8", "surrogatepass"))
    return len(data) if data.isascii() else len(data.decode()), crc32(data)


def _walk(value: Any) -> Iterator[str]:
    """Compact JSON of what is nested deeper than the encoders take, without recursion."""
    todo: list[Any] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, _Raw):
            yield item
        elif isinstance(item, dict):
            parts: list[Any] = [_Raw("{")]
            for number, (key, held) in enumerate(item.items()):
                parts += [_Raw(("," if number else "") + json.dumps(key, ensure_ascii=False) + ":"), held]
            todo += reversed([*parts, _Raw("}")])
        elif isinstance(item, list):
            parts = [_Raw("[")]
            for number, held in enumerate(item):
                parts += [_Raw(","), held] if number else [held]
            todo += reversed([*parts, _Raw("]")])
        else:
            yield json.dumps(item, ensure_ascii=False)


class _Raw(str):
    """Text that is JSON already."""

    __slots__ = ()
