"""All wires that a record of LLM calls may hold messages of, by a short word: those of providers, and those of frameworks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from app.formats import _attributes, _langchain, _parts_wires, _vercel
from app.formats._dialects import ANTHROPIC, GEMINI, OPENAI, RESPONSES, Wire
from app.formats._piece_wires import PieceWire, content_pieces, said, turned
from app.formats._pieces import Piece, empty
from app.formats.bedrock_converse import FORMAT as BEDROCK
from app.model.kinds import Role

NATIVE: Final = {
    "anthropic": "anthropic", "anthropic-answer": "anthropic", "chat": "openai-chat", "chat-answer": "openai-chat",
    "responses": "openai-responses", "gemini": "gemini", "gemini-answer": "gemini", "bedrock": "bedrock",
    "blocks-user": "anthropic", "blocks-assistant": "anthropic", "bedrock-user": "bedrock", "bedrock-assistant": "bedrock",
}  # fmt: skip
"""Wires that a provider reads, with that provider."""


def _with_role(role: str) -> Callable[[Any], dict[str, Any]]:
    """Answers do not always say whose they are."""

    def turn(message: Any) -> dict[str, Any]:
        held = message if isinstance(message, dict) else {"content": message}
        return held if isinstance(held.get("role"), str) else {**held, "role": role}

    return turn


def _content(message: Any) -> dict[str, Any]:
    """An answer without what stands beside its content, which is no part of a message that is sent."""
    held = message if isinstance(message, dict) else {}
    return {"role": held.get("role", "assistant"), "content": held.get("content")}


def _blocks(role: str) -> Callable[[Any], dict[str, Any]]:
    """A message of which only the content was kept."""

    def turn(content: Any) -> dict[str, Any]:
        return {"role": role, "content": content}

    return turn


def _agents(item: Any) -> dict[str, Any]:
    """An item as the Agents SDK for JavaScript keeps it: `callId`, and `function_call_result` with its output in a part."""
    held = dict(item) if isinstance(item, dict) else {}
    if "callId" in held:
        held["call_id"] = held.pop("callId")
    if held.get("type") == "function_call_result":
        held["type"] = "function_call_output"
        output = held.get("output")
        held["output"] = output["text"] if isinstance(output, dict) and isinstance(output.get("text"), str) else output
    return held


def _plain(role: Role) -> PieceWire:
    """A text of a role, or any other JSON, which is shown as it stands."""

    def pieces(value: Any) -> list[Piece]:
        if isinstance(value, list):
            return content_pieces(value, role, "") or [empty(value, role, "")]
        return [said(role, value)]

    return PieceWire(pieces)


WIRES: Final[dict[str, Wire]] = {
    "anthropic": ANTHROPIC.wire,
    "anthropic-answer": turned(_content, ANTHROPIC.wire, exact=True),
    "chat": OPENAI.wire,
    "chat-answer": turned(_with_role("assistant"), OPENAI.wire, exact=True),
    "responses": RESPONSES.wire,
    "agents": turned(_agents, RESPONSES.wire),
    "gemini": GEMINI.wire,
    "gemini-answer": turned(_with_role("model"), GEMINI.wire, exact=True),
    "bedrock": BEDROCK,
    "langchain": PieceWire(_langchain.pieces),
    "model-message": PieceWire(_vercel.model_pieces),
    "ui-message": PieceWire(_vercel.ui_pieces),
    "ai-answer": PieceWire(_vercel.answer_pieces),
    "ai-calls": PieceWire(_vercel.calls_pieces),
    "blocks-user": turned(_blocks("user"), ANTHROPIC.wire),
    "blocks-assistant": turned(_blocks("assistant"), ANTHROPIC.wire),
    "bedrock-user": turned(_blocks("user"), BEDROCK),
    "bedrock-assistant": turned(_blocks("assistant"), BEDROCK),
    "otel": PieceWire(_parts_wires.otel_pieces),
    "pydantic": PieceWire(_parts_wires.pydantic_pieces),
    "openinference": turned(_attributes.openinference, OPENAI.wire),
    "openllmetry": turned(_attributes.openllmetry, OPENAI.wire),
    "event": turned(_attributes.event, OPENAI.wire),
    "said-user": _plain(Role.USER),
    "said-assistant": _plain(Role.ASSISTANT),
    "said-system": _plain(Role.SYSTEM),
}
ORDER: Final = tuple(WIRES)
NEEDS_OBJECT: Final = frozenset({"anthropic", "chat", "responses", "gemini", "bedrock"})
