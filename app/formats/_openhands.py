"""Events of OpenHands (before its SDK) as messages: what the model was sent of them, and what it said.

An action of the agent is a call, and its thought a text before it; an observation that names its action (`cause`, or
`tool_call_metadata`) is the result of that, one that names none a notice. What the model called stands in the response that is kept with
both, `tool_call_metadata.model_response`: name, arguments and id are taken from there, and kept in step when they are edited.
Source: All-Hands-AI/OpenHands openhands/events (action, observation, serialization/event.py), openhands/memory/conversation_memory.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from app.formats._context import Context
from app.formats._json import compact, loads
from app.formats._media import of_url
from app.formats._mould import Edits, Mould, Places, Spots
from app.formats._paths import Path, follow
from app.formats._pieces import Piece, empty
from app.model.edits import Content, Made
from app.model.kinds import Flag, Kind, Role

UNSAID: Final = frozenset({"recall", "change_agent_state", "null", "", "start", "pause", "resume", "stop"})
"""Actions that no model made or was told of."""
UNSEEN: Final = frozenset({"null", "agent_state_changed", "recall", ""})
"""Observations that answer nothing."""
_META: Final[Path] = ("tool_call_metadata",)
_CALLS: Final[Path] = (*_META, "model_response", "choices", 0, "message", "tool_calls")


def sort_of(event: Any) -> str:
    """What an event is to a model: "text", "call", "result", "notice", "summary"; "" where it was told nothing of it."""
    if not isinstance(event, dict):
        return ""
    action, seen = event.get("action"), event.get("observation")
    if isinstance(action, str):
        if action in ("message", "system"):
            return "text"
        if action == "condensation":
            return "summary" if isinstance(follow(event, ("args", "summary")), str) else ""
        return "call" if action not in UNSAID and event.get("source", "agent") != "environment" else ""
    if isinstance(seen, str) and seen not in UNSEEN:
        return "result" if "id" not in event or id_of(event) is not None else "notice"
    return ""


def id_of(event: dict[str, Any]) -> Any:
    """The id by which a call and its result find each other; None where the event has none."""
    told = follow(event, (*_META, "tool_call_id"))
    if told is not None:
        return told
    number = event.get("cause") if "observation" in event else event.get("id")
    if isinstance(number, str):
        return number
    return str(number) if isinstance(number, int) and not isinstance(number, bool) and number >= 0 else None


def _asked(event: dict[str, Any]) -> int:
    """Which of the calls of the model's response the event is; -1 where they are not told."""
    calls, id = follow(event, _CALLS), follow(event, (*_META, "tool_call_id"))
    if not isinstance(calls, list) or id is None:
        return -1
    return next((n for n, call in enumerate(calls) if isinstance(call, dict) and call.get("id") == id), -1)


