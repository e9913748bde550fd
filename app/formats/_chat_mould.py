"""Dialects that resemble OpenAI's Chat Completions and differ from it in names: where a call keeps its name and its arguments, where a
result keeps the id that it answers, which parts a list of content has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from app.formats._json import json_word
from app.formats._mould import Mould, Places, Spots
from app.formats._openai import REASONING_KEYS, part_kind, result_texts, role_of, thinking_text
from app.formats._openai_blocks import media_of
from app.formats._paths import Path, follow
from app.formats._pieces import Piece, empty, other
from app.model.block import Media
from app.model.edits import DELETE, Made
from app.model.kinds import Flag, Kind, Role

RESULT_ROLES: Final = frozenset({Role.TOOL, Role.FUNCTION})


class ChatMould(Mould):
    """`call_name`, `call_args`: from a call to them; `result_id`: from a message of role tool to the id that it answers; `result_error`: to
    what says that it is an error; `result_name`: to the tool's name."""

    emptied: ClassVar[Mapping[str, Any]] = {"tool_calls": DELETE, "content": ""}
    call_name: ClassVar[Path] = ("function", "name")
    call_args: ClassVar[Path] = ("function", "arguments")
    call_type: ClassVar[str] = "function"
    result_id: ClassVar[Path] = ("tool_call_id",)
    result_error: ClassVar[Path] = ()
    result_name: ClassVar[Path] = ("name",)
    text_key: ClassVar[str] = "text"

    # -- blocks ---------------------------------------------------------------------------------------------------------------

    def role(self, message: dict[str, Any]) -> Role:
        return role_of(message.get("role"))

    def pieces(self, message: dict[str, Any]) -> Sequence[Piece]:
        role = self.role(message)
        if role in RESULT_ROLES:
            return self.results(message, role)
        found = [*self.reasoning(message, role), *self.said(message, role), *self.calls(message, role)]
        if not found:
            content = message.get("content")
            if content == "":
                return [Piece(Kind.TEXT, "text", role, "/content", ("",), value="")]
            return [empty(content, role, "/content")]
        return found

    def reasoning(self, message: dict[str, Any], role: Role) -> Iterator[Piece]:
        for key in REASONING_KEYS:
            text = message.get(key)
            if isinstance(text, str) and text:
                yield Piece(Kind.REASONING, key, role, f"/{key}", (text,), value=text)
                return

    def said(self, message: dict[str, Any], role: Role) -> Iterator[Piece]:
        """What stands in the content."""
        content = message.get("content")
        if isinstance(content, str):
            if content:
                yield Piece(Kind.TEXT, "text", role, "/content", (content,), value=content)
        elif isinstance(content, list):
            for number, part in enumerate(content):
                yield self.part(part, role, f"/content/{number}")
        elif content is not None:
            yield empty(content, role, "/content")

    def part(self, part: Any, role: Role, path: str) -> Piece:
        """A part of content that is a list."""
        kind, word, _ = part_kind(part)
        if kind == Kind.TEXT:
            return Piece(kind, word, role, path, (part[word],), flags=Flag.CONTENT_LIST, value=part)
        if kind == Kind.REASONING:
            return Piece(kind, word, role, path, (thinking_text(part),), flags=Flag.CONTENT_LIST, value=part)
        if kind == Kind.MEDIA:
            return Piece(kind, word, role, path, media=(media_of(part),), flags=Flag.CONTENT_LIST, value=part)
        return other(part, word, role, path, Flag.CONTENT_LIST)

    def calls(self, message: dict[str, Any], role: Role) -> Iterator[Piece]:
        calls = message.get("tool_calls")
        if not isinstance(calls, list):
            if calls:
                yield other(calls, "tool_calls", role, "/tool_calls")
            return
        for number, call in enumerate(calls):
            yield self.call(call, role, f"/tool_calls/{number}")

    def call(self, call: Any, role: Role, path: str) -> Piece:
        if not isinstance(call, dict):
            return other(call, json_word(call), role, path)
        name, holder = follow(call, self.call_name), follow(call, self.call_args[:-1])
        args = self.arguments(call)
        return Piece(
            Kind.TOOL_CALL, self.call_type, role, path, name=name if isinstance(name, str) else None, id=call.get("id"), args=args,
            given=isinstance(holder, dict) and self.call_args[-1] in holder, value=call,
        )  # fmt: skip

    def arguments(self, call: dict[str, Any]) -> Any:
        return follow(call, self.call_args)

    def results(self, message: dict[str, Any], role: Role) -> Sequence[Piece]:
        return [self.result(message, role, "", message.get("content"), follow(message, self.result_id))]

    def result(self, message: dict[str, Any], role: Role, path: str, content: Any, id: Any) -> Piece:
        """A result; `message` is what holds its name and its mark of an error."""
        texts, flags, media = self.result_content(content)
        name = follow(message, self.result_name)
        error = self.is_error(follow(message, self.result_error)) if self.result_error else False
        return Piece(
            Kind.TOOL_RESULT, self.result_type, role, path, texts, name if isinstance(name, str) else None, id, error=error, media=media,
            flags=flags, value=message,
        )  # fmt: skip

    def is_error(self, value: Any) -> bool:
        return value is True

    def result_content(self, content: Any) -> tuple[tuple[str, ...], int, tuple[Media, ...]]:
        """Texts, flags and media of a result."""
        texts, flags = result_texts(content)
        media = tuple(media_of(part) for part in content if part_kind(part)[0] == Kind.MEDIA) if isinstance(content, list) else ()
        if content is None:
            flags |= Flag.CONTENT_NULL
        elif isinstance(content, list):
            flags |= Flag.CONTENT_LIST if content else Flag.CONTENT_LIST | Flag.CONTENT_NONE
        elif not isinstance(content, str):
            flags |= Flag.CONTENT_ODD
        return tuple(texts), flags, media

    # -- places ---------------------------------------------------------------------------------------------------------------

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        if piece.kind == Kind.TOOL_RESULT:
            return self.result_spots(message, piece)
        path = path_of_pointer(piece.path)
        if piece.kind == Kind.TOOL_CALL:
            return Spots(
                (path,), id=((*path, "id"),), name=((*path, *self.call_name),), args=((*path, *self.call_args),), args_text=self.args_text
            )
        if len(path) == 2 and path[0] == "content":
            return Spots((path,), ((((*path, self.text_key),)),), (("content",),)) if piece.texts else Spots((path,), (), (("content",),))
        whole = path or ("content",)
        return Spots((whole,) if path else (), ((whole,),), (("content",),))

    def result_spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        content = message.get("content")
        texts: list[Places] = [(("content",),)]
        if isinstance(content, list):
            texts = [(("content", n, "text"),) for n, part in enumerate(content) if part_kind(part)[0] == Kind.TEXT]
            texts = texts if len(texts) == len(piece.texts) else []
        return Spots(
            (), tuple(texts), (("content",),), (self.result_id,), (self.result_name,), (), (self.result_error,) if self.result_error else ()
        )

    # -- what is made -----------------------------------------------------------------------------------------------------------

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        if made.kind != Kind.TOOL_RESULT:
            return {"role": role, "content": made.text}
        message: dict[str, Any] = {"role": role, "content": made.text}
        if call_id is not None:
            set_at(message, self.result_id, call_id)
        if self.result_error:
            set_at(message, self.result_error, self.error(made.error))
        return message


def set_at(message: dict[str, Any], path: Path, value: Any) -> None:
    """Sets a member; of a path that ends in an index, a list of the value alone."""
    *heads, last = path
    if isinstance(last, int):
        value, last = [value], heads.pop()
    for key in heads:
        message = message.setdefault(str(key), {})
    message[str(last)] = value


def path_of_pointer(pointer: str) -> Path:
    """A pointer that a piece has, as a path."""
    return tuple(int(token) if token.isdigit() else token for token in pointer.split("/")[1:])
