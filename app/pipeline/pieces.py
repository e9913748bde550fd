"""A transcript as what every wire has: system texts, tools, and a list of texts, calls, results and images with their roles.

What no wire has in common is left out and counted by what it is: reasoning (signed or encrypted for its own provider alone), server-side
tools, blocks that nobody knows. Of a transcript only what would be sent is taken.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from app.model.block import Block
from app.model.dump import Dump
from app.model.kinds import Kind, Role
from app.model.view import View
from app.pipeline.blocks import Blocks

Side = Literal["system", "user", "assistant"]
_SIDES: Final = {Role.ASSISTANT: "assistant", Role.SYSTEM: "system", Role.DEVELOPER: "system"}
_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""What Anthropic's pattern of ids and OpenAI's limit of 40 characters both take (rules tool-call-id-invalid)."""

_ODD: Final = re.compile(r"[^A-Za-z0-9_-]")
LONGEST: Final = 64  # characters of a tool's name (rules tool-name-format)
_DATA: Final = re.compile(r"data:([^;,]+);base64,(.*)", re.S)


@dataclass(frozen=True)
class Image:
    """An image by its bytes (base64, with its type) or by its address."""

    mime: str
    data: str
    url: str = ""


@dataclass(frozen=True)
class Piece:
    """One part of a conversation. A call has `call`, `name` and `arguments` (an object, or the text that is none); a result `call`, `name`
    of its tool, `text`, `error` and perhaps `images`."""

    side: Side
    kind: Literal["text", "call", "result", "image"]
    text: str = ""
    call: str = ""
    name: str = ""
    arguments: Any = None
    error: bool = False
    images: tuple[Image, ...] = ()


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    schema: dict[str, Any]


@dataclass(eq=False)
class Body:
    """A request, whatever its wire. `notes`: what was left out or made, and how often."""

    model: str | None
    system: list[str] = field(default_factory=list)
    tools: list[Tool] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)


def pieces_of(dump: Dump, view: View) -> Body:
    """What a transcript would send, in parts that every wire has."""
    body, blocks = Body(view.transcript.model), Blocks(dump, view.transcript)
    calls = _names(view, blocks, body)
    for at in range(view.start, len(view)):
        block = blocks(int(view.rows[at]))
        if block.kind == Kind.SYSTEM:
            body.system += [text for text in block.texts if text]
        elif block.kind == Kind.TOOLS:
            _add_tool(body, block.value)
        elif view.server[at]:
            body.notes[f"{block.type} left out: a tool that ran at its own provider"] += 1
        elif block.kind == Kind.REASONING:
            body.notes["reasoning left out: it holds for its own provider alone"] += 1
        elif block.kind == Kind.TOOL_CALL:
            body.pieces.append(Piece("assistant", "call", call=calls[at], name=block.name or "tool", arguments=_arguments(body, block)))
        elif block.kind == Kind.TOOL_RESULT:
            body.pieces.append(_result(body, block, view, at, calls))
        else:
            _add_text(body, block)
    _declare(body)
    return _well_named(body)


def _add_text(body: Body, block: Block) -> None:
    side: Side = _SIDES.get(block.role, "user")  # type: ignore[assignment]
    if block.kind == Kind.MEDIA:
        image = image_of(block.value)
        if image is not None and side == "user":
            body.pieces.append(Piece("user", "image", images=(image,)))
        else:
            body.pieces.append(Piece(side, "text", f"[{block.type} left out]"))
            body.notes[f"{block.type} left out: its bytes are not in the dump, or have no counterpart"] += 1
    elif block.kind == Kind.TEXT and block.text:
        if side == "system" and not any(piece.side != "system" for piece in body.pieces):
            body.system.append(block.text)
        else:
            body.pieces.append(Piece(side, "text", block.text))
    elif block.kind == Kind.OTHER:
        body.notes[f"{block.type} left out: no counterpart"] += 1