class OpenHandsWire(Mould):
    """Events as messages."""

    result_type: ClassVar[str] = "observation"
    emptied: ClassVar[Mapping[str, Any]] = {}

    def pieces(self, message: dict[str, Any]) -> Sequence[Piece]:
        sort = sort_of(message)
        if sort == "text":
            return self._said(message)
        if sort == "summary":
            text = message["args"]["summary"]
            return [Piece(Kind.TEXT, "condensation", Role.USER, "", (text,), flags=Flag.SUMMARY, value=message)]
        if sort == "call":
            return self._called(message)
        content = message.get("content")
        texts = (content,) if isinstance(content, str) else () if content is None else (compact(content),)
        word = str(message.get("observation"))
        if sort == "result":
            name = follow(message, (*_META, "function_name"))
            flags = Flag.CONTENT_NULL if content is None else 0 if isinstance(content, str) else Flag.CONTENT_ODD
            return [
                Piece(
                    Kind.TOOL_RESULT, word, Role.TOOL, "", texts, name if isinstance(name, str) else None, id_of(message),
                    error=word == "error", flags=flags, value=message,
                )
            ]  # fmt: skip
        if not texts:
            return [empty(content, Role.USER, "/content")]
        return [Piece(Kind.TEXT, word, Role.USER, "", texts, flags=Flag.INJECTED, value=message)]

    def _said(self, event: dict[str, Any]) -> list[Piece]:
        role = Role.SYSTEM if event["action"] == "system" else Role.USER if event.get("source") == "user" else Role.ASSISTANT
        text, urls = follow(event, ("args", "content")), follow(event, ("args", "image_urls"))
        found = [Piece(Kind.TEXT, "text", role, "/args/content", (text,), value=text)] if isinstance(text, str) else []
        for number, url in enumerate(urls if isinstance(urls, list) else ()):
            found.append(Piece(Kind.MEDIA, "image", role, f"/args/image_urls/{number}", media=(of_url(url),), value=url))
        return found or [empty(text, role, "/args/content")]

    def _called(self, event: dict[str, Any]) -> list[Piece]:
        thought, args = follow(event, ("args", "thought")), event.get("args")
        found = []
        if isinstance(thought, str) and thought:
            found.append(Piece(Kind.TEXT, "thought", Role.ASSISTANT, "/args/thought", (thought,), value=thought))
        number = _asked(event)
        name = follow(event, (*_META, "function_name"))
        if number >= 0:
            args = follow(event, (*_CALLS, number, "function", "arguments"))
        elif isinstance(args, dict):
            args = {key: value for key, value in args.items() if key != "thought"}
        named = name if isinstance(name, str) else event["action"]
        given = "args" in event or number >= 0
        call = Piece(
            Kind.TOOL_CALL, event["action"], Role.ASSISTANT, "", name=named, id=id_of(event), args=args, given=given, value=event
        )
        return [*found, call]

    def kept(self, context: Context, record: int, rows: Sequence[int], own: bool) -> bytes:
        """An action whose call goes and whose thought stays is what the agent said."""
        data = super().kept(context, record, rows, own)
        event = loads(data)
        if sort_of(event) != "call" or any(context.base.kind[row] == Kind.TOOL_CALL for row in rows):
            return data
        members = {key: value for key, value in event.items() if key not in ("tool_call_metadata", "action", "args", "message")}
        text = follow(event, ("args", "thought"))
        args = {"content": text, "image_urls": None, "wait_for_response": False}
        return context.style.dumps(members | {"message": text, "action": "message", "args": args}, context.level)

    def lay(self, edits: Edits, message: dict[str, Any], piece: Piece, fields: Mapping[str, Any], content: Content | None) -> None:
        thought = follow(message, ("args", "thought"))
        if piece.kind == Kind.TOOL_CALL and isinstance(fields.get("input"), dict) and isinstance(thought, str) and _asked(message) < 0:
            fields = {**fields, "input": {**fields["input"], "thought": follow(loads(edits.data), ("args", "thought"))}}
        super().lay(edits, message, piece, fields, content)

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        if piece.kind == Kind.TOOL_CALL:
            return self._call_spots(message)
        if piece.kind == Kind.TOOL_RESULT:
            texts: Places = (("content",),)
            return Spots((), (texts,) if piece.texts else (), texts, self._ids(message, "cause"), self._names(message))
        if piece.kind == Kind.MEDIA:
            return Spots((("args", "image_urls", int(piece.path.rsplit("/", 1)[1])),))
        if piece.type == "condensation":
            return Spots((), ((("args", "summary"),),), (("args", "summary"),))
        if piece.type == "thought":
            return Spots((("args", "thought"),), ((("args", "thought"),),))
        if sort_of(message) != "text":
            return Spots((), ((("content",),),), (("content",),))
        shown = isinstance(message.get("message"), str) and message["message"] == follow(message, ("args", "content"))
        places: Places = (("args", "content"), ("message",)) if shown else (("args", "content"),)
        return Spots((("args", "content"),), (places,), (("args", "content"),))

    def _call_spots(self, event: dict[str, Any]) -> Spots:
        number = _asked(event)
        if number >= 0:
            called: Path = (*_CALLS, number, "function")
            text = isinstance(follow(event, (*called, "arguments")), str)
            return Spots(id=self._ids(event, "id"), name=self._names(event), args=((*called, "arguments"),), args_text=text)
        return Spots(id=self._ids(event, "id"), name=self._names(event) or (("action",),), args=(("args",),))

    @staticmethod
    def _ids(event: dict[str, Any], key: str) -> Places:
        """Where an event keeps the id of its call."""
        number = _asked(event)
        if isinstance(event.get("tool_call_metadata"), dict):
            own: Places = ((*_META, "tool_call_id"),)
            return (*own, (*_CALLS, number, "id")) if number >= 0 else own
        return ((key,),)

    @staticmethod
    def _names(event: dict[str, Any]) -> Places:
        number = _asked(event)
        if not isinstance(event.get("tool_call_metadata"), dict):
            return ()
        own: Places = ((*_META, "function_name"),)
        return (*own, (*_CALLS, number, "function", "name")) if number >= 0 else own

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        if made.kind == Kind.TOOL_RESULT:
            event: dict[str, Any] = {"source": "agent", "message": "", "observation": "error" if made.error else like.get("action", "null")}
            if isinstance(like.get("tool_call_metadata"), dict):
                event["tool_call_metadata"] = like["tool_call_metadata"]
            event |= {"cause": like["id"]} if "id" in like else {}
            return event | {"content": made.text, "extras": {}}
        source = "user" if role == "user" else "agent"
        args = {"content": made.text, "image_urls": [], "wait_for_response": False}
        return {"source": source, "message": made.text, "action": "system" if role == "system" else "message", "args": args}
