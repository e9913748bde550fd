"""Data sets: rows, each with a conversation or more, as lines or as the elements of one list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.formats._format import Progress
from app.formats._json import BOM
from app.formats._logs import About, Sheet, each_line
from app.formats._nodes import Node, document
from app.formats._paths import Path
from app.formats._peek import Peek
from app.formats._scan import skip_space
from app.model.errors import UnreadableError
from app.model.source import Source
from app.model.table import RecordKind


@dataclass(frozen=True)
class Row:
    """A conversation of a row. `lists`: the ways to its lists of messages, one behind the other (one that ends at an object is a message by
    itself); `suffix`: what its id has behind that of the row; `why`: what it is, where it is not the row's main one."""

    lists: Sequence[Path]
    suffix: str = ""
    why: str = ""


def rows_in(seen: Peek) -> list[dict[str, Any]]:
    """Rows in the head of a file of lines, or of a list."""
    found = seen.records if seen.lines else seen.value if isinstance(seen.value, list) else (seen.value,)
    return [row for row in found if isinstance(row, dict)]


def each_row(
    sheet: Sheet, rows_of: Callable[[dict[str, Any]], Sequence[Row]], progress: Progress | None = None, first_look: bool = False,
    about: Callable[[Any], About] | None = None, title: Callable[[dict[str, Any]], str] | None = None,
) -> None:  # fmt: skip
    """Reads all rows of a file into the sheet. `rows_of`: the conversations of a row, none where it is no row; `title`: what a row calls
    itself. UnreadableError where there is no row."""
    source, found = sheet.source, 0
    for number, row in enumerate(_rows(sheet, first_look)):
        if progress is not None and not number % 256:
            progress(min(1.0, row.start / max(1, source.size)))
        held = rows_of(row.value) if isinstance(row.value, dict) else ()
        if not held:
            sheet.pointers[sheet.columns.record_count] = row.pointer
            sheet.other(row.start, row.length, number, RecordKind.UNKNOWN)
            continue
        found += 1
        _conversations(sheet, row, number, held, about, title)
    if not found:
        raise UnreadableError(f"{source.name}: it holds no row with a conversation")


def _conversations(
    sheet: Sheet, row: Node, number: int, held: Sequence[Row], about: Callable[[Any], About] | None,
    title: Callable[[dict[str, Any]], str] | None,
) -> None:  # fmt: skip
    own = title(row.value) if title is not None else ""
    model = row.value.get("model")
    for one in held:
        name = f"{number}-{one.suffix}" if one.suffix else str(number)
        said = ", ".join(word for word in (own or f"row {number}", one.suffix) if word)
        owner = sheet.conversation(name, title=said, why=one.why, model=model if isinstance(model, str) else None)
        for path in one.lists:
            node = row.get(*path)
            if node is not None and isinstance(node.value, dict):
                sheet.alone(owner, node)
            else:
                sheet.listed(owner, node, about=about)
        if one is held[0]:
            sheet.head(owner, row.get("system"))


def _rows(sheet: Sheet, first_look: bool) -> Iterator[Node]:
    """The rows, each with its place in the file; lines that hold no JSON become records of their own."""
    source = sheet.source
    root = _list_of(source)
    if root is not None:
        if isinstance(root.value, list):
            yield from root.elements()
        else:
            yield root
        return
    data = source.read(0, source.size)
    for number, offset, length, value, _ in each_line(source, first_look):
        if isinstance(value, dict | list):
            yield Node(data, value, skip_space(data, offset), offset + length, f"/{number}")
        else:
            sheet.other(offset, length, number, RecordKind.UNPARSED if value is None else RecordKind.UNKNOWN)


def _list_of(source: Source) -> Node | None:
    """The document where the file is one: a list of rows, or one row; None where it is lines."""
    head = source.read(0, 1 << 12).removeprefix(BOM).lstrip(b" \t\r\n")
    if head[:1] not in (b"[", b"{"):
        return None
    try:
        return document(source)
    except UnreadableError:
        return None
