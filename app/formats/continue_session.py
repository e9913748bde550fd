"""Continue's sessions: `{sessionId, title, workspaceDirectory, history: [{message, contextItems, toolCallStates}]}`. Read, not written.

What a call gave stands in `toolCallStates` of the item that holds it; a message of role tool is the same once more. A text that a person
put into the context (`contextItems`) goes with the message. `thinking` is a role of its own.
Source: continuedev/continue core/index.d.ts (`Session`, `ChatHistoryItem`, `ToolCallState`), gui/src/redux/util/constructMessages.ts.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._guess import message_pieces
from app.formats._logs import About, Conversation, Sheet
from app.formats._nodes import Node
from app.formats._paths import follow
from app.formats._piece_wires import result
from app.formats._pieces import Piece
from app.formats._told import ToldDocument
from app.model.kinds import Flag, Kind, Role

_ENDED: Final = frozenset({"done", "errored", "canceled"})
_CANCELED: Final = "The user cancelled this tool call."


class ContinueSession(ToldDocument):
    name = "continue"
    summary = "Continue: a session"
    provider = "openai-chat"
    why = "history of messages with contextItems"
    score = 0.95

    def is_own(self, value: dict[str, Any]) -> bool:
        history = value.get("history")
        if not isinstance(history, list) or "sessionId" not in value:
            return False
        items = [item for item in history[:20] if isinstance(item, dict) and isinstance(item.get("message"), dict)]
        return any("contextItems" in item for item in items) or (bool(items) and "workspaceDirectory" in value)

    def found(self, root: Node) -> Node | None:
        return root.get("history")

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        message = value.get("message")
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            return None
        if message["role"] == "thinking":
            return [_thought(message)]
        found = [*_context(value), *message_pieces(message, "/message")]
        states = value.get("toolCallStates", [value["toolCallState"]] if isinstance(value.get("toolCallState"), dict) else [])
        for number, state in enumerate(states if isinstance(states, list) else ()):
            piece = _result(state, f"/toolCallStates/{number}")
            if piece is not None:
                found.append(piece)
        return found

    def about(self, value: dict[str, Any]) -> About:
        logs = value.get("promptLogs")
        titles = [log.get("modelTitle") for log in logs if isinstance(log, dict)] if isinstance(logs, list) else []
        return About(model=next((title for title in titles if isinstance(title, str)), None))

    def _enter(self, sheet: Sheet, main: Conversation, place: int, offset: int, length: int, value: Any, odd: bool) -> None:
        answered: set[str] = sheet.more.setdefault("answered", set())
        states = value.get("toolCallStates") if isinstance(value, dict) else None
        for state in states if isinstance(states, list) else ():
            id = state.get("toolCallId") if isinstance(state, dict) else None
            if isinstance(id, str) and _result(state, "") is not None:
                answered.add(id)
        id = follow(value, ("message", "toolCallId"))
        if follow(value, ("message", "role")) == "tool" and isinstance(id, str) and id in answered:
            sheet.other(offset, length, place, owner=0)
            return
        super()._enter(sheet, main, place, offset, length, value, odd)


def _thought(message: dict[str, Any]) -> Piece:
    content, sealed = message.get("content"), message.get("redactedThinking")
    texts = (content,) if isinstance(content, str) and content else ()
    flags = (Flag.SIGNED if message.get("signature") or sealed else 0) | (0 if texts else Flag.REDACTED)
    return Piece(Kind.REASONING, "thinking", Role.ASSISTANT, "/message/content", texts, flags=flags, value=message)


def _context(value: dict[str, Any]) -> list[Piece]:
    """What goes with a message: the texts of files and the like."""
    items = value.get("contextItems")
    return [
        Piece(Kind.TEXT, "contextItem", Role.USER, f"/contextItems/{number}/content", (item["content"],), flags=Flag.INJECTED, value=item)
        for number, item in enumerate(items if isinstance(items, list) else ())
        if isinstance(item, dict) and isinstance(item.get("content"), str) and item["content"]
    ]


def _result(state: Any, path: str) -> Piece | None:
    """What a call gave; None while it has not ended."""
    status = state.get("status") if isinstance(state, dict) else None
    if not isinstance(status, str) or status not in _ENDED:
        return None
    output = state.get("output")
    content: Any = _CANCELED if status == "canceled" else None
    if content is None and isinstance(output, list):
        content = "\n\n".join(item["content"] for item in output if isinstance(item, dict) and isinstance(item.get("content"), str))
    piece = result("toolCallState", Role.TOOL, path, state.get("toolCallId"), content, state, error=status == "errored")
    piece.turn = 1
    return piece


FORMAT = ContinueSession()
