"""What can be opened of that which is dropped on a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDropEvent


def dropped(data: QMimeData) -> str | bytes | None:
    """A path, or bytes of a text, or nothing that we can open."""
    for url in data.urls():
        if url.isLocalFile():
            return url.toLocalFile()
    if data.hasText() and data.text().strip():
        return data.text().encode("utf-8", "surrogatepass")
    return None


def taken(event: QDropEvent) -> str | bytes | None:
    """The same of what hangs over a window or is let go there; it is told that we take it, as a copy."""
    what = dropped(event.mimeData())
    if what is not None:
        from PySide6.QtCore import Qt  # not before something is dropped: widgets/inks.py

        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
    return what
