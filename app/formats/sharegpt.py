"""ShareGPT data sets: rows with `conversations` of `{from, value}`, or of `{role, content}`, as one list or as lines.

`function_call` holds a call as a JSON string (`{name, arguments}`), `observation` (`function_response`, `tool`) what came back; there are
no ids. Preference data has two endings, `chosen` and `rejected`: the first ends the conversation, the other one is shown by itself.
Source: hiyouga/LLaMA-Factory data/README.md (tags and their other names), and published data sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from app.formats._chat_mould import ChatMould
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._logs import Log, Sheet
from app.formats._mould import Mould, Spots
from app.formats._openai import role_of
from app.formats._paths import DECODE
from app.formats._peek import peek
from app.formats._pieces import Piece, empty
from app.formats._rows import Row, each_row, rows_in
from app.formats._text_calls import args_key, call_in, called, recast
from app.model.dump import Confidence, Dump
from app.model.edits import Made
from app.model.kinds import Kind, Role
from app.model.source import Source

CALLS: Final = frozenset({"function_call", "tool_call"})
RESULTS: Final = frozenset({"observation", "function_response", "tool", "tool_response", "ipython"})
_ROLES: Final = {
    "human": Role.USER, "user": Role.USER, "gpt": Role.ASSISTANT, "assistant": Role.ASSISTANT, "chatgpt": Role.ASSISTANT,
    "bing": Role.ASSISTANT, "bard": Role.ASSISTANT, "model": Role.ASSISTANT, "system": Role.SYSTEM,
}  # fmt: skip


class ShareGptWire(Mould):
    """Turns of `{from, value}`; those of `{role, content}` that have calls of OpenAI's wire are read as that."""

    role_words: ClassVar[dict[str, str]] = {"user": "human", "assistant": "gpt", "tool": "observation"}
    role_key: ClassVar[str] = "from"
    result_type: ClassVar[str] = "observation"

    def pieces(self, message: dict[str, Any]) -> Sequence[Piece]:
        if "tool_calls" in message or isinstance(message.get("content"), list):
            return _CHAT.pieces(message)
        word, text, key = _told(message)
        role = _ROLES.get(word, role_of(word))
        if not isinstance(text, str):
            return [empty(text, Role.TOOL if word in RESULTS else role, f"/{key}")]
        if word in CALLS:
            name, args, given = called(text)
            id = message.get("tool_call_id")
            return [Piece(Kind.TOOL_CALL, word, Role.ASSISTANT, "", name=name, id=id, args=args, given=given, value=message)]
        if word in RESULTS:
            return [Piece(Kind.TOOL_RESULT, word, Role.TOOL, "", (text,), id=message.get("tool_call_id"), value=message)]
        return [Piece(Kind.TEXT, "text", role, f"/{key}", (text,), value=text)]

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        if "tool_calls" in message or isinstance(message.get("content"), list):
            return _CHAT.spots(message, piece)
        _, text, key = _told(message)
        if piece.kind == Kind.TOOL_CALL:
            call = call_in(text)
            if call is None:
                return Spots(content=((key,),), args=((key,),), id=(("tool_call_id",),))
            args = args_key(call)
            told = isinstance(call.get(args), str)
            return Spots(name=((key, DECODE, "name"),), args=((key, DECODE, args),), id=(("tool_call_id",),), args_text=told)
        return Spots((), (((key,),),), ((key,),), id=(("tool_call_id",),))

    def recast(self, piece: Piece, fields: Mapping[str, Any]) -> str | None:
        return recast(_told(piece.value)[1], fields)

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        of_openai = "role" in like and "from" not in like
        if of_openai:
            role = {"human": "user", "gpt": "assistant"}.get(role, role)
        message = {"role": role, "content": made.text} if of_openai else {"from": role, "value": made.text}
        return message | {"tool_call_id": call_id} if made.kind == Kind.TOOL_RESULT and call_id is not None else message


_CHAT: Final = ChatMould()


def _told(message: dict[str, Any]) -> tuple[str, Any, str]:
    """Who speaks, what, and the key of that."""
    word = message.get("from", message.get("role"))
    key = "value" if "value" in message or ("from" in message and "content" not in message) else "content"
    return word if isinstance(word, str) else "", message.get(key), key


class ShareGpt(Log):
    name = "sharegpt"
    summary = "ShareGPT: rows of conversations"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    dialect = Dialect(ShareGptWire(), ShareGptWire().rewrite, Role.TOOL)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        rows = rows_in(seen)
        turns = sum(_has_turns(row) for row in rows)
        if rows and 2 * turns > len(rows):
            return Confidence(self.name, 0.95, "conversations of from and value")
        if isinstance(seen.value, list) and rows and sum(_has_messages(row) for row in rows) * 2 > len(rows):
            return Confidence(self.name, 0.9, "a list of rows with messages of role and content")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        each_row(sheet, _lists, progress, first_look, title=_title)
        return sheet.dump(complete=not first_look)


def _has_turns(row: dict[str, Any]) -> bool:
    turns = row.get("conversations", row.get("conversation"))
    first = turns[0] if isinstance(turns, list) and turns else None
    return isinstance(first, dict) and "from" in first and ("value" in first or "content" in first)


def _has_messages(row: dict[str, Any]) -> bool:
    held = row.get("messages", row.get("conversations"))
    first = held[0] if isinstance(held, list) and held else None
    return "role" not in row and isinstance(first, dict) and isinstance(first.get("role"), str)


def _title(row: dict[str, Any]) -> str:
    id = row.get("id")
    return id if isinstance(id, str) else ""


def _lists(row: dict[str, Any]) -> list[Row]:
    key = next((k for k in ("conversations", "messages", "conversation", "prompt") if isinstance(row.get(k), list)), None)
    if key is None and "chosen" not in row:
        return []
    found = [Row((*(((key,),) if key is not None else ()), *((("chosen",),) if "chosen" in row else ())))]
    return [*found, Row((("rejected",),), "rejected", "the ending that was not chosen")] if "rejected" in row else found


FORMAT = ShareGpt()
