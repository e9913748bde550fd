"""A request in each of the wires that one can be written in, from parts that all of them have (app/pipeline/pieces.py).

Shapes: anthropics/anthropic-sdk-typescript `messages.ts`, openai/openai-node `chat/completions.ts` and `responses.ts`,
googleapis/js-genai `types.ts`, as the formats that read them cite them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, Final

from app.pipeline.pieces import Body, Image, Piece

ANSWER: Final = 4096  # max_tokens of an Anthropic request, which must name one


def anthropic(body: Body) -> dict[str, Any]:
    """Neighbours of one side are one message; results come first in it."""
    messages = []
    for side, pieces in _sides(body):
        results = [_anthropic_block(piece, body) for piece in pieces if piece.kind == "result"]
        others = [block for piece in pieces if piece.kind != "result" for block in _anthropic_other(piece)]
        messages.append({"role": side, "content": results + others})
    made: dict[str, Any] = {"model": body.model} if body.model else {}
    made["max_tokens"] = ANSWER
    if body.system:
        made["system"] = [{"type": "text", "text": text} for text in body.system]
    if body.tools:
        made["tools"] = [_described({"name": tool.name, "input_schema": tool.schema}, tool.description) for tool in body.tools]
    return {**made, "messages": messages}


def _anthropic_block(piece: Piece, body: Body) -> dict[str, Any]:
    content: Any = piece.text
    if piece.images:
        content = [{"type": "text", "text": piece.text}] if piece.text else []
        content += [_anthropic_image(image) for image in piece.images]
    made = {"type": "tool_result", "tool_use_id": piece.call, "content": content}
    return {**made, "is_error": True} if piece.error else made


def _anthropic_other(piece: Piece) -> Iterator[dict[str, Any]]:
    if piece.kind == "call":
        given = piece.arguments if isinstance(piece.arguments, dict) else {"arguments": piece.arguments}
        yield {"type": "tool_use", "id": piece.call, "name": piece.name, "input": given}
    elif piece.kind == "image":
        yield from (_anthropic_image(image) for image in piece.images)
    else:
        yield {"type": "text", "text": piece.text}


def _anthropic_image(image: Image) -> dict[str, Any]:
    if image.url:
        return {"type": "image", "source": {"type": "url", "url": image.url}}
    return {"type": "image", "source": {"type": "base64", "media_type": image.mime, "data": image.data}}


def chat(body: Body) -> dict[str, Any]:
    """A message for each result; texts and calls of an answer are one message."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": text} for text in body.system]
    for side, pieces in _sides(body, split_system=True):
        calls = [piece for piece in pieces if piece.kind == "call"]
        for piece in pieces:
            if piece.kind == "result":
                _no_error_mark(piece, body)
                _no_images(piece, body)
                messages.append({"role": "tool", "tool_call_id": piece.call, "content": piece.text})
        parts = [part for piece in pieces for part in _chat_parts(piece)]
        if not parts and not calls:
            continue
        texts = [part["text"] for part in parts if part["type"] == "text"]
        content: Any = texts[0] if len(parts) == len(texts) == 1 else parts or None
        message = {"role": side, "content": content}
        if calls:
            message["tool_calls"] = [
                {"id": piece.call, "type": "function", "function": {"name": piece.name, "arguments": _text(piece.arguments)}}
                for piece in calls
            ]
        messages.append(message)
    made: dict[str, Any] = {"model": body.model} if body.model else {}
    made["messages"] = messages
    if body.tools:
        made["tools"] = [
            {"type": "function", "function": {**_described({"name": tool.name}, tool.description), "parameters": tool.schema}}
            for tool in body.tools
        ]
    return made


def _chat_parts(piece: Piece) -> Iterator[dict[str, Any]]:
    if piece.kind == "text":
        yield {"type": "text", "text": piece.text}
    elif piece.kind == "image":
        yield from ({"type": "image_url", "image_url": {"url": _address(image)}} for image in piece.images)


