"""Messages of Letta's agent files: what resembles OpenAI's Chat wire in them, and what does not.

Content is a list of parts; a message of role `tool` holds what came back in `tool_returns`, and in its content once more; one of role
`approval` with calls is the agent's, asking a person before it goes on.
Source: letta-ai/letta letta/schemas/message.py, letta_message_content.py, agent_file.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from app.formats._chat_mould import ChatMould
from app.formats._context import Context
from app.formats._json import compact, json_word
from app.formats._log_write import LogContext
from app.formats._media import of_anthropic
from app.formats._mould import Places, Spots
from app.formats._paths import Path, follow
from app.formats._pieces import Piece, other
from app.formats._put import put
from app.model.edits import Made
from app.model.kinds import Flag, Kind, Role

_LIST = Flag.CONTENT_LIST


class LettaContext(LogContext):
    """`fresh`: the id of a new message, by the number of the transcript and the row that it begins with."""

    def __init__(self, context: LogContext, fresh: Callable[[int, int], str]) -> None:
        self.__dict__.update(context.__dict__)
        self._fresh = fresh

    def fresh(self, row: int) -> str:
        return self._fresh(self.edited.index, row)


class LettaWire(ChatMould):
    """Messages of an agent."""

    emptied: ClassVar[Mapping[str, Any]] = {"tool_calls": None}
    args_text: ClassVar[bool] = True

    def role(self, message: dict[str, Any]) -> Role:
        return Role.ASSISTANT if message.get("role") == "approval" and message.get("tool_calls") else super().role(message)

    def part(self, part: Any, role: Role, path: str) -> Piece:
        word = part.get("type") if isinstance(part, dict) else None
        if not isinstance(word, str):
            return other(part, "(no type)" if isinstance(part, dict) else json_word(part), role, path, _LIST)
        if word == "text" and isinstance(part.get("text"), str):
            return Piece(Kind.TEXT, word, role, path, (part["text"],), flags=_LIST, value=part)
        if word == "reasoning" and isinstance(part.get("reasoning"), str):
            signed = Flag.SIGNED if part.get("signature") else 0
            return Piece(Kind.REASONING, word, role, path, (part["reasoning"],), flags=_LIST | signed, value=part)
        if word in ("redacted_reasoning", "omitted_reasoning"):
            return Piece(Kind.REASONING, word, role, path, flags=_LIST | Flag.SIGNED | Flag.REDACTED, value=part)
        if word == "image":
            return Piece(Kind.MEDIA, word, role, path, media=(of_anthropic(part),), flags=_LIST, value=part)
        return other(part, word, role, path, _LIST)

    def reasoning(self, message: dict[str, Any], role: Role) -> Iterator[Piece]:
        return iter(())

    def results(self, message: dict[str, Any], role: Role) -> Sequence[Piece]:
        returns = message.get("tool_returns")
        if not isinstance(returns, list) or not returns:
            return super().results(message, role)
        return [self._returned(message, one, role, number) for number, one in enumerate(returns)]

    def _returned(self, message: dict[str, Any], held: Any, role: Role, number: int) -> Piece:
        told = held if isinstance(held, dict) else {}
        said = told.get("func_response")
        texts = (said,) if isinstance(said, str) else () if said is None else (compact(said),)
        flags = Flag.CONTENT_NULL if said is None else 0 if isinstance(said, str) else Flag.CONTENT_ODD
        name, id = message.get("name"), told.get("tool_call_id")
        if id is None and number == 0:
            id = message.get("tool_call_id")
        return Piece(
            Kind.TOOL_RESULT, "tool_return", role, f"/tool_returns/{number}", texts, name if isinstance(name, str) else None, id,
            error=told.get("status") == "error", flags=flags, value=message,
        )  # fmt: skip

    def made(self, context: Context, row: int) -> bytes:
        return _named(context, super().made(context, row), row)

    def kept(self, context: Context, record: int, rows: Sequence[int], own: bool) -> bytes:
        data = super().kept(context, record, rows, own)
        return data if own else _named(context, data, rows[0])

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        if piece.kind == Kind.REASONING and piece.path.startswith("/content/"):
            at: Path = ("content", int(piece.path.rsplit("/", 1)[1]))
            return Spots((at,), (((*at, "reasoning"),),) if piece.texts else ())
        return super().spots(message, piece)

    def result_spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        if not piece.path:
            return super().result_spots(message, piece)
        number = int(piece.path.rsplit("/", 1)[1])
        at: Path = ("tool_returns", number)
        told: Places = ((*at, "func_response"),)
        copy = self._copy(message, number)
        ids: Places = ((*at, "tool_call_id"),)
        if len(message["tool_returns"]) == 1 and message.get("tool_call_id") == piece.id:
            ids = (*ids, ("tool_call_id",))
        said = (*told, (*copy, "text")) if copy else told
        return Spots((at, copy) if copy else (at,), (said,) if piece.texts else (), said, ids, (("name",),), (), ((*at, "status"),))

    @staticmethod
    def _copy(message: dict[str, Any], number: int) -> Path:
        """Where the content repeats what came back; () where it does not."""
        said, content = follow(message, ("tool_returns", number, "func_response")), message.get("content")
        index = number if isinstance(content, list) and len(content) == len(message["tool_returns"]) else 0
        return ("content", index) if isinstance(said, str) and follow(content, (index, "text")) == said and (index == number) else ()

    def error(self, error: bool) -> Any:
        return "error" if error else "success"

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        kept = ("type", "agent_id", "created_at", "model", "group_id")
        lists = ("tool_returns", "approvals")
        message = {key: value if key in kept else [] if key in lists else None for key, value in like.items()}
        message |= {"role": role, "content": [{"type": "text", "text": made.text}]}
        if made.kind != Kind.TOOL_RESULT:
            return message
        status = "error" if made.error else "success"
        returned = {"tool_call_id": call_id, "status": status, "stdout": None, "stderr": None, "func_response": made.text}
        return message | {"name": name, "tool_call_id": call_id, "tool_returns": [returned]}


def _named(context: Context, data: bytes, row: int) -> bytes:
    """A new message with an id of its own."""
    return put(data, ("id",), context.fresh(row), context.style) if isinstance(context, LettaContext) else data
