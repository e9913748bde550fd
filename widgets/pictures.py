"""The images of a block, small: decoded here from what the dump holds, never fetched, and never beyond a bound.

An image file is hostile input: only four formats are looked at, by their first bytes and never by what the dump calls them; sizes are read
from the head first, Qt's own bound on memory is set, and the work is done beside the window's thread. What cannot be shown is one line.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QRunnable, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage, QImageReader, QPixmap, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from widgets import theme
from widgets.labels import Elided, plain
from widgets.visible import line
from widgets.words import counted, full

MOST: Final = 8  # images of one block that are shown
ENCODED: Final = 28_000_000  # characters of base64 that are decoded: 20 MB
PIXELS: Final = 24_000_000
MEGABYTES: Final = 128  # that Qt may take for one image
BOX: Final = QSize(180, 72)
VISITED: Final = 20_000  # values that are looked through for images
_KINDS: Final = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF87a", "gif"), (b"GIF89a", "gif"))
_DATA: Final = re.compile(r"data:(image/[\w.+-]{1,40})(?:;[\w=.+-]{1,60})*;base64,", re.IGNORECASE)
_MIME_KEYS: Final = ("media_type", "mimeType", "mime_type", "format")


@dataclass(frozen=True)
class Found:
    """An image that a block holds: what the dump calls it, and its base64, or why there is none to decode."""

    mime: str
    data: str = ""
    why: str = ""


def images_in(value: Any) -> Iterator[Found]:
    """Images of a wire's value: base64 beside a media type, data URLs, and addresses (which are named and not fetched)."""
    todo, visited = [value], 0
    while todo and visited < VISITED:
        held, visited = todo.pop(), visited + 1
        if isinstance(held, dict):
            found = _of_object(held)
            if found is not None:
                yield found
            else:
                todo += list(held.values())[::-1][:2_000]
        elif isinstance(held, list):
            todo += held[:2_000][::-1]
        elif isinstance(held, str):
            match = _DATA.match(held[:200])
            if match:
                yield Found(match[1].lower(), held[match.end() :])


def _of_object(held: dict[str, Any]) -> Found | None:
    mime = next((held[key] for key in _MIME_KEYS if isinstance(held.get(key), str)), "")
    mime = f"image/{mime}" if mime and "/" not in mime else mime
    if mime.startswith("image/"):
        data = held.get("data", held.get("bytes"))
        data = data.get("bytes") if isinstance(data, dict) else data
        source = held.get("source")
        data = source.get("bytes") if data is None and isinstance(source, dict) else data
        if isinstance(data, str):
            return Found(mime, _DATA.sub("", data[:200], 1) + data[200:])
    if held.get("type") in ("url", "image_url", "input_image") or set(held) <= {"url", "detail"}:
        url = held.get("url", held.get("image_url"))
        url = url.get("url") if isinstance(url, dict) else url
        if isinstance(url, str) and not url.startswith("data:"):
            return Found("image", why=f"stands elsewhere and is never fetched: {line(url, 120)}")
    return None


def decode(found: Found, box: QSize) -> tuple[QImage | None, str]:
    """An image no larger than `box`, and a line on it; or no image, and why."""
    if found.why:
        return None, found.why
    if len(found.data) > ENCODED:
        return None, f"too large to be shown: {full(len(found.data))} characters of base64"
    try:
        data = binascii.a2b_base64(found.data)
    except (binascii.Error, ValueError):
        return None, "cannot be shown: its base64 is broken"
    kind = next((name for head, name in _KINDS if data.startswith(head)), "webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else "")
    if not kind:
        return None, "cannot be shown: no PNG, JPEG, GIF or WebP by its first bytes"
    return _read(data, kind, box)


def _read(data: bytes, kind: str, box: QSize) -> tuple[QImage | None, str]:
    QImageReader.setAllocationLimit(MEGABYTES)
    store = QByteArray(data)
    buffer = QBuffer(store)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind.encode()))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(False)
    size = reader.size()
    if not size.isValid() or size.isEmpty():
        return None, f"cannot be shown: a broken {kind.upper()}"
    told = f"{kind.upper()} {full(size.width())} × {full(size.height())}"
    if size.width() * size.height() > PIXELS:
        return None, f"not shown: {told} would take {full(size.width() * size.height() // 250_000)} MB"
    if size.width() > box.width() or size.height() > box.height():
        small = size.scaled(box, Qt.AspectRatioMode.KeepAspectRatio)
        reader.setScaledSize(QSize(max(1, small.width()), max(1, small.height())))
    image = reader.read()
    if image.isNull():
        return None, f"cannot be shown: {told}, broken"
    return image, f"{told}, {counted(len(data), 'byte')}"


