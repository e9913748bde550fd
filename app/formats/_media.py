"""Images and documents of a dump: what kind, how large. The size in pixels is read from the head of the encoded data."""

from __future__ import annotations

import binascii
import struct
from typing import Any, Final

from app.model.block import Media

_HEADS: Final = (1 << 10, 1 << 18)  # base64 characters that are decoded to find a size; a JPEG may carry a preview before its frame


def of_base64(data: Any, mime: Any) -> Media:
    """Of inline data; a data URL's payload is taken as it is."""
    kind = mime if isinstance(mime, str) else ""
    if not isinstance(data, str):
        return Media(kind)
    length = len(data) * 3 // 4 - data[-2:].count("=")
    return Media(kind, *pixels(data), max(0, length))


def of_url(url: Any) -> Media:
    """Of a URL: a data URL is looked into, any other is of unknown kind and size and never fetched."""
    if not isinstance(url, str):
        return Media("")
    if url.startswith("data:"):
        head, _, payload = url.partition(",")
        mime = head[5:].split(";")[0]
        return of_base64(payload, mime) if head.endswith(";base64") else Media(mime, bytes=len(payload))
    return Media("")


def of_anthropic(block: dict[str, Any]) -> Media:
    """Of an image or document block: source base64, url, file or text."""
    source = block.get("source")
    if not isinstance(source, dict):
        return Media(str(block.get("type", "")))
    kind = source.get("type")
    mime = source.get("media_type")
    if kind == "base64":
        return of_base64(source.get("data"), mime)
    if kind == "url":
        found = of_url(source.get("url"))
        return found if found.mime else Media(mime if isinstance(mime, str) else "")
    if kind == "text" and isinstance(source.get("data"), str):
        return Media(mime if isinstance(mime, str) else "text/plain", bytes=len(source["data"].encode("utf-8", "surrogatepass")))
    return Media(mime if isinstance(mime, str) else "")


def pixels(data: str) -> tuple[int | None, int | None]:
    """Width and height of an image in base64, as far as the head tells."""
    found: tuple[int | None, int | None] = (None, None)
    for head in _HEADS:
        found = size_of(_decode(data[:head]))
        if found[0] is not None or len(data) <= head:
            break
    return found


def _decode(text: str) -> bytes:
    try:
        return binascii.a2b_base64(text[: len(text) // 4 * 4])
    except (binascii.Error, ValueError):  # not base64, or not ASCII
        return b""


def size_of(data: bytes) -> tuple[int | None, int | None]:
    """Width and height of a PNG, JPEG, GIF or WebP by its first bytes; None, None where they do not tell."""
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
            return struct.unpack(">II", data[16:24])
        if data[:6] in (b"GIF87a", b"GIF89a"):
            return struct.unpack("<HH", data[6:10])
        if data[:2] == b"\xff\xd8":
            return _jpeg(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
    except struct.error:  # the head ends early
        pass
    return None, None


def _jpeg(data: bytes) -> tuple[int | None, int | None]:
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):  # a frame; these three are tables
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        elif marker == 0xD8 or marker == 0x01 or 0xD0 <= marker <= 0xD7:
            at += 2
        else:
            at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return None, None


def _webp(data: bytes) -> tuple[int | None, int | None]:
    form = data[12:16]
    if form == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    if form == b"VP8L" and data[20:21] == b"\x2f":
        bits = struct.unpack("<I", data[21:25])[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"VP8X" and len(data) >= 30:
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    return None, None
