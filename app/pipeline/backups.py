"""Backups beside a file: `NAME.bak-1`, `NAME.bak-2`, … A number that is taken is never written over, and going back takes none away.

Going back is a repair in place the other way round: what stands in the file goes under the next free number first, then the bytes of the
backup take its place in one step. So there is a way back from going back as well.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from app.model.backups import Backup, WentBack
from app.model.errors import ChangedError, InspectorError, RefusedError
from app.model.source import CHUNK, stamp_of
from app.pipeline import atomic

_MOST = 10_000  # backups of one file


def listed(target: Path) -> tuple[Backup, ...]:
    """The backups of a file, the highest number first; each is compared with what the file holds."""
    out = []
    for number, path in sorted(_numbered(target), reverse=True):
        with suppress(OSError):
            status = path.stat()
            out.append(Backup(str(path), number, status.st_size, status.st_mtime, _same(path, target)))
    return tuple(out)


def keep(target: Path) -> Path:
    """A copy of a file under the next free number, brought to disk."""
    for number in _free(target):
        backup = target.with_name(f"{target.name}.bak-{number}")
        try:
            out = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        except FileExistsError:
            continue
        except OSError as error:
            raise InspectorError(f"{backup}: the backup cannot be written: {error.strerror or error}; nothing was changed") from None
        try:
            _copied(target, out)
            same_owner(target, backup)
            with suppress(OSError):
                shutil.copystat(target, backup)
        except OSError as error:
            backup.unlink(missing_ok=True)
            raise InspectorError(f"{backup}: the backup cannot be written: {error.strerror or error}; nothing was changed") from None
        return backup
    raise RefusedError(f"{target}: there are too many backups beside it; take some away")


def go_back(target: Path, number: int) -> WentBack:
    """Puts the bytes of a backup in the file's place. What is raised leaves the file as it was, and no new backup."""
    backup = target.with_name(f"{target.name}.bak-{number}")
    if not backup.is_file():
        raise RefusedError(f"{backup}: there is no such backup any more")
    if _same(backup, target):
        raise RefusedError(f"{target}: it holds what {backup.name} holds; nothing was written")
    before = stamp_of(target)
    kept: Path | None = None

    def ready(temporary: Path) -> None:
        nonlocal kept
        if not _same(backup, temporary):
            raise InspectorError(f"{target}: not written: {backup.name} was changed while it was read; try again")
        if before is None:
            return
        same_owner(target, temporary)
        kept = keep(target)
        if stamp_of(target) != before:
            raise ChangedError(f"{target}: not written: somebody wrote to it just now; try again")

    try:
        atomic.write(target, _chunks(backup), ready)
    except BaseException:
        if kept is not None and stamp_of(target) == before:
            kept.unlink(missing_ok=True)
        raise
    back = way_back(target, kept) if kept is not None else ""
    return WentBack(str(target), str(backup), target.stat().st_size, str(kept or ""), back, "")


def way_back(target: Path, backup: Path) -> str:
    """The command that puts the backup in the file's place again."""
    if sys.platform == "win32":
        return f'move /Y "{backup}" "{target}"'
    return f"mv -- {shlex.quote(str(backup))} {shlex.quote(str(target))}"


def same_owner(old: Path, new: Path) -> None:
    """Mode, owner and extended attributes of the old file, as far as the system lets us."""
    status = old.stat()
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(new, status.st_uid, status.st_gid)
    new.chmod(status.st_mode & 0o7777)
    for name in os.listxattr(old) if hasattr(os, "listxattr") else ():
        with suppress(OSError):
            os.setxattr(new, name, os.getxattr(old, name))


# -- files ----------------------------------------------------------------------------------------------------------------------------


def _numbered(target: Path) -> Iterator[tuple[int, Path]]:
    with suppress(OSError):
        for entry in os.scandir(target.parent):
            found = re.fullmatch(re.escape(target.name) + r"\.bak-(\d{1,6})", entry.name)
            if found:
                yield int(found[1]), Path(entry.path)


def _free(target: Path) -> Iterator[int]:
    """Free numbers, behind the highest that is taken."""
    highest = max((number for number, _ in _numbered(target)), default=0)
    return iter(range(highest + 1, highest + _MOST))


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _copied(target: Path, out: int) -> None:
    with os.fdopen(out, "wb") as copy:
        for chunk in _chunks(target):
            copy.write(chunk)
        copy.flush()
        os.fsync(copy.fileno())


def _same(one: Path, other: Path) -> bool:
    """Whether two files hold the same bytes."""
    with suppress(OSError):
        if one.stat().st_size != other.stat().st_size:
            return False
        with one.open("rb") as a, other.open("rb") as b:
            while chunk := a.read(CHUNK):
                if chunk != b.read(CHUNK):
                    return False
            return not b.read(1)
    return False
