"""The program's icon in the sizes and files that desktops ask for, drawn from `icons/app.svg`.

    python packaging/pictures.py FOLDER

writes `hicolor/SIZExSIZE/apps/ID.png`, `hicolor/scalable/apps/ID.svg`, `transcript-inspector.ico` and `transcript-inspector.icns`.
"""

from __future__ import annotations

import os
import shutil
import struct
import sys
from pathlib import Path

import parts

SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
WINDOWS = (16, 24, 32, 48, 64, 128, 256)
MAC = {b"icp4": 16, b"icp5": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512}
"""The types of an `icns` file that hold a PNG, and the size of each."""


def draw(size: int) -> bytes:
    """The icon as a PNG of that many pixels."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QIODevice, QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    with QPainter(image) as painter:
        QSvgRenderer(str(parts.ICON)).render(painter, QRectF(0, 0, size, size))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """A Windows icon that holds PNGs, which every Windows since Vista reads."""
    head, body = struct.pack("<HHH", 0, 1, len(WINDOWS)), b""
    at = len(head) + 16 * len(WINDOWS)
    for size in WINDOWS:
        picture = pictures[size]
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), at + len(body))
        body += picture
    return head + body


def icns(pictures: dict[int, bytes]) -> bytes:
    """A macOS icon that holds PNGs."""
    body = b"".join(kind + struct.pack(">I", len(pictures[size]) + 8) + pictures[size] for kind, size in MAC.items())
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def write(folder: Path) -> None:
    """Writes all of them."""
    pictures = {size: draw(size) for size in sorted({*SIZES, *WINDOWS, *MAC.values()})}
    for size in SIZES:
        place = folder / "hicolor" / f"{size}x{size}" / "apps"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{parts.ID}.png").write_bytes(pictures[size])
    place = folder / "hicolor" / "scalable" / "apps"
    place.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(parts.ICON, place / f"{parts.ID}.svg")
    (folder / f"{parts.PROGRAM}.ico").write_bytes(ico(pictures))
    (folder / f"{parts.PROGRAM}.icns").write_bytes(icns(pictures))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
