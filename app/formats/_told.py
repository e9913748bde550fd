"""Logs of programs that are read and never written: what a line tells is found piece by piece, and there is one conversation.

A format says what a record holds (`tell`) and what it tells beside that (`about`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._logs import About, Conversation, Log, Sheet, each_line
from app.formats._nodes import Node, document
from app.formats._peek import Peek, peek
from app.formats._piece_wires import PieceWire
from app.formats._pieces import Piece
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Role
from app.model.source import Source
from app.model.table import RecordKind, Shown
from app.model.transcript import Refusal, Wall


def never(context: Any, run: Any) -> list[bytes]:
    raise NotImplementedError  # they are read and never written


class ToldLog(Log):
    """Base of these formats. `why`: what was seen of a file, in words; `score`: how sure that makes."""

    mode = "prefix"
    writable = False
    native = False
    why: ClassVar[str]
    score: ClassVar[float] = 0.93

    def __init__(self) -> None:
        self.told = Dialect(PieceWire(self.pieces), never, Role.TOOL)

    @property
    def dialect(self) -> Dialect:  # type: ignore[override]
        return self.told

    # -- what a format says ---------------------------------------------------------------------------------------------------

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        """The blocks of a record: none of one that holds no message, None of one that is not known."""
        raise NotImplementedError

    def about(self, value: dict[str, Any]) -> About:
        return About()

    def is_own(self, value: dict[str, Any]) -> bool:
        """Whether a record looks like one of this program."""
        raise NotImplementedError

    def is_sure(self, value: dict[str, Any]) -> bool:
        """Whether no other program's record looks like it; one such record is asked for."""
        return True

    def title(self, value: dict[str, Any]) -> str | None:
        return None

    # -- what is done for all -------------------------------------------------------------------------------------------------

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        records = self.records(peek(head, whole))
        own = [record for record in records if self.is_own(record)]
        if not own or 2 * len(own) < len(records) or not any(map(self.is_sure, own)):
            return None
        return Confidence(self.name, self.score, self.why)

    def records(self, seen: Peek) -> list[dict[str, Any]]:
        """The records of a head."""
        return [record for record in seen.records if isinstance(record, dict)]

    def pieces(self, value: Any) -> list[Piece]:
        return (self.tell(value) if isinstance(value, dict) else None) or []

    def nodes(self, source: Source, first_look: bool) -> Iterator[tuple[int, int, int, Any, bool, str | None]]:
        """The records of a file: place, offset, length, value, whether it is odd, and its pointer where that is not its line."""
        for number, offset, length, value, odd in each_line(source, first_look):
            yield number, offset, length, value, odd, None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.told, source)
        main = sheet.conversation("main")
        for number, (place, offset, length, value, odd, pointer) in enumerate(self.nodes(source, first_look)):
            if pointer is not None:
                sheet.pointers[sheet.columns.record_count] = pointer
            self._enter(sheet, main, place, offset, length, value, odd)
            if progress is not None and not number % 2048:
                progress(min(1.0, offset / max(1, source.size)))
        if not sheet.columns.record_count:
            raise UnreadableError(f"{source.name}: it holds no record that could be read")
        if not len(sheet.columns.rows):
            main.why = "nothing in this file was said to a model or by it"
        return sheet.dump(complete=not first_look)

    def _enter(self, sheet: Sheet, main: Conversation, place: int, offset: int, length: int, value: Any, odd: bool) -> None:
        record = sheet.columns.record_count
        if not isinstance(value, dict):
            sheet.other(offset, length, place, RecordKind.UNPARSED if value is None else RecordKind.UNKNOWN, owner=0)
            return
        told, about = self.tell(value), self.about(value)
        if isinstance(about.model, str) and about.model:
            main.model = about.model
        main.title = self.title(value) or main.title
        if about.kind in (RecordKind.SUMMARY, RecordKind.BOUNDARY):
            main.start = len(main.rows)
            main.walls.append(Wall(sheet.columns.row_count, record))
        if told:
            if about.usage is not None:
                sheet.columns.usage(sheet.messages, **about.usage)
            sheet.message(main, offset, length, place, value, (), odd, about.time, about.model, about.kind)
            return
        if about.usage is not None and sheet.messages:
            sheet.columns.usage(sheet.messages - 1, **about.usage)
        kind = RecordKind.UNKNOWN if told is None else RecordKind.META if about.kind == RecordKind.MESSAGE else about.kind
        kind = RecordKind.REFUSAL if about.refusal is not None else kind
        shown = Shown.SHOWN if kind in (RecordKind.REFUSAL, RecordKind.BOUNDARY) else Shown.HIDDEN
        sheet.other(offset, length, place, kind, shown, about.time, owner=0)
        if about.refusal is not None:
            main.refusals.append(Refusal(record, main.rows[-1] if main.rows else -1, None, about.refusal))


class ToldDocument(ToldLog):
    """Base of those that are one document. `found`: the list of its messages."""

    lines = False

    def found(self, root: Node) -> Node | None:
        raise NotImplementedError

    def records(self, seen: Peek) -> list[dict[str, Any]]:
        return [seen.value] if isinstance(seen.value, dict) and not seen.lines else []

    def nodes(self, source: Source, first_look: bool) -> Iterator[tuple[int, int, int, Any, bool, str | None]]:
        root = document(source)
        found = self.found(root)
        if found is None or not isinstance(found.value, list) or found.path:
            raise UnreadableError(f"{source.name}: it has no list of messages")
        for place, item in enumerate(found.elements()):
            yield place, item.start, item.length, item.value, True, item.pointer


def milliseconds(value: Any) -> float | None:
    """A time in milliseconds, or in ISO 8601, as what `About.time` takes."""
    if isinstance(value, str):
        return value  # type: ignore[return-value]
    return value / 1000 if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15 else None


