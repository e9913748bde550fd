"""The size of a picture is read from its head."""

from __future__ import annotations

import base64
import struct

import pytest

from app.formats._media import of_anthropic, of_base64, of_url, size_of
from app.model.block import Media

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480)
GIF = b"GIF89a" + struct.pack("<HH", 12, 34)
JPEG = b"\xff\xd8" + b"\xff\xe0" + struct.pack(">H", 16) + b"J" * 14 + b"\xff\xff\xc2" + struct.pack(">HBHH", 17, 8, 300, 400)
WEBP_LOSSY = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0" + b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 100, 50)
WEBP_LOSSLESS = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + struct.pack("<I", 99 | 49 << 14)
WEBP_EXTENDED = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0" + (99).to_bytes(3, "little") + (49).to_bytes(3, "little")


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (PNG, (640, 480)),
        (GIF, (12, 34)),
        (JPEG, (400, 300)),
        (WEBP_LOSSY, (100, 50)),
        (WEBP_LOSSLESS, (100, 50)),
        (WEBP_EXTENDED, (100, 50)),
        (PNG[:18], (None, None)),
        (JPEG[:20], (None, None)),
        (b"", (None, None)),
        (b"\xff\xd8\xff\xd9junk", (None, None)),
        (b"%PDF-1.7", (None, None)),
    ],
)
def test_size(data: bytes, size: tuple[int | None, int | None]) -> None:
    assert size_of(data) == size


def test_inline_data() -> None:
    encoded = base64.b64encode(PNG).decode()
    assert of_base64(encoded, "image/png") == Media("image/png", 640, 480, len(PNG))
    assert of_url(f"data:image/png;base64,{encoded}") == Media("image/png", 640, 480, len(PNG))
    assert of_base64("not base64 ☃", None).width is None
    assert of_base64(7, "image/png") == Media("image/png")


def test_what_is_elsewhere_is_not_fetched() -> None:
    assert of_url("https://example.com/x.png") == Media("")
    assert of_anthropic({"type": "image", "source": {"type": "url", "url": "https://example.com/x.png"}}) == Media("")
    assert of_anthropic({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "é"}}) == Media(
        "text/plain", bytes=2
    )
    assert of_anthropic({"type": "document", "source": {"type": "file", "file_id": "f"}}) == Media("")
    assert of_anthropic({"type": "image"}) == Media("image")
