"""Files written whole or not at all: a temporary file beside the target, brought to disk, then put in the target's place."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.model.errors import InspectorError, RefusedError
from app.model.source import Source

MODE = 0o666  # of a new file; the process's umask takes from it


def target_of(path: str | os.PathLike[str], source: Source | None = None) -> Path:
    """Where a file will be written, links followed. RefusedError where that is the source, or no regular file."""
    name = os.fspath(path)
    if name in ("", "-"):
        raise RefusedError("the target needs the name of a file; standard output is not written to")
    try:
        target = Path(os.path.realpath(name))
        odd = target.exists() and not target.is_file()
    except (OSError, ValueError) as error:
        raise RefusedError(f"{name!r}: not written: {getattr(error, 'strerror', None) or error}; name another target") from None
    if source is not None and source.path is not None and _is_source(target, source):
        raise RefusedError(f"{name}: this is the file that was read; a source is never written over, name another target")
    if odd:
        raise RefusedError(f"{name}: not a regular file; name a file to write")
    return target


def place_for(path: str | os.PathLike[str], source: Source | None = None) -> Path:
    """`target_of`, where a file can be made there: for who wants to know before the work is done. InspectorError where it cannot."""
    target = target_of(path, source)
    folder = target.parent
    if not folder.is_dir():
        code = errno.ENOTDIR if folder.exists() else errno.ENOENT
        raise InspectorError(f"{os.fspath(path)}: not written: {_reason(OSError(code, os.strerror(code)), target)}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InspectorError(f"{os.fspath(path)}: not written: {_reason(OSError(errno.EACCES, ''), target)}")
    return target


def _is_source(target: Path, source: Source) -> bool:
    assert source.path is not None
    if target == Path(os.path.realpath(source.path)):
        return True
    with suppress(OSError):
        return target.samefile(source.path)
    return False


def write(path: str | os.PathLike[str], chunks: Iterable[bytes], before: Callable[[Path], None] | None = None) -> None:
    """Writes a file at `path` (as `target_of` gave it). `before(temporary)` looks at what was written and may raise; then, as on any
    error, the target stays what it was and nothing is left behind. InspectorError, one line, where the system refuses."""
    target = Path(path)
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.part")
    with _refusals(target), _removed(temporary):
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), MODE), "wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            before(temporary)
        temporary.replace(target)
        _sync_folder(target.parent)


@contextmanager
def _removed(temporary: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


@contextmanager
def _refusals(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InspectorError(f"{target}: not written: {_reason(error, target)}") from None


def _reason(error: OSError, target: Path) -> str:
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return "the disk is full; free some space or name a target elsewhere"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"no permission to write in {target.parent}; name a target elsewhere"
    if error.errno == errno.ENOENT:
        return f"there is no folder {target.parent}; make it first or name another target"
    if error.errno == errno.ENOTDIR:
        return f"{target.parent} is no folder; name a target elsewhere"
    return f"{error.strerror or error}; name a target elsewhere"


def _sync_folder(folder: Path) -> None:
    """Brings the new name to disk too, where the system can (Windows cannot)."""
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
