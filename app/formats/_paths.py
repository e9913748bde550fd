"""A path into a record: member names, list indexes, and the mark that a string is to be decoded as JSON.

A dump keeps messages inside its own envelopes, and some keep them as JSON in a string. What an edit changes is spliced in at the end of
the path; every byte beside it stays, and a string on the way is encoded again only then.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._json import NotJson, loads
from app.formats._scan import Malformed, Torn, scan_array, scan_object
from app.formats._style import Style, escapes

DECODE: Final = "\0decode"
"""On a path: the string here holds JSON; what follows leads into it."""

Path = tuple[str | int, ...]


def follow(value: Any, path: Path) -> Any:
    """The node that a path leads to; None where it leads nowhere."""
    for token in path:
        if token == DECODE:
            try:
                value = loads(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else None
            except NotJson:
                return None
        elif isinstance(value, dict) and isinstance(token, str):
            value = value.get(token)
        elif isinstance(value, list) and isinstance(token, int) and 0 <= token < len(value):
            value = value[token]
        else:
            return None
    return value


def span_of(data: bytes, path: Path) -> tuple[int, int]:
    """Where the node of a path without DECODE stands in the bytes of a record. KeyError where it leads nowhere."""
    start, end = 0, len(data)
    for token in path:
        try:
            if isinstance(token, int):
                start, end = scan_array(data, start).spans[token]
            else:
                member = scan_object(data, start).get(token)
                if member is None:
                    raise KeyError(token)
                start, end = member.start, member.end
        except (Torn, Malformed, IndexError) as error:
            raise KeyError(token) from error
    return start, end


def bytes_at(data: bytes, path: Path) -> bytes:
    """The bytes of the node of a path, decoded on the way. KeyError where it leads nowhere."""
    head, rest = _parted(path)
    start, end = span_of(data, head)
    inner = data[start:end]
    return inner if rest is None else bytes_at(_decoded(inner), rest)


def spliced(data: bytes, path: Path, new: bytes) -> bytes:
    """A record with other bytes at the end of a path. KeyError where it leads nowhere."""
    head, rest = _parted(path)
    start, end = span_of(data, head)
    if rest is None:
        return data[:start] + new + data[end:]
    inner = data[start:end]
    text = spliced(_decoded(inner), rest, new).decode("utf-8", "surrogatepass")
    style = Style(ascii=escapes(inner) is True)
    return data[:start] + style.text(text) + data[end:]


def pointer_of(path: Path) -> tuple[str, tuple[str, ...]]:
    """A path as JSON pointers: the one into the record, and those into the texts that are decoded on the way."""
    parts = [""]
    for token in path:
        if token == DECODE:
            parts.append("")
        else:
            parts[-1] += "/" + str(token).replace("~", "~0").replace("/", "~1")
    return parts[0], tuple(parts[1:])


def _parted(path: Path) -> tuple[Path, Path | None]:
    """A path up to its first DECODE, and what follows it; None where there is none."""
    at = path.index(DECODE) if DECODE in path else -1
    return (path, None) if at < 0 else (path[:at], path[at + 1 :])


def _decoded(data: bytes) -> bytes:
    try:
        text = loads(data)
    except NotJson:
        text = None
    if not isinstance(text, str):
        raise KeyError(DECODE)
    return text.encode("utf-8", "surrogatepass")