class _Done(QObject):
    ready = Signal(int, int, object, str)


class _Decoding(QRunnable):
    """Decodes one image beside the window's thread."""

    def __init__(self, turn: int, number: int, found: Found, box: QSize, done: _Done) -> None:
        super().__init__()
        self._what = (turn, number, found, box)
        self._done = done

    def run(self) -> None:
        turn, number, found, box = self._what
        try:
            image, told = decode(found, box)
        except Exception as error:  # whatever a hostile file does to a decoder
            image, told = None, f"cannot be shown: {error}"
        try:
            self._done.ready.emit(turn, number, image, told)
        except RuntimeError:  # the window is gone
            return


class Pictures(QWidget):
    """A row of small images; hidden where a block has none. `told` is what is said of each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("blockViewer.pictures")
        self.setAccessibleName("Images of the block")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._turn = 0
        self._found: list[Found] = []
        self.told: list[str] = []
        self._failed: dict[int, str] = {}
        self._more = False
        self._done = _Done(self)
        self._done.ready.connect(self._ready, Qt.ConnectionType.QueuedConnection)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._row, self._line = QHBoxLayout(), Elided()
        self._line.setObjectName("blockViewer.pictures.line")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 2)
        column.setSpacing(3)
        self._row.setSpacing(8)
        column.addLayout(self._row)
        column.addWidget(self._line)
        self._frames: list[QLabel] = []
        self.hide()

    def put(self, value: Any) -> None:
        """The images of a value; what is still being decoded of another one comes to nothing."""
        self._turn += 1
        self._pool.clear()
        while self._row.count():
            item = self._row.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._frames = []
        found = [one for _, one in zip(range(MOST + 1), images_in(value), strict=False)]
        self._more, self._found = len(found) > MOST, found[:MOST]
        self.told, self._failed = ["" for _ in self._found], {}
        self.setVisible(bool(self._found))
        for number, one in enumerate(self._found):
            frame = QLabel()
            frame.setObjectName(f"blockViewer.picture_{number + 1}")
            frame.setFixedSize(BOX.width() // 2, BOX.height() // 2)
            frame.setFrameShape(QLabel.Shape.StyledPanel)
            frame.setAccessibleName(f"Image {number + 1} of {len(self._found)}")
            frame.setAlignment(Qt.AlignmentFlag.AlignCenter)
            frame.setTextFormat(Qt.TextFormat.PlainText)
            self._frames.append(frame)
            self._row.addWidget(frame)
            self._pool.start(_Decoding(self._turn, number, one, BOX * self.devicePixelRatioF(), self._done))
        self._row.addStretch(1)
        self._say()

    def _ready(self, turn: int, number: int, image: Any, told: str) -> None:
        if turn != self._turn:
            return
        frame, mime = self._frames[number], line(self._found[number].mime, 60)
        which = f"Image {number + 1} of {len(self._frames)}"
        self.told[number] = told
        frame.setAccessibleDescription(told)
        frame.setToolTip(plain(f"{which}: {told}\nIn the dump: {mime}"))
        if image is None:
            frame.hide()
            self._failed[number] = f"{which} {told}"
            self._say()
            return
        picture = QPixmap.fromImage(image)
        picture.setDevicePixelRatio(self.devicePixelRatioF())
        frame.setFixedSize(picture.deviceIndependentSize().toSize() + QSize(2, 2))
        frame.setPixmap(picture)
        self._fit()
        self.updateGeometry()

    def _say(self) -> None:
        """One line on what is not shown."""
        words = [f"Only the first {MOST} images are shown"] if self._more else []
        self._line.setText(" · ".join([*words, *(self._failed[number] for number in sorted(self._failed))]))
        self._line.look(theme.current().ink_soft)
        self._line.setVisible(bool(self._line.text()))

    @property
    def busy(self) -> bool:
        """Whether images are still to come."""
        return any(not told for told in self.told)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """An image for which there is no room is left out, whole."""
        left = self.width() - 24
        for number, frame in enumerate(self._frames):
            if number not in self._failed:
                left -= frame.width() + 8
                frame.setVisible(left >= -8)
