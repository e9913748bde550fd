"""Events of OpenHands' SDK (V1) as messages. Actions that came with one response (`llm_response_id`) may stand one behind the other, their
observations behind them all.

Source: OpenHands/software-agent-sdk openhands-sdk/openhands/sdk/event (llm_convertible, conversation_error.py), and recorded events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from app.formats._context import Context
from app.formats._json import compact, loads
from app.formats._media import of_url
from app.formats._mould import Mould, Places, Spots
from app.formats._openai import role_of
from app.formats._paths import Path, follow
from app.formats._pieces import Piece, empty, other
from app.model.block import Media
from app.model.edits import Made
from app.model.kinds import Flag, Kind, Role

SAID: Final = frozenset({"SystemPromptEvent", "MessageEvent", "ActionEvent", "CondensationSummaryEvent"})
RESULTS: Final = {
    "ObservationEvent": "observation", "AgentErrorEvent": "error", "UserRejectObservation": "rejection_reason",
}  # fmt: skip
"""Events that answer a call, and the member that holds what they say."""
_LIST: Final = Flag.CONTENT_LIST


def is_said(event: Any) -> bool:
    """Whether an event is something that a model was sent, or said."""
    if not isinstance(event, dict):
        return False
    kind = event.get("kind")
    return kind in SAID or kind in RESULTS or (kind == "Condensation" and isinstance(event.get("summary"), str))


class OpenHandsSdkWire(Mould):
    """Events as messages."""

    result_type: ClassVar[str] = "ObservationEvent"

    def pieces(self, message: dict[str, Any]) -> Sequence[Piece]:
        kind = message.get("kind")
        if kind == "ActionEvent":
            return [*_thoughts(message), _call(message)]
        if isinstance(kind, str) and kind in RESULTS:
            return [self._result(message, kind)]
        if kind == "SystemPromptEvent":
            return list(_parts([message.get("system_prompt")], Role.SYSTEM, "/system_prompt", single=True))
        if kind in ("Condensation", "CondensationSummaryEvent"):
            text = message.get("summary")
            if not isinstance(text, str):
                return [empty(text, Role.USER, "/summary")]
            return [Piece(Kind.TEXT, str(kind), Role.USER, "", (text,), flags=Flag.SUMMARY, value=message)]
        inner = message.get("llm_message")
        role = role_of(inner.get("role")) if isinstance(inner, dict) else Role.OTHER
        content = inner.get("content") if isinstance(inner, dict) else None
        found = list(_reasoning(inner, role, "/llm_message")) if isinstance(inner, dict) else []
        if isinstance(content, str):
            found.append(Piece(Kind.TEXT, "text", role, "/llm_message/content", (content,), value=content))
        else:
            found += _parts(content, role, "/llm_message/content")
        found += _parts(message.get("extended_content"), role, "/extended_content")
        return found or [empty(content, role, "/llm_message/content")]

    def _result(self, event: dict[str, Any], kind: str) -> Piece:
        value = event.get(RESULTS[kind])
        texts: tuple[str, ...] = (value,) if isinstance(value, str) else ()
        media: tuple[Media, ...] = ()
        flags = 0
        content = value.get("content") if isinstance(value, dict) else None
        if isinstance(content, list):
            parts = list(_parts(content, Role.TOOL, ""))
            texts = tuple(text for part in parts if part.kind != Kind.MEDIA for text in part.texts)
            media, flags = tuple(m for part in parts for m in part.media), _LIST if content else _LIST | Flag.CONTENT_NONE
        elif isinstance(content, str):
            texts = (content,)
        elif not texts:
            texts, flags = ((compact(value),), 0) if value is not None else ((), Flag.CONTENT_NULL)
        name = event.get("tool_name")
        error = kind == "AgentErrorEvent" or follow(event, ("observation", "is_error")) is True
        return Piece(
            Kind.TOOL_RESULT, kind, Role.TOOL, "", texts, name if isinstance(name, str) else None, event.get("tool_call_id"), error=error,
            media=media, flags=flags, value=event,
        )  # fmt: skip

    def kept(self, context: Context, record: int, rows: Sequence[int], own: bool) -> bytes:
        """An action whose call goes and whose thought stays is what the agent said."""
        data = super().kept(context, record, rows, own)
        event = loads(data)
        if not isinstance(event, dict) or event.get("kind") != "ActionEvent" or any(context.base.kind[r] == Kind.TOOL_CALL for r in rows):
            return data
        members = {key: event[key] for key in ("id", "timestamp", "source") if key in event}
        said = {"role": "assistant", "content": event.get("thought") or []}
        said |= {key: event[key] for key in ("reasoning_content", "thinking_blocks") if event.get(key)}
        return context.style.dumps(members | {"llm_message": said, "kind": "MessageEvent"}, context.level)

    # -- places ---------------------------------------------------------------------------------------------------------------

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        kind = message.get("kind")
        if piece.kind == Kind.TOOL_CALL:
            return _call_spots(message)
        if piece.kind == Kind.TOOL_RESULT:
            return self._result_spots(message, str(kind))
        if piece.type in ("Condensation", "CondensationSummaryEvent"):
            return Spots((), ((("summary",),),), (("summary",),))
        path: Path = tuple(int(token) if token.isdigit() else token for token in piece.path.split("/")[1:])
        whole: Places = (("llm_message", "content"),)
        if piece.kind == Kind.REASONING:
            return Spots((path,), ((path,),))
        if piece.kind == Kind.EMPTY:
            return Spots((), (whole,), whole)
        if path == ("llm_message", "content"):
            return Spots((), (whole,), whole)
        if path == ("system_prompt",):
            return Spots((), ((("system_prompt", "text"),),), (("system_prompt", "text"),))
        return Spots((path,), ((((*path, "text"),)),) if piece.texts else (), whole)

    def _result_spots(self, event: dict[str, Any], kind: str) -> Spots:
        key = RESULTS[kind]
        ids: Places = (("tool_call_id",),)
        name: Places = (("tool_name",),)
        value = event.get(key)
        error: Places = ((key, "is_error"),) if kind == "ObservationEvent" else ()
        content = value.get("content") if isinstance(value, dict) else None
        if isinstance(content, list):
            texts = [((key, "content", n, "text"),) for n, part in enumerate(content) if isinstance(part, dict) and "text" in part]
            fits = len(texts) == sum(not _is_image(part) for part in content)
            return Spots((), tuple(texts) if fits else (), ((key, "content"),), ids, name, (), error)
        at: Places = ((key, "content"),) if isinstance(content, str) else ((key,),)
        return Spots((), (at,), at, ids, name, (), error)

    def content(self, value: Any, held: Any) -> Any:
        if isinstance(held, dict) and isinstance(value, str):  # an observation of another shape
            return {"kind": held.get("kind", "Observation"), "content": [self.text_part(value)], "is_error": held.get("is_error") is True}
        return super().content(value, held)

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        if made.kind == Kind.TOOL_RESULT:
            content = {"content": [self.text_part(made.text)], "is_error": made.error, "kind": "Observation"}
            members: dict[str, Any] = {"source": "environment", "tool_name": name or "", "tool_call_id": call_id, "observation": content}
            return members | {"action_id": like.get("id"), "kind": "ObservationEvent"}
        source = "user" if role == "user" else "agent"
        return {"source": source, "llm_message": {"role": role, "content": [self.text_part(made.text)]}, "kind": "MessageEvent"}


def _thoughts(event: dict[str, Any]) -> Iterator[Piece]:
    yield from _reasoning(event, Role.ASSISTANT, "")
    yield from _parts(event.get("thought"), Role.ASSISTANT, "/thought")


def _reasoning(held: dict[str, Any], role: Role, path: str) -> Iterator[Piece]:
    text = held.get("reasoning_content")
    blocks = held.get("thinking_blocks")
    signed = Flag.SIGNED if isinstance(blocks, list) and any(isinstance(b, dict) and b.get("signature") for b in blocks) else 0
    if isinstance(text, str) and text:
        yield Piece(Kind.REASONING, "reasoning_content", role, f"{path}/reasoning_content", (text,), flags=signed, value=text)


def _is_image(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "image"


def _parts(content: Any, role: Role, path: str, single: bool = False) -> Iterator[Piece]:
    """The parts of a list: texts and images."""
    for number, part in enumerate(content if isinstance(content, list) else ()):
        at = path if single else f"{path}/{number}"
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            yield Piece(Kind.TEXT, "text", role, at, (part["text"],), flags=0 if single else _LIST, value=part)
        elif _is_image(part):
            urls = part.get("image_urls")
            media = tuple(map(of_url, urls)) if isinstance(urls, list) else ()
            yield Piece(Kind.MEDIA, "image", role, at, media=media, flags=_LIST, value=part)
        else:
            yield other(part, "(no type)", role, at, 0 if single else _LIST)


def _call(event: dict[str, Any]) -> Piece:
    name, args, given = event.get("tool_name"), event.get("action"), event.get("action") is not None
    path = _arguments(event)
    if path is not None:
        args, given = follow(event, path), True
    return Piece(
        Kind.TOOL_CALL, "ActionEvent", Role.ASSISTANT, "", name=name if isinstance(name, str) else None, id=event.get("tool_call_id"),
        args=args, given=given, value=event,
    )  # fmt: skip


def _arguments(event: dict[str, Any]) -> Path | None:
    """Where the arguments stand as the model wrote them; None where they do not."""
    for path in (("tool_call", "arguments"), ("tool_call", "function", "arguments")):
        if isinstance(follow(event, path), str):
            return path
    return None


def _call_spots(event: dict[str, Any]) -> Spots:
    path = _arguments(event)
    if path is None:
        return Spots(id=(("tool_call_id",),), name=(("tool_name",),), args=(("action",),))
    holder = path[:-1]
    return Spots(
        id=(("tool_call_id",), ("tool_call", "id")), name=(("tool_name",), (*holder, "name")), args=(path,), args_text=True
    )  # fmt: skip
