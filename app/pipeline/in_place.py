"""A repair written over the file that it was read from: on request only, and never without a backup.

The bytes of the file go to `NAME.bak-1` first (app/pipeline/backups.py: the next free number, never one that is taken).
Then what `export` would write to another file is written beside it, read again, compared and checked, gets the owner and the mode of the
old file, and takes its place in one step. It is refused where the file has changed since it was read, where something else has it open for
writing or wrote to it a moment ago, and where it has several names (hard links). A link by name is followed: the file itself is replaced.

How a session is gone on with: `claude --resume ID` in the folder in which it ran (anthropics/claude-code#44024, #68606), `codex resume ID`
(openai/codex 0.39, docs/session-management).
"""

from __future__ import annotations

import os
import re
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.formats._json import NotJson, loads
from app.model.dump import Dump
from app.model.errors import ChangedError, InspectorError, RefusedError
from app.model.evidence import InPlace
from app.model.findings import Mode
from app.model.provider import Provider
from app.model.source import stamp_of
from app.model.transcript import Transcript
from app.pipeline.backups import keep, same_owner, way_back
from app.pipeline.export import export

QUIET = 3.0  # s since somebody last wrote to the file
_HEAD = 1 << 18  # bytes that are looked at for a session's id
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def repair_in_place(
    dump: Dump, transcripts: Sequence[Transcript], provider: Provider, model: str | None, mode: Mode, allow_broken: bool = False,
    judged: Sequence[int] | None = None, now: Callable[[], float] = time.time,
) -> InPlace:  # fmt: skip
    """Writes `transcripts` over the source. What is raised is what `export` raises; then the file is what it was, and a backup that was
    begun is taken away again."""
    target = place(dump)
    require_quiet(target, now())
    dump.source.require_unchanged()
    before = stamp_of(target)
    assert before is not None
    backup: Path | None = None

    def ready(temporary: Path) -> None:
        nonlocal backup
        same_owner(target, temporary)
        backup = keep(target)
        if stamp_of(target) != before:
            raise ChangedError(f"{target}: not written: the file has changed since it was read; open it again")
        require_quiet(target, now(), open_only=True)

    try:
        written = export(dump, transcripts, target, provider, model, mode, allow_broken, judged, over=target, ready=ready)
    except BaseException:
        if backup is not None and stamp_of(target) == before:
            backup.unlink(missing_ok=True)
        raise
    assert backup is not None
    return InPlace(written, str(backup), way_back(target, backup), resume_command(dump, target))


def place(dump: Dump) -> Path:
    """The file that would be written over, links followed. RefusedError where there is none such."""
    source = dump.source
    if source.path is None:
        raise RefusedError(f"{source.name}: there is no file to write over: what was pasted is exported to a new one")
    if source.stand_in is not None and source.stand_in.members:
        raise RefusedError(f"{source.name}: this dump is made of several files; export it to a new one")
    target = Path(os.path.realpath(source.path))
    with suppress(OSError):
        if target.stat().st_nlink > 1:
            raise RefusedError(f"{target}: the file has several names (hard links), which would part; export it to a new one")
    folder = target.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InspectorError(f"{target}: no permission to write in {folder}; export it elsewhere")
    return target


def require_quiet(target: Path, now: float, open_only: bool = False) -> None:
    """Raises RefusedError where somebody else writes to the file."""
    who = writer_of(target)
    if who is not None:
        raise RefusedError(f"{target}: not written: process {who} has it open for writing; end that program first")
    with suppress(OSError):
        age = now - target.stat().st_mtime
        if not open_only and 0 <= age < QUIET:
            raise RefusedError(f"{target}: not written: it was written to {age:.0f} seconds ago; end the program that does, then try again")


def writer_of(target: Path, proc: Path = Path("/proc")) -> int | None:
    """Another process of this person that has a file open for writing, where the system tells (Linux); None where none is known."""
    for folder in proc.glob("[0-9]*/fd") if proc.is_dir() else ():
        pid = int(folder.parent.name)
        if pid == os.getpid():
            continue
        with suppress(OSError):
            for link in folder.iterdir():
                with suppress(OSError):
                    if link.readlink() == target and _writes(folder.parent / "fdinfo" / link.name):
                        return pid
    return None


def _writes(info: Path) -> bool:
    flags = next((line.split()[1] for line in info.read_text().splitlines() if line.startswith("flags:")), "0")
    return int(flags, 8) & os.O_ACCMODE != os.O_RDONLY


# -- commands -------------------------------------------------------------------------------------------------------------------------


def resume_command(dump: Dump, target: Path) -> str:
    """The command with which the program that owns a session goes on with it; "" where none is known."""
    if dump.format == "claude-code":
        stem = target.stem if _UUID.fullmatch(target.stem) else _told(dump, ("sessionId",))
        where = _told(dump, ("cwd",))
        command = f"claude --resume {shlex.quote(stem)}" if stem else ""
        return f"cd {shlex.quote(where)} && {command}" if command and where else command
    if dump.format == "codex":
        named = _told(dump, ("payload", "id")) or next(iter(_UUID.findall(target.stem)[-1:]), "")
        return f"codex resume {shlex.quote(named)}" if named else ""
    return ""


def _told(dump: Dump, path: Sequence[str]) -> str:
    """The first record's member of this name that is a plain text."""
    for line in dump.source.read(0, _HEAD).split(b"\n"):
        try:
            value: Any = loads(line) if line.strip() else None
        except NotJson:
            continue
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, str) and value.isprintable() and value:
            return value
    return ""

