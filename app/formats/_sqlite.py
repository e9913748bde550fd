"""A SQLite database, read from a copy: the file itself is opened by nothing but `open`, and never written to.

What a program has not yet folded into its database stands in a file beside it (`-wal`), which is copied as well.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from app.model.errors import UnreadableError
from app.model.source import Source

MAGIC: Final = b"SQLite format 3\x00"


def has_tables(head: bytes, *names: str) -> bool:
    """Whether the head of a file is a database whose schema (its first page) names these tables."""
    if not head.startswith(MAGIC):
        return False
    low = head.lower()
    return all(any(b"create table " + quote + name.encode() + quote in low for quote in (b"", b'"', b"`", b"'")) for name in names)


@contextmanager
def opened(source: Source) -> Iterator[sqlite3.Connection]:
    """A copy of a database; rows come as objects that know the names of their columns. UnreadableError where it is none."""
    with tempfile.TemporaryDirectory(prefix="transcript-") as folder:
        copy = Path(folder) / "copy.db"
        with copy.open("wb") as out:
            for chunk in source.file().chunks():
                out.write(chunk)
        if source.path is not None:
            beside = source.path.with_name(source.path.name + "-wal")
            with suppress(OSError):  # there is none: all of it is in the file itself
                (Path(folder) / "copy.db-wal").write_bytes(beside.read_bytes())
        try:
            with closing(sqlite3.connect(copy)) as base:
                base.row_factory = sqlite3.Row
                base.text_factory = lambda data: data.decode("utf-8", "replace")
                yield base
        except sqlite3.Error as error:
            raise UnreadableError(f"{source.name}: this database cannot be read: {error}") from None


def rows_of(base: sqlite3.Connection, query: str, source: Source) -> list[dict[str, Any]]:
    """All rows of a query. UnreadableError where the database does not have what it asks for."""
    try:
        return [dict(row) for row in base.execute(query)]
    except sqlite3.Error as error:
        raise UnreadableError(f"{source.name}: this database cannot be read: {error}") from None
