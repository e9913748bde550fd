"""Messages made of typed parts: OpenTelemetry's conventions for GenAI, and Pydantic AI's.

Sources: open-telemetry/semantic-conventions docs/gen-ai (gen-ai-input-messages.json, gen-ai-output-messages.json), and
pydantic/pydantic-ai pydantic_ai_slim/pydantic_ai/messages.py. A `retry-prompt` that names a tool is what its call was answered.
"""

from __future__ import annotations

from typing import Any

from app.formats._json import compact
from app.formats._media import of_base64, of_url
from app.formats._piece_wires import call, content_pieces, media_of, part_piece, result, role_of, said, string, thought
from app.formats._pieces import Piece, empty, other
from app.model.block import Media
from app.model.kinds import Flag, Kind, Role

# -- OpenTelemetry --------------------------------------------------------------------------------------------------------------


def otel_pieces(message: Any) -> list[Piece]:
    if not isinstance(message, dict):
        return [other(message, "(no message)", Role.OTHER, "")]
    role, parts = role_of(message.get("role")), message.get("parts")
    if not isinstance(parts, list):
        return content_pieces(parts if parts is not None else message.get("content"), role, "/parts") or [empty(parts, role, "/parts")]
    return [_part(part, role, f"/parts/{number}") for number, part in enumerate(parts)] or [empty(parts, role, "/parts")]


def _part(part: Any, role: Role, path: str) -> Piece:
    word = part.get("type") if isinstance(part, dict) else None
    if word in ("tool_call", "server_tool_call", "builtin_tool_call"):
        server = word != "tool_call" or part.get("builtin") is True
        inner = part.get(word) if isinstance(part.get(word), dict) else {}
        args = part.get("arguments", inner.get("arguments"))
        return call(word, path, part.get("name", inner.get("name")), part.get("id"), args, part, server=server)
    if word in ("tool_call_response", "server_tool_call_response", "tool_response"):
        server = word == "server_tool_call_response" or part.get("builtin") is True
        content = next((part[key] for key in ("response", "result", "content", word) if key in part), None)
        return result(word, role, path, part.get("id"), content, part, part.get("name"), part.get("is_error") is True, server=server)
    if isinstance(word, str) and "reasoning" in word.lower():
        content = part.get("content")
        held = content.get("text") if isinstance(content, dict) else content
        signed = bool(content.get("protectedData")) if isinstance(content, dict) else bool(part.get("signature"))
        return thought(held, path, part, signed, word=word)
    if word in ("blob", "file", "uri", "image", "image-url", "audio-url", "video-url", "document-url", "binary"):
        mime = string(part.get("mime_type", part.get("media_type"))) or string(part.get("modality")) or ""
        held = part.get("content", part.get("data"))
        media = of_base64(held, mime) if isinstance(held, str) else of_url(part.get("uri", part.get("url")))
        return Piece(Kind.MEDIA, word, role, path, media=(media if media.mime else Media(mime),), value=part)
    return part_piece(part, role, path)


# -- Pydantic AI ------------------------------------------------------------------------------------------------------------------


def pydantic_pieces(message: Any) -> list[Piece]:
    """A request holds texts and results, each of which goes out as a message of its own; a response is one message."""
    if not isinstance(message, dict):
        return [other(message, "(no message)", Role.OTHER, "")]
    asked = message.get("kind") != "response"
    parts = message.get("parts")
    found = list[Piece]()
    for number, part in enumerate(parts if isinstance(parts, list) else ()):
        path = f"/parts/{number}"
        if not isinstance(part, dict):
            new = [other(part, "(no part)", Role.USER if asked else Role.ASSISTANT, path)]
        else:
            new = _asked(part, path) if asked else [_answered(part, path)]
        for piece in new:
            piece.turn = number if asked else 0
        found += new
    return found or [empty(parts, Role.USER if asked else Role.ASSISTANT, "/parts")]


def _asked(part: dict[str, Any], path: str) -> list[Piece]:
    word, content = part.get("part_kind"), part.get("content")
    if word in ("system-prompt", "instruction"):
        return [said(Role.SYSTEM, content, path, word=word)]
    if word == "tool-return" or (word == "builtin-tool-return"):
        failed = part.get("outcome") in ("failed", "denied", "interrupted")
        server = word == "builtin-tool-return"
        return [result(word, Role.TOOL, path, part.get("tool_call_id"), content, part, part.get("tool_name"), failed, server=server)]
    if word == "retry-prompt" and part.get("tool_name") is not None:
        text = content if isinstance(content, str) else compact(content)
        return [result(word, Role.TOOL, path, part.get("tool_call_id"), text, part, part.get("tool_name"), True)]
    if word == "retry-prompt":
        return [said(Role.USER, content if isinstance(content, str) else compact(content), path, word=word)]
    if isinstance(content, list):
        return [_prompt(held, f"{path}/content/{number}") for number, held in enumerate(content)] or [empty(content, Role.USER, path)]
    return [said(Role.USER, content, path)]


def _prompt(held: Any, path: str) -> Piece:
    """A part of what a user said: a text, or `{kind: image-url, url}`, `{kind: binary, media_type, data}`."""
    if isinstance(held, dict) and isinstance(held.get("kind"), str):
        mime = string(held.get("media_type"))
        media = of_base64(held.get("data"), mime) if "data" in held else of_url(held.get("url"))
        return Piece(Kind.MEDIA, held["kind"], Role.USER, path, media=(media,), value=held)
    return part_piece(held, Role.USER, path)


def _answered(part: dict[str, Any], path: str) -> Piece:
    word, content = part.get("part_kind"), part.get("content")
    if word in ("tool-call", "builtin-tool-call"):
        return call(word, path, part.get("tool_name"), part.get("tool_call_id"), part.get("args"), part, server=word != "tool-call")
    if word in ("builtin-tool-return", "tool-return"):
        return result(word, Role.ASSISTANT, path, part.get("tool_call_id"), content, part, part.get("tool_name"), server=True)
    if word == "thinking":
        return thought(content, path, part, bool(part.get("signature")), word=word)
    if word == "compaction":
        piece = said(Role.ASSISTANT, content, path, word=word)
        piece.flags |= Flag.SUMMARY
        return piece
    if word == "file":
        held = content if isinstance(content, dict) else {}
        found = of_base64(held.get("data"), held.get("media_type"))
        return Piece(Kind.MEDIA, word, Role.ASSISTANT, path, media=(found,), value=part)
    if word == "text" or isinstance(content, str):
        return said(Role.ASSISTANT, content, path)
    found_media = media_of(part)
    return other(part, string(word) or "(no kind)", Role.ASSISTANT, path) if found_media is None else part_piece(part, Role.ASSISTANT, path)