def _names(view: View, blocks: Blocks, body: Body) -> dict[int, str]:
    """The id of each call and result, by position: one of its own for each call, in letters that every wire takes."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for at in range(view.start, len(view)):
        if view.kind[at] != Kind.TOOL_CALL or view.server[at]:
            continue
        given = blocks(int(view.rows[at])).call_id or ""
        name, number = given, len(found) + 1
        while not _PLAIN.fullmatch(name) or name in taken:
            name, number = f"call_{number}", number + 1
        if name != given and given:
            body.notes["call ids renamed: another wire's, or used twice"] += 1
        taken.add(name)
        found[at] = name
        partner = int(view.links.partner[at])
        if partner >= 0:
            found[partner] = name
    return found


def _arguments(body: Body, block: Block) -> Any:
    text = block.text
    try:
        value = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    body.notes["arguments that are no JSON object kept as text"] += 1
    return text


def _result(body: Body, block: Block, view: View, at: int, calls: dict[int, str]) -> Piece:
    partner = int(view.links.partner[at])
    name = block.name or (view.transcript.table.names[int(view.name[partner])] if partner >= 0 and view.name[partner] >= 0 else "tool")
    content = block.value.get("content") if isinstance(block.value, dict) else None
    found = [image_of(part) for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    images = tuple(image for image in found if image is not None)
    if block.media and not images:
        body.notes["media in a result left out"] += 1
    call = calls.get(at) or (block.call_id if block.call_id and _PLAIN.fullmatch(block.call_id) else f"missing_{at}")
    return Piece("user", "result", block.text, call, name, error=block.error, images=images)


def image_of(value: Any) -> Image | None:
    """The image of a block of any of the wires (Anthropic, Chat, Responses, Gemini, Bedrock); None where its bytes are not there."""
    if not isinstance(value, dict):
        return None
    source, url, inline = value.get("source"), value.get("image_url"), value.get("inlineData") or value.get("inline_data")
    if isinstance(source, dict) and value.get("type") == "image":
        if isinstance(source.get("data"), str):
            return Image(str(source.get("media_type", "image/png")), source["data"])
        return Image("", "", source["url"]) if isinstance(source.get("url"), str) else None
    url = url.get("url") if isinstance(url, dict) else url
    if isinstance(url, str):
        found = _DATA.fullmatch(url)
        return Image(found[1], found[2]) if found else Image("", "", url)
    if isinstance(inline, dict) and isinstance(inline.get("data"), str):
        return Image(str(inline.get("mimeType") or inline.get("mime_type") or "image/png"), inline["data"])
    image = value.get("image")
    if isinstance(image, dict) and isinstance(image.get("source"), dict) and isinstance(image["source"].get("bytes"), str):
        return Image(f"image/{image.get('format', 'png')}", image["source"]["bytes"])
    return None


def _add_tool(body: Body, value: Any) -> None:
    """A definition of any of the wires."""
    given = value if isinstance(value, dict) else {}
    spec = next((given[key] for key in ("function", "toolSpec") if isinstance(given.get(key), dict)), given)
    schema = spec.get("input_schema") or spec.get("parameters") or spec.get("parametersJsonSchema") or spec.get("inputSchema")
    schema = schema.get("json") if isinstance(schema, dict) and set(schema) == {"json"} else schema
    name = spec.get("name")
    if not isinstance(name, str) or not (isinstance(schema, dict) or given.get("type") in (None, "function", "custom")):
        body.notes["tools that run at their own provider left out"] += 1
        return
    described = spec.get("description")
    described = described if isinstance(described, str) else ""
    body.tools.append(Tool(name, described, schema if isinstance(schema, dict) else {"type": "object"}))


def _well_named(body: Body) -> Body:
    """Tools by names that every wire takes, each its own."""
    names: dict[str, str] = {}
    for given in dict.fromkeys([tool.name for tool in body.tools] + [piece.name for piece in body.pieces if piece.name]):
        name, number = _ODD.sub("_", given)[:LONGEST] or "tool", 2
        while name in names.values():
            name, number = f"{_ODD.sub('_', given)[: LONGEST - 4]}_{number}", number + 1
        if name != given:
            body.notes["names of tools rewritten: not every wire takes them"] += 1
        names[given] = name
    body.tools = [replace(tool, name=names[tool.name]) for tool in body.tools]
    body.pieces = [replace(piece, name=names[piece.name]) if piece.name else piece for piece in body.pieces]
    return body


def _declare(body: Body) -> None:
    """Tools that are called and not declared: a dump of messages alone has none."""
    known = {tool.name for tool in body.tools}
    for name in dict.fromkeys(piece.name for piece in body.pieces if piece.kind == "call" and piece.name not in known):
        body.tools.append(Tool(name, "", {"type": "object"}))
        body.notes["tools declared by their names: the dump does not hold their schemas"] += 1
