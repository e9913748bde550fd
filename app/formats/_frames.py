"""Bytes of a captured answer: hex or base64 as recorders write them, gzip, and the frames of AWS's event streams.

A frame is a length, the length of its headers, a checksum, headers, a payload and a checksum.
Source: https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html, and InvokeModelWithResponseStream, whose payloads hold
`{bytes}`: the model's own event in base64.
"""

from __future__ import annotations

import binascii
import re
import struct
import zlib
from collections.abc import Iterator
from typing import Any, Final

from app.formats._json import NotJson, loads

_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2})+").fullmatch
_MOST: Final = 64 << 20  # bytes that a compressed answer may come to
_FRAME_MAX: Final = 16 << 20


def bytes_of(text: str) -> bytes | None:
    """What a text of hex or base64 stands for; None where it is neither."""
    packed = "".join(text.split())
    if len(packed) < 8:
        return None
    try:
        data = bytes.fromhex(packed) if _HEX(packed) else binascii.a2b_base64(packed, strict_mode=True)
    except (ValueError, binascii.Error):
        return None
    return unzipped(data)


def unzipped(data: bytes) -> bytes:
    """Bytes without the gzip around them; as they are where there is none."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return zlib.decompressobj(31).decompress(data, _MOST)
    except zlib.error:
        return data


def events_of(data: bytes) -> Iterator[Any]:
    """The events in the frames of an event stream, as `{type: payload}`, or what the model's own event was; nothing where it is none."""
    at = 0
    while at + 16 <= len(data):
        length, heads = struct.unpack_from(">II", data, at)
        if not 16 <= length <= _FRAME_MAX or heads > length - 16 or at + length > len(data):
            return
        headers = dict(_headers(data[at + 12 : at + 12 + heads]))
        payload = _json(data[at + 12 + heads : at + length - 4])
        yield from _event(headers, payload)
        at += length


def is_frames(data: bytes) -> bool:
    if len(data) < 16:
        return False
    length, heads = struct.unpack_from(">II", data, 0)
    return bool(16 <= length <= _FRAME_MAX and heads <= length - 16 and zlib.crc32(data[:8]) == struct.unpack_from(">I", data, 8)[0])


def _event(headers: dict[str, str], payload: Any) -> Iterator[Any]:
    failed = headers.get(":exception-type") or headers.get(":error-code")
    if failed:
        text = payload.get("message") if isinstance(payload, dict) else headers.get(":error-message")
        yield {"type": "error", "error": {"type": failed, "message": text if isinstance(text, str) else ""}}
        return
    inner = inner_event(payload)
    if inner is not None:
        yield inner
    elif isinstance(payload, dict):
        yield {headers.get(":event-type", ""): payload}


def inner_event(payload: Any) -> Any:
    """The model's own event in a payload of `{bytes}`; None where there is none."""
    held = payload.get("bytes") if isinstance(payload, dict) else None
    if not isinstance(held, str):
        return None
    try:
        return _json(binascii.a2b_base64(held))
    except (ValueError, binascii.Error):
        return None


def _headers(data: bytes) -> Iterator[tuple[str, str]]:
    """Those headers that are strings; values of other types are passed over."""
    sizes = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
    at = 0
    while at < len(data):
        name = data[at + 1 : at + 1 + data[at]]
        at += 1 + data[at]
        kind = data[at] if at < len(data) else -1
        at += 1
        if kind in (6, 7):
            size = int.from_bytes(data[at : at + 2], "big")
            yield name.decode("utf-8", "replace"), data[at + 2 : at + 2 + size].decode("utf-8", "replace")
            at += 2 + size
        elif kind in sizes:
            at += sizes[kind]
        else:
            return


def _json(data: bytes) -> Any:
    try:
        return loads(data)
    except NotJson:
        return None
