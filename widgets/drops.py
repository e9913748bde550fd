"""What can be opened of that which is dropped on a window."""

from __future__ import annotations

from PySide6.QtCore import QMimeData


def dropped(data: QMimeData) -> str | bytes | None:
    """A path, or bytes of a text, or nothing that we can open."""
    for url in data.urls():
        if url.isLocalFile():
            return url.toLocalFile()
    if data.hasText() and data.text().strip():
        return data.text().encode("utf-8", "surrogatepass")
    return None
