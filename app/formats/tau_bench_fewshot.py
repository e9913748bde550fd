"""tau-bench's conversations for few-shot prompts: JSONL, each line one text, `messages_display`, with roles before its turns.

Calls are not in it (`assistant: None`), so that what tools gave back is text. Such files are read and never written.
Source: sierra-research/tau-bench tau_bench/agents/few_shot_agent.py and few_shot_data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from app.formats._columns import Columns
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._logs import Log, Sheet, each_line
from app.formats._peek import peek
from app.formats._pieces import Piece, add_pieces, blocks_of
from app.model.block import Block
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.table import RecordKind

_TURN: Final = re.compile(r"^(user|assistant|system|tool): ", re.M)
_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.USER}


class FewShotWire:
    """Turns in a text."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = False

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int:
        return add_pieces(columns, record, message, list(_turns(value)), odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return blocks_of(list(_turns(value)), first, record, pointer)

    def made_type(self, kind: Kind, role: Role) -> str:
        return "text"


def _turns(value: dict[str, Any]) -> Iterator[Piece]:
    text = value["messages_display"]
    starts = [*_TURN.finditer(text)]
    path = "/messages_display"
    if not starts or starts[0].start():
        head = text[: starts[0].start()] if starts else text
        yield Piece(Kind.TEXT, "text", Role.OTHER, path, (head,), value=head)
    for number, turn in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        said = text[turn.end() : end]
        said = said[:-1] if said.endswith("\n") and number + 1 < len(starts) else said
        flags = Flag.INJECTED if turn[1] == "tool" else 0
        at = number + bool(starts[0].start())
        yield Piece(Kind.TEXT, turn[1], _ROLES[turn[1]], path, (said,), flags=flags, value=said, turn=at)


class FewShot(Log):
    name = "tau-bench-fewshot"
    summary = "tau-bench: conversations for few-shot prompts, each one text"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    writable = False
    dialect = Dialect(FewShotWire(), lambda context, run: [])

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        rows = [row for row in peek(head, whole).records if isinstance(row, dict)]
        told = sum(isinstance(row.get("messages_display"), str) for row in rows)
        return Confidence(self.name, 0.97, "messages_display in each line") if rows and 2 * told > len(rows) else None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        for number, offset, length, value, odd in each_line(source, first_look):
            if isinstance(value, dict) and isinstance(value.get("messages_display"), str):
                owner = sheet.conversation(str(number), title=f"row {number}")
                sheet.message(owner, offset, length, number, value, (), odd)
            else:
                sheet.other(offset, length, number, RecordKind.UNPARSED if value is None else RecordKind.UNKNOWN)
        if not sheet.conversations:
            raise UnreadableError(f"{source.name}: it holds no line with messages_display")
        return sheet.dump(complete=not first_look)


FORMAT = FewShot()
