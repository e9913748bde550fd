"""Blocks of wires that are told piece by piece: one list that rows and decoded blocks are both made of, so that they cannot disagree.

A dialect turns a message into pieces (`Pieces`). A message may hold what others of its wire would keep in several messages: results that
stand inside the calls which they answer. Then `turn` of a piece tells the messages apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app.formats._columns import ROW, Columns
from app.formats._flags import ARGS, args_of, id_flags, id_text, text_flags
from app.formats._json import compact, has_surrogate
from app.formats._marks import mark
from app.model.block import Block, Media
from app.model.kinds import Args, Flag, Kind, Role

_MASK: Final = 0xFFFFFFFF

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT, _USER = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT, Role.USER
_NO_ARGS: Final = (Args.NONE, None)
_LIST: Final = Flag.CONTENT_LIST
_pack: Final = ROW.pack


@dataclass(slots=True)
class Piece:
    """A block. `path`: its pointer inside the message; `texts`: what is counted and shown of it, arguments aside; `id`: a call id as the
    wire has it; `args`: arguments as the wire has them, `given` says whether there are any; `turn`: which of the messages that its
    record stands for, from 0; `marks`: see Mark."""

    kind: Kind
    type: str
    role: Role
    path: str = ""
    texts: tuple[str, ...] = ()
    name: str | None = None
    id: Any = None
    args: Any = None
    given: bool = False
    error: bool = False
    media: tuple[Media, ...] = ()
    flags: int = 0
    value: Any = None
    turn: int = 0
    marks: Sequence[str] = field(default=())

    def args_text(self) -> tuple[Args, str | None]:
        """The class of the arguments and their text."""
        return args_of(self.args) if self.given else _NO_ARGS


def add_pieces(columns: Columns, record: int, message: int, pieces: Sequence[Piece], odd: bool) -> int:
    """Adds the rows of a record; how many messages it stands for comes back. `odd`: strings may hold unpaired surrogates."""
    rows, types, turns = b"", columns.types, 1
    for part, piece in enumerate(pieces):
        kind = piece.kind
        size, key, flags = _measured(columns, piece, kind, odd)
        if piece.marks:
            for word in piece.marks:
                columns.mark(word, columns.row_count + part)
        name = -1 if piece.name is None else columns.names[piece.name]
        number = types.get(piece.type)
        if number is None:
            number = columns.type_of(piece.type)
        rows += _pack(record, part, message + piece.turn, kind, number, piece.role, name, size, flags & _MASK, key)
        if piece.turn >= turns:
            turns = piece.turn + 1
    columns.rows += rows
    return turns


def _measured(columns: Columns, piece: Piece, kind: Kind, odd: bool) -> tuple[int, int, int]:
    """Size, key and flags of a piece's row."""
    flags = piece.flags
    if kind == _CALL:
        found, text = piece.args_text()
        columns.arguments.append(hash(text))
        flags |= ARGS[found] | id_flags(piece.id)
        size = len(piece.name or "") + len(text or "")
        if odd and text is not None and has_surrogate(text):
            flags |= Flag.SURROGATE
        own = id_text(piece.id)
        return size, -1 if own is None else columns.keys[own], flags
    texts, key = piece.texts, -1
    one = len(texts) == 1
    size = len(texts[0]) if one else sum(map(len, texts))
    if kind == _RESULT:
        flags |= id_flags(piece.id) | (Flag.ERROR if piece.error else 0) | (Flag.MEDIA if piece.media else 0)
        own = id_text(piece.id)
        key = -1 if own is None else columns.keys[own]
        if flags & _LIST:
            for text in texts:
                if not text or (text[0].isspace() and text.isspace()):
                    flags |= Flag.PART_EMPTY
            if odd and any(map(has_surrogate, texts)):
                flags |= Flag.SURROGATE
            return size, key, flags
    elif kind != _TEXT and kind != _REASONING:
        return size, key, flags
    if one:
        flags |= text_flags(texts[0], odd)
        if kind == _TEXT and piece.role == _USER:
            flags |= mark(texts[0])
    elif odd and any(map(has_surrogate, texts)):
        flags |= Flag.SURROGATE
    return size, key, flags


def blocks_of(pieces: Sequence[Piece], first: int, record: int, pointer: str) -> list[Block]:
    """The same pieces for whoever looks at them, as rows `first`, `first + 1`, ...; `pointer` is that of the message."""
    found = []
    for part, piece in enumerate(pieces):
        texts = piece.texts
        if piece.kind == _CALL:
            text = piece.args_text()[1]
            texts = () if text is None else (text,)
        found.append(
            Block(
                first + part, piece.kind, piece.type, piece.role, texts, piece.name, id_text(piece.id), piece.error, piece.media,
                pointer + piece.path, record, piece.value,
            )
        )  # fmt: skip
    return found


def other(value: Any, word: str, role: Role, path: str, flags: int = 0) -> Piece:
    """A block that is of no kind we know: shown as compact JSON."""
    return Piece(Kind.OTHER, word, role, path, (compact(value),), flags=flags | Flag.TYPE_ODD, value=value)


def empty(value: Any, role: Role, path: str) -> Piece:
    """The row of a message without any block: its content is null or absent, an empty list, or no content at all."""
    flags = Flag.CONTENT_NULL if value is None else Flag.CONTENT_LIST | Flag.CONTENT_NONE if value == [] else Flag.CONTENT_ODD
    if flags != Flag.CONTENT_ODD:
        return Piece(Kind.EMPTY, "empty", role, "", flags=flags, value=value)
    return Piece(Kind.EMPTY, "odd", role, path, (compact(value),), flags=flags, value=value)
