"""What is kept between two starts: one value, read and written whole. QtCore only.

Kept in `settings.ini` in the program's own folder (the variable TRANSCRIPT_INSPECTOR_SETTINGS names another one); nothing is ever
written anywhere else. A settings file that cannot be read gives the defaults, one that cannot be written is given up silently:
a session that is inspected matters more than the width of a splitter.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QByteArray, QLockFile, QSettings, QStandardPaths

VARIABLE = "TRANSCRIPT_INSPECTOR_SETTINGS"
RECENT = 8


class Settings(NamedTuple):
    """`theme`: light, dark or system. `contrast`: high, normal or system. `larger`: pixels that text has more than the desktop's.
    `geometry`, `body`, `column`: the window and its two splitters, as Qt saves them. `recent`: paths, newest first. `counter`:
    empty where the default stands. `open_file`: the file that was open when the program last ended, empty when it ended well: after a
    crash it is offered, never opened. `replay`: what the form of the replay held.
    `desktop`: the contrast that the desktop asked for at the last start, for the first picture of the next."""

    theme: str = "system"
    contrast: str = "system"
    larger: int = 0
    geometry: bytes = b""
    body: bytes = b""
    column: bytes = b""
    recent: tuple[str, ...] = ()
    counter: str = ""
    open_file: str = ""
    replay: str = ""
    desktop: str = ""

    def with_recent(self, path: str) -> Settings:
        """The same with a file at the head of the recent ones."""
        return self._replace(recent=(path, *(p for p in self.recent if p != path))[:RECENT])


class Store:
    """Reads and writes the settings, and knows whether another window of this person is running.

    `offer` is the file of a run that crashed, or empty. Only the first window keeps `open_file`: with two, nobody could tell whose it was.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or _folder()
        self._file = QSettings(str(self.folder / "settings.ini"), QSettings.Format.IniFormat)
        self.value = self._read()
        self._lock = QLockFile(str(self.folder / "window.lock"))
        self._lock.setStaleLockTime(0)
        self.first = self._make_folder() and self._lock.tryLock(0)
        self.offer = self.value.open_file if self.first and self.value.open_file and Path(self.value.open_file).is_file() else ""
        if self.first and self.value.open_file:
            self.change(open_file="")

    def change(self, **changes: Any) -> Settings:
        """Replaces fields and writes those that are new. `open_file` is left alone where another window keeps it."""
        if not self.first:
            changes.pop("open_file", None)
        old, self.value = self.value, self.value._replace(**changes)
        for name in changes:
            value = getattr(self.value, name)
            if value != getattr(old, name):
                self._file.setValue(name, _stored(value))
        return self.value

    def remember(self, path: str) -> Settings:
        """Notes that a file was opened."""
        return self.change(recent=self.value.with_recent(path).recent, open_file=path)

    def close(self) -> None:
        """The end of a run that ended well."""
        self.change(open_file="")
        self._file.sync()
        self._lock.unlock()

    def _make_folder(self) -> bool:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return False
        return True

    def _read(self) -> Settings:
        values = {name: _loaded(self._file.value(name), default) for name, default in Settings._field_defaults.items()}
        return Settings(**values)


def _folder() -> Path:
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)) / "transcript-inspector"


def _stored(value: Any) -> Any:
    if isinstance(value, bytes):
        return QByteArray(value)
    return list(value) if isinstance(value, tuple) else value


def _loaded(value: Any, default: Any) -> Any:
    """The value in the default's own type; the default where the file holds something else."""
    if isinstance(default, bytes):
        return bytes(value.data()) if isinstance(value, QByteArray) else default
    if isinstance(default, tuple):
        items = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return tuple(item for item in items if isinstance(item, str) and item)[:RECENT]
    if isinstance(default, int):
        return int(value) if re.fullmatch(r"-?\d{1,9}", str(value)) else default
    return value if isinstance(value, str) else default
