"""Dialects that are told piece by piece and written back by places: a mould says where in a message each block stands, and edits go there.

Three methods make a dialect: `pieces` (the blocks of a message), `spots` (where what an edit changes of one of them stands) and `new` (a
message that the file does not hold). A block that an edit takes out of its message becomes a message of its own: a copy of the one that it
stood in, with nothing else in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from app.formats._columns import Columns
from app.formats._context import Context
from app.formats._json import compact, loads
from app.formats._paths import Path, follow
from app.formats._pieces import Piece, add_pieces, blocks_of
from app.formats._put import put
from app.formats._runs import Run
from app.formats._style import Style
from app.model.block import Block
from app.model.edits import DELETE, Cap, Content, Made
from app.model.kinds import Kind, Role

Places = tuple[Path, ...]
"""Where one value stands: more than one place where the dump keeps copies of it."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Where in its message stands what an edit changes of a block. `item`: what goes with the block; `texts`: of each of its texts;
    `content`: the whole content of a result, or of the message; `copies`: what repeats the content in another shape, and goes once that is
    changed; `args_text`: the arguments are a string of JSON."""

    item: Places = ()
    texts: tuple[Places, ...] = ()
    content: Places = ()
    id: Places = ()
    name: Places = ()
    args: Places = ()
    error: Places = ()
    copies: Places = ()
    args_text: bool = False


class Mould:
    """Base of these dialects: `joins`, `args_text`, `add_message`, `message_blocks`, `made_type` as in `Wire`. `emptied`: what stands in
    place of a list, by the last key on the way to it, that has lost all its elements (others stay, empty); `role_words`: the wire's words
    for roles."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = False
    emptied: ClassVar[Mapping[str, Any]] = {}
    role_words: ClassVar[Mapping[str, str]] = {}
    role_key: ClassVar[str] = "role"
    result_type: ClassVar[str] = "tool"

    def pieces(self, message: dict[str, Any]) -> Sequence[Piece]:
        """The blocks of a message in order; at least one."""
        raise NotImplementedError

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        """Where the parts of a block stand in its message."""
        raise NotImplementedError

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        """A message that an edit made. `role`: in this wire's words; `name`, `call_id`: those of the call that a result answers; `like`: a
        message of the same conversation."""
        raise NotImplementedError

    def content(self, value: Any, held: Any) -> Any:
        """Content that an edit gives, in the shape that the wire has for it; `held` is what stands there."""
        return [self.text_part(value)] if isinstance(value, str) and isinstance(held, list) else value

    def text_part(self, text: str) -> dict[str, Any]:
        """A part of a list that is a text."""
        return {"type": "text", "text": text}

    def error(self, error: bool) -> Any:
        """What a result says of being an error."""
        return error

    def recast(self, piece: Piece, fields: Mapping[str, Any]) -> str | None:
        """Text in place of all of a call that has no place for what an edit sets of it; None where each has its place."""
        return None

    def afresh(self, message: dict[str, Any]) -> dict[str, Any]:
        """Members that a copy of a message has in place of those of the message (DELETE: it has none)."""
        return {}

    # -- reading --------------------------------------------------------------------------------------------------------------

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int | None:
        return add_pieces(columns, record, message, self.pieces(value), odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return blocks_of(self.pieces(value), first, record, pointer)

    def made_type(self, kind: Kind, role: Role) -> str:
        return self.result_type if kind == Kind.TOOL_RESULT else "text"

    # -- writing --------------------------------------------------------------------------------------------------------------

    def rewrite(self, context: Context, run: Run) -> list[bytes]:
        """The messages of a run."""
        out: list[bytes] = []
        for record, rows in parted(context, run.rows):
            if record < 0:
                out.append(self.made(context, rows[0]))
            else:
                out.append(self.kept(context, record, rows, own=record == run.record and not out))
        return out

    def made(self, context: Context, row: int) -> bytes:
        """A row that an edit made, as a message."""
        made = context.edited.made[row]
        table = context.edited.table
        name = int(table.name[made.call]) if made.call >= 0 else -1
        role = context.role(row).name.lower()
        named = table.names[name] if name >= 0 else None
        message = self.new(made, self.role_words.get(role, role), named, context.call_id(row), self._like(context, made))
        for key, value in context.message_fields((row,)):
            message = {k: v for k, v in message.items() if k != key} if value is DELETE else message | {key: value}
        return context.style.dumps(message, context.level)

    def _like(self, context: Context, made: Made) -> dict[str, Any]:
        """The message of the call that a made row answers, else the first one of the conversation."""
        rows = [made.call] if made.call >= 0 else context.edited.order[:1].tolist()
        for row in [row for row in (*rows, *context.edited.order.tolist()[:50]) if 0 <= row < len(context.base)]:
            value = loads(context.record(int(context.base.record[row]))[0])
            if isinstance(value, dict):
                return value
        return {}

    def kept(self, context: Context, record: int, rows: Sequence[int], own: bool) -> bytes:
        """A message of the file with these of its rows, in their order, edits laid over them. `own`: it stays the record that it was."""
        data, members = context.record(record)
        value = context.seen(record, loads(data))
        if members is None or not isinstance(value, dict):
            return data
        edits = Edits(data, context.style_of(data, members))
        parts = {int(context.base.part[row]): row for row in rows}
        gone: list[Path] = []
        for part, piece in enumerate(self.pieces(value)):
            if part in parts:
                self.lay(edits, value, piece, context.fields(parts[part]), context.content(parts[part]))
            else:
                gone += [path for path in self.spots(value, piece).item if path]
        edits.take(gone, self.emptied)
        role = self.new_role(context, rows, record)
        if role is not None:
            key = self.role_key if self.role_key in value or "role" not in value else "role"
            edits.set(((key,),), self.role_words.get(role, role) if key == self.role_key else role)
        if not own:
            for key, held in self.afresh(value).items():
                edits.set(((key,),), held)
        for key, held in context.message_fields(tuple(rows)):
            edits.set(((key,),), held)
        return edits.data

    def new_role(self, context: Context, rows: Sequence[int], record: int) -> str | None:
        """The role that edits gave to a message; None where it has its own."""
        return context.new_role(tuple(rows), record)

    def lay(self, edits: Edits, message: dict[str, Any], piece: Piece, fields: Mapping[str, Any], content: Content | None) -> None:
        """Enters the edits of one block."""
        if not fields and content is None:
            return
        spots = self.spots(message, piece)
        told = self.recast(piece, fields) if piece.kind == Kind.TOOL_CALL else None
        if told is not None:
            edits.set(spots.args, told)
            fields = {key: value for key, value in fields.items() if key not in ("name", "input")}
        for field, value in fields.items():
            if field == "call_id":
                edits.set(spots.id, value)
            elif field == "name":
                edits.set(spots.name, value)
            elif field == "input":
                edits.set(spots.args, compact(value) if spots.args_text and value is not DELETE else value)
            elif field == "text":
                edits.set(spots.texts[0] if spots.texts else spots.content, value)
                edits.take(list(spots.copies), {})
            elif field == "content":
                for path in spots.content:
                    edits.set((path,), self.content(value, follow(message, path)))
                edits.take(list(spots.copies), {})
            elif field == "block.is_error":
                edits.set(spots.error, self.error(value is True))
            elif field.startswith("block."):
                edits.set(((*(spots.item[0] if spots.item else ()), field.removeprefix("block.")),), value)
        if content is not None:
            self._replace(edits, message, piece, spots, content)

    def _replace(self, edits: Edits, message: dict[str, Any], piece: Piece, spots: Spots, content: Content) -> None:
        """Other texts in place of those that a block has."""
        new = content.of(piece.texts)
        if new == list(piece.texts) and isinstance(content, Cap):
            return
        if len(spots.texts) >= len(new) and (isinstance(content, Cap) or piece.kind != Kind.TOOL_RESULT):
            for places, before, text in zip(spots.texts, piece.texts, new, strict=False):
                if text != before:
                    edits.set(places, text)
            edits.take([path[:-1] for places in spots.texts[len(new) :] for path in places], {})
        else:
            for path in spots.content:
                edits.set((path,), self.content("\n".join(new), follow(message, path)))
        edits.take(list(spots.copies), {})


class Edits:
    """The bytes of a message while places in it are given other values."""

    def __init__(self, data: bytes, style: Style) -> None:
        self.data, self._style = data, style

    def set(self, places: Places, value: Any) -> None:
        for path in places:
            self.data = put(self.data, path, value, self._style)

    def take(self, paths: Sequence[Path], emptied: Mapping[str, Any]) -> None:
        """Takes members and elements away, and what holds nothing any more with them."""
        lists: dict[Path, None] = {}
        for path in sorted(dict.fromkeys(paths), key=_order, reverse=True):
            self.data = put(self.data, path, DELETE, self._style)
            if isinstance(path[-1], int):
                lists[path[:-1]] = None
        for path in lists:
            key = str(path[-1]) if path else ""
            if key in emptied and follow(loads(self.data), path) == []:
                self.data = put(self.data, path, emptied[key], self._style)


_LAST: Final = 1 << 62


def _order(path: Path) -> list[tuple[str, int]]:
    """Paths in the order of the document, as far as elements of one list go."""
    return [("", token) if isinstance(token, int) else (token, _LAST) for token in path]


def parted(context: Context, rows: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The rows of a run by the record that they stand in (-1: a row that is made), in the order of that."""
    held: list[int] = []
    before = -1
    for row in rows:
        record = int(context.base.record[row]) if row < len(context.base) else -1
        if held and (record < 0 or record != before or row < held[-1]):
            yield before, held
            held = []
        held.append(row)
        before = record
    if held:
        yield before, held
