"""What a format is: bytes to tables and back.

A format module defines `FORMAT`, an instance of a subclass of Format. It says how a record becomes blocks (`blocks`) and how an
edited transcript is written (`write_plan`); decoding one row or many, and laying edits over a block, is done here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, ClassVar

from app.formats import _json
from app.formats._columns import NO_TIME, RECORD, ROW, Columns, Interner, order_of, tokens_of
from app.formats._facts import Facts, facts_of
from app.formats._json import NotJson, compact, has_surrogate
from app.formats._writing import Tally, Writing
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.edits import DELETE, Stub, Words
from app.model.errors import ChangedError
from app.model.findings import Mode
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.table import RecordKind, Table
from app.model.transcript import Transcript

__all__ = [
    "NO_TIME", "RECORD", "ROW", "Columns", "Confidence", "Facts", "Format", "Interner", "NotJson", "Progress", "Tally", "Writing",
    "compact", "has_surrogate", "order_of", "tokens_of",
]  # fmt: skip

_UNPARSED = int(RecordKind.UNPARSED)
Progress = Callable[[float], None]


class Format:
    """Base of all formats. `name` is what the command line calls it; `provider` the one whose rules judge unless told otherwise;
    `mode` how such dumps are judged unless told otherwise; `writable` whether edits can be exported; `native` whether its messages are in
    that provider's own wire (False: a wire of its own, which its program turns into whatever provider it sends to)."""

    name: ClassVar[str]
    summary: ClassVar[str]
    provider: ClassVar[str]
    mode: ClassVar[Mode] = "complete"
    writable: ClassVar[bool] = True
    native: ClassVar[bool] = True

    # -- what a format says -------------------------------------------------------------------------------------------------

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        """How sure this format is of a file. `head`: its first bytes, without a byte order mark; `whole`: nothing follows them.
        `name` is a hint and never decides."""
        raise NotImplementedError

    def alone(self, head: bytes, whole: bool) -> bool:
        """Whether a head that `sniff` takes for this format can be no other's, so that no other is asked. Only formats in `FIRST`
        (pipeline/detect.py) are asked this."""
        return False

    def guess(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        """The same, asked where no format but the last resort is sure of anything: what takes a longer look."""
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        """The whole file as columns. `first_look`: `source` ends early (see Source.open) and what it cuts off is left out; the
        dump is marked as not complete. UnreadableError where nothing of it can be opened."""
        raise NotImplementedError

    def blocks(self, table: Table, record: int, value: Any, first: int) -> Sequence[Block]:
        """The blocks of a record as rows `first`, `first + 1`, ..., as many and in the order in which `parse` made rows.
        `value` is the decoded record, or bytes for a record of kind UNPARSED."""
        raise NotImplementedError

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        """How the edited `transcripts` (aligned with `dump.transcripts`) are written into the file that came in."""
        raise NotImplementedError

    def value(self, table: Table, source: Source, record: int) -> Any:
        """A record, decoded again. ChangedError where the file no longer holds it."""
        records = table.records
        data = source.read(int(records.offset[record]), int(records.length[record]))
        if records.kind[record] == _UNPARSED:
            return data
        try:
            return _json.loads(data)
        except NotJson:
            raise ChangedError(f"{source.name}: the file has changed since it was read; open it again") from None

    # -- what is done for all -----------------------------------------------------------------------------------------------

    def write(self, dump: Dump, transcripts: Sequence[Transcript]) -> Iterator[bytes]:
        return self.write_plan(dump, transcripts).chunks()

    def each_block(self, table: Table, source: Source, rows: Iterable[int]) -> Iterator[Block]:
        """The blocks of many rows of the dump, in the order asked for; neighbours of one record are parsed once.
        Edits are not laid over them and rows that an edit made are not known here: see `block`."""
        columns_record, columns_part = table.record, table.part
        for record, group in groupby(rows, lambda row: int(columns_record[row])):
            blocks: Sequence[Block] | None = None
            for row in group:
                part = int(columns_part[row])
                if blocks is None:
                    blocks = self.blocks(table, record, self.value(table, source, record), row - part)
                if part >= len(blocks):
                    raise ChangedError(f"{source.name}: the file has changed since it was read; open it again")
                yield blocks[part]

    def block(self, transcript: Transcript, row: int, source: Source) -> Block:
        """One block as the edits left it."""
        made = transcript.made.get(row)
        table = transcript.table
        if made is None:
            record, part = int(table.record[row]), int(table.part[row])
            blocks = self.blocks(table, record, self.value(table, source, record), row - part)
            if part >= len(blocks):
                raise ChangedError(f"{source.name}: the file has changed since it was read; open it again")
            block = blocks[part]
        else:
            block = Block(
                row=row,
                kind=made.kind,
                type=self.made_type(made.kind, made.role),
                role=made.role,
                texts=() if made.kind == Kind.EMPTY else (made.text,),
                call_id=table.ids.text(int(table.key[row])),
                error=made.error,
                value=made.text,
            )
        return self.edited(block, transcript)

    def edited(self, block: Block, transcript: Transcript) -> Block:
        """A block of the file as the edits left it."""
        return _overlaid(self, block, transcript)

    def facts(self, content: Any) -> Facts:
        """What content of a result says that an edit puts in place of what the file has."""
        return facts_of(content)

    def made_type(self, kind: Kind, role: Role) -> str:
        """The wire's word for a block that an edit made: a result, or a text."""
        return "tool_result" if kind == Kind.TOOL_RESULT else "text"


def _overlaid(format: Format, block: Block, transcript: Transcript) -> Block:
    """A block with what edits put in place of its text and fields, and with the kind and role that they gave to its row."""
    table, changed = transcript.table, dict[str, Any]()
    content = transcript.content_of(block.row)
    if content is not None:
        changed["texts"] = tuple(content.of(block.texts))
        if isinstance(content, Stub | Words) and block.kind == Kind.TOOL_RESULT:
            changed["media"] = ()
    for name, value in transcript.fields.get(block.row, {}).items():
        if name in ("call_id", "name"):
            changed[name] = value if isinstance(value, str) else None
        elif name == "input":
            free = isinstance(value, str) and (not table.args_text or block.type == "custom")
            changed["texts"] = () if value is DELETE else (value if free else compact(value),)
        elif name == "text" and isinstance(value, str):
            changed["texts"] = (value,)
        elif name == "content" and block.kind in (Kind.TEXT, Kind.EMPTY, Kind.TOOL_RESULT):
            found = format.facts(value)
            changed.update(texts=found.texts, media=found.media)
        elif name == "block.is_error":
            changed["error"] = value is True
    kind, role = int(table.kind[block.row]), int(table.role[block.row])
    if kind != block.kind:
        changed.update(kind=Kind(kind), type="text" if kind == Kind.TEXT else block.type)
    if role != block.role:
        changed["role"] = Role(role)
    return replace(block, **changed) if changed else block

