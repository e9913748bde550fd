"""How messages of LangChain and of the Vercel AI SDK are written back: where in them each block stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.formats import _langchain, _vercel
from app.formats._context import Context
from app.formats._json import compact, loads
from app.formats._mould import Edits, Mould, Places, Spots
from app.formats._paths import Path
from app.formats._piece_wires import media_of
from app.formats._pieces import Piece
from app.formats._put import put
from app.model.edits import DELETE, Content, Made
from app.model.kinds import Kind


def tokens(path: str) -> Path:
    return tuple(int(token) if token.isdecimal() else token for token in path.split("/")[1:])


def text_places(content: Any, where: Path) -> tuple[Places, ...]:
    """The place of each text of a content that is a string or a list of parts; () where some have none of their own."""
    if isinstance(content, str):
        return ((where,),)
    found: list[Places] = []
    for number, part in enumerate(content if isinstance(content, list) else ()):
        if isinstance(part, str):
            found.append(((*where, number),))
        elif isinstance(part, dict) and media_of(part) is None:
            if not isinstance(part.get("text"), str):
                return ()
            found.append(((*where, number, "text"),))
    return tuple(found)


def part_spots(part: Any, item: Path) -> Spots:
    """Of a part of a content: its text, or all of it."""
    if isinstance(part, str):
        return Spots((item,), ((item,),))
    key = next((k for k in ("thinking", "reasoning", "text", "content") if isinstance(part, dict) and isinstance(part.get(k), str)), None)
    return Spots((item,), (((*item, key),),) if key is not None else ())


class ModelMould(Mould):
    """ModelMessage."""

    result_type = "tool-result"

    def pieces(self, message: dict[str, Any]) -> Sequence[Piece]:
        return _vercel.model_pieces(message)

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        item = tokens(piece.path)
        if len(item) < 2:
            return Spots((), ((("content",),),) if piece.kind == Kind.TEXT else (), (("content",),))
        value: Any = piece.value
        if piece.kind == Kind.TOOL_CALL:
            key = "args" if "args" in value and "input" not in value else "input"
            return Spots((item,), id=((*item, "toolCallId"),), name=((*item, "toolName"),), args=((*item, key),))
        if piece.kind == Kind.TOOL_RESULT:
            where, error = _output(value, item)
            doubled = value.get("experimental_content") and where[-1] != "experimental_content"
            content, _ = _vercel.output_of(value)
            return Spots(
                (item,), text_places(content, where), (where,), id=((*item, "toolCallId"),), name=((*item, "toolName"),), error=(error,),
                copies=((*item, "experimental_content"),) if doubled else (),
            )  # fmt: skip
        return part_spots(value, item)

    def error(self, error: bool) -> Any:
        return error

    def lay(self, edits: Edits, message: dict[str, Any], piece: Piece, fields: Mapping[str, Any], content: Content | None) -> None:
        held = piece.value.get("output") if isinstance(piece.value, dict) and piece.kind == Kind.TOOL_RESULT else None
        typed = _is_typed(held)
        output: dict[str, Any] = held if typed and isinstance(held, dict) else {}
        if typed and "block.is_error" in fields:
            item, failed = tokens(piece.path), fields["block.is_error"] is True
            kind = "text" if isinstance(output.get("value"), str) else "json"
            edits.set(((*item, "output", "type"),), f"error-{kind}" if failed else kind)
            fields = {key: value for key, value in fields.items() if key != "block.is_error"}
        if (
            typed
            and output["type"] in ("json", "error-json", "content", "execution-denied")
            and (content is not None or "content" in fields)
        ):
            new = fields.get("content", None if content is None else "\n".join(content.of(piece.texts)))
            word = "error-text" if output["type"] in ("error-json", "execution-denied") else "text"
            if isinstance(new, str):
                edits.set(((*tokens(piece.path), "output"),), {"type": word, "value": new})
                fields, content = {key: value for key, value in fields.items() if key != "content"}, None
        super().lay(edits, message, piece, fields, content)

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        if made.kind != Kind.TOOL_RESULT:
            return {"role": role, "content": [self.text_part(made.text)] if isinstance(like.get("content"), list) else made.text}
        part: dict[str, Any] = {"type": "tool-result", "toolCallId": call_id, "toolName": name or ""}
        content = like.get("content")
        blocks: list[Any] = content if isinstance(content, list) else []
        if any(isinstance(block, dict) and "args" in block for block in blocks):
            part |= {"result": made.text} | ({"isError": True} if made.error else {})
        else:
            part["output"] = {"type": "error-text" if made.error else "text", "value": made.text}
        return {"role": "tool", "content": [part]}


def _is_typed(output: Any) -> bool:
    return (
        isinstance(output, dict) and isinstance(output.get("type"), str) and output.keys() <= {"type", "value", "reason", "providerOptions"}
    )


def _output(value: dict[str, Any], item: Path) -> tuple[Path, Path]:
    """Where what a tool gave stands, and what says that it is an error."""
    output: Any = value.get("output")
    if _is_typed(output):
        return (*item, "output", "reason" if output["type"] == "execution-denied" else "value"), (*item, "output", "type")
    if value.get("experimental_content"):
        return (*item, "experimental_content"), (*item, "isError")
    return (*item, "output" if "output" in value and "result" not in value else "result"), (*item, "isError")


class LangChainMould(Mould):
    """LangChain's three ways. One call may stand in up to three places, which are kept in step."""

    result_type = "tool"

    def pieces(self, message: dict[str, Any]) -> Sequence[Piece]:
        return _langchain.pieces(message)

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        data, prefix = _langchain.data_of(message)
        at, item = tokens(prefix), tokens(piece.path)
        content: Path = (*at, "blocks" if "content" not in data and "blocks" in data else "content")
        if piece.kind == Kind.TOOL_RESULT and item == at:
            return Spots(
                (), text_places(data.get(str(content[-1])), content), (content,), id=((*at, "tool_call_id"),), name=((*at, "name"),),
                error=((*at, "status"),),
            )  # fmt: skip
        if piece.kind == Kind.TOOL_CALL:
            items = (item, *_copies(data, at, item, piece))
            return Spots(items, id=_ends(items, piece, "id"), name=tuple(_named(one) for one in items), args=())
        if piece.kind == Kind.REASONING and item == at:
            where: Path = (*at, "additional_kwargs", "reasoning_content")
            if "reasoning_content" in data and "reasoning_content" not in (data.get("additional_kwargs") or {}):
                where = (*at, "reasoning_content")
            return Spots((where,), ((where,),))
        if len(item) == len(at) + 2:
            return part_spots(piece.value, item)
        return Spots((content,), ((content,),), (content,)) if piece.kind == Kind.TEXT else Spots((), (), (content,))

    def error(self, error: bool) -> Any:
        return "error" if error else "success"

    def kept(self, context: Context, record: int, rows: Sequence[int], own: bool) -> bytes:
        """A message whose text was taken away has an empty one: LangChain wants a content in each."""
        out = super().kept(context, record, rows, own)
        value = loads(out)
        data, prefix = _langchain.data_of(value) if isinstance(value, dict) else ({"content": ""}, "")
        if {"content", "blocks"} & data.keys():
            return out
        return put(out, (*tokens(prefix), "content"), "", context.style)

    def lay(self, edits: Edits, message: dict[str, Any], piece: Piece, fields: Mapping[str, Any], content: Content | None) -> None:
        if piece.kind == Kind.TOOL_CALL and "input" in fields:
            value = fields["input"]
            for one in self.spots(message, piece).item:
                key = "arguments" if "additional_kwargs" in one else "input" if "content" in one or "blocks" in one else "args"
                place: Path = (*one, "function", key) if "additional_kwargs" in one and one[-1] != "function_call" else (*one, key)
                edits.set((place,), compact(value) if key == "arguments" and value is not DELETE and not isinstance(value, str) else value)
            fields = {key: value for key, value in fields.items() if key != "input"}
        super().lay(edits, message, piece, fields, content)

    def new_role(self, context: Any, rows: Sequence[int], record: int) -> str | None:
        return None  # a message of another role is another class

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        held: dict[str, Any] = {"content": made.text}
        if made.kind == Kind.TOOL_RESULT:
            held |= {"tool_call_id": call_id} | ({"name": name} if name else {}) | ({"status": "error"} if made.error else {})
        word = {"user": "human", "assistant": "ai"}.get(
            "tool" if made.kind == Kind.TOOL_RESULT else role, "tool" if made.kind == Kind.TOOL_RESULT else role
        )
        if "lc" in like:
            names = {
                "human": "HumanMessage",
                "ai": "AIMessage",
                "tool": "ToolMessage",
                "system": "SystemMessage",
                "function": "FunctionMessage",
            }
            id = like.get("id")
            return {
                "lc": 1,
                "type": "constructor",
                "id": [*(id[:-1] if isinstance(id, list) else ()), names.get(word, "ChatMessage")],
                "kwargs": held,
            }
        if isinstance(like.get("data"), dict) and "content" not in like:
            return {"type": word, "data": held}
        if "role" in like and "type" not in like:
            return {"role": "tool" if made.kind == Kind.TOOL_RESULT else role, **held}
        return {"type": word, **held}


def _copies(data: dict[str, Any], at: Path, item: Path, piece: Piece) -> tuple[Path, ...]:
    """The other places in which a call stands, by its id."""
    if piece.id is None:
        return ()
    more = data.get("additional_kwargs")
    lists: list[tuple[Path, Any]] = [
        ((*at, "additional_kwargs", "tool_calls"), more.get("tool_calls") if isinstance(more, dict) else None),
        ((*at, "content"), data.get("content")),
    ]
    found: list[Path] = []
    for where, entries in lists:
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            if (
                isinstance(entry, dict)
                and entry.get("id") == piece.id
                and (*where, number) != item
                and entry.get("type") != "server_tool_use"
            ):
                found.append((*where, number))
    return tuple(found[:2]) if len(found) <= 2 else ()


def _ends(items: tuple[Path, ...], piece: Piece, key: str) -> Places:
    return tuple((*one, key) for one in items if one[-1] != "function_call")


def _named(item: Path) -> Path:
    return (*item, "function", "name") if "additional_kwargs" in item and item[-1] != "function_call" else (*item, "name")
