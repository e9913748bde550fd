"""Steps of ATIF trajectories as messages: what the agent said and called, and in the same step what came back.

A result names its call in `source_call_id`, or stands where its call stands. What a step without calls observed is text.
Source: laude-institute/harbor src/harbor/models/trajectories (Step, ToolCall, Observation, ContentPart).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from app.formats._context import Context
from app.formats._inner_write import Apart, InnerWriter
from app.formats._json import compact, json_word, loads
from app.formats._log_write import LogContext, Plan
from app.formats._mould import Mould, Places, Spots
from app.formats._paths import Path, follow
from app.formats._pieces import Piece, empty, other
from app.formats._put import put
from app.model.block import Media
from app.model.edits import DELETE, Made
from app.model.errors import InspectorError
from app.model.kinds import Flag, Kind, Role

ROLES: Final = {"system": Role.SYSTEM, "user": Role.USER, "agent": Role.ASSISTANT}
_RESULTS: Final[Path] = ("observation", "results")


class AtifWire(Mould):
    """Steps as messages."""

    emptied: ClassVar[Mapping[str, Any]] = {"tool_calls": DELETE, "message": ""}
    role_words: ClassVar[Mapping[str, str]] = {"assistant": "agent"}
    role_key: ClassVar[str] = "source"
    result_type: ClassVar[str] = "observation"

    def pieces(self, message: dict[str, Any]) -> Sequence[Piece]:
        word = message.get("source")
        role = ROLES.get(word, Role.OTHER) if isinstance(word, str) else Role.OTHER
        found: list[Piece] = []
        thought = message.get("reasoning_content")
        if isinstance(thought, str) and thought:
            found.append(Piece(Kind.REASONING, "reasoning_content", role, "/reasoning_content", (thought,), value=thought))
        text = message.get("message")
        if isinstance(text, str):
            if text:
                found.append(Piece(Kind.TEXT, "text", role, "/message", (text,), value=text))
        elif isinstance(text, list):
            found += [_part(part, role, f"/message/{number}") for number, part in enumerate(text)]
        calls = message.get("tool_calls")
        called = calls if isinstance(calls, list) else []
        found += [_call(call, role, f"/tool_calls/{number}") for number, call in enumerate(called)]
        said = bool(found)
        results = follow(message, _RESULTS)
        for number, result in enumerate(results if isinstance(results, list) else ()):
            piece = _result(result, called, number)
            piece.turn = int(said)
            found.append(piece)
        if not found:
            return [Piece(Kind.TEXT, "text", role, "/message", ("",), value="") if text == "" else empty(text, role, "/message")]
        return found

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        path: Path = tuple(int(token) if token.isdigit() else token for token in piece.path.split("/")[1:])
        if path[:2] == _RESULTS:
            texts = [(one,) for one in _texts((*path, "content"), follow(message, (*path, "content")))]
            fits = texts if len(texts) == len(piece.texts) else []
            return Spots((path,), tuple(fits), ((*path, "content"),), ((*path, "source_call_id"),))
        if piece.kind == Kind.TOOL_CALL:
            return Spots((path,), id=((*path, "tool_call_id"),), name=((*path, "function_name"),), args=((*path, "arguments"),))
        whole: Places = (("message",),)
        if len(path) == 2:
            return Spots((path,), ((((*path, "text"),)),) if piece.texts else (), whole)
        return Spots((path,) if path else whole, ((path or ("message",),),), whole)

    def kept(self, context: Context, record: int, rows: Sequence[int], own: bool) -> bytes:
        data = super().kept(context, record, rows, own)
        value = loads(data)
        if not isinstance(value, dict):
            return data
        style = context.style
        if "message" not in value:  # every step has one
            data = put(data, ("message",), "", style)
        if follow(value, _RESULTS) == []:
            data = put(data, ("observation",), DELETE, style)
        return data

    def new_role(self, context: Context, rows: Sequence[int], record: int) -> str | None:
        row = rows[0]
        if "role" not in context.fields(row) and context.base.role[row] == context.edited.table.role[row]:
            return None
        return super().new_role(context, rows, record)

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        return {"step_id": 0, "source": role, "message": made.text}

    def afresh(self, message: dict[str, Any]) -> dict[str, Any]:
        return {key: DELETE for key in ("metrics",) if key in message}


def _part(part: Any, role: Role, path: str) -> Piece:
    word = part.get("type") if isinstance(part, dict) else None
    if word == "text" and isinstance(part.get("text"), str):
        return Piece(Kind.TEXT, word, role, path, (part["text"],), flags=Flag.CONTENT_LIST, value=part)
    if word == "image":
        return Piece(Kind.MEDIA, word, role, path, media=(_media(part),), flags=Flag.CONTENT_LIST, value=part)
    return other(part, word if isinstance(word, str) else json_word(part), role, path, Flag.CONTENT_LIST)


def _media(part: dict[str, Any]) -> Media:
    mime = follow(part, ("source", "media_type"))
    return Media(mime if isinstance(mime, str) else "image")


def _call(call: Any, role: Role, path: str) -> Piece:
    if not isinstance(call, dict):
        return other(call, json_word(call), role, path)
    name = call.get("function_name")
    return Piece(
        Kind.TOOL_CALL, "tool_call", role, path, name=name if isinstance(name, str) else None, id=call.get("tool_call_id"),
        args=call.get("arguments"), given="arguments" in call, value=call,
    )  # fmt: skip


def _result(result: Any, calls: list[Any], number: int) -> Piece:
    path = f"/observation/results/{number}"
    content = result.get("content") if isinstance(result, dict) else result
    parts = content if isinstance(content, list) else ()
    texts = tuple(follow({"content": content}, at) for at in _texts(("content",), content))
    media = tuple(_media(part) for part in parts if isinstance(part, dict) and part.get("type") == "image")
    flags = Flag.CONTENT_LIST if isinstance(content, list) else Flag.CONTENT_NULL if content is None else 0
    if not texts and not media and content not in (None, []):
        texts, flags = (compact(content),), Flag.CONTENT_ODD
    if not calls:
        if not isinstance(content, str) and not texts:
            return other(result, "observation", Role.USER, path)
        return Piece(Kind.TEXT, "observation", Role.USER, path, ("\n".join(texts),), flags=Flag.INJECTED, value=result)
    id = result.get("source_call_id") if isinstance(result, dict) else None
    if id is None and number < len(calls) and isinstance(calls[number], dict):
        id = calls[number].get("tool_call_id")
    return Piece(Kind.TOOL_RESULT, "observation", Role.TOOL, path, texts, id=id, media=media, flags=flags, value=result)


def _texts(path: Path, content: Any) -> list[Path]:
    """The ways to the texts of content."""
    if isinstance(content, str):
        return [path]
    parts = content if isinstance(content, list) else ()
    return [(*path, n, "text") for n, part in enumerate(parts) if isinstance(part, dict) and isinstance(part.get("text"), str)]


WIRE: Final = AtifWire()


class AtifWriter(InnerWriter):
    """Lays edits over steps. Results stay in the step of their call; steps are numbered anew where they were in order."""

    def split(self, context: LogContext, record: int, rows: list[int]) -> tuple[bytes | None, list[Apart]]:
        known = [row for row in rows if row < len(self.table)]
        results = [row for row in rows if row not in known and context.edited.made[row].kind == Kind.TOOL_RESULT]
        kinds = context.edited.table.kind
        called = any(kinds[row] == Kind.TOOL_CALL for row in known)
        if (results and not called) or (any(kinds[row] == Kind.TOOL_RESULT for row in known) and not called):
            raise InspectorError(f"{self.source.name}: a result stands in the step of its call and nowhere else; drop both, or neither")
        if record < 0:
            return None, [([row], WIRE.made(context, row)) if row not in known else ([row], self._copy(context, row)) for row in rows]
        data = WIRE.kept(context, record, known, own=True)
        for row in results:
            entry = {"source_call_id": context.call_id(row), "content": context.edited.made[row].text}
            held = follow(loads(data), _RESULTS)
            if isinstance(held, list):
                data = put(data, _RESULTS, [*held, entry], context.style)
            else:
                data = put(data, ("observation",), {"results": [entry]}, context.style)
        return self._named(context, data, rows), []

    def _copy(self, context: LogContext, row: int) -> bytes:
        return WIRE.kept(context, int(self.table.record[row]), [row], own=False)

    def _named(self, context: LogContext, data: bytes, rows: list[int]) -> bytes:
        """The step with the ids of calls written where its results no longer stand where their calls do."""
        pieces = WIRE.pieces(loads(data))
        found = [piece for piece in pieces if piece.kind == Kind.TOOL_RESULT]
        kinds = context.edited.table.kind
        for piece, row in zip(found, [row for row in rows if kinds[row] == Kind.TOOL_RESULT], strict=False):
            wanted = context.call_id(row)
            if wanted is not None and piece.id != wanted:
                path = tuple(int(token) if token.isdigit() else token for token in piece.path.split("/")[1:])
                data = put(data, (*path, "source_call_id"), wanted, context.style)
        return data

    def _settle(self, plan: Plan) -> int:
        """Numbers the steps of each lane anew, where they were numbered in order."""
        relinked = 0
        for index, lane in enumerate(self.lanes):
            numbers = range(lane.first, lane.first + lane.count)
            items = {number: self.moved_item(number) for number in numbers}
            ids = [follow(_value(items[number]), ("step_id",)) for number in numbers]
            if not ids or ids != list(range(1, len(ids) + 1)):
                continue
            at = 0
            for number in (-1 - index, *numbers):
                if number >= 0 and number not in plan.gone:
                    at += 1
                    data = plan.changed.get(number, items[number])
                    if follow(_value(data), ("step_id",)) != at:
                        relinked += number not in plan.changed
                        plan.changed[number] = put(data, ("step_id",), at, self.frame)
                placed = plan.placed.get(number, [])
                for place, data in enumerate(placed):
                    at += 1
                    placed[place] = put(data, ("step_id",), at, self.frame)
        return relinked


def _value(data: bytes) -> Any:
    return loads(data) if data[:1] == b"{" else None
