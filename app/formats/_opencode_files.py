"""opencode's storage as one document: a folder of small files, or since 1.2 a database, told as `opencode export` tells a session.

Of a folder: `session/PROJECT/ses_*.json`, `message/SESSION/msg_*.json`, `part/MESSAGE/prt_*.json` (older: `session/info`,
`session/message/SESSION`, `session/part/SESSION/MESSAGE`), each in the order of their names. The bytes of each file stand in the
document as they are. Of a database: the tables `session`, `message` and `part`, whose rows hold JSON in `data`.
Sources: sst/opencode packages/opencode/src/storage/storage.ts, session/session.sql.ts, cli/cmd/export.ts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from app.formats._json import NotJson, compact, loads
from app.formats._sqlite import opened, rows_of
from app.model.source import Source, Stamp, StandIn, stamp_of

_FILES_MAX: Final = 200_000
_HELD: Final = ("message", "part")


def of_folder(source: Source, session: dict[str, Any]) -> StandIn | None:
    """The session in a file with the messages and parts beside it; None where there are none."""
    root = storage_of(source)
    id = session.get("id")
    if root is None or not isinstance(id, str) or not _plain(id):
        return None
    members: list[tuple[str, Stamp]] = []
    head = source.all().strip()
    told = []
    for path in _names(root / "message" / id):
        data = _read(path, members)
        value = _object(data)
        name = value.get("id")
        name = name if isinstance(name, str) and _plain(name) else path.stem
        parts = [
            part
            for held in (root / "part" / name, root / "part" / id / name)
            for inner in _names(held)
            if _object(part := _read(inner, members))
        ]
        if value:
            told.append(b'{"info":' + data + b',"parts":[' + b",".join(parts) + b"]}")
    if not told:
        return None
    return StandIn(b'{"info":' + head + b',"messages":[' + b",\n".join(told) + b"]}", tuple(members))


def storage_of(source: Source) -> Path | None:
    """The folder that holds the folders of messages and parts, for the file of a session in it."""
    if source.path is None:
        return None
    return next((root for root in list(source.path.absolute().parents)[1:3] if (root / "message").is_dir()), None)


def in_storage(name: str) -> bool:
    """Whether a file stands in a storage folder, beside `session`, `message` and `part` or below them."""
    for folder in list(Path(name).absolute().parents)[:4]:
        if (folder / "session").is_dir() and all((folder / held).is_dir() or (folder / "session" / held).is_dir() for held in _HELD):
            return True
    return False


def _plain(name: str) -> bool:
    """Whether an id may be the name of a file: it leads nowhere else."""
    return bool(name) and not any(c in name for c in "/\\\0") and name not in (".", "..")


def _names(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".json" and path.is_file())[:_FILES_MAX]
    except OSError:
        return []


def _read(path: Path, members: list[tuple[str, Stamp]]) -> bytes:
    try:
        data = path.read_bytes()
    except OSError:
        return b""
    stamp = stamp_of(path)
    if stamp is not None:
        members.append((str(path), stamp))
    return data.removeprefix(b"\xef\xbb\xbf").strip()


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = loads(data)
    except NotJson:
        return {}
    return value if isinstance(value, dict) else {}


# -- a database -----------------------------------------------------------------------------------------------------------------


def of_database(source: Source) -> StandIn:
    """All sessions of a database, the latest one last. UnreadableError where it cannot be read."""
    with opened(source) as base:
        told = [_session(base, row) for row in rows_of(base, "SELECT * FROM session ORDER BY time_created, id", source)]
    return StandIn(b"[" + b",\n".join(told) + b"]")


_INFO: Final = {"id": "id", "slug": "slug", "project_id": "projectID", "directory": "directory", "parent_id": "parentID",
                "title": "title", "version": "version"}  # fmt: skip


def _session(base: sqlite3.Connection, row: dict[str, Any]) -> bytes:
    info: dict[str, Any] = {key: row[column] for column, key in _INFO.items() if row.get(column) is not None}
    info["time"] = {"created": row.get("time_created"), "updated": row.get("time_updated")}
    revert = _object(_text(row.get("revert")))
    if revert:
        info["revert"] = revert
    messages = []
    for held in base.execute("SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id", (row.get("id"),)):
        parts = b",".join(_parts(base, held["id"], row.get("id")))
        own = _with_ids(held["data"], {"id": held["id"], "sessionID": row.get("id")})
        messages.append(b'{"info":' + own + b',"parts":[' + parts + b"]}")
    return b'{"info":' + compact(info).encode("utf-8", "surrogatepass") + b',"messages":[' + b",\n".join(messages) + b"]}"


def _parts(base: sqlite3.Connection, message: Any, session: Any) -> Iterator[bytes]:
    for held in base.execute("SELECT * FROM part WHERE message_id = ? ORDER BY id", (message,)):
        yield _with_ids(held["data"], {"id": held["id"], "sessionID": session, "messageID": message})


def _text(value: Any) -> bytes:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value if isinstance(value, bytes) else b""


def _with_ids(data: Any, ids: dict[str, Any]) -> bytes:
    """What a row holds as JSON, with the ids that stand in columns of their own put in front; its own bytes stay."""
    held = _text(data).strip()
    value = _object(held)
    front = compact({key: id for key, id in ids.items() if key not in value}).encode("utf-8", "surrogatepass")
    if not value or front == b"{}":
        return held if value else front
    return front[:-1] + b"," + held[1:].lstrip()