def responses(body: Body) -> dict[str, Any]:
    """An item for each call, result and run of texts."""
    items: list[dict[str, Any]] = []
    for side, pieces in _sides(body, split_system=True):
        for shown, run in groupby(pieces, key=lambda piece: piece.kind in ("text", "image")):
            if shown:
                items.append({"type": "message", "role": side, "content": [part for piece in run for part in _responses_parts(piece)]})
                continue
            for piece in run:
                if piece.kind == "call":
                    made = {"type": "function_call", "call_id": piece.call, "name": piece.name, "arguments": _text(piece.arguments)}
                else:
                    _no_error_mark(piece, body)
                    _no_images(piece, body)
                    made = {"type": "function_call_output", "call_id": piece.call, "output": piece.text}
                items.append(made)
    request: dict[str, Any] = {"model": body.model} if body.model else {}
    if body.system:
        request["instructions"] = "\n\n".join(body.system)
    if body.tools:
        request["tools"] = [
            {"type": "function", **_described({"name": tool.name}, tool.description), "parameters": tool.schema} for tool in body.tools
        ]
    return {**request, "input": items}


def _responses_parts(piece: Piece) -> Iterator[dict[str, Any]]:
    if piece.kind == "text":
        yield {"type": "output_text" if piece.side == "assistant" else "input_text", "text": piece.text}
    else:
        yield from ({"type": "input_image", "image_url": _address(image)} for image in piece.images)


def gemini(body: Body) -> dict[str, Any]:
    """Neighbours of one side are one content; a call and its result are tied by their order and name."""
    contents = []
    for side, pieces in _sides(body):
        results = [piece for piece in pieces if piece.kind == "result"]
        parts = [_gemini_result(piece, body) for piece in results]
        parts += [part for piece in pieces if piece.kind != "result" for part in _gemini_parts(piece)]
        contents.append({"role": "model" if side == "assistant" else "user", "parts": parts})
    made: dict[str, Any] = {}
    if body.system:
        made["systemInstruction"] = {"parts": [{"text": text} for text in body.system]}
    if body.tools:
        declared = [{**_described({"name": tool.name}, tool.description), "parametersJsonSchema": tool.schema} for tool in body.tools]
        made["tools"] = [{"functionDeclarations": declared}]
    return {"contents": contents, **made}


def _gemini_result(piece: Piece, body: Body) -> dict[str, Any]:
    _no_images(piece, body)
    return {"functionResponse": {"name": piece.name, "response": {"error" if piece.error else "result": piece.text}}}


def _gemini_parts(piece: Piece) -> Iterator[dict[str, Any]]:
    if piece.kind == "call":
        given = piece.arguments if isinstance(piece.arguments, dict) else {"arguments": piece.arguments}
        yield {"functionCall": {"name": piece.name, "args": given}}
    elif piece.kind == "text":
        yield {"text": piece.text}
    else:
        for image in piece.images:
            given = {"fileUri": image.url} if image.url else {"mimeType": image.mime, "data": image.data}
            yield {"fileData" if image.url else "inlineData": given}


WIRES: Final[dict[str, Callable[[Body], dict[str, Any]]]] = {
    "anthropic-messages": anthropic, "openai-chat": chat, "openai-responses": responses, "gemini": gemini,
}  # fmt: skip
"""By the name of the format that reads it."""


def _sides(body: Body, split_system: bool = False) -> Iterator[tuple[str, list[Piece]]]:
    """Runs of neighbours of one side. A system text in the middle is a person's where a wire has none there."""

    def side(piece: Piece) -> str:
        if piece.side == "system" and not split_system:
            return "user"
        return piece.side

    for word, run in groupby(body.pieces, key=side):
        pieces = list(run)
        if word == "user" and any(piece.side == "system" for piece in pieces):
            body.notes["system texts in the middle written as a person's"] += sum(piece.side == "system" for piece in pieces)
        yield word, pieces


def _described(made: dict[str, Any], description: str) -> dict[str, Any]:
    return {**made, "description": description} if description else made


def _text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))


def _address(image: Image) -> str:
    return image.url or f"data:{image.mime};base64,{image.data}"


def _no_error_mark(piece: Piece, body: Body) -> None:
    if piece.error:
        body.notes["marks of a failed result left out: this wire has none"] += 1


def _no_images(piece: Piece, body: Body) -> None:
    if piece.images:
        body.notes["images in results left out"] += len(piece.images)
