"""Images of a block: small, within bounds, never from elsewhere."""

from __future__ import annotations

import base64
import struct
import zlib

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from widgets.pictures import MOST, Found, Pictures, decode, images_in

BOX = QSize(180, 72)


def png(width: int, height: int, rows: bytes | None = None) -> str:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    held = rows if rows is not None else (b"\0" + b"\x20\x80\xc0" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(held)) + chunk(b"IEND", b"")
    return base64.b64encode(whole).decode()


SVG = base64.b64encode(b"<svg onload=...>").decode()
GIF = base64.b64encode(
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00"
    b"\x00\x02\x02D\x01\x00;"
).decode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (png(320, 200), "PNG 320 × 200, "),
        (GIF, "GIF 1 × 1, "),
    ],
)
def test_an_image_is_shown_small(data: str, said: str) -> None:
    image, told = decode(Found("image/whatever the dump says", data), BOX)
    assert image is not None
    assert told.startswith(said)
    assert image.width() <= BOX.width()
    assert image.height() <= BOX.height()


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Found("image/png", png(60_000, 60_000, b"")), "not shown: PNG 60,000 × 60,000 would take 14,400 MB"),
        (Found("image/png", png(40, 40, b"")), "cannot be shown: PNG 40 × 40, broken"),
        (Found("image/png", SVG), "cannot be shown: no PNG, JPEG, GIF or WebP by its first bytes"),
        (Found("image/png", "A"), "cannot be shown: its base64 is broken"),
        (Found("image/png", "A" * 28_000_001), "too large to be shown: 28,000,001 characters of base64"),
        (Found("image", why="stands elsewhere"), "stands elsewhere"),
    ],
)
def test_what_cannot_be_shown_is_one_line(found: Found, said: str) -> None:
    assert decode(found, BOX) == (None, said)


def test_images_are_found_on_every_wire() -> None:
    data = png(2, 2)
    anthropic = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    values = [
        anthropic,
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
        {"type": "input_image", "image_url": f"data:image/png;base64,{data}"},
        {"inlineData": {"mimeType": "image/png", "data": data}},
        {"image": {"format": "png", "source": {"bytes": data}}},
        {"type": "tool_result", "content": [{"type": "text", "text": "x"}, anthropic]},
    ]  # fmt: skip
    assert [[one.data for one in images_in(value)] for value in values] == [[data]] * len(values)
    elsewhere = list(images_in({"type": "image", "source": {"type": "url", "url": "https://evil.example/x.png"}}))
    assert [one.why for one in elsewhere] == ["stands elsewhere and is never fetched: https://evil.example/x.png"]
    assert list(images_in({"type": "text", "text": "no image"})) == []


def test_the_strip_shows_and_says(qtbot: QtBot) -> None:
    strip = Pictures()
    qtbot.addWidget(strip)
    strip.resize(560, 140)
    strip.show()
    assert strip.isHidden() is False
    image = {"type": "image", "source": {"media_type": "image/png", "data": png(64, 64)}}
    strip.put([image, {"type": "image", "source": {"media_type": "image/png", "data": "????"}}])
    qtbot.waitUntil(lambda: not strip.busy)
    assert strip._frames[0].accessibleDescription().startswith("PNG 64 × 64")
    assert strip._line.text() == "Image 2 of 2 cannot be shown: no PNG, JPEG, GIF or WebP by its first bytes"
    strip.put([image] * (MOST + 3))
    qtbot.waitUntil(lambda: not strip.busy)
    assert len(strip._frames) == MOST
    assert [frame.isVisible() for frame in strip._frames] == [True] * 7 + [False]
    strip.resize(900, 140)
    qtbot.waitUntil(lambda: all(frame.isVisible() for frame in strip._frames))
    assert strip._line.text() == f"Only the first {MOST} images are shown"
    strip.put("words")
    assert strip.isHidden()
